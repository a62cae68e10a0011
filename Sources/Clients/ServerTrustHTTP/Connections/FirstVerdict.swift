// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import NIOCore
import PKIX
import ServerTrust
import ServerTrustNIO

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
