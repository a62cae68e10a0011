// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import NIOCore
import PKIX
import ServerTrust
import ServerTrustNIO

/// The verdict that the use of an open connection depends on. If the rules change, it doesn't count anymore.
final class CurrentVerdict: Sendable {
    /// The server as evaluated when the connection was made.
    let server: EvaluatedServer
    private let revision: Locked<TrustRevision?>
    /// Returns the current source of verdicts, or nil if the client is gone.
    private let source: @Sendable () -> VerdictSource?

    init(_ server: EvaluatedServer, _ source: @escaping @Sendable () -> VerdictSource?) {
        self.server = server
        self.revision = Locked(server.revision)
        self.source = source
    }

    /// Records a later good verdict.
    func renew(_ server: EvaluatedServer) { revision.withLock { $0 = server.revision } }

    func isOutdated(_ current: TrustRevision) -> Bool { revision.withLock { $0 != current } }

    /// Returns the reason why the connection must not serve another request. Call it before the first byte of a request.
    ///
    /// If the rules have changed since the last verdict, the method evaluates the server again. If that can't happen at
    /// once, the request needs another connection.
    func problemBeforeRequest() -> (any Error)? {
        guard let source = source() else { return nil }
        let current = source.revision
        guard isOutdated(current) else { return nil }
        guard case .immediate(let evaluate) = source.kind else {
            return UnansweredRequest(.unsent, ConnectionFailure(.connectionNotEvaluated, host: server.host))
        }
        let verdict = evaluate(server.presentedChain, server.host)
        guard verdict.isTrusted else { return TrustRefusal(verdict) }
        revision.withLock { $0 = current }
        return nil
    }
}

/// The verdict from an exploring connection, for the connection that replaces it.
///
/// It counts once, for the same chain and rules, and only while it is new. A later connection gets its own evaluation.
struct FirstVerdict: Sendable {
    private static let lifetime = TimeAmount.seconds(5)

    fileprivate let server: EvaluatedServer
    fileprivate let end: NIODeadline

    /// - Parameter server: the newly evaluated server of the exploring connection.
    init(_ server: EvaluatedServer) {
        self.server = server
        self.end = .now() + Self.lifetime
    }
}

extension FirstVerdict? {
    /// Removes the verdict, and returns the server if the verdict is about this chain and these rules.
    /// - Parameter revision: the current rules.
    mutating func take(
        _ chain: PresentedChain, _ revision: TrustRevision, at now: NIODeadline = .now()
    ) -> EvaluatedServer? {
        defer { self = nil }
        guard let first = self, first.server.revision == revision, now < first.end, first.server.presentedChain == chain
        else { return nil }
        return first.server
    }
}

#endif
