// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import NIOCore
import ServerTrustNIO

/// The time limits for the parts of a response.
struct ResponseLimits: Sendable {
    /// The time limit for a response's body.
    enum Body: Sendable {
        case none
        /// The time is counted from the head of the response.
        case within(TimeAmount)
        case by(NIODeadline)
    }

    /// The deadline for the head of the last hop's response.
    var head: NIODeadline
    var body: Body
}

/// A response and the server that sent it.
public struct TrustedHTTPResponse: Sendable {
    /// The response as async-http-client returns it. Its history contains every hop.
    public var response: HTTPClientResponse
    let connection: Connection
    /// The number of the response on its connection.
    let number: Int
    /// The time when the client began to send the request, if the connection records it.
    let sent: NIODeadline?
    /// Whether the whole response had arrived when its head reached the request.
    let isComplete: Bool

    /// The server at the other end of the connection, with its verdict. Nil if the connection is in the clear.
    public var server: EvaluatedServer? { connection.server }
}

extension TrustedHTTPResponse {
    /// Ends the response if its body isn't complete in time. Call it once, when the head has arrived.
    mutating func limitBody(_ limit: ResponseLimits.Body) {
        // Most bodies are complete by now, so there's no need to wake the event loop.
        guard !isComplete else { return }
        switch limit {
        case .none: break
        case .within(let time):
            let expiry = BodyExpiry()
            connection.end(number, at: .now() + time, expiry)
            response.body = .stream(ExpiringBody(body: response.body, expiry: expiry))
        case .by(let deadline): connection.end(number, at: deadline)
        }
    }

    /// Reads the rest of a small body, so that the client can reuse the connection.
    mutating func drain(by deadline: NIODeadline) async {
        limitBody(.by(deadline))
        guard let length = response.headers.first(name: "content-length").flatMap({ Int($0) }), length <= 1 << 14
        else { return }
        // If reading fails, the connection is gone and nothing is lost.
        _ = try? await response.body.collect(upTo: length)
    }
}

/// A body that ends with an error when its time has passed, although parts of it still wait to be read.
private struct ExpiringBody: AsyncSequence, Sendable {
    let body: HTTPClientResponse.Body
    let expiry: BodyExpiry

    struct AsyncIterator: AsyncIteratorProtocol {
        var body: HTTPClientResponse.Body.AsyncIterator
        let expiry: BodyExpiry

        mutating func next() async throws -> ByteBuffer? {
            guard !expiry.hasPassed else { throw HTTPClientError.deadlineExceeded }
            return try await body.next()
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: body.makeAsyncIterator(), expiry: expiry) }
}

#endif
