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
    private struct State {
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
    }

    private let state: Locked<State>
    private let context: NIOSSLContext
    /// Has no certificate to show.
    private let anonymousContext: NIOSSLContext
    private let handshakeTimeout: TimeAmount

    init(
        _ source: VerdictSource, context: NIOSSLContext, anonymousContext: NIOSSLContext, handshakeTimeout: TimeAmount
    ) throws {
        // Made for its checks: a context that would let servers past the verdict is refused here and now.
        _ = try ServerTrustTLS(source, context: context)
        self.state = Locked(State(source: source))
        self.context = context
        self.anonymousContext = anonymousContext
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
    func forget(_ key: ConnectionKey) { state.withLock { $0.timeouts[key] = nil } }

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
}

// MARK: - Making them

extension Connections {
    /// Puts TLS under a connection that async-http-client has made and believes to be plain HTTP; called before it serves a request.
    /// - Parameter isGivenUp: whether no request waits for the connection.
    /// - Returns: fails with `TrustRefusal` or `ServerConnectionError`, and the connection is closed then.
    func secure(
        _ channel: any Channel, for key: ConnectionKey, unless isGivenUp: @escaping @Sendable () -> Bool
    ) -> EventLoopFuture<Void> {
        channel.eventLoop.flatSubmit { [self] in
            let progress = Handshake(channel)
            let generation = state.withLock { state -> Int? in
                guard !state.isShutDown else { return nil }
                state.handshakes[key, default: []].append(progress)
                return state.generation
            }
            guard let generation else {
                channel.close(promise: nil)
                return channel.eventLoop.makeFailedFuture(HandshakeAbandoned())
            }
            // It is listed by now: a request that is abandoned from here on finds it.
            if isGivenUp() { progress.abandon() }
            return handshake(channel, key).flatMap { server in
                self.admit(server, channel, key, since: generation, by: .now() + self.handshakeTimeout)
            }.flatMapErrorThrowing { error in
                channel.close(promise: nil)
                guard !progress.isAbandoned else { throw HandshakeAbandoned() }
                if (error as? ServerConnectionError)?.reason == .handshakeTimedOut {
                    self.state.withLock { $0.timeouts[key] = .now() }
                }
                throw error
            }.always { _ in
                progress.end()
                self.state.withLock { state in
                    state.handshakes[key]?.removeAll { $0 === progress }
                    if state.handshakes[key]?.isEmpty == true { state.handshakes[key] = nil }
                }
            }
        }
    }

    /// Gives up those whose TLS isn't up yet. A request that waits for one of them fails with ``HandshakeAbandoned``.
    func abandonHandshakes(to key: ConnectionKey) {
        for handshake in state.withLock({ $0.handshakes[key] ?? [] }) { handshake.abandon() }
    }

    /// Lets none through any more, and gives up those that are on their way.
    func shutDown() {
        let handshakes = state.withLock { state in
            state.isShutDown = true
            return state.handshakes.values.flatMap(\.self)
        }
        for handshake in handshakes { handshake.abandon() }
    }

    private func handshake(
        _ channel: any Channel, _ key: ConnectionKey
    ) -> EventLoopFuture<EvaluatedServer> {
        let host = key.host
        return channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let tls = try tls(isAnonymous: key.isAnonymous)
            // From the socket up: records only, TLS, verdict, gate, and then async-http-client's handlers.
            try pipeline.addHandler(TrustGate(host: host), position: .first)
            let server = try tls.addHandlers(to: pipeline, host: host, position: .first)
            try pipeline.addHandler(RecordsOnly(host: host), position: .first)
            return server
        }.flatMap { $0 }
    }

    /// The verdict may take as long as the handshake that it is part of.
    func tls(isAnonymous: Bool) throws -> ServerTrustTLS {
        try ServerTrustTLS(
            source, context: isAnonymous ? anonymousContext : context, handshakeTimeout: handshakeTimeout,
            evaluationTimeout: handshakeTimeout)
    }

    /// Knows it from now on. A verdict of rules that were replaced meanwhile isn't one: those that there are now are asked first.
    private func admit(
        _ server: EvaluatedServer, _ channel: any Channel, _ key: ConnectionKey, since generation: Int,
        by deadline: NIODeadline
    ) -> EventLoopFuture<Void> {
        let eventLoop = channel.eventLoop
        return eventLoop.makeCompletedFuture {
            try register(server, channel, key, since: generation)
        }.flatMap { isKnown in
            guard !isKnown else { return eventLoop.makeSucceededVoidFuture() }
            let (now, source) = self.state.withLock { ($0.generation, $0.source) }
            return source.ask(about: server, on: eventLoop, by: deadline).flatMapThrowing { server in
                guard server.verdict.isTrusted else { throw TrustRefusal(server.verdict) }
                return server
            }.flatMap { self.admit($0, channel, key, since: now, by: deadline) }
        }
    }

    /// Knows a connection in the clear as well.
    func addPlain(_ channel: any Channel, for key: ConnectionKey) -> EventLoopFuture<Void> {
        channel.eventLoop.submit { _ = try self.register(nil, channel, key, since: nil) }
    }

    /// Compares the generation and lists the connection in one step: a re-evaluation finds it, or it isn't listed.
    /// - Parameter generation: the one that the verdict is of; nil for a connection without one.
    /// - Returns: false if that has passed, and nothing is done.
    func register(
        _ server: EvaluatedServer?, _ channel: any Channel, _ key: ConnectionKey, since generation: Int?
    ) throws -> Bool {
        let connection = state.withLock { state -> Connection? in
            guard generation == nil || generation == state.generation else { return nil }
            state.lastID += 1
            let connection = Connection(id: state.lastID, server: server, channel: channel)
            state.open[connection.id] = connection
            state.perOrigin[key, default: 0] += 1
            return connection
        }
        guard let connection else { return false }
        channel.closeFuture.whenComplete { _ in self.forget(connection, key) }
        let pipeline = channel.pipeline.syncOperations
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
        try pipeline.addHandler(ResponseTaggingHandler(connection), position: .after(decoder))
        return true
    }
}

extension Connections {
    /// The longest time that a head may be on its way; its request may have been cancelled.
    private static let longestDelivery = TimeAmount.seconds(60)

    private func forget(_ connection: Connection, _ key: ConnectionKey) {
        let isDelivering = connection.isDelivering
        state.withLock { state in
            state.open[connection.id] = nil
            if isDelivering { state.ended[connection.id] = connection }
            state.perOrigin.decrement(key)
        }
        guard isDelivering else { return }
        connection.channel.eventLoop.scheduleTask(in: Self.longestDelivery) {
            self.state.withLock { $0.ended[connection.id] = nil }
        }
    }
}

// MARK: - Asking again

extension Connections {
    /// Evaluates by another source from now on; nil for the same one anew. Connections to servers that are not trusted any more are closed,
    /// and those about which there is no verdict within the handshake's time-out. All are asked about at once.
    /// - Returns: the servers whose connections were closed for their verdict.
    func reevaluate(by replacement: VerdictSource?) async -> [EvaluatedServer] {
        let (source, open) = state.withLock { state in
            if let replacement { state.source = replacement }
            state.generation += 1
            return (state.source, Array(state.open.values))
        }
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
    /// - Returns: the server, if it was refused, when the connection is closed.
    fileprivate func closeUnlessTrusted(by source: VerdictSource, _ deadline: NIODeadline) async -> EvaluatedServer? {
        guard let server else { return nil }
        do {
            let server = try await source.ask(about: server, on: channel.eventLoop, by: deadline).get()
            guard !server.verdict.isTrusted else { return nil }
            try? await close(TrustRefusal(server.verdict)).get()
            return server
        } catch {
            // No verdict is not a good one.
            try? await close(error).get()
            return nil
        }
    }
}

extension VerdictSource {
    /// The server with a new verdict; fails with `ServerConnectionError` if there is none by then.
    fileprivate func ask(
        about server: EvaluatedServer, on eventLoop: any EventLoop, by deadline: NIODeadline
    ) -> EventLoopFuture<EvaluatedServer> {
        let answer = eventLoop.makePromise(of: EvaluatedServer.self)
        let task = Task {
            let verdict = await verdict(on: server.presentedChain, host: server.host)
            answer.succeed(
                EvaluatedServer(host: server.host, presentedChain: server.presentedChain, verdict: verdict))
        }
        // Whichever comes first; a promise takes one answer and ignores the other.
        let limit = eventLoop.scheduleTask(deadline: deadline) {
            answer.fail(ServerConnectionError(.evaluationTimedOut, host: server.host))
            task.cancel()
        }
        return answer.futureResult.always { _ in limit.cancel() }
    }
}

extension Dictionary where Value == Int {
    /// One fewer; none is no entry.
    mutating func decrement(_ key: Key) {
        guard let count = self[key] else { return }
        self[key] = count > 1 ? count - 1 : nil
    }
}
