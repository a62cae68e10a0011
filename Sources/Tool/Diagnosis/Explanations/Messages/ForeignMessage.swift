// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// Another tool's message or error code about certificates, and the failure codes behind it.
package struct ForeignMessage: Sendable, Hashable {
    /// The tool or library: `OpenSSL`, `Go`, `Chrome`.
    package let tool: String

    /// The forms of the message, the one to show first at the start: text, constant, number. An ellipsis matches any
    /// words.
    package let forms: [String]

    /// The failure codes behind the message, at least one, the likeliest first.
    package let codes: [TrustFailure.Code]

    /// The place where the message was found: a program's version, or a file of its source.
    package let source: String

    /// The way the message misleads, or the next step, or nil if the message says what is wrong.
    package let note: String?

    fileprivate init(_ entry: Book.Entry) {
        tool = entry["tool"]
        forms = entry.all("form")
        codes = entry.codes
        source = entry["source"]
        note = entry.all("note").first
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
