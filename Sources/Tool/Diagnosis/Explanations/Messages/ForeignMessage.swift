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

    init(
        _ tool: String, _ forms: [String], _ codes: [TrustFailure.Code], source: String, note: String? = nil
    ) {
        self.tool = tool
        self.forms = forms
        self.codes = codes
        self.source = source
        self.note = note
    }
}

/// The table of other tools' messages.
package enum ForeignMessages {
    /// All messages, grouped by tool. A search returns rows of equal rank in this order.
    static let all: [ForeignMessage] = Array(
        [
            openSSL, curl, wget, git, python, node, go, goParser, java, android, gnuTLS, nss, chrome, apple, rustls,
            dotNet,
            schannel, boringSSL, postgreSQL, otherRuntimes, mbedTLS, wolfSSL, bearSSL, pinning, services, qt, alerts,
        ].joined())

    /// Returns the messages of other tools for a failure. Messages that have the failure as the likeliest code come
    /// first.
    package static func of(_ code: TrustFailure.Code) -> [ForeignMessage] {
        all.filter { $0.codes.first == code } + all.filter { $0.codes.dropFirst().contains(code) }
    }
}
