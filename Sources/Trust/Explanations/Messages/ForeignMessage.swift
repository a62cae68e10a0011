// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// A message or an error code of another tool about certificates, and the failure codes behind it.
package struct ForeignMessage: Sendable, Hashable {
    /// The tool or library: `OpenSSL`, `Go`, `Chrome`.
    package let tool: String

    /// The forms in which the message occurs, the one to show first: text, constant, number. An ellipsis stands for any words.
    package let forms: [String]

    /// The failure codes behind it, the likeliest first; never empty.
    package let codes: [TrustFailure.Code]

    /// The place where the message was read: a program's version or a file of its source.
    package let source: String

    /// The way in which the message misleads; nil if it says what is wrong.
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
    /// All messages, grouped by tool; rows of equal rank are found in this order.
    package static let all: [ForeignMessage] = Array(
        [
            openSSL, curl, wget, git, python, node, go, goParser, java, android, gnuTLS, nss, chrome, apple, rustls,
            dotNet,
            schannel, boringSSL, postgreSQL, otherRuntimes, mbedTLS, wolfSSL, bearSSL, pinning, services, qt, alerts,
        ].joined())

    /// Returns the messages that other tools have for a failure: those for which it is the likeliest code, then the others.
    package static func of(_ code: TrustFailure.Code) -> [ForeignMessage] {
        all.filter { $0.codes.first == code } + all.filter { $0.codes.dropFirst().contains(code) }
    }
}
