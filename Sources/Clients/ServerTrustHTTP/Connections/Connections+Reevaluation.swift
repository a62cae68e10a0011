// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import NIOCore
import PKIX
import ServerTrust
import ServerTrustNIO

extension Connections {
    /// Replaces the source of verdicts, and evaluates all open connections again. With nil, the source stays the same.
    ///
    /// The method closes connections to servers that are no longer trusted, and connections without a verdict within
    /// the handshake timeout. All evaluations run at the same time.
    /// - Returns: the servers whose connections were closed because of their verdict.
    func reevaluate(by replacement: VerdictSource?) async -> [EvaluatedServer] {
        let (source, open) = state.withLock { state in
            if let replacement { state.source = replacement }
            // Handshakes that are running need a new verdict, too.
            state.source.renew()
            return (state.source, Array(state.open.values))
        }
        if let replacement {
            observeChanges(of: source)
            if proxySource == nil { proxies.replace(by: replacement) }
        }
        async let proxies = proxies.reevaluate(within: Duration(handshakeTimeout), isForced: true)
        return await closeUntrusted(open, by: source) + proxies
    }

    /// Evaluates the open connections again whenever the rules of a source change.
    func observeChanges(of source: VerdictSource) {
        let observation = source.observeChanges { [weak self] in
            guard let self, self.count > 0 else { return }
            Task { await self.catchUp() }
        }
        state.withLock { $0.observation = observation }
    }

    /// Evaluates the open connections whose verdicts are from before a change of the rules.
    private func catchUp() async {
        let (source, open) = state.withLock { ($0.source, Array($0.open.values)) }
        let revision = source.revision
        _ = await closeUntrusted(open.filter { $0.verdict?.isOutdated(revision) == true }, by: source)
    }

    /// - Returns: the servers whose connections were closed because of their verdict.
    private func closeUntrusted(_ open: [Connection], by source: VerdictSource) async -> [EvaluatedServer] {
        await open.compactMap(\.openServer).reevaluate(by: source, within: handshakeTimeout)
    }
}

extension Connection {
    fileprivate var openServer: OpenServer? {
        verdict.map { verdict in
            OpenServer(verdict.server, of: channel, renew: { verdict.renew($0) }, end: { _ = self.close($0) })
        }
    }
}

#endif
