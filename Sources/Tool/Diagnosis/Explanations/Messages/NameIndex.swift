// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The names, numbers and texts of other tools' errors, indexed by their first word.
///
/// `Scripts/generate-message-tables` takes them from the tools' sources. An underscore separates words here, so that
/// `ERR_SSL_NO_SHARED_CIPHER` contains OpenSSL's `no shared cipher`.
struct NameIndex: Sendable {
    private struct Name {
        let entry: Int
        /// The texts for the same error: name, number, text.
        let texts: [String]
        let text: String
        let words: [String]
        /// The number of bytes of the words.
        var length: Int { words.reduce(0) { $0 + $1.utf8.count } }
    }

    static let shared = NameIndex(Book(packed: PackedBook.names).entries)

    private let entries: [Book.Entry]
    private let leads: [Set<String>]
    private let names: [Name]
    private let byFirstWord: [String: [Int]]

    private init(_ entries: [Book.Entry]) {
        self.entries = entries
        leads = entries.map { Set($0["after"].split(separator: " ").map(String.init)) }
        let names = entries.enumerated().flatMap { number, entry in
            entry["names"].split(separator: "; ").flatMap { row in
                let texts = row.split(separator: " | ").map(String.init)
                return texts.map { Name(entry: number, texts: texts, text: $0, words: Self.split($0).map(\.word)) }
            }
        }
        self.names = names
        byFirstWord = Dictionary(grouping: names.indices.filter { !names[$0].words.isEmpty }) { names[$0].words[0] }
    }

    /// Returns the words of a text, split at underscores, with the places of the unsplit words.
    private static func split(_ text: String) -> [(word: String, place: Int)] {
        split(MessageText(text.unicodeScalars).words)
    }

    private static func split(_ words: [String]) -> [(word: String, place: Int)] {
        words.enumerated().flatMap { place, word in word.split(separator: "_").map { (String($0), place) } }
    }

    /// Returns the names in a text, at most one for each place where names begin: the longest.
    func occurrences(in text: MessageText) -> [MessageSearch.Match] {
        let split = Self.split(text.words)
        let (words, places) = (split.map(\.word), split.map(\.place))
        return words.indices.compactMap { start in
            let found = (byFirstWord[words[start]] ?? []).filter { isNamed($0, at: start, in: words, places) }
            return found.max { names[$0].words.count < names[$1].words.count }.map { index in
                let name = names[index]
                return MessageSearch.Match(
                    row: ForeignMessages.all.count + index,
                    message: ForeignMessage(entries[name.entry], name: name.texts), form: name.text,
                    score: name.length,
                    words: places[start]..<places[start + name.words.count - 1] + 1, isPartOfForm: false,
                    hasGap: false)
            }
        }
    }

    /// Returns whether a name begins at a word, and isn't a common phrase in another context: it is long, a constant or
    /// a number, the whole text, a part of a constant, or follows a word that leads to such names.
    private func isNamed(_ index: Int, at start: Int, in words: [String], _ places: [Int]) -> Bool {
        let name = names[index]
        let end = start + name.words.count
        guard end <= words.count, words[start..<end].elementsEqual(name.words) else { return false }
        let isLong = name.length >= 14 && name.words.count != 2
        let isConstant = name.text.contains("_") || name.text.hasPrefix("-")
        let isInConstant = name.words.count > 1 && places[start] == places[end - 1]
        return isLong || isConstant || isInConstant || name.words.count > 2 && name.words.count == words.count
            || words[max(0, start - 12)..<start].contains { leads[name.entry].contains($0) }
    }
}
