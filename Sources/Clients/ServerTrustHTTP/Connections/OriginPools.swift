// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import Logging
import NIOCore
import NIOPosix
import PKIX
import ServerTrust
import ServerTrustNIO

/// A plain client for one connection key. It has its own pool, and its connections only go to this host.
final class OriginPool: Sendable {
    let key: ConnectionKey
    /// `http://NAME:PORT`, for async-http-client.
    let prefix: String
    let hostHeader: String
    private let client: HTTPClient
    /// The client that repeats requests over HTTP/1.1. Each request uses a new connection. A pool could choose another
    /// idle connection, which may also have ended.
    private let repeats: HTTPClient
    /// The choice between this client and a client for HTTP/2.
    let choice: ProtocolChoice
    private let connectTimeout: TimeAmount
    /// The name to look up before connecting. Nil if there is no name, for example for an address.
    private let peerName: String?
    private let nameLookup: NameLookup
    private let lastAddresses = Locked<[SocketAddress]>([])
    fileprivate let pending: PendingRequests

    fileprivate init(
        _ key: ConnectionKey, _ settings: TrustedHTTPConfiguration, plain: HTTPClient.Configuration,
        _ connections: Connections, group: any EventLoopGroup, logger: Logger
    ) {
        self.key = key
        self.hostHeader = key.origin.hostHeader
        self.nameLookup = settings.nameLookup
        self.connectTimeout = settings.connectTimeout
        let (socket, pending) = (settings.socket(of: key), PendingRequests())
        self.pending = pending
        // Over a Unix socket, async-http-client has no name for TLS. For an address with a zone, it would send one in
        // SNI. It doesn't support TLS to a proxy, or SOCKS with a password.
        let hasHTTP2 =
            key.isSecure && settings.hasHTTP2 && socket == nil && key.host.zone == nil
            && (key.proxy.map { HTTPClient.Configuration.Proxy($0) != nil } ?? true)
        let choice = ProtocolChoice(isOpen: hasHTTP2) { wall, activity in
            try HTTP2Pool(wall, key, activity, connections, settings, group: group, logger: logger)
        }
        self.choice = choice
        let route = key.route(overrides: settings.dnsOverride)
        var configuration = plain
        configuration.http1_1ConnectionDebugInitializer = { channel in
            key.isSecure
                ? connections.secure(channel, for: key, over: route, choice, unless: { pending.isAbandoned })
                : connections.addPlain(channel, for: key, over: route)
        }
        var name = key.connectName(overrides: settings.dnsOverride)
        let peer = key.proxy?.host ?? name.trimmingBrackets
        var port = key.origin.port
        if let proxy = key.proxy {
            // The client connects to the proxy. This package's handlers open the tunnel.
            (name, port) = ("proxy", proxy.port)
            configuration.dnsOverride = [name: peer]
        } else if key.host.zone != nil, name == key.origin.resolverName {
            // A URL can't contain a zone.
            configuration.dnsOverride = [key.origin.urlName: name.trimmingBrackets]
            name = key.origin.urlName
        }
        self.peerName = IPAddress(peer) == nil && socket == nil ? peer : nil
        self.prefix = socket.map { UnixSocket.urlPrefix(of: $0) } ?? "http://\(name):\(port)"
        self.client = HTTPClient(
            eventLoopGroup: group, configuration: configuration, backgroundActivityLogger: logger)
        configuration.maximumUsesPerConnection = 1
        self.repeats = HTTPClient(
            eventLoopGroup: group, configuration: configuration, backgroundActivityLogger: logger)
    }

    /// Ends the wait of a request when the head of its response has arrived.
    func completeRequest() { pending.complete() }

    /// Ends the wait of a request without a response.
    /// - Returns: true if it was the last one. In that case, no request needs a connection that isn't established yet.
    func abandonRequest() -> Bool { pending.abandon() }

    /// The addresses from the latest lookup, for errors. Empty if there is no name to look up.
    var addresses: [SocketAddress] { lastAddresses.withLock { $0 } }

    /// Closes all connections.
    /// - Returns: futures that complete when the clients for HTTP/1.1 and HTTP/2 have ended.
    fileprivate func shutDown() -> [EventLoopFuture<Void>] {
        [client.shutdown(), repeats.shutdown()] + choice.shutDown()
    }
}

extension OriginPool {
    /// Waits for the lookup of the next connection's name, and throws if no name server answers.
    ///
    /// async-http-client's resolver has one queue for each event loop. A name whose servers don't answer must not enter
    /// it, because names of healthy servers would wait behind it until their timeout. If a connection is open, no
    /// lookup is needed. If the name has no address, async-http-client throws its own error, which callers know.
    /// - Throws: `ConnectionFailure` if no name server answers within the connect timeout. async-http-client's error if
    ///   the request's deadline comes first. `CancellationError`.
    func lookUpName(_ connections: Connections, before deadline: NIODeadline) async throws {
        guard let peerName, !connections.isConnected(key) else { return }
        let limit = NIODeadline.now() + connectTimeout
        do {
            let found = try await nameLookup.addresses(
                of: peerName, before: min(limit, deadline), on: MultiThreadedEventLoopGroup.singleton.any())
            lastAddresses.withLock { $0 = found }
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
            return ConnectionFailure(TunnelProblem(error), of: proxy, to: key.host)
        }
        var error = error
        error.host = key.host
        return error
    }

    /// Sends a request over the protocol that the client uses with the server.
    /// - Parameters:
    ///   - resource: path and query of the URL.
    ///   - isRepeat: whether the request needs a new connection.
    /// - Throws: ``HandshakeAbandoned`` if nothing was sent and the caller should try again. ``ExplorationRefused``.
    ///   ``UnansweredRequest`` if the caller may repeat the request. Otherwise async-http-client's errors.
    func execute(
        _ request: HTTPClientRequest, _ resource: Substring, isRepeat: Bool, deadline: NIODeadline, logger: Logger?
    ) async throws -> HTTPClientResponse {
        var request = request
        guard let http2 = choice.http2, http2.activity.begin() else {
            request.url = prefix
            // `+` would copy character by character.
            request.url.append(contentsOf: resource)
            let client = isRepeat ? repeats : client
            do {
                return try await client.execute(request, deadline: deadline, logger: logger)
            } catch let error as ChannelError where error == .ioOnClosedChannel {
                // The connection ended before it received the request. `ResponseTaggingHandler` reserves this error for
                // such requests.
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
            // The connection was about to end when it received the request. A client that is shut down fails its
            // running requests with the same error.
            if error as? HTTPClientError == .cancelled, !http2.activity.isOver, !Task.isCancelled {
                // The caller hasn't canceled the request.
                throw UnansweredRequest(.unsent, HTTPClientError.remoteConnectionClosed)
            }
            guard !(error is UnansweredRequest) else { throw error }
            guard error as? ChannelError != .ioOnClosedChannel else {
                // The connection ended before it had a stream for the request. `StreamTaggingHandler` reserves this error
                // for such requests.
                throw UnansweredRequest(.unsent, HTTPClientError.remoteConnectionClosed)
            }
            if isMissingResult(error) { throw ConnectionFailure(.connectionClosed, host: key.host) }
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

extension TrustedHTTPConfiguration {
    /// Returns the path of the Unix socket to connect to. Nil if the host has none, or if the key has an address.
    fileprivate func socket(of key: ConnectionKey) -> String? {
        key.address == nil ? unixSockets[key.host.description] : nil
    }
}

/// Whether an error is async-http-client's private error for a connection that ended during TLS or a proxy's answer.
private func isMissingResult(_ error: any Error) -> Bool { String(reflecting: type(of: error)).hasSuffix(".NoResult") }

/// The number of requests that wait for the head of a response from one origin.
private final class PendingRequests: Sendable {
    private let state = Locked((count: 0, isAbandoned: false))

    var isEmpty: Bool { state.withLock { $0.count == 0 } }
    /// Whether the last request was abandoned, and none was added since.
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
/// async-http-client doesn't pass the host to a connection's initializer, so each host has a separate initializer.
final class OriginPools: Sendable {
    private struct State {
        var pools: [ConnectionKey: OriginPool] = [:]
        /// The pools by scheme and authority as written in URLs, so that they aren't parsed each time.
        var byPrefix: [Substring: OriginPool] = [:]
        var isShutDown = false
    }

    /// The number of pools above which the client drops unused ones.
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
    /// Adds a pending request to the pool for a URL, and creates the pool if necessary. Call `completeRequest()` on the
    /// pool when the head of the response has arrived, or `abandonRequest()` if it won't arrive.
    /// - Parameters:
    ///   - prefix: scheme and authority, as written in the URL.
    ///   - address: the address to connect to. Nil to use the resolver's addresses.
    ///   - isAnonymous: whether to withhold the client's certificate from the server. The request then uses separate
    ///     connections.
    ///   - isPlainAllowed: whether `http` is allowed for every host.
    ///   - check: throws if the client must not contact the host. The client then creates and stores nothing for the
    ///     host.
    /// - Throws: ``TrustedHTTPError`` if the URL is rejected or the proxy can't be used, and the error of `check`.
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
            do throws(TrustRefusal) {
                try check(pool.key)
                try connections.requireNotDenied(pool.key.proxy)
            } catch {
                pool.completeRequest()
                throw error
            }
            return pool
        }
        var key = try Self.key(prefix, in: url, address, isAnonymous: isAnonymous)
        guard key.isSecure || isPlainAllowed || configuration.insecurelyPlainHosts.contains(key.host) else {
            throw TrustedHTTPError(.requestPlainHTTPRefused, url: url)
        }
        try check(key)
        if configuration.socket(of: key) == nil { key.proxy = try configuration.proxy.proxy(key.origin) }
        try connections.requireNotDenied(key.proxy)
        let (found, idle) = state.withLock { state -> (OriginPool?, [OriginPool]) in
            guard !state.isShutDown else { return (nil, []) }
            let idle = evict(&state)
            let pool =
                state.pools[key]
                ?? OriginPool(key, configuration, plain: plain, connections, group: group, logger: logger)
            state.pools[key] = pool
            if state.byPrefix.count >= 2 * Self.maximum { state.byPrefix = [:] }
            // A substring would retain the whole URL.
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

    private static func key(
        _ prefix: Substring, in url: String, _ address: IPAddress?, isAnonymous: Bool
    ) throws(TrustedHTTPError) -> ConnectionKey {
        do throws(RequestTargetError) {
            return ConnectionKey(try Origin(prefix), address: address, isAnonymous: isAnonymous)
        } catch {
            throw TrustedHTTPError(unusable: error, url: url)
        }
    }

    /// Drops the pools without pending requests and without connections, if there are many pools.
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

// MARK: - Shutdown

extension OriginPools {
    /// Closes all connections. Requests on them fail, and later ones are rejected.
    /// - Returns: the number of connections that aren't closed by the deadline, by host. A connection that isn't
    ///   established yet counts, too.
    func shutdown(by deadline: NIODeadline) async -> [Hostname: Int] {
        let pools = state.withLock { state in
            state.isShutDown = true
            defer { state.pools = [:] }
            state.byPrefix = [:]
            return Array(state.pools.values)
        }
        // Pending requests fail first. Then the handshakes end, which the pools would otherwise wait for.
        let unfinished = Locked(Dictionary(pools.map { ($0.key.host, 1) }, uniquingKeysWith: +))
        let ends = pools.map { pool in
            // A client's shutdown only fails if it was already shut down. This code can't close a connection whose
            // server never sends HTTP/2's SETTINGS, so that connection counts as open.
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

    /// Waits until all futures are complete.
    /// - Returns: false if the deadline passes first.
    private func complete(_ futures: [EventLoopFuture<Void>], by deadline: NIODeadline) async -> Bool {
        let end = EventLoopFuture.andAllComplete(futures, on: group.any())
        return (try? await end.get(before: deadline, orThrow: HTTPClientError.deadlineExceeded)) != nil
    }
}

#endif
