// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The failure codes of the package and of `verify --batch`.
enum FailureCodes {
    /// All codes, most specific first.
    static let all: [TrustFailure.Code] =
        (TrustFailure.Code.all + TrustFailure.Code.batch).sorted { ($1.rank, $0.name) < ($0.rank, $1.name) }

    /// Returns the code with exactly this name.
    static func named(_ name: String) -> TrustFailure.Code? { all.first { $0.name == name } }

    /// Returns up to three similar names.
    static func closest(to name: String) -> [String] {
        let wanted = Array(name.lowercased().prefix(64))
        let scored = all.map { code in
            let candidate = Array(code.name.lowercased())
            // A part of a name is as good as a slip or two: "expired" means certificateExpired.
            let isPart = wanted.count >= 3 && String(candidate).contains(String(wanted))
            return (distance: isPart ? 1 : editDistance(wanted, candidate), name: code.name)
        }
        let limit = max(2, wanted.count / 3)
        return scored.filter { $0.distance <= limit }.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
            .prefix(3).map(\.name)
    }

    /// Returns the number of characters to insert, remove or replace (Levenshtein distance).
    private static func editDistance(_ left: [Character], _ right: [Character]) -> Int {
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
}
