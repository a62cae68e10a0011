// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustNIO

extension HTTPClient.Configuration {
    /// **Experimental.** Has every connection of an `HTTPClient` evaluated on its host and its whole path, HTTP/2 and connections through a proxy
    /// included: for libraries that take an `HTTPClient` and nothing else.
    ///
    /// ```swift
    /// var configuration = HTTPClient.Configuration()
    /// try configuration.gate(by: ServerTrustConfiguration(manager))
    /// let client = HTTPClient(configuration: configuration)
    /// ```
    ///
    /// It runs when TLS is up, after NIOSSL has verified the server by its own rules and roots, and before the connection serves a
    /// request: a refused server gets no byte of one (over HTTP/2, the preface and SETTINGS). Requests fail with `TrustRefusal`; the
    /// connection is closed and not tried again. Initializers that the configuration has run after it; one that is set afterwards takes
    /// its place, so put the gate in last. A server that NIOSSL refuses stays refused: roots of your own go into `tlsConfiguration` as well
    /// as into `ServerTrustConfiguration.anchors`.
    ///
    /// It also closes HTTP/2 connections on a connection error and on a GOAWAY with an error (RFC 9113 § 5.4.1), which ends floods of frames.
    ///
    /// NIOSSL publishes neither chain nor server name. They are read from inside it, which works with the versions that were tested
    /// (the article "Reading the handshake" of ServerTrustNIO); with any other every connection is refused with `NIOSSLLayoutError`.
    ///
    /// The host is the server name that the connection has sent, which is the URL's, also under `dnsOverride`; one that leads from an
    /// address to a name is evaluated by the name. Refused with ``HTTPClientGateError``:
    /// * hosts by address, Unix sockets and any other connection without a server name: the address in the URL can't be told from a proxy's.
    /// * plain HTTP.
    /// * a request with a TLS configuration of its own that turns verification off, or lets a server change its certificates.
    ///
    /// The result names what the gate can't check, because it comes after the handshake and sees one connection. `TrustedHTTPClient` checks all
    /// of that.
    /// - Parameters:
    ///   - trust: how servers are evaluated. With `TrustSettings.fetching`, connections wait for what is fetched.
    ///   - evaluationTimeout: the longest that a verdict is waited for; 10 seconds unless given.
    /// - Returns: the limits of the gate with these rules.
    /// - Throws: ``HTTPClientGateError`` for a configuration with which the gate couldn't be relied on.
    @discardableResult
    public mutating func gate(
        by trust: ServerTrustConfiguration, evaluationTimeout: Duration = .seconds(10)
    ) throws(HTTPClientGateError) -> [GateLimit] {
        try gate(ConnectionGate(source: VerdictSource(trust), timeout: TimeAmount(clamping: evaluationTimeout)))
        let limits: [GateLimit] = [.deniedHost, .hostByAddress, .openConnection, .redirect]
        return trust.readsStaples ? limits + [.staple] : limits
    }

    /// Has every connection evaluated by a gate.
    mutating func gate(_ gate: ConnectionGate) throws(HTTPClientGateError) {
        if let tls = tlsConfiguration, gate.needsVerification { try HTTPClientGateError.check(tls) }
        addConnectionCheck { gate.check($0) }
    }

    /// Has a check decide on each connection, before the initializers that there are. HTTP/2 connections that break are closed.
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

/// The evaluation of established connections.
struct ConnectionGate: Sendable {
    let source: VerdictSource
    let timeout: TimeAmount
    /// Changed by tests alone.
    var layout = NIOSSLInternals.Layout()
    /// Whether NIOSSL's own verification has to be on. Changed by tests alone, to see the gate without it.
    var needsVerification = true

    /// Evaluates the server of a connection whose TLS is up. Closes the connection unless the verdict is good: left alone it would stay
    /// open.
    /// - Returns: fails with `TrustRefusal`, ``HTTPClientGateError``, `NIOSSLLayoutError` or `ConnectionFailure`.
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

    /// Reads host and chain of a connection, on its event loop.
    private func server(of channel: any Channel) throws -> (Hostname, PresentedChain) {
        // With HTTP/2 the TLS handler is there as well, below the streams.
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
