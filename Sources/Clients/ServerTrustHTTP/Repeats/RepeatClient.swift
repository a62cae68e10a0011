// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import PKIX

/// A client for the repeats of requests over HTTP/1.1, made when the first one is due. Each of its connections is a new one and takes one
/// request: a pool would hand out another idle connection, which may have ended as well.
final class RepeatClient: Sendable {
    private enum State {
        case unused
        case made(HTTPClient)
        case shutDown
    }

    private let state = Locked(State.unused)
    private let make: @Sendable () -> HTTPClient

    init(_ make: @escaping @Sendable () -> HTTPClient) { self.make = make }

    /// nil after ``shutDown()``.
    var client: HTTPClient? {
        state.withLock { state in
            switch state {
            case .unused:
                let client = make()
                state = .made(client)
                return client
            case .made(let client): return client
            case .shutDown: return nil
            }
        }
    }

    /// Closes its connections. To be called once, at the end.
    func shutDown() -> [EventLoopFuture<Void>] {
        let left = state.withLock { state in
            defer { state = .shutDown }
            return state
        }
        guard case .made(let client) = left else { return [] }
        return [client.shutdown()]
    }
}
