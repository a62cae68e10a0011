// SPDX-License-Identifier: Apache-2.0

import TrustSupport

/// The reason why a server doesn't come from a protocol's exchange in the clear to TLS.
package struct PrologueRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of refusals.
    package enum Kind: Sendable, Hashable {
        /// The server doesn't offer TLS, or declines it.
        case declined
        /// The server speaks another protocol.
        case otherProtocol
        /// The server sends more than the answer that is waited for: bytes in the clear that could be taken for ones of the session.
        case extraBytes
        /// An answer is larger than any that a server of the protocol has reason to send.
        case tooLarge
    }

    /// The kind of refusal.
    package let kind: Kind
    /// For people; wording may change. Words of the server are escaped and cut.
    package let description: String

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// Returns the start of a server's words in quotation marks, for a description.
    static func quoted(_ words: some Collection<UInt8>) -> String {
        var words = Array(words.prefix(maximumSize + 2))
        // The end of a line isn't one of the words.
        while words.last == 0x0a || words.last == 0x0d { words.removeLast() }
        let isCut = words.count > maximumSize
        var text = clipped(String(decoding: words.prefix(maximumSize), as: UTF8.self), to: maximumSize)
        if isCut, !text.hasSuffix("…") { text += "…" }
        return "\"\(text)\""
    }

    /// The bytes of a server's words that a description has: a line of a terminal.
    private static let maximumSize = 100
}
