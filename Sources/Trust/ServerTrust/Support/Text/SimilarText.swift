// SPDX-License-Identifier: Apache-2.0

/// Returns up to three of `names` that `text` may mean, most similar first: names that contain it, and names that
/// differ from it in a few characters. Ignores case.
/// - Parameters:
///   - text: any text. Only the first 64 characters count.
///   - names: the known names.
package func similar<Names: Sequence<String>>(to text: String, among names: Names) -> [String] {
    let wanted = Array(text.lowercased().prefix(64))
    let scored = names.map { name in
        let candidate = Array(name.lowercased())
        // Part of a name counts as much as a typo: "expired" means certificateExpired.
        let isPart = wanted.count >= 3 && String(candidate).contains(String(wanted))
        return (distance: isPart ? 1 : editDistance(wanted, candidate), name: name)
    }
    let limit = max(2, wanted.count / 3)
    return scored.filter { $0.distance <= limit }.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
        .prefix(3).map(\.name)
}

/// Returns the number of characters to insert, remove or replace (Levenshtein distance), in time proportional to the
/// product of the lengths.
package func editDistance(_ left: [Character], _ right: [Character]) -> Int {
    var row = Array(0...right.count)
    for (i, character) in left.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, other) in right.enumerated() {
            let replaced = diagonal + (character == other ? 0 : 1)
            diagonal = row[j + 1]
            row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
        }
    }
    return row[right.count]
}
