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
        let request: [UInt8]
        let maximumSize: Int
        let isAnswer: @Sendable ([UInt8]) throws -> Bool

        /// - Parameters:
        ///   - request: the bytes to send; none to wait for the server's greeting.
        ///   - maximumSize: the maximum size of the answer in bytes; one that is larger fails the connection.
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

    let steps: [Step]

    /// Makes a prologue of one step or several.
    public init(_ steps: Step...) { self.steps = steps }

    /// PostgreSQL's `SSLRequest`: a single byte `S` accepts, `N` declines, and a server that doesn't know the request sends an error, which
    /// begins with `E` and isn't read.
    public static let postgreSQL = TLSPrologue(
        Step(sending: [0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f], maximumSize: 1) { received in
            switch received.first {
            case UInt8(ascii: "S"): true
            case UInt8(ascii: "N"): throw Declined(description: "the server has no TLS")
            default: throw Declined(description: "the server answers SSLRequest with an error")
            }
        })

    private struct Declined: Error, CustomStringConvertible {
        let description: String
    }
}
