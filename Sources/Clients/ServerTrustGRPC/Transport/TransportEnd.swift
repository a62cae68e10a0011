// SPDX-License-Identifier: Apache-2.0

#if GRPC || Everything

import PKIX

/// The moment after which a transport makes no more connections.
final class TransportEnd: Sendable {
    private let isOver = Locked(false)
    private let (stream, continuation) = AsyncStream.makeStream(of: Never.self)

    var isReached: Bool { isOver.withLock { $0 } }

    func reach() {
        isOver.withLock { $0 = true }
        continuation.finish()
    }

    /// Waits for the end of the transport, or for cancellation.
    func wait() async { for await _ in stream {} }
}

#endif
