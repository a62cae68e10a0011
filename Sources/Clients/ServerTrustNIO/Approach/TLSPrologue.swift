// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

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

#endif
