// SPDX-License-Identifier: Apache-2.0

#if GRPC || Everything

import NIOCore
import PKIX
import ServerTrust
import ServerTrustNIO

/// The refusal of the last evaluated server, or the failure to reach one. Nil if that server is trusted.
final class LastRefusal: Sendable {
    private struct State {
        var refusal: TrustRefusal?
        /// The rules that the refusal depends on.
        var revision: TrustRevision?
        var failure: ConnectionFailure?
        /// The last refusal that closed an open connection, and the number of such refusals.
        var open: (refusal: TrustRefusal?, count: Int) = (nil, 0)
    }
    private let state = Locked(State())

    /// The number of refusals that closed an open connection.
    var openRefusals: Int { state.withLock { $0.open.count } }

    /// Returns the last refusal that closed an open connection, if there was one after the first `count`.
    func openRefusal(after count: Int) -> TrustRefusal? {
        state.withLock { $0.open.count > count ? $0.open.refusal : nil }
    }

    private let source: VerdictSource

    init(_ source: VerdictSource) { self.source = source }

    /// The refusal by the current rules. Nil if the rules have changed since.
    var refusal: TrustRefusal? {
        let current = source.revision
        return state.withLock { $0.revision == current ? $0.refusal : nil }
    }
    /// The failure of the last attempts to connect to several addresses.
    var failure: ConnectionFailure? { state.withLock { $0.failure } }

    /// Records the outcome of a handshake.
    ///
    /// A handshake that ends without a verdict says nothing about trust, so it changes nothing.
    func follow(_ handshake: EventLoopFuture<EvaluatedServer>) {
        handshake.whenComplete { result in
            switch result {
            case .success: self.state.withLock { ($0.refusal, $0.failure) = (nil, nil) }
            case .failure(let refusal as TrustRefusal): self.note(refusal)
            case .failure: break
            }
        }
    }

    /// - Parameter isOpen: whether the server was refused when its connection was open, because the rules changed.
    func note(_ refusal: TrustRefusal, isOpen: Bool = false) {
        let revision = source.revision
        state.withLock { state in
            (state.refusal, state.revision, state.failure) = (refusal, revision, nil)
            if isOpen { state.open = (refusal, state.open.count + 1) }
        }
    }

    func note(_ failure: ConnectionFailure?) { state.withLock { $0.failure = failure } }
}

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
