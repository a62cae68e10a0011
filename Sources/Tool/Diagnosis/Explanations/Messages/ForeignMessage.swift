// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// Another tool's message or error code about certificates, and the codes behind it.
package struct ForeignMessage: Sendable, Hashable {
    /// The tool or library: `OpenSSL`, `Go`, `Chrome`.
    package let tool: String

    /// The forms of the message, the one to show first at the start: text, constant, number. An ellipsis matches any
    /// words.
    package let forms: [String]

    /// The names of the codes behind the message, at least one, the likeliest first: failures, other errors, and causes
    /// that only other tools report.
    package let names: [String]

    /// The failure codes among ``names``.
    package let codes: [TrustFailure.Code]

    /// The place where the message was found: a program's version, or a file of its source.
    package let source: String

    /// The way the message misleads, or the next step, or nil if the message says what is wrong.
    package let note: String?

    /// How little the message says: 0, 1 if many codes can be behind it, or 2 if the reason is elsewhere in the log. A
    /// less general message in the same text is more informative.
    let generality: Int

    /// Whether the table has the message, but not its cause.
    package var isUnexplained: Bool { names == ["unknownCause"] }

    /// Creates a message of the book, or the one with this name of an entry with generated names.
    init(_ entry: Book.Entry, name: [String]? = nil) {
        tool = entry["tool"]
        forms = name ?? entry.all("form")
        names = entry["codes"].split(separator: " ").map(String.init)
        codes = entry.codes
        source = entry["source"]
        note = entry.all("note").first?.filling(["reason": forms[0]])
        generality = entry["reason"].isEmpty ? (codes.count > 4 ? 2 : codes.count > 2 ? 1 : 0) : 2
    }
}

/// The table of other tools' messages.
package enum ForeignMessages {
    /// All messages, grouped by tool. A search returns rows of equal rank in this order.
    static let all = Book(packed: PackedBook.messages).entries.map { ForeignMessage($0) }

    /// Returns the messages of other tools for a failure. Messages that have the failure as the likeliest code come
    /// first.
    package static func of(_ code: TrustFailure.Code) -> [ForeignMessage] {
        all.filter { $0.codes.first == code } + all.filter { $0.codes.dropFirst().contains(code) }
    }
}
