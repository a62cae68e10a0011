// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustNIO

/// Makes a client's connections trusted ones, and knows those that are open.
final class Connections: Sendable {
    struct State {
        var source: VerdictSource
        /// Goes up when the source is replaced or is to be asked again.
        var generation = 0
        var open: [Int: Connection] = [:]
        var lastID = 0
        /// Ended, and the head of their last response is on its way to its request.
        var ended: [Int: Connection] = [:]
        /// By key, those whose TLS isn't up yet.
        var handshakes: [ConnectionKey: [Handshake]] = [:]
        /// No further one is let through.
        var isShutDown = false
        /// By key, when a handshake took too long, the last time.
        var timeouts: [ConnectionKey: NIODeadline] = [:]
        /// By key, those that are open.
        var perOrigin: [ConnectionKey: Int] = [:]
        /// By key, when one that was open ended, the last time.
        var ends: [ConnectionKey: NIODeadline] = [:]
    }

    let state: Locked<State>
    let contexts: TLSContexts
    let handshakeTimeout: TimeAmount

    init(_ source: VerdictSource, contexts: TLSContexts, handshakeTimeout: TimeAmount) throws {
        // Made for its checks: a context that would let servers past the verdict is refused here and now.
        _ = try ServerTrustTLS(source, context: contexts.usual)
        self.state = Locked(State(source: source))
        self.contexts = contexts
        self.handshakeTimeout = handshakeTimeout
    }

    var source: VerdictSource { state.withLock { $0.source } }

    /// Whether a handshake goes on, or took too long since then.
    func hasSlowHandshake(_ key: ConnectionKey, since start: NIODeadline) -> Bool {
        state.withLock { state in
            state.handshakes[key] != nil || state.timeouts[key].map { $0 >= start } ?? false
        }
    }

    /// Drops the state of an origin that isn't used any more.
    func forget(_ key: ConnectionKey) {
        state.withLock { state in
            state.timeouts[key] = nil
            state.ends[key] = nil
        }
    }

    /// Whether nothing is open or about to be.
    func isIdle(_ key: ConnectionKey) -> Bool {
        state.withLock { $0.handshakes[key] == nil && $0.perOrigin[key] == nil }
    }

    /// The connection that a response came over; once for each response.
    func deliver(_ headers: HTTPHeaders) -> Delivery? {
        // The last, unless a handler that came later has added one.
        let last = headers.last.flatMap { $0.name == ResponseTaggingHandler.header ? $0.value : nil }
        guard let mark = (last ?? headers.first(name: ResponseTaggingHandler.header)).flatMap({ ResponseTag($0) })
        else { return nil }
        guard let connection = state.withLock({ $0.open[mark.connection] ?? $0.ended[mark.connection] }) else {
            return nil
        }
        let isComplete = connection.deliver(mark.number)
        // There may be two on their way: a connection is used again when a response is complete, whether or not its request has it.
        if !connection.isDelivering { state.withLock { $0.ended[mark.connection] = nil } }
        return Delivery(connection: connection, number: mark.number, isComplete: isComplete)
    }

    /// A response whose head was delivered.
    struct Delivery {
        let connection: Connection
        let number: Int
        /// Whether all of it has come.
        let isComplete: Bool
    }

    var count: Int { state.withLock { $0.open.count } }

    /// The number of connections that aren't closed, by host, those in their handshake included.
    var remaining: [Hostname: Int] {
        state.withLock { state in
            var counts: [Hostname: Int] = [:]
            for (key, count) in state.perOrigin { counts[key.host, default: 0] += count }
            for (key, handshakes) in state.handshakes { counts[key.host, default: 0] += handshakes.count }
            return counts
        }
    }

    /// Complete when the sockets that are open now are closed.
    var ends: [EventLoopFuture<Void>] {
        state.withLock { state in
            state.open.values.map(\.channel.closeFuture)
                + state.handshakes.values.joined().map(\.channel.closeFuture)
        }
    }

    /// Whether there is an open connection.
    func isConnected(_ key: ConnectionKey) -> Bool { state.withLock { $0.perOrigin[key] != nil } }

    /// Whether there is an open connection, or was one since then.
    func wasConnected(_ key: ConnectionKey, since start: NIODeadline) -> Bool {
        state.withLock { state in state.perOrigin[key] != nil || state.ends[key].map { $0 >= start } ?? false }
    }
}

extension Connections {
    /// The longest time that a head may be on its way; its request may have been canceled.
    private static let longestDelivery = TimeAmount.seconds(60)

    func forget(_ connection: Connection, _ key: ConnectionKey) {
        let isDelivering = connection.isDelivering
        state.withLock { state in
            state.open[connection.id] = nil
            if isDelivering { state.ended[connection.id] = connection }
            state.perOrigin.decrement(key)
            // Direct connections are never asked about.
            if key.proxy != nil { state.ends[key] = .now() }
        }
        guard isDelivering else { return }
        connection.channel.eventLoop.scheduleTask(in: Self.longestDelivery) {
            self.state.withLock { $0.ended[connection.id] = nil }
        }
    }
}

extension Dictionary where Value == Int {
    /// One fewer; none is no entry.
    mutating func decrement(_ key: Key) {
        guard let count = self[key] else { return }
        self[key] = count > 1 ? count - 1 : nil
    }
}
