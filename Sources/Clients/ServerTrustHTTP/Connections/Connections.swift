// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustNIO

/// Secures a client's connections, and keeps a list of the open ones.
final class Connections: Sendable {
    struct State {
        var source: VerdictSource
        /// Observes changes of the source's rules.
        var observation: RuleChanges.Observation?
        var open: [Int: Connection] = [:]
        var lastID = 0
        /// The ended connections for which the head of the last response hasn't reached its request.
        var ended: [Int: Connection] = [:]
        /// The handshakes that haven't completed TLS, by key.
        var handshakes: [ConnectionKey: [Handshake]] = [:]
        /// Whether no more connections are accepted.
        var isShutDown = false
        /// The last time a handshake took too long, by key.
        var timeouts: [ConnectionKey: NIODeadline] = [:]
        /// The number of open connections, by key.
        var perOrigin: [ConnectionKey: Int] = [:]
        /// The last time an open connection ended, by key.
        var ends: [ConnectionKey: NIODeadline] = [:]
    }

    let state: Locked<State>
    let contexts: TLSContexts
    let handshakeTimeout: TimeAmount
    /// The source of the verdicts on proxies. Nil for the source of the verdicts on servers.
    let proxySource: VerdictSource?
    /// The open connections to proxies that use TLS.
    let proxies: OpenServers
    /// Whether an app's delegate takes part in the source's verdicts.
    let asksDelegate: Bool
    /// Whether each response carries the time at which its request was sent.
    let timesRequests: Bool

    init(
        _ source: VerdictSource, proxies proxySource: VerdictSource? = nil, contexts: TLSContexts,
        handshakeTimeout: TimeAmount, asksDelegate: Bool = false, timesRequests: Bool = false
    ) throws {
        // This runs the checks early: the initializer throws if servers could bypass the verdict with this context.
        _ = try ServerTrustTLS(source, context: contexts.usual)
        self.state = Locked(State(source: source))
        self.contexts = contexts
        self.proxySource = proxySource
        self.proxies = OpenServers(proxySource ?? source)
        self.handshakeTimeout = handshakeTimeout
        self.asksDelegate = asksDelegate
        self.timesRequests = timesRequests
        observeChanges(of: source)
    }

    var source: VerdictSource { state.withLock { $0.source } }

    /// Checks that the rules don't deny a proxy that uses TLS, before a resolver receives its name.
    func requireNotDenied(_ proxy: ConnectionProxy?) throws(TrustRefusal) {
        try (proxySource ?? source).requireNotDenied(proxy?.tlsHost)
    }

    /// Whether a handshake with the server is running, or whether one timed out after `start`.
    func hasSlowHandshake(_ key: ConnectionKey, since start: NIODeadline) -> Bool {
        state.withLock { state in
            state.handshakes[key]?.contains { !$0.isApproaching } ?? false
                || state.timeouts[key].map { $0 >= start } ?? false
        }
    }

    /// Drops the state of an origin that is no longer in use.
    func forget(_ key: ConnectionKey) {
        state.withLock { state in
            state.timeouts[key] = nil
            state.ends[key] = nil
        }
    }

    /// Whether no connection is open or in its handshake.
    func isIdle(_ key: ConnectionKey) -> Bool {
        state.withLock { $0.handshakes[key] == nil && $0.perOrigin[key] == nil }
    }

    /// Returns a response whose head reached its request, without its tag and history, with the connection that
    /// delivered it. Nil for an unknown connection. Call it once for each response.
    func deliver(_ response: consuming HTTPClientResponse) -> TrustedHTTPResponse? {
        let name = ResponseTaggingHandler.header
        // The tag is the last field, unless a later handler has added one.
        let last = response.headers.last.flatMap { $0.name == name ? $0.value : nil }
        guard let mark = (last ?? response.headers.first(name: name)).flatMap({ ResponseTag($0) }) else { return nil }
        guard let connection = state.withLock({ $0.open[mark.connection] ?? $0.ended[mark.connection] }) else {
            return nil
        }
        let isComplete = connection.deliver(mark.number)
        // Two heads may be in transit, because a connection is reused as soon as a response is complete, even if its
        // request hasn't received it.
        if !connection.isDelivering { state.withLock { $0.ended[mark.connection] = nil } }
        // The inner client's history shares the headers. Without it, removing a field copies nothing.
        response.history.removeAll(keepingCapacity: true)
        response.headers.remove(name: name)
        return TrustedHTTPResponse(
            response: response, connection: connection, number: mark.number, sent: mark.sent, isComplete: isComplete)
    }

    var count: Int { state.withLock { $0.open.count } }

    /// The number of connections that aren't closed, by host, including those in their handshake.
    var remaining: [Hostname: Int] {
        state.withLock { state in
            var counts: [Hostname: Int] = [:]
            for (key, count) in state.perOrigin { counts[key.host, default: 0] += count }
            for (key, handshakes) in state.handshakes { counts[key.host, default: 0] += handshakes.count }
            return counts
        }
    }

    /// Futures that complete when the sockets that are open now are closed.
    var ends: [EventLoopFuture<Void>] {
        state.withLock { state in
            state.open.values.map(\.channel.closeFuture)
                + state.handshakes.values.joined().map(\.channel.closeFuture)
        }
    }

    /// Whether there is an open connection.
    func isConnected(_ key: ConnectionKey) -> Bool { state.withLock { $0.perOrigin[key] != nil } }

    /// Whether there is an open connection, or there was one after `start`.
    func wasConnected(_ key: ConnectionKey, since start: NIODeadline) -> Bool {
        state.withLock { state in state.perOrigin[key] != nil || state.ends[key].map { $0 >= start } ?? false }
    }
}

extension Connections {
    /// The longest time to wait until a head reaches its request, because the request may have been canceled.
    private static let longestDelivery = TimeAmount.seconds(60)

    func forget(_ connection: Connection, _ key: ConnectionKey) {
        let isDelivering = connection.isDelivering
        state.withLock { state in
            state.open[connection.id] = nil
            if isDelivering { state.ended[connection.id] = connection }
            state.perOrigin.decrement(key)
            // The ends of direct connections are never needed.
            if key.proxy != nil { state.ends[key] = .now() }
        }
        guard isDelivering else { return }
        connection.channel.eventLoop.scheduleTask(in: Self.longestDelivery) {
            self.state.withLock { $0.ended[connection.id] = nil }
        }
    }
}

extension Dictionary where Value == Int {
    /// Subtracts one, and removes the entry at zero.
    mutating func decrement(_ key: Key) {
        guard let count = self[key] else { return }
        self[key] = count > 1 ? count - 1 : nil
    }
}

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
