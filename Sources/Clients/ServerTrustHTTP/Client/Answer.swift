// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore

/// The times by which the parts of a response have to be there.
struct ResponseLimits: Sendable {
    /// The limit of a response's body.
    enum Body: Sendable {
        case none
        /// From the head on.
        case within(TimeAmount)
        case by(NIODeadline)
    }

    /// For the head of the last hop's response.
    var head: NIODeadline
    var body: Body
}

/// The head of a response, and the place that its body comes from.
struct Answer {
    var response: HTTPClientResponse
    let delivery: Connections.Delivery

    var connection: Connection { delivery.connection }

    /// Ends the response if its body isn't complete in time. To be called once, when the head has come.
    func limitBody(_ limit: ResponseLimits.Body) {
        // Most are complete by now, and the event loop needn't be woken.
        guard !delivery.isComplete else { return }
        switch limit {
        case .none: break
        case .within(let time): connection.end(delivery.number, at: .now() + time)
        case .by(let deadline): connection.end(delivery.number, at: deadline)
        }
    }
}
