// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import NIOCore
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustNIO

extension HTTPClient.Configuration {
    /// **Experimental.** Adds a gate that evaluates the host and the whole path of every connection of an `HTTPClient`.
    ///
    /// The gate also covers HTTP/2 and connections through a proxy. It is for libraries that only accept an
    /// `HTTPClient`.
    ///
    /// ```swift
    /// var configuration = HTTPClient.Configuration()
    /// try configuration.gate(by: ServerTrustConfiguration(manager))
    /// let client = HTTPClient(configuration: configuration)
    /// ```
    ///
    /// The gate runs when TLS is established, after NIOSSL has verified the server with its own rules and roots, and
    /// before the connection serves a request. A refused server receives no part of a request. Over HTTP/2, it receives
    /// only the preface and SETTINGS. Requests fail with `TrustRefusal`. The connection is closed, and the client
    /// doesn't retry it. Initializers in the configuration run after the gate. An initializer that you set later
    /// replaces the gate, so add the gate last. A server that NIOSSL refuses stays refused, so add custom roots both to
    /// `tlsConfiguration` and to `ServerTrustConfiguration.anchors`.
    ///
    /// The gate also closes HTTP/2 connections on a connection error and on a GOAWAY with an error (RFC 9113 § 5.4.1),
    /// which stops floods of frames. A response that breaks HTTP fails with ``TrustedHTTPError``, such as one with the
    /// status 042.
    ///
    /// When the rules of the configuration's manager change, the gate evaluates the servers of open connections again,
    /// and closes the connections to those that are refused. No request begins on such a connection.
    ///
    /// NIOSSL exposes neither the chain nor the server name, so the gate reads them from NIOSSL's internals. This works
    /// with the tested versions (see the article "Reading the handshake" in ServerTrustNIO). With any other version,
    /// the gate refuses every connection with `NIOSSLLayoutError`.
    ///
    /// The host is the server name that the connection has sent. This is the URL's host, also with `dnsOverride`. If an
    /// override maps an address to a name, the gate evaluates the name. The gate refuses the following with
    /// ``HTTPClientGateError``:
    /// * Hosts by address, Unix sockets and any other connection without a server name, because the gate can't
    ///   distinguish the address in the URL from a proxy's address.
    /// * Plain HTTP.
    /// * A request whose own TLS configuration turns verification off, allows a server to change its certificates, or
    ///   has a client certificate.
    ///
    /// The method throws for a configuration with a client certificate, because a server receives it before the gate
    /// evaluates the server.
    ///
    /// The result lists what the gate can't check, because it runs after the handshake and sees only one connection.
    /// `TrustedHTTPClient` checks all of that.
    /// - Parameters:
    ///   - trust: how to evaluate servers. With `TrustSettings.fetching`, connections wait for the fetched data.
    ///   - evaluationTimeout: the longest time to wait for a verdict. The default is 10 seconds.
    /// - Returns: the gate, with what it can't check with these rules.
    /// - Throws: ``HTTPClientGateError`` if the gate wouldn't be reliable with the configuration.
    @discardableResult
    public mutating func gate(
        by trust: ServerTrustConfiguration, evaluationTimeout: Duration = .seconds(10)
    ) throws(HTTPClientGateError) -> HTTPClientGate {
        let gate = ConnectionGate(source: VerdictSource(trust), timeout: TimeAmount(clamping: evaluationTimeout))
        try self.gate(gate)
        let limits: [GateLimit] = [
            .deniedHost, .hostByAddress, .missingSettings, .redirect, .requestIdentity, .ruleChange,
        ]
        return HTTPClientGate(
            limits: trust.readsStaples ? limits + [.staple] : limits, open: gate.open, timeout: evaluationTimeout)
    }

    /// Adds a gate for every connection, before the existing initializers. Broken HTTP/2 connections are closed.
    mutating func gate(_ gate: ConnectionGate) throws(HTTPClientGateError) {
        if let tls = tlsConfiguration {
            if gate.needsVerification { try HTTPClientGateError.check(tls) }
            try HTTPClientGateError.checkIdentity(tls)
        }
        connectionPool.retryConnectionEstablishment = false
        let http1 = http1_1ConnectionDebugInitializer
        http1_1ConnectionDebugInitializer = { channel in
            gate.check(channel, isHTTP2: false) { try GatedConnection.http1($0) }
                .flatMap { http1?(channel) ?? channel.eventLoop.makeSucceededVoidFuture() }
        }
        let http2 = http2ConnectionDebugInitializer
        http2ConnectionDebugInitializer = { channel in
            HTTP2Guard.watch(channel) { channel in
                gate.check(channel, isHTTP2: true) { try GatedConnection.http2($0) }
                    .flatMap { http2?(channel) ?? channel.eventLoop.makeSucceededVoidFuture() }
            }
        }
        let stream = http2StreamChannelDebugInitializer
        http2StreamChannelDebugInitializer = { channel in
            GatedConnection.prepareStream(channel)
                .flatMap { stream?(channel) ?? channel.eventLoop.makeSucceededVoidFuture() }
        }
    }
}

/// A gate in the configuration of an `HTTPClient`. It covers the connections of all clients with this configuration.
public struct HTTPClientGate: Sendable {
    /// The properties of connections that the gate doesn't check, or checks later than `TrustedHTTPClient`.
    public let limits: [GateLimit]
    fileprivate let open: OpenServers
    fileprivate let timeout: Duration

    /// Evaluates the chains of all open connections again with the current rules, and closes the connections whose
    /// servers are no longer trusted. Requests on them fail with `TrustRefusal`.
    ///
    /// This happens by itself when the rules of the configuration's manager change. Call it to wait for that, or when
    /// something else that the rules depend on has changed: a certificate expired, or there is a new CRL.
    /// - Returns: the refused servers with their new verdicts, in no particular order. The method returns when their
    ///   connections are closed.
    @discardableResult
    public func reevaluateConnections() async -> [EvaluatedServer] {
        await open.reevaluate(within: timeout, isForced: true)
    }
}

/// Evaluates established connections.
struct ConnectionGate: Sendable {
    let source: VerdictSource
    let timeout: TimeAmount
    let open: OpenServers
    private let protocols = OpenProtocols()
    /// Only tests change this property.
    var layout = NIOSSLInternals.Layout()
    /// Whether NIOSSL's own verification has to be on. Only tests change it, to test the gate without that
    /// verification.
    var needsVerification = true

    init(source: VerdictSource, timeout: TimeAmount) {
        self.source = source
        self.timeout = timeout
        self.open = OpenServers(source)
    }

    /// Evaluates the server of a connection whose TLS handshake is complete. Closes the connection unless the verdict
    /// is good, because no other code would close it.
    /// - Parameters:
    ///   - isHTTP2: whether the server selected HTTP/2.
    ///   - prepare: guards the responses of the connection.
    /// - Returns: a future that fails with `TrustRefusal`, ``HTTPClientGateError``, `NIOSSLLayoutError` or
    ///   `ConnectionFailure`.
    func check(
        _ channel: any Channel, isHTTP2: Bool, _ prepare: @escaping @Sendable (any Channel) throws -> GatedConnection
    ) -> EventLoopFuture<Void> {
        channel.eventLoop.flatSubmit {
            channel.eventLoop.makeCompletedFuture {
                let (host, chain) = try server(of: channel)
                try protocols.add(host, channel, isHTTP2: isHTTP2)
                return (host, chain, NIOLoopBound(try prepare(channel), eventLoop: channel.eventLoop))
            }.flatMap { host, chain, connection in
                source.trustedServer(presenting: chain, for: host, on: channel, within: timeout)
                    .map { connection.value.admit($0, source, open) }
            }
        }.flatMapErrorThrowing { error in
            channel.close(promise: nil)
            throw error
        }
    }

    /// Reads the host and the chain of a connection on its event loop.
    private func server(of channel: any Channel) throws -> (Hostname, PresentedChain) {
        // With HTTP/2, this pipeline also contains the TLS handler, below the streams.
        guard let tls = try? channel.pipeline.syncOperations.handler(type: NIOSSLClientHandler.self) else {
            throw HTTPClientGateError.notTLS
        }
        let internals = try NIOSSLInternals(tls, layout: layout)
        if needsVerification { try HTTPClientGateError.check(internals.context.configuration) }
        try HTTPClientGateError.checkIdentity(internals.context.configuration)
        guard tls.tlsVersion == .tlsv12 || tls.tlsVersion == .tlsv13 else { throw HTTPClientGateError.outdatedVersion }
        guard let name = try internals.serverName(), let host = try? Hostname(name), host.serverName != nil else {
            throw HTTPClientGateError.noServerName
        }
        return (host, PresentedChain(der: try internals.presentedCertificates()))
    }
}

/// The HTTP versions of open connections. async-http-client ends the process if a server changes between the versions
/// while one of its connections is open.
private final class OpenProtocols: Sendable {
    private struct Key: Hashable {
        let host: Hostname
        let port: Int?
    }

    private let state = Locked<[Key: (isHTTP2: Bool, count: Int)]>([:])

    /// Adds a connection until it is closed.
    /// - Throws: ``HTTPClientGateError`` if the open connections to the server use the other version.
    func add(_ host: Hostname, _ channel: any Channel, isHTTP2: Bool) throws(HTTPClientGateError) {
        let key = Key(host: host, port: channel.remoteAddress?.port)
        let isAdded = state.withLock { state in
            guard state[key]?.isHTTP2 ?? isHTTP2 == isHTTP2 else { return false }
            state[key] = (isHTTP2, (state[key]?.count ?? 0) + 1)
            return true
        }
        guard isAdded else { throw .protocolChanged }
        channel.closeFuture.whenComplete { [self] _ in
            state.withLock { state in
                let count = (state[key]?.count ?? 0) - 1
                state[key] = count > 0 ? (isHTTP2, count) : nil
            }
        }
    }
}

#endif
