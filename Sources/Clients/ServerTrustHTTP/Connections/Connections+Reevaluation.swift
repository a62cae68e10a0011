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
        let deadline = NIODeadline.now() + handshakeTimeout
        return await withTaskGroup(of: EvaluatedServer?.self) { group in
            for connection in open {
                group.addTask { await connection.closeUnlessTrusted(by: source, deadline) }
            }
            return await group.reduce(into: []) { refused, server in
                if let server { refused.append(server) }
            }
        }
    }
}

extension Connection {
    /// - Returns: the server if it was refused. The method returns when the connection is closed.
    fileprivate func closeUnlessTrusted(by source: VerdictSource, _ deadline: NIODeadline) async -> EvaluatedServer? {
        guard let server else { return nil }
        do {
            let server = try await source.evaluatedServer(
                presenting: server.presentedChain, for: server.host, on: channel.eventLoop, by: deadline
            ).get()
            guard !server.verdict.isTrusted else {
                verdict?.renew(server)
                return nil
            }
            try? await close(TrustRefusal(server.verdict)).get()
            return server
        } catch {
            // A missing verdict doesn't count as a good one.
            try? await close(error).get()
            return nil
        }
    }
}

#endif
