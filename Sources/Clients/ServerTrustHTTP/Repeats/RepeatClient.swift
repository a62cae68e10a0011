// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import NIOCore
import PKIX

/// A client that repeats requests over HTTP/1.1. It is created for the first repeat.
///
/// Each request uses a new connection. A pool could choose another idle connection, which may also have ended.
final class RepeatClient: Sendable {
    private enum State {
        case unused
        case made(HTTPClient)
        case shutDown
    }

    private let state = Locked(State.unused)
    private let make: @Sendable () -> HTTPClient

    init(_ make: @escaping @Sendable () -> HTTPClient) { self.make = make }

    /// The client, or nil after ``shutDown()``.
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

    /// Closes the client's connections. Call it once, at the end.
    func shutDown() -> [EventLoopFuture<Void>] {
        let left = state.withLock { state in
            defer { state = .shutDown }
            return state
        }
        guard case .made(let client) = left else { return [] }
        return [client.shutdown()]
    }
}

#endif
