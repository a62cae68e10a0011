// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import ServerTrust

/// The reason why the exchange with a server in the clear doesn't end with TLS.
package struct PrologueRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of refusals.
    package enum Kind: Sendable, Hashable {
        /// The server doesn't offer TLS, or declines it.
        case declined
        /// The server speaks another protocol.
        case otherProtocol
        /// The server sends more than the expected answer. These bytes in the clear could be mistaken for bytes of the
        /// TLS session.
        case extraBytes
        /// The answer is larger than any answer that the protocol's servers need to send.
        case tooLarge
    }

    /// The kind of refusal.
    package let kind: Kind
    /// A human-readable description. Its wording may change. The server's words are escaped and truncated.
    package let description: String

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// Returns the beginning of a server's words in quotation marks, for a description.
    static func quoted(_ words: some Collection<UInt8>) -> String {
        var words = Array(words.prefix(maximumSize + 2))
        // Line ends don't belong to the words.
        while words.last == 0x0a || words.last == 0x0d { words.removeLast() }
        let isCut = words.count > maximumSize
        var text = clipped(String(decoding: words.prefix(maximumSize), as: UTF8.self), to: maximumSize)
        if isCut, !text.hasSuffix("…") { text += "…" }
        return "\"\(text)\""
    }

    /// The number of bytes of a server's words in a description, which is about one line of a terminal.
    private static let maximumSize = 100
}

#endif
