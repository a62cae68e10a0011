// SPDX-License-Identifier: Apache-2.0

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
    /// which stops floods of frames.
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
    /// * A request whose own TLS configuration turns verification off, or allows a server to change its certificates.
    ///
    /// The result lists what the gate can't check, because it runs after the handshake and sees only one connection.
    /// `TrustedHTTPClient` checks all of that.
    /// - Parameters:
    ///   - trust: how to evaluate servers. With `TrustSettings.fetching`, connections wait for the fetched data.
    ///   - evaluationTimeout: the longest time to wait for a verdict. The default is 10 seconds.
    /// - Returns: what the gate can't check with these rules.
    /// - Throws: ``HTTPClientGateError`` if the gate wouldn't be reliable with the configuration.
    @discardableResult
    public mutating func gate(
        by trust: ServerTrustConfiguration, evaluationTimeout: Duration = .seconds(10)
    ) throws(HTTPClientGateError) -> [GateLimit] {
        try gate(ConnectionGate(source: VerdictSource(trust), timeout: TimeAmount(clamping: evaluationTimeout)))
        let limits: [GateLimit] = [.deniedHost, .hostByAddress, .openConnection, .redirect]
        return trust.readsStaples ? limits + [.staple] : limits
    }

    /// Adds a gate for every connection.
    mutating func gate(_ gate: ConnectionGate) throws(HTTPClientGateError) {
        if let tls = tlsConfiguration, gate.needsVerification { try HTTPClientGateError.check(tls) }
        addConnectionCheck { gate.check($0) }
    }

    /// Adds a check of each connection, before the existing initializers. Broken HTTP/2 connections are closed.
    mutating func addConnectionCheck(_ check: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>) {
        connectionPool.retryConnectionEstablishment = false
        let http1 = http1_1ConnectionDebugInitializer
        http1_1ConnectionDebugInitializer = { channel in
            check(channel).flatMap { http1?(channel) ?? channel.eventLoop.makeSucceededVoidFuture() }
        }
        let http2 = http2ConnectionDebugInitializer
        http2ConnectionDebugInitializer = { channel in
            HTTP2Guard.watch(channel) { channel in
                check(channel).flatMap { http2?(channel) ?? channel.eventLoop.makeSucceededVoidFuture() }
            }
        }
    }
}

/// Evaluates established connections.
struct ConnectionGate: Sendable {
    let source: VerdictSource
    let timeout: TimeAmount
    /// Only tests change this property.
    var layout = NIOSSLInternals.Layout()
    /// Whether NIOSSL's own verification has to be on. Only tests change it, to test the gate without that
    /// verification.
    var needsVerification = true

    /// Evaluates the server of a connection whose TLS handshake is complete. Closes the connection unless the verdict
    /// is good, because no other code would close it.
    /// - Returns: a future that fails with `TrustRefusal`, ``HTTPClientGateError``, `NIOSSLLayoutError` or
    ///   `ConnectionFailure`.
    func check(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.flatSubmit {
            channel.eventLoop.makeCompletedFuture { try server(of: channel) }.flatMap { host, chain in
                ServerVerification(host: host, source: source, timeout: timeout).verify(chain, of: channel).map { _ in }
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
        guard tls.tlsVersion == .tlsv12 || tls.tlsVersion == .tlsv13 else { throw HTTPClientGateError.outdatedVersion }
        guard let name = try internals.serverName(), let host = try? Hostname(name), host.serverName != nil else {
            throw HTTPClientGateError.noServerName
        }
        return (host, PresentedChain(der: try internals.presentedCertificates()))
    }
}
