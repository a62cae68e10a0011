// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import HTTPRules
import Logging
import NIOCore
import NIOPosix
import PKIX
import ServerTrust
import ServerTrustNIO

/// A plain client for one connection key: a pool of its own, whose connections are to this host and no other.
final class OriginPool: Sendable {
    let key: ConnectionKey
    /// `http://NAME:PORT`, for async-http-client.
    let prefix: String
    let hostHeader: String
    private let client: HTTPClient
    private let repeats: RepeatClient
    /// Decides between the client and one of HTTP/2.
    let choice: ProtocolChoice
    private let connectTimeout: TimeAmount
    /// The name that is looked up for a connection; nil for none, as to an address.
    private let peerName: String?
    private let nameLookup: NameLookup
    fileprivate let pending: PendingRequests

    fileprivate init(
        _ key: ConnectionKey, peerName: String?, _ nameLookup: NameLookup, prefix: String, client: HTTPClient,
        repeats: RepeatClient, choice: ProtocolChoice,
        connectTimeout: TimeAmount, pending: PendingRequests
    ) {
        self.key = key
        self.peerName = peerName
        self.nameLookup = nameLookup
        self.prefix = prefix
        self.hostHeader = key.origin.hostHeader
        self.client = client
        self.repeats = repeats
        self.choice = choice
        self.connectTimeout = connectTimeout
        self.pending = pending
    }

    /// Ends the wait of a request whose response's head has come.
    func completeRequest() { pending.complete() }

    /// Ends the wait of a request that gets no response.
    /// - Returns: true if it was the last one: no request needs a connection that isn't established yet.
    func abandonRequest() -> Bool { pending.abandon() }

    /// Closes all connections.
    /// - Returns: when the clients of HTTP/1.1 and HTTP/2 have ended.
    fileprivate func shutDown() -> [EventLoopFuture<Void>] {
        [client.shutdown()] + repeats.shutDown() + choice.shutDown()
    }
}

extension OriginPool {
    /// Waits until the name that the next connection goes to has an answer, and fails if none comes.
    ///
    /// Async-http-client's resolver has a queue for each event loop. A name whose servers are silent must not get there: it would hold up
    /// those of healthy servers, which run into their time for connecting. With an open connection there is nothing to look up. A name
    /// that has no address is left to async-http-client, whose error callers know.
    /// - Throws: `ConnectionFailure` if no name server answers in the time for connecting; async-http-client's error if the request's time
    ///   ends first; `CancellationError`.
    func lookUpName(_ connections: Connections, before deadline: NIODeadline) async throws {
        guard let peerName, !connections.isConnected(key) else { return }
        let limit = NIODeadline.now() + connectTimeout
        do {
            _ = try await nameLookup.addresses(
                of: peerName, before: min(limit, deadline), on: MultiThreadedEventLoopGroup.singleton.any())
        } catch let error as ConnectionFailure {
            switch error.code {
            case .connectionNameNotResolved: break
            case .connectionNameLookupTimedOut where deadline < limit: throw HTTPClientError.deadlineExceeded
            default: throw connectionError(error)
            }
        }
    }

    private func connectionError(_ error: ConnectionFailure) -> ConnectionFailure {
        if let proxy = key.proxy {
            return ConnectionFailure(TunnelProblem(error), of: ConnectionProxy(proxy), to: key.host)
        }
        var error = error
        error.host = key.host
        return error
    }

    /// Sends a request over the protocol that the server is spoken to in.
    /// - Parameters:
    ///   - resource: path and query of the URL.
    ///   - isRepeat: whether the request needs a new connection.
    /// - Throws: ``HandshakeAbandoned`` if nothing was sent and another try is due; ``UnansweredRequest`` if it may be repeated;
    ///   async-http-client's errors.
    func execute(
        _ request: HTTPClientRequest, _ resource: Substring, isRepeat: Bool, deadline: NIODeadline, logger: Logger?
    ) async throws -> HTTPClientResponse {
        var request = request
        guard let http2 = choice.http2, http2.activity.begin() else {
            request.url = prefix
            // Not `+`, which goes from character to character.
            request.url.append(contentsOf: resource)
            let client = isRepeat ? repeats.client ?? client : client
            do {
                return try await client.execute(request, deadline: deadline, logger: logger)
            } catch let error as ChannelError where error == .ioOnClosedChannel {
                // The connection ended on the way to it; see `ResponseTaggingHandler`, which leaves this error to such requests.
                throw UnansweredRequest(.unsent, HTTPClientError.remoteConnectionClosed)
            }
        }
        defer { http2.activity.finish() }
        request.url = http2.prefix
        request.url.append(contentsOf: resource)
        let (start, before) = (NIODeadline.now(), http2.activity.connections)
        do {
            return try await http2.client.execute(request, deadline: deadline, logger: logger)
        } catch {
            if error as? HTTPClientError == .tlsHandshakeTimeout {
                throw ConnectionFailure(.connectionTimedOut, host: key.host)
            }
            // The connection was about to end when it got the request. A client that is shut down fails its running
            // requests with the same error.
            if error as? HTTPClientError == .cancelled, !http2.activity.isOver, !Task.isCancelled {
                // The caller hasn't canceled the request.
                throw UnansweredRequest(.unsent, HTTPClientError.remoteConnectionClosed)
            }
            guard !(error is UnansweredRequest) else { throw error }
            switch http2.failure(after: error, since: start, before, limit: connectTimeout) {
            case .final(let error): throw error
            case .unconnected: throw HandshakeAbandoned(cause: error)
            case .retreat(let reason):
                choice.retreat(from: http2, reason)
                throw HandshakeAbandoned()
            }
        }
    }
}

/// The number of requests that wait for the head of a response from one origin.
private final class PendingRequests: Sendable {
    private let state = Locked((count: 0, isAbandoned: false))

    var isEmpty: Bool { state.withLock { $0.count == 0 } }
    /// Whether the last one was abandoned, and none was added since.
    var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    func add() {
        state.withLock { state in
            state.count += 1
            state.isAbandoned = false
        }
    }

    func complete() { state.withLock { $0.count -= 1 } }

    func abandon() -> Bool {
        state.withLock { state in
            state.count -= 1
            state.isAbandoned = state.count == 0
            return state.isAbandoned
        }
    }
}

/// The pools of a client, one for each ``ConnectionKey``.
///
/// async-http-client doesn't pass the host to a connection's initializer, so each host gets an initializer of its own.
final class OriginPools: Sendable {
    private struct State {
        var pools: [ConnectionKey: OriginPool] = [:]
        /// By scheme and authority as they stand in URLs, which saves reading them each time.
        var byPrefix: [Substring: OriginPool] = [:]
        var isShutDown = false
    }

    /// The number of pools above which unused ones are dropped.
    static let maximum = 256

    private let state = Locked(State())
    private let configuration: TrustedHTTPConfiguration
    private let plain: HTTPClient.Configuration
    private let connections: Connections
    private let group: any EventLoopGroup
    private let logger: Logger

    init(
        _ configuration: TrustedHTTPConfiguration, _ connections: Connections, group: any EventLoopGroup, logger: Logger
    ) {
        self.configuration = configuration
        self.plain = configuration.plain()
        self.connections = connections
        self.group = group
        self.logger = logger
    }

    deinit {
        for pool in state.withLock({ $0.pools.values }) { _ = pool.shutDown() }
        connections.shutDown()
    }

    var count: Int { state.withLock { $0.pools.count } }
}

// MARK: - Requests

extension OriginPools {
    /// Adds a pending request to the pool for a URL, and makes the pool if there is none. Call `completeRequest()` on it when the
    /// response's head has come, or `abandonRequest()` when it isn't coming.
    /// - Parameters:
    ///   - prefix: scheme and authority, as they stand in the URL.
    ///   - address: the address to connect to; nil for the resolver's.
    ///   - isAnonymous: whether the server isn't shown the client's certificate. It has connections of its own then.
    ///   - isPlainAllowed: whether `http` is allowed for every host.
    ///   - check: throws for a host that must not be contacted. Nothing is made or kept for it.
    /// - Throws: ``TrustedHTTPError`` for a URL that is refused and for a proxy that can't be used; the error of `check`.
    func addRequest(
        _ prefix: Substring, in url: String, at address: IPAddress? = nil, isAnonymous: Bool = false,
        insecurelyInTheClear isPlainAllowed: Bool = false,
        unless check: (ConnectionKey) throws(TrustRefusal) -> Void = { _ in }
    ) throws -> OriginPool {
        let isAnonymous = isAnonymous && configuration.hasIdentity
        let isUsual = address == nil && !isAnonymous && !isPlainAllowed && configuration.proxy.isConstant
        if isUsual,
            let pool = state.withLock({ state in
                let pool = state.byPrefix[prefix]
                pool?.pending.add()
                return pool
            })
        {
            do throws(TrustRefusal) { try check(pool.key) } catch {
                pool.completeRequest()
                throw error
            }
            return pool
        }
        var key = try Self.key(prefix, in: url, address, isAnonymous: isAnonymous)
        guard key.isSecure || address != nil || isPlainAllowed || configuration.insecurelyPlainHosts.contains(key.host)
        else {
            throw TrustedHTTPError(.requestPlainHTTPRefused, url: url)
        }
        try check(key)
        if socket(of: key) == nil { key.proxy = try configuration.proxy.proxy(key.origin) }
        let (found, idle) = state.withLock { state -> (OriginPool?, [OriginPool]) in
            guard !state.isShutDown else { return (nil, []) }
            let idle = evict(&state)
            let pool = state.pools[key] ?? make(key)
            state.pools[key] = pool
            if state.byPrefix.count >= 2 * Self.maximum { state.byPrefix = [:] }
            // A substring would keep the whole URL.
            if isUsual { state.byPrefix[Substring(String(prefix))] = pool }
            pool.pending.add()
            return (pool, idle)
        }
        for pool in idle {
            _ = pool.shutDown()
            connections.forget(pool.key)
        }
        guard let found else { throw TrustedHTTPError(.clientShutDown, url: url) }
        return found
    }

    /// The path of the unix socket to connect to; nil for a host without one, and for a given address.
    private func socket(of key: ConnectionKey) -> String? {
        key.address == nil ? configuration.unixSockets[key.host.description] : nil
    }

    private static func key(
        _ prefix: Substring, in url: String, _ address: IPAddress?, isAnonymous: Bool
    ) throws(TrustedHTTPError) -> ConnectionKey {
        do throws(RequestTargetError) {
            return ConnectionKey(try Origin(prefix), address: address, isAnonymous: isAnonymous)
        } catch {
            throw TrustedHTTPError(unusable: error, url: url)
        }
    }

    private func make(_ key: ConnectionKey) -> OriginPool {
        var configuration = plain
        configuration.proxy = key.proxy
        let pending = PendingRequests()
        // Over a unix socket async-http-client has no name for TLS, and for an address with a zone it would send one in SNI.
        let hasHTTP2 =
            key.isSecure && self.configuration.hasHTTP2 && socket(of: key) == nil && key.host.zone == nil
        let choice = ProtocolChoice(isOpen: hasHTTP2) {
            [connections, group, logger, configuration = self.configuration] wall, activity in
            try HTTP2Pool(
                wall, key, activity, connections, configuration, group: group, logger: logger)
        }
        configuration.http1_1ConnectionDebugInitializer = { [connections] channel in
            key.isSecure
                ? connections.secure(channel, for: key, choice, unless: { pending.isAbandoned })
                : connections.addPlain(channel, for: key)
        }
        var name = key.connectName(overrides: self.configuration.dnsOverride)
        let peer = key.proxy?.host ?? name.trimmingBrackets
        if key.host.zone != nil, name == key.origin.resolverName {
            // A URL has no place for a zone. A proxy, which has other interfaces, gets none.
            if key.proxy == nil { configuration.dnsOverride = [key.origin.urlName: name.trimmingBrackets] }
            name = key.origin.urlName
        }
        let isNamed = IPAddress(peer) == nil && socket(of: key) == nil
        var single = configuration
        single.maximumUsesPerConnection = 1
        let prefix = socket(of: key).map { UnixSocket.urlPrefix(of: $0) } ?? "http://\(name):\(key.origin.port)"
        return OriginPool(
            key, peerName: isNamed ? peer : nil, self.configuration.nameLookup, prefix: prefix,
            client: HTTPClient(
                eventLoopGroup: group, configuration: configuration, backgroundActivityLogger: logger),
            repeats: RepeatClient { [group, logger, single] in
                HTTPClient(eventLoopGroup: group, configuration: single, backgroundActivityLogger: logger)
            },
            choice: choice, connectTimeout: self.configuration.connectTimeout, pending: pending)
    }

    /// Drops the pools without pending requests and without connections, if there are many.
    private func evict(_ state: inout State) -> [OriginPool] {
        guard state.pools.count >= Self.maximum else { return [] }
        let idle = state.pools.values.filter {
            $0.pending.isEmpty && connections.isIdle($0.key)
        }
        for pool in idle { state.pools[pool.key] = nil }
        if !idle.isEmpty { state.byPrefix = [:] }
        return idle
    }
}

// MARK: - The end

extension OriginPools {
    /// Closes every connection. Requests that run on them fail, and later ones are refused.
    /// - Returns: the number of connections that aren't closed by then, by host. A host whose connection isn't made yet counts as well.
    func shutdown(by deadline: NIODeadline) async -> [Hostname: Int] {
        let pools = state.withLock { state in
            state.isShutDown = true
            defer { state.pools = [:] }
            state.byPrefix = [:]
            return Array(state.pools.values)
        }
        // Pending requests fail first. Then the handshakes end that the pools would wait for.
        let unfinished = Locked(Dictionary(pools.map { ($0.key.host, 1) }, uniquingKeysWith: +))
        let ends = pools.map { pool in
            // A client's shutdown fails only if it was shut down already. A connection whose server never sends HTTP/2's SETTINGS
            // can't be closed from here, and is one that is left.
            EventLoopFuture.andAllComplete(pool.shutDown(), on: group.any()).always { _ in
                unfinished.withLock { $0.decrement(pool.key.host) }
            }
        }
        connections.shutDown()
        guard await complete(ends, by: deadline), await complete(connections.ends, by: deadline) else {
            return unfinished.withLock { $0 }.mapValues { _ in 1 }.merging(connections.remaining) { $1 }
        }
        return [:]
    }

    /// Waits until all are complete.
    /// - Returns: false if the deadline passes first.
    private func complete(_ futures: [EventLoopFuture<Void>], by deadline: NIODeadline) async -> Bool {
        let eventLoop = group.any()
        let outcome = eventLoop.makePromise(of: Bool.self)
        // Whichever comes first; a promise takes one answer and ignores the other.
        EventLoopFuture.andAllComplete(futures, on: eventLoop).whenComplete { _ in outcome.succeed(true) }
        let limit = eventLoop.scheduleTask(deadline: deadline) { outcome.succeed(false) }
        outcome.futureResult.whenComplete { _ in limit.cancel() }
        return (try? await outcome.futureResult.get()) ?? false
    }
}
