// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import NIOCore
import PKIX
import ServerTrust

/// The open connections to trusted servers. When the rules change, it evaluates the servers again, and closes the
/// connections to those that are refused.
package final class OpenServers: Sendable {
    private struct State {
        var source: VerdictSource
        var open: [ObjectIdentifier: OpenServer] = [:]
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
        let connection = OpenServer(server, of: channel) { [weak self] server in
            self?.state.withLock { $0.open[id]?.server = server }
            renew(server)
        } end: { [onRefusal] error in
            if let refusal = error as? TrustRefusal { onRefusal(refusal) }
            end(error)
        }
        guard state.withLock({ $0.open.updateValue(connection, forKey: id) == nil }) else { return }
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
        return await due.reevaluate(by: source, within: TimeAmount(clamping: limit))
    }
}

/// An open connection to a trusted server.
package struct OpenServer: Sendable {
    /// The server, as evaluated last.
    fileprivate(set) var server: EvaluatedServer
    private let channel: any Channel
    private let renew: @Sendable (EvaluatedServer) -> Void
    private let end: @Sendable (any Error) -> Void

    /// - Parameters:
    ///   - renew: receives a later good verdict.
    ///   - end: ends the connection with an error. It is called on any thread.
    package init(
        _ server: EvaluatedServer, of channel: any Channel, renew: @escaping @Sendable (EvaluatedServer) -> Void,
        end: @escaping @Sendable (any Error) -> Void
    ) {
        self.server = server
        self.channel = channel
        self.renew = renew
        self.end = end
    }

    /// - Returns: the server if it was refused.
    fileprivate func closeUnlessTrusted(by source: VerdictSource, _ deadline: NIODeadline) async -> EvaluatedServer? {
        var refused: EvaluatedServer?
        do {
            let server = try await source.evaluatedServer(
                presenting: server.presentedChain, for: server.host, on: channel.eventLoop, by: deadline
            ).get()
            guard !server.verdict.isTrusted else {
                renew(server)
                return nil
            }
            refused = server
            end(TrustRefusal(server.verdict))
        } catch {
            // A missing verdict doesn't count as a good one.
            end(error)
        }
        try? await channel.closeFuture.get()
        return refused
    }
}

extension [OpenServer] {
    /// Evaluates the servers again, all at the same time. Closes the connections to those that are refused, and the
    /// connections without a verdict in time.
    /// - Returns: the refused servers. The method returns when the connections are closed.
    package func reevaluate(by source: VerdictSource, within limit: TimeAmount) async -> [EvaluatedServer] {
        let deadline = NIODeadline.now() + limit
        return await withTaskGroup(of: EvaluatedServer?.self) { group in
            for connection in self { group.addTask { await connection.closeUnlessTrusted(by: source, deadline) } }
            return await group.reduce(into: []) { refused, server in
                if let server { refused.append(server) }
            }
        }
    }
}

#endif
