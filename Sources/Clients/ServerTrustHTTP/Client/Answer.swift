// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import NIOCore

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

/// The head of a response and the source of its body.
struct Answer {
    var response: HTTPClientResponse
    let delivery: Connections.Delivery

    var connection: Connection { delivery.connection }

    /// Ends the response if its body isn't complete in time. Call it once, when the head has arrived.
    mutating func limitBody(_ limit: ResponseLimits.Body) {
        // Most bodies are complete by now, so there's no need to wake the event loop.
        guard !delivery.isComplete else { return }
        switch limit {
        case .none: break
        case .within(let time):
            let expiry = BodyExpiry()
            connection.end(delivery.number, at: .now() + time, expiry)
            response.body = .stream(ExpiringBody(body: response.body, expiry: expiry))
        case .by(let deadline): connection.end(delivery.number, at: deadline)
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
