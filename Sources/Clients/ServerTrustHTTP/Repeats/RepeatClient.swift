// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import NIOCore
import PKIX

/// A client that repeats requests over HTTP/1.1. It is created for the first repeat.
///
/// Each request uses a new connection. A pool could choose another idle connection, which may also have ended.
final class RepeatClient: Sendable {
    private let state = Locked<(client: HTTPClient?, isShutDown: Bool)>((nil, false))
    private let make: @Sendable () -> HTTPClient

    init(_ make: @escaping @Sendable () -> HTTPClient) { self.make = make }

    /// The client, or nil after ``shutDown()``.
    var client: HTTPClient? {
        state.withLock { state in
            guard !state.isShutDown else { return nil }
            state.client = state.client ?? make()
            return state.client
        }
    }

    /// Closes the client's connections. Call it once, at the end.
    func shutDown() -> [EventLoopFuture<Void>] {
        let client = state.withLock { state in
            state.isShutDown = true
            return state.client
        }
        return client.map { [$0.shutdown()] } ?? []
    }
}

#endif
