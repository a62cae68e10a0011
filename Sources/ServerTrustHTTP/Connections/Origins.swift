// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Logging
import NIOCore
import PKIX
import ServerTrust

/// One plain client for each scheme, host and port: a pool of its own, whose connections are for this host and no other.
///
/// async-http-client doesn't tell an initialiser for whom a connection is. So it gets one that knows.
final class Origins: Sendable {
    /// A client for one authority.
    final class Origin: Sendable {
        let authority: RequestTarget.Authority
        /// `http://NAME:PORT`, for async-http-client.
        let prefix: String
        let hostHeader: String
        let client: HTTPClient
        fileprivate let line: Line

        fileprivate init(_ authority: RequestTarget.Authority, prefix: String, client: HTTPClient, line: Line) {
            self.authority = authority
            self.prefix = prefix
            self.hostHeader = authority.hostHeader
            self.client = client
            self.line = line
        }

        /// The response's head is there.
        func leave() { line.leave() }

        /// The response isn't coming.
        /// - Returns: whether it was the last one that somebody waited for: nobody needs a connection that isn't up yet.
        func giveUp() -> Bool { line.giveUp() }
    }

    /// Who waits for an origin.
    fileprivate final class Line: Sendable {
        private let state = Locked((waiting: 0, isGivenUp: false))

        var isEmpty: Bool { state.withLock { $0.waiting == 0 } }
        /// Whether the last one gave up, and nobody came since.
        var isGivenUp: Bool { state.withLock { $0.isGivenUp } }

        func enter() {
            state.withLock { state in
                state.waiting += 1
                state.isGivenUp = false
            }
        }

        func leave() { state.withLock { $0.waiting -= 1 } }

        func giveUp() -> Bool {
            state.withLock { state in
                state.waiting -= 1
                state.isGivenUp = state.waiting == 0
                return state.isGivenUp
            }
        }
    }

    private struct State {
        var origins: [RequestTarget.Authority: Origin] = [:]
        /// By scheme and authority as they stand in URLs, so that they needn't be read each time.
        var byPrefix: [Substring: Origin] = [:]
        var isShutDown = false
    }

    /// Above this, those that nobody uses are let go.
    static let most = 256

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
        for origin in state.withLock({ $0.origins.values }) { origin.client.shutdown { _ in } }
        connections.shutDown()
    }

    var count: Int { state.withLock { $0.origins.count } }
}

// MARK: - Finding one

extension Origins {
    /// The origin of a URL. Call `leave()` on it when the response's head is there, or `giveUp()` when it isn't coming.
    /// - Parameters:
    ///   - prefix: scheme and authority, as they stand in the URL.
    ///   - address: what to connect to; nil for whatever the resolver says.
    ///   - isAnonymous: whether the server isn't shown the client's certificate. Its connections are others then.
    ///   - check: throws for an authority that must not be contacted. Nothing is made or kept for it.
    func enter(
        _ prefix: Substring, in url: String, at address: IPAddress? = nil, isAnonymous: Bool = false,
        unless check: (RequestTarget.Authority) throws(TrustRefusal) -> Void = { _ in }
    ) throws -> Origin {
        let isAnonymous = isAnonymous && configuration.hasIdentity
        let isUsual = address == nil && !isAnonymous
        if isUsual,
            let origin = state.withLock({ state in
                let origin = state.byPrefix[prefix]
                origin?.line.enter()
                return origin
            })
        {
            do throws(TrustRefusal) { try check(origin.authority) } catch {
                origin.leave()
                throw error
            }
            return origin
        }
        var authority = try RequestTarget.Authority(prefix, in: url)
        authority.address = address
        authority.isAnonymous = isAnonymous
        guard authority.isSecure || address != nil || configuration.insecurelyPlainHosts.contains(authority.host) else {
            throw TrustedHTTPError(.plainHTTPRefused, url: url)
        }
        try check(authority)
        let (found, idle) = state.withLock { state -> (Origin?, [Origin]) in
            guard !state.isShutDown else { return (nil, []) }
            let idle = evict(&state)
            let origin = state.origins[authority] ?? make(authority)
            state.origins[authority] = origin
            if state.byPrefix.count >= 2 * Self.most { state.byPrefix = [:] }
            // A substring would keep the whole URL.
            if isUsual { state.byPrefix[Substring(String(prefix))] = origin }
            origin.line.enter()
            return (origin, idle)
        }
        for origin in idle {
            origin.client.shutdown { _ in }
            connections.forget(origin.authority)
        }
        guard let found else { throw TrustedHTTPError(.shutDown, url: url) }
        return found
    }

    private func make(_ authority: RequestTarget.Authority) -> Origin {
        var configuration = plain
        let line = Line()
        configuration.http1_1ConnectionDebugInitializer = { [connections] channel in
            authority.isSecure
                ? connections.secure(channel, for: authority, unless: { line.isGivenUp })
                : connections.addPlain(channel, for: authority)
        }
        return Origin(
            authority, prefix: "http://\(self.configuration.connectName(of: authority)):\(authority.port)",
            client: HTTPClient(
                eventLoopGroup: group, configuration: configuration, backgroundActivityLogger: logger), line: line)
    }

    /// Forgets those that nobody waits for and that have no connection, if there are many.
    private func evict(_ state: inout State) -> [Origin] {
        guard state.origins.count >= Self.most else { return [] }
        let idle = state.origins.values.filter {
            $0.line.isEmpty && connections.isIdle($0.authority)
        }
        for origin in idle { state.origins[origin.authority] = nil }
        if !idle.isEmpty { state.byPrefix = [:] }
        return idle
    }
}

// MARK: - The end

extension Origins {
    /// Closes every connection. What runs on them fails; what comes later is refused.
    func shutdown() async {
        let origins = state.withLock { state in
            state.isShutDown = true
            defer { state.origins = [:] }
            state.byPrefix = [:]
            return Array(state.origins.values)
        }
        // Those who wait are told first. Then the handshakes end that the pools would wait for.
        let ends = origins.map { $0.client.shutdown() as EventLoopFuture<Void> }
        connections.shutDown()
        // They can't fail but for having been shut down already.
        for end in ends { try? await end.get() }
    }
}
