// SPDX-License-Identifier: Apache-2.0

/// An exchange in the clear that a protocol has before TLS begins: PostgreSQL's `SSLRequest`, `STARTTLS` of SMTP or IMAP.
///
/// ```swift
/// let channel = try await ClientBootstrap(group: group)
///     .connect(to: host, port: 5432, prologue: .postgreSQL, serverTrust: tls) { channel, server in … }
/// ```
/// The steps go in lockstep: a server that sends more than the answer to the current step is refused, so that no byte that came in the
/// clear is ever taken for one that came over TLS. A server that declines TLS fails the connection.
public struct TLSPrologue: Sendable {
    /// A request, and the test of its answer.
    public struct Step: Sendable {
        package let request: [UInt8]
        package let maximumSize: Int
        package let isAnswer: @Sendable ([UInt8]) throws -> Bool

        /// - Parameters:
        ///   - request: the bytes to send; none to wait for the server's greeting.
        ///   - maximumSize: the maximum size of the answer in bytes; one that is larger fails the connection. With zero no answer is waited
        ///     for: the next step follows at once, or TLS.
        ///   - isAnswer: whether the bytes that have come since the request are the whole answer; it throws if the server declines, and the
        ///     connection's error has the description of its own. Called on the event loop, for each byte.
        public init(
            sending request: [UInt8], maximumSize: Int,
            until isAnswer: @escaping @Sendable (_ received: [UInt8]) throws -> Bool
        ) {
            self.request = request
            self.maximumSize = maximumSize
            self.isAnswer = isAnswer
        }
    }

    /// The protocol's name for messages.
    package let name: String
    package let steps: [Step]

    /// Makes a prologue of one step or several.
    public init(_ steps: Step...) { self.init("the protocol", steps) }

    init(_ name: String, _ steps: [Step]) {
        self.name = name
        self.steps = steps
    }
}
