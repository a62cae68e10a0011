// SPDX-License-Identifier: Apache-2.0

/// Texts by name: a part of the book that `Scripts/pack-book` packed for a module.
///
/// `Book/README.md` describes the book. In the packed form, the name of an entry is on a line, and its texts follow as
/// `field: text`. A blank line ends the entry.
package struct Book: Sendable {
    /// The texts about a code, a rule or a message.
    package struct Entry: Sendable, Hashable {
        fileprivate struct Text: Hashable {
            let field: Substring
            let text: Substring
        }

        /// The name of the code or rule, or the text of the message.
        package let name: String
        fileprivate var texts: [Text] = []

        fileprivate init(_ name: Substring) { self.name = String(name) }

        /// Returns all texts of a field, in their order.
        package func all(_ field: String) -> [String] { texts.filter { $0.field == field }.map { String($0.text) } }

        /// Returns the text of a field that the entry has. `Scripts/pack-book` fails if a required field is missing.
        package subscript(field: String) -> String { all(field).first ?? "" }
    }

    /// The entries, in the order of the book.
    package private(set) var entries: [Entry] = []
    private var places: [String: Int] = [:]

    /// Reads the packed texts.
    package init(packed: String) {
        var isInEntry = false
        for bytes in packed.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let line = Substring(bytes)
            if line.isEmpty {
                isInEntry = false
            } else if !isInEntry {
                isInEntry = true
                entries.append(Entry(line))
            } else if let colon = bytes.firstIndex(of: UInt8(ascii: ":")) {
                let text = Entry.Text(field: line[..<colon], text: Substring(bytes[colon...].dropFirst(2)))
                entries[entries.count - 1].texts.append(text)
            }
        }
        places = Dictionary(entries.indices.map { (entries[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the entry with a name, or nil if there isn't one.
    package subscript(name: String) -> Entry? { places[name].map { entries[$0] } }

    /// Replaces each entry that has no texts by the entry of another book with the same name.
    package mutating func fill(from other: Book) {
        for index in entries.indices where entries[index].texts.isEmpty {
            entries[index] = other[entries[index].name] ?? entries[index]
        }
    }
}

extension String {
    /// Returns the text with names in braces replaced by their values. Names inside the values aren't replaced.
    package func filling(_ values: [String: String]) -> String {
        var filled = ""
        var rest = self[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            filled += rest[..<start]
            filled += values[String(rest[rest.index(after: start)..<end])] ?? String(rest[start...end])
            rest = rest[rest.index(after: end)...]
        }
        return filled + rest
    }
}
