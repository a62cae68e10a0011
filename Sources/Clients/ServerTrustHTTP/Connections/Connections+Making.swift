// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustNIO

extension Connections {
    /// Adds TLS to a connection that async-http-client created for plain HTTP. Call it before the connection serves a
    /// request.
    /// - Parameters:
    ///   - route: the route through a proxy. Nil for a direct connection.
    ///   - choice: the protocol to offer.
    ///   - isGivenUp: whether no request waits for the connection anymore.
    /// - Returns: a future that fails with `TrustRefusal`, ``ExplorationRefused``, `ConnectionFailure` or
    ///   ``HandshakeAbandoned``. The connection is then closed.
    func secure(
        _ channel: any Channel, for key: ConnectionKey, over route: ConnectionRoute?, _ choice: ProtocolChoice,
        unless isGivenUp: @escaping @Sendable () -> Bool
    ) -> EventLoopFuture<Void> {
        track(channel, key, over: route, unless: isGivenUp) { [self] in
            start(channel, key, choice).flatMap { server in
                self.admit(server, on: channel.eventLoop, by: .now() + self.handshakeTimeout) {
                    try self.register($0, channel, key)
                }
            }
        }
    }

    /// Opens the tunnel of a proxy, below async-http-client's handlers.
    private func open(_ route: ConnectionRoute, on channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            var route = route
            if route.proxy?.isSecure == true {
                route.proxyTLS = try tls(proxySource ?? source, isAnonymous: true, open: proxies).toProxies
            }
            return try route.open(channel, timeout: handshakeTimeout, position: .first)
        }.flatMap { $0 }.map { _ in }
    }

    /// Verifies a connection of an HTTP/2 client after NIOSSL accepted it with its ``ChainWall``. Call it before the
    /// connection serves a request.
    ///
    /// The method evaluates the connection's leaf with the intermediates that the wall knows. If an app's delegate takes
    /// part in verdicts, the leaf has to be the one that the wall has learned, because the delegate must only see chains
    /// that the server presented.
    /// - Returns: a future that fails with ``HTTP2Refused`` if there is no good verdict, and with `ConnectionFailure`
    ///   if there is no verdict in time. It fails with `TrustRefusal` if the delegate refused the server, because the
    ///   delegate must not be asked again for the same request. The connection is then closed.
    func verify(
        _ channel: any Channel, for key: ConnectionKey, _ wall: ChainWall, _ activity: HTTP2Activity,
        isHTTP2: Bool
    ) -> EventLoopFuture<Void> {
        track(channel, key, over: nil, unless: { false }) { [self] in
            let tls = try? channel.pipeline.syncOperations.handler(type: NIOSSLClientHandler.self)
            guard let leaf = try? tls?.peerCertificate?.toDERBytes() else {
                return channel.eventLoop.makeFailedFuture(HTTP2Refused())
            }
            let (chain, deadline) = (wall.chain(leaf: leaf), NIODeadline.now() + handshakeTimeout)
            guard !asksDelegate || chain == wall.learned else {
                return channel.eventLoop.makeFailedFuture(HTTP2Refused())
            }
            return evaluateUnlessKnown(chain, key.host, activity, channel).flatMap { server in
                self.admit(server, on: channel.eventLoop, by: deadline) {
                    try self.register($0, channel, key, isHTTP2 ? activity : nil)
                }
            }.flatMapErrorThrowing { error in
                guard let refusal = error as? TrustRefusal else { throw error }
                let isFinal = self.asksDelegate && refusal.verdict.failures.contains { $0.code == .evaluatorRefused }
                throw isFinal ? refusal : HTTP2Refused()
            }
        }
    }

    /// Returns the verdict of the exploring connection, or evaluates the server.
    private func evaluateUnlessKnown(
        _ chain: PresentedChain, _ host: Hostname, _ activity: HTTP2Activity, _ channel: any Channel
    ) -> EventLoopFuture<EvaluatedServer> {
        let source = source
        if let first = activity.takeFirst(chain, source.revision) {
            return channel.eventLoop.makeSucceededFuture(first)
        }
        return source.trustedServer(presenting: chain, for: host, on: channel, within: handshakeTimeout)
    }

    /// Lists a connection until it is ready.
    /// - Parameters:
    ///   - route: the route through a proxy, whose tunnel comes first. Nil for a connection that doesn't need one.
    ///   - make: makes the connection ready.
    private func track(
        _ channel: any Channel, _ key: ConnectionKey, over route: ConnectionRoute?,
        unless isGivenUp: @escaping @Sendable () -> Bool, _ make: @escaping @Sendable () -> EventLoopFuture<Void>
    ) -> EventLoopFuture<Void> {
        channel.eventLoop.flatSubmit { [self] in
            let progress = Handshake(channel, isApproaching: route != nil)
            let isListed = state.withLock { state in
                guard !state.isShutDown else { return false }
                state.handshakes[key, default: []].append(progress)
                return true
            }
            guard isListed else {
                channel.close(promise: nil)
                return channel.eventLoop.makeFailedFuture(HandshakeAbandoned())
            }
            // The connection is listed by now, so a request that is abandoned from here on finds the connection.
            if isGivenUp() { progress.abandon() }
            let tunnel = route.map { open($0, on: channel) } ?? channel.eventLoop.makeSucceededVoidFuture()
            return tunnel.flatMap {
                progress.approach()
                return make()
            }.flatMapErrorThrowing { error in
                channel.close(promise: nil)
                guard !progress.isAbandoned else { throw HandshakeAbandoned() }
                if (error as? ConnectionFailure)?.code == .connectionTimedOut {
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

    /// Abandons the handshakes that haven't completed TLS. A request that waits for one of them fails with
    /// ``HandshakeAbandoned``.
    func abandonHandshakes(to key: ConnectionKey) {
        for handshake in state.withLock({ $0.handshakes[key] ?? [] }) { handshake.abandon() }
    }

    /// Accepts no more connections, and abandons the connections that are in their handshake.
    func shutDown() {
        let handshakes = state.withLock { state in
            state.isShutDown = true
            return state.handshakes.values.flatMap(\.self)
        }
        for handshake in handshakes { handshake.abandon() }
    }

    /// Takes the next step of a connection, repeatedly until TLS is up.
    private func start(
        _ channel: any Channel, _ key: ConnectionKey, _ choice: ProtocolChoice
    ) -> EventLoopFuture<EvaluatedServer> {
        let eventLoop = channel.eventLoop
        switch choice.nextStep(on: eventLoop) {
        case .http1:
            let source = source
            let knowing = source.knowing { choice.takeFirst($0, source.revision)?.verdict }
            return handshake(channel, key, knowing, offering: nil).flatMapErrorThrowing { error in
                guard (error as? ConnectionFailure)?.isAboutProtocol == true, choice.forgetHTTP1() else {
                    throw error
                }
                throw HandshakeAbandoned(cause: error)
            }
        case .http2: return eventLoop.makeFailedFuture(HandshakeAbandoned())
        case .explore(let number): return explore(channel, key, choice, number)
        case .wait(let settled):
            let promise = eventLoop.makePromise(of: Void.self)
            settled.cascade(to: promise)
            channel.closeFuture.cascade(to: promise)
            return promise.futureResult.flatMap {
                guard channel.isActive else {
                    return eventLoop.makeFailedFuture(ConnectionFailure(.connectionClosed, host: key.host))
                }
                return self.start(channel, key, choice)
            }
        }
    }

    /// Offers both protocols. If the server selects HTTP/2, the connection's only purpose is to learn the chain.
    private func explore(
        _ channel: any Channel, _ key: ConnectionKey, _ choice: ProtocolChoice, _ number: Int
    ) -> EventLoopFuture<EvaluatedServer> {
        let selection = NIOLoopBound(ProtocolSelection(), eventLoop: channel.eventLoop)
        return handshake(channel, key, source, offering: selection).flatMapThrowing { server in
            guard selection.value.isHTTP2 else {
                choice.settle(.http1, of: number)
                return server
            }
            choice.settle(.http2(choice.wall(for: server), server), of: number)
            throw HandshakeAbandoned()
        }.flatMapErrorThrowing { error in
            switch error {
            case let request as ClientCertificateRequested:
                guard let server = request.server else { break }
                choice.settle(.http2(nil, server), of: number)
                throw HandshakeAbandoned()
            case let refusal as TrustRefusal:
                let refused = ExplorationRefused(refusal: refusal)
                choice.settle(.refused(refused), of: number)
                throw refused
            default: break
            }
            // This has no effect if the exploration has already ended.
            choice.settle(.none, of: number)
            throw error
        }
    }

    /// - Parameter selection: detects the protocol that the server selects. Nil to offer only HTTP/1.1.
    private func handshake(
        _ channel: any Channel, _ key: ConnectionKey, _ source: VerdictSource,
        offering selection: NIOLoopBound<ProtocolSelection>?
    ) -> EventLoopFuture<EvaluatedServer> {
        let host = key.host
        return channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let tls = try tls(source, isAnonymous: key.isAnonymous, isExploring: selection != nil)
            // The order from the socket up: TLS to a proxy, records only, TLS, verdict, gate, then async-http-client's
            // handlers.
            let position = pipeline.positionOfServerTLS
            if let selection { try pipeline.addHandler(selection.value, position: position) }
            try pipeline.addHandler(TrustGate(host: host), position: position)
            let server = try tls.addHandlers(to: pipeline, host: host, position: position)
            try pipeline.addHandler(RecordsOnly(host: host), position: position)
            return server
        }.flatMap { $0 }
    }

    /// Returns the TLS of a connection. The verdict may take as long as the handshake that it is part of.
    /// - Parameters:
    ///   - isExploring: whether to offer HTTP/2 in addition.
    ///   - open: lists the open connections. Nil if this object lists them.
    func tls(
        _ source: VerdictSource, isAnonymous: Bool, isExploring: Bool = false, open: OpenServers? = nil
    ) throws -> ServerTrustTLS {
        let limit = Duration(handshakeTimeout)
        return try ServerTrustTLS(
            source, context: contexts.context(isAnonymous: isAnonymous, isExploring: isExploring),
            handshakeTimeout: limit, evaluationTimeout: limit, open: open)
    }

    /// Lists a connection as open.
    ///
    /// If the rules have changed in the meantime, the verdict doesn't count. In that case, the method first evaluates the
    /// server with the current rules.
    /// - Parameter register: lists the connection. Returns false if the verdict is from before a change.
    private func admit(
        _ server: EvaluatedServer, on eventLoop: any EventLoop, by deadline: NIODeadline,
        _ register: @escaping @Sendable (EvaluatedServer) throws -> Bool
    ) -> EventLoopFuture<Void> {
        eventLoop.makeCompletedFuture { try register(server) }.flatMap { isKnown in
            guard !isKnown else { return eventLoop.makeSucceededVoidFuture() }
            return self.source.evaluatedServer(
                presenting: server.presentedChain, for: server.host, on: eventLoop, by: deadline
            ).flatMapThrowing { try $0.trusted() }.flatMap { self.admit($0, on: eventLoop, by: deadline, register) }
        }
    }

    /// Lists a connection in the clear, through a proxy or directly.
    func addPlain(
        _ channel: any Channel, for key: ConnectionKey, over route: ConnectionRoute?
    ) -> EventLoopFuture<Void> {
        guard let route else {
            return channel.eventLoop.submit { _ = try self.register(nil, channel, key) }
        }
        return track(channel, key, over: route, unless: { false }) { [self] in
            channel.eventLoop.makeCompletedFuture { _ = try register(nil, channel, key) }
        }
    }

    /// Compares the verdict's revision and lists the connection in one step. A re-evaluation therefore finds every
    /// listed connection.
    /// - Parameters:
    ///   - server: the server. Nil for a connection in the clear, which has no verdict.
    ///   - http2: the activity of the HTTP/2 client that made the connection. Nil for HTTP/1.1.
    /// - Returns: false if the verdict is from before a change of the rules. In that case, the method does nothing.
    func register(
        _ server: EvaluatedServer?, _ channel: any Channel, _ key: ConnectionKey, _ http2: HTTP2Activity? = nil
    ) throws -> Bool {
        let connection = state.withLock { state -> Connection? in
            guard server == nil || server?.revision == state.source.revision else { return nil }
            state.lastID += 1
            let connection = Connection(
                id: state.lastID, server: server, channel: channel, isHTTP2: http2 != nil,
                timesRequests: timesRequests, source: { [weak self] in self?.source })
            state.open[connection.id] = connection
            state.perOrigin[key, default: 0] += 1
            return connection
        }
        guard let connection else { return false }
        channel.closeFuture.whenComplete { _ in self.forget(connection, key) }
        let pipeline = channel.pipeline.syncOperations
        if let http2 {
            let joiner = HTTP2DataJoiner()
            try pipeline.addHandler(joiner, position: .after(pipeline.handler(type: NIOHTTP2Handler.self)))
            try pipeline.addHandler(TrustedConnectionMarker(connection, http2, joiner))
            return true
        }
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
        let watch = ResponseWatch()
        try pipeline.addHandler(watch, position: .before(decoder))
        let responses = HTTP1ResponseGuard(watch) { connection.problemBeforeRequest() }
        try pipeline.addHandlers([responses, ResponseTaggingHandler(connection, watch)], position: .after(decoder))
        return true
    }
}

#endif
