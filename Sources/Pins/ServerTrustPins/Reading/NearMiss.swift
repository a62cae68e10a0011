// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// A name in a file that is probably a misspelling of a known one.
enum NearMiss {
    /// Returns the known name that differs from `name` in at most two letters, or nil if there isn't one. Ignores case,
    /// hyphens and underscores. In a name of less than six letters, only one may differ.
    static func meant(by name: String, among known: some Sequence<String>) -> String? {
        let own = letters(name)
        let limit = own.count < 6 ? 1 : 2
        // The difference in length is a lower bound for the distance, so most names don't have to be compared letter by
        // letter.
        return known.first { known in
            let other = letters(known)
            return abs(own.count - other.count) <= limit && editDistance(own, other) <= limit
        }
    }

    /// Returns `; did you mean NSPinnedDomains?`, or an empty string.
    static func question(about name: String, among known: some Sequence<String>) -> String {
        meant(by: name, among: known).map { "; did you mean \($0)?" } ?? ""
    }

    /// Returns a question about the first word of a file that misspells one of the marks, or an empty string. Reads the
    /// first megabyte.
    static func question(aboutWordsOf bytes: [UInt8], among marks: [String]) -> String {
        var seen: Set<ArraySlice<UInt8>> = []
        let words = bytes.prefix(1 << 20).split { byte in
            !(byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte.isLetterOrDigit)
        }
        for word in words where (8...64).contains(word.count) && seen.count < 4096 && seen.insert(word).inserted {
            let word = String(decoding: word, as: UTF8.self)
            if marks.contains(word) { continue }
            if let meant = meant(by: word, among: marks) { return "; did you mean \(meant) instead of \(word)?" }
        }
        return ""
    }

    private static func letters(_ name: String) -> [Character] {
        name.prefix(64).lowercased().filter { $0 != "-" && $0 != "_" }
    }
}
