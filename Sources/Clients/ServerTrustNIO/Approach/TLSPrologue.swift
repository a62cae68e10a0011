// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import ServerTrust

/// A protocol's exchange in the clear before TLS, such as PostgreSQL's `SSLRequest` or the `STARTTLS` command of SMTP
/// and IMAP.
///
/// ```swift
/// let channel = try await ClientBootstrap(group: group)
///     .connect(to: host, port: 5432, prologue: .postgreSQL, serverTrust: tls) { channel, server in … }
/// ```
/// Each step waits for the server's answer. The client refuses a server that sends more than the answer to the current
/// step. So a byte that arrived in the clear never counts as a byte that arrived over TLS. If the server declines TLS,
/// the connection fails.
public struct TLSPrologue: Sendable {
    /// A request and the test of its answer.
    public struct Step: Sendable {
        package let request: [UInt8]
        package let maximumSize: Int
        package let isAnswer: @Sendable ([UInt8]) throws -> Bool

        /// - Parameters:
        ///   - request: the bytes to send. Empty to wait for the server's greeting.
        ///   - maximumSize: the size limit of the answer in bytes. A larger answer fails the connection. With zero, no
        ///     answer is expected, and the next step or TLS follows at once.
        ///   - isAnswer: whether the bytes received since the request are the whole answer. It throws if the server
        ///     declines, and the connection's error then contains the description of the thrown error. It is called on
        ///     the event loop for each byte.
        public init(
            sending request: [UInt8], maximumSize: Int,
            until isAnswer: @escaping @Sendable (_ received: [UInt8]) throws -> Bool
        ) {
            self.request = request
            self.maximumSize = maximumSize
            self.isAnswer = isAnswer
        }
    }

    /// The name of the protocol in messages.
    package let name: String
    package let steps: [Step]

    /// Creates a prologue with one or more steps.
    public init(_ steps: Step...) { self.init("the protocol", steps) }

    init(_ name: String, _ steps: [Step]) {
        self.name = name
        self.steps = steps
    }
}

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
