// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import NIOCore
import PKIX
import ServerTrust

/// The open connections to trusted servers. When the rules change, it evaluates the servers again, and closes the
/// connections to those that are refused.
package final class OpenServers: Sendable {
    /// An open connection.
    private struct Entry: Sendable {
        let id: ObjectIdentifier
        /// The server, as evaluated last.
        var server: EvaluatedServer
        let channel: any Channel
        /// Receives a later good verdict.
        let renew: @Sendable (EvaluatedServer) -> Void
        /// Ends the connection with an error. It is called on any thread.
        let end: @Sendable (any Error) -> Void
    }

    private struct State {
        var source: VerdictSource
        var open: [ObjectIdentifier: Entry] = [:]
        var observation: RuleChanges.Observation?
    }

    /// The longest time to wait for a verdict after the rules have changed.
    private static let limit = Duration.seconds(10)

    private let state: Locked<State>
    /// Receives each refusal before its connection is closed.
    private let onRefusal: @Sendable (TrustRefusal) -> Void

    package init(_ source: VerdictSource, onRefusal: @escaping @Sendable (TrustRefusal) -> Void = { _ in }) {
        self.state = Locked(State(source: source))
        self.onRefusal = onRefusal
        observe(source)
    }

    /// Replaces the source of later verdicts.
    package func replace(by source: VerdictSource) {
        state.withLock { $0.source = source }
        observe(source)
    }

    private func observe(_ source: VerdictSource) {
        let observation = source.observeChanges { [weak self] in
            guard let self, self.count > 0 else { return }
            Task { await self.reevaluate() }
        }
        state.withLock { $0.observation = observation }
    }

    package var count: Int { state.withLock { $0.open.count } }

    /// Lists a connection until it is closed, or updates its server.
    func add(_ handler: ServerTrustHandler, _ server: EvaluatedServer, of channel: any Channel) {
        let bound = NIOLoopBound(handler, eventLoop: channel.eventLoop)
        // A connection through a proxy has two handlers: one for the proxy, and one for the server.
        add(server, of: channel, id: ObjectIdentifier(handler)) { error in
            channel.eventLoop.execute { bound.value.refuse(channel, with: error) }
        }
    }

    /// Lists a connection until it is closed, or updates its server.
    /// - Parameters:
    ///   - id: identifies the connection. It must live as long as the connection.
    ///   - renew: receives a later good verdict.
    ///   - end: ends the connection with an error. It is called on any thread.
    package func add(
        _ server: EvaluatedServer, of channel: any Channel, id: ObjectIdentifier,
        renew: @escaping @Sendable (EvaluatedServer) -> Void = { _ in },
        end: @escaping @Sendable (any Error) -> Void
    ) {
        let isNew = state.withLock { state in
            state.open.updateValue(
                Entry(id: id, server: server, channel: channel, renew: renew, end: end), forKey: id) == nil
        }
        guard isNew else { return }
        channel.closeFuture.whenComplete { [weak self] _ in
            self?.state.withLock { _ = $0.open.removeValue(forKey: id) }
        }
    }

    /// Evaluates the servers whose verdicts are from before a change of the rules.
    /// - Parameters:
    ///   - limit: the longest time to wait for each verdict. A connection without a verdict is closed.
    ///   - isForced: whether to evaluate all servers, because something else than the rules has changed.
    /// - Returns: the refused servers. The method returns when their connections are closed.
    @discardableResult
    package func reevaluate(within limit: Duration = limit, isForced: Bool = false) async -> [EvaluatedServer] {
        let source = state.withLock { $0.source }
        let revision = source.revision
        let due = state.withLock { state in
            state.open.values.filter { isForced || $0.server.revision != revision }
        }
        guard !due.isEmpty else { return [] }
        let deadline = NIODeadline.now() + TimeAmount(clamping: limit)
        return await withTaskGroup(of: EvaluatedServer?.self) { group in
            for entry in due { group.addTask { await self.reevaluate(entry, by: source, deadline) } }
            return await group.reduce(into: []) { refused, server in
                if let server { refused.append(server) }
            }
        }
    }

    /// - Returns: the server if it was refused.
    private func reevaluate(
        _ entry: Entry, by source: VerdictSource, _ deadline: NIODeadline
    ) async -> EvaluatedServer? {
        do {
            let server = try await source.evaluatedServer(
                presenting: entry.server.presentedChain, for: entry.server.host, on: entry.channel.eventLoop,
                by: deadline
            ).get()
            guard !server.verdict.isTrusted else {
                state.withLock { $0.open[entry.id]?.server = server }
                entry.renew(server)
                return nil
            }
            let refusal = TrustRefusal(server.verdict)
            onRefusal(refusal)
            entry.end(refusal)
            try? await entry.channel.closeFuture.get()
            return server
        } catch {
            // A missing verdict doesn't count as a good one.
            entry.end(error)
            try? await entry.channel.closeFuture.get()
            return nil
        }
    }
}

#endif
