// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOSSL
import NIOTLS
import PKIX
import ServerTrust

extension TrustProbe {
    /// The longest wait for the server to refuse the client. It is long enough for several round trips around the
    /// world.
    private static let refusalTime = TimeAmount.seconds(1)

    /// Connects, evaluates the server during the TLS handshake, and sends a request if the server is trusted.
    ///
    /// This method doesn't check whether the rules deny the host (``denial(of:port:)``).
    /// - Parameter path: the path to request with `GET`. Nil for no request.
    package func shakeHands(
        _ host: Hostname, port: Int, connectingTo address: String?, requesting path: String? = nil
    ) async throws(ConnectionFailure) -> TrustProbeReport {
        let start = NIODeadline.now()
        let record = NIOLockedValueBox(HandshakeRecord())
        let route = route(to: host, port: port, connectingTo: address)
        var failure: ConnectionFailure?
        do {
            if let path {
                try await request(path, over: route, record)
            } else {
                try await shakeHands(over: route, record)
            }
        } catch {
            failure = ConnectionFailure(error, host: host, port: port)
        }
        let (found, connected, attempts, demand) = record.withLockedValue {
            ($0.report, $0.address, $0.attempts, $0.request.found)
        }
        if let demand { failure = failure?.after(demand, wasAnswered: identity != nil) }
        let ended = ConnectionFailure(.connectionClosed, host: host, port: port)
        // The address of an established connection is more useful than the addresses of the attempts.
        if let connected {
            failure?.address = connected
            failure?.attempts = attempts
        }
        guard var report = found else { throw failure ?? ended }
        report.address = connected
        report.attempts = attempts
        report.clientCertificateDemand = demand
        report.duration = start.elapsed
        let isAnswered = report.isComplete && (path == nil || report.response != nil)
        if report.verdict.isTrusted, !isAnswered || failure != nil { report.failure = failure ?? ended }
        return report
    }

    /// Performs the handshake. If the server may still refuse the client certificate, waits for that.
    private func shakeHands(over route: ConnectionRoute, _ record: NIOLockedValueBox<HandshakeRecord>) async throws {
        let isIdentified = identity != nil
        try await connect(route, offering: applicationProtocols, record) {
            (inbound: NIOAsyncChannelInboundStream<ByteBuffer>, _: NIOAsyncChannelOutboundWriter<ByteBuffer>, channel)
            in
            // In TLS 1.3, the handshake ends for the client before the server has received the client's certificate, or
            // learned that the client has no certificate.
            guard record.withLockedValue({ $0.request.found != nil && $0.report?.tlsVersion == "TLS 1.3" }) else {
                return
            }
            let end = channel.eventLoop.scheduleTask(in: Self.refusalTime) {
                channel.pipeline.fireErrorCaught(NoRefusal())
            }
            defer { end.cancel() }
            do {
                // A server that sends data has accepted the client.
                var bytes = inbound.makeAsyncIterator()
                _ = try await bytes.next()
            } catch is NoRefusal {
            } catch NIOSSLError.uncleanShutdown where isIdentified {
                // If the client has sent its certificate, an end without TLS's `close_notify` isn't a refusal.
            }
        }
    }

    /// Performs the handshake, sends a request, and reads the head of the response.
    private func request(
        _ path: String, over route: ConnectionRoute, _ record: NIOLockedValueBox<HandshakeRecord>
    ) async throws {
        try await connect(route, offering: ["http/1.1"], record, adding: { try $0.addHTTPClientHandlers() }) {
            (
                inbound: NIOAsyncChannelInboundStream<HTTPClientResponsePart>,
                outbound: NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>, _
            ) in
            // If the connection has ended, reading reports the reason, but the error of this write doesn't.
            try? await outbound.write(contentsOf: [.head(Self.requestHead(path, route)), .end(nil)])
            for try await part in inbound {
                guard case .head(let head) = part else { continue }
                let response = TrustProbeReport.Response(
                    status: Int(head.status.code), location: head.headers.first(name: "location"))
                record.withLockedValue { $0.report?.response = response }
                return
            }
        }
    }

    private static func requestHead(_ path: String, _ route: ConnectionRoute) -> HTTPRequestHead {
        var name = route.host.description.contains(":") ? "[\(route.host)]" : route.host.description
        if route.port != 443 { name += ":\(route.port)" }
        let headers = HTTPHeaders([
            ("host", name), ("connection", "close"), ("accept", "*/*"), ("user-agent", "servertrust"),
        ])
        return HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: headers)
    }

    /// Connects over TLS, and closes the connection at the end.
    /// - Parameters:
    ///   - protocols: the protocols to offer in ALPN.
    ///   - record: receives the results of the handshake.
    ///   - add: adds the handlers above TLS.
    ///   - body: runs when the server is trusted and the handshake is complete. Its reads end at the probe's deadline.
    private func connect<Inbound: Sendable, Outbound: Sendable>(
        _ route: ConnectionRoute, offering protocols: [String], _ record: NIOLockedValueBox<HandshakeRecord>,
        adding add: @escaping @Sendable (ChannelPipeline.SynchronousOperations) throws -> Void = { _ in },
        _ body: (
            NIOAsyncChannelInboundStream<Inbound>, NIOAsyncChannelOutboundWriter<Outbound>, any Channel
        ) async throws -> Void
    ) async throws {
        let tls = try tls(offering: protocols, record)
        let connection = try await open(route) { channel in
            let pipeline = channel.pipeline.syncOperations
            let server = try tls.addHandlers(to: pipeline, host: route.host)
            try pipeline.addHandler(HandshakeRecorder(record, port: route.port))
            try add(pipeline)
            return (server, try NIOAsyncChannel<Inbound, Outbound>(wrappingChannelSynchronously: channel))
        }
        record.withLockedValue { ($0.address, $0.attempts) = (connection.address, connection.attempts) }
        let (server, channel) = connection.opened
        try await channel.executeThenClose { inbound, outbound in
            _ = try await connection.value(of: server)
            let end = connection.scheduleEnd()
            defer { end.cancel() }
            try await body(inbound, outbound, connection.channel)
        }
    }

    private func tls(
        offering protocols: [String], _ record: NIOLockedValueBox<HandshakeRecord>
    ) throws -> ServerTrustTLS {
        var settings = TLSConfiguration.clientForServerTrust(applicationProtocols: protocols)
        if requiresTLS13 { settings.minimumTLSVersion = .tlsv13 }
        // The client sends `close_notify`, and the probe doesn't wait for the server's.
        settings.shutdownTimeout = .zero
        identity?.add(to: &settings)
        settings.onCertificateRequest { record.withLockedValue { $0.request.note() } }
        var tls = try ServerTrustTLS(
            source, context: NIOSSLContext(configuration: settings), handshakeTimeout: timeout,
            evaluationTimeout: timeout)
        tls.serverName = serverName
        return tls
    }
}

/// The results of a handshake so far. The event loop shares them with the probe.
private struct HandshakeRecord {
    var address: String?
    var attempts: [AddressAttempt] = []
    /// The report, or nil before a chain is evaluated.
    var report: TrustProbeReport?
    /// The server's request for a client certificate.
    var request = CertificateRequestRecord()
}

/// Ends the wait for a refusal that didn't arrive.
private struct NoRefusal: Error {}

/// Records the events of a handshake.
private final class HandshakeRecorder: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let record: NIOLockedValueBox<HandshakeRecord>
    private let port: Int

    init(_ record: NIOLockedValueBox<HandshakeRecord>, port: Int) {
        self.record = record
        self.port = port
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { note(context.channel) }
    }

    func channelActive(context: ChannelHandlerContext) {
        note(context.channel)
        context.fireChannelActive()
    }

    /// Records the connected channel. The handler is also in the channels to other addresses, which didn't connect
    /// first.
    private func note(_ channel: any Channel) {
        record.withLockedValue { if $0.request.channel == nil { $0.request.channel = channel } }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let server as EvaluatedServer:
            record.withLockedValue { $0.report = TrustProbeReport(server, port: port) }
        case TLSUserEvent.handshakeCompleted(let negotiated):
            let version = context.pipeline.syncOperations.serverTLS?.tlsVersion
            record.withLockedValue {
                $0.report?.isComplete = true
                $0.report?.tlsVersion = version.map { TrustProbeReport.name(of: $0) }
                $0.report?.applicationProtocol = negotiated
            }
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }
}

/// A server's request for a client certificate.
package struct ClientCertificateDemand: Sendable, Hashable {
    /// The DER names of the CAs whose certificates the server accepts. Empty if the server names none, nil if they
    /// aren't known.
    package let authorities: [[UInt8]]?

    /// Returns the names of the first CAs as strings of at most `size` bytes each. Nil if the names aren't known. The
    /// result leaves out names that can't be parsed.
    package func authorityNames(_ maximumCount: Int, toBytes size: Int) -> [String]? {
        authorities?.prefix(maximumCount).compactMap { name in
            guard name.count <= Self.maximumNameSize else { return "a name of \(name.count) bytes" }
            return (try? DistinguishedName(der: name))?.description.abridged(toBytes: size)
        }
    }

    /// The size in bytes above which a name isn't parsed. CA names are usually a few hundred bytes long.
    private static let maximumNameSize = 4096
}

/// The state of a request during a handshake.
struct CertificateRequestRecord {
    /// The channel, or nil before TLS begins.
    var channel: (any Channel)?
    private(set) var found: ClientCertificateDemand?

    /// Reads the request. Call it on the channel's event loop while NIOSSL answers the request.
    mutating func note() {
        let handler = channel?.pipeline.syncOperations.serverTLS
        found = ClientCertificateDemand(
            authorities: handler.flatMap { try? NIOSSLInternals($0) }?.requestedAuthorities)
    }
}

extension TLSConfiguration {
    /// Sets the closure to call on the connection's event loop when the server requests a certificate.
    ///
    /// BoringSSL's callback for certificates calls NIOSSL's callback for a context by name. On a client, this happens
    /// after the server has requested a certificate and before the client sends one.
    mutating func onCertificateRequest(_ note: @escaping @Sendable () -> Void) {
        sslContextCallback = { _, promise in
            note()
            promise.succeed(.noChanges)
        }
    }
}

extension ConnectionFailure {
    /// Returns the failure for a handshake that ended after a server's request for a client certificate. The request is
    /// the reason unless time ran out.
    /// - Parameter wasAnswered: whether the client had a certificate to send.
    func after(_ request: ClientCertificateDemand, wasAnswered: Bool) -> ConnectionFailure {
        let codes: [ErrorCode] = [
            .connectionHandshakeFailed, .connectionNotEvaluated, .connectionSentTooEarly, .connectionHandshakeAlert,
            .connectionClosed, .connectionClientCertificateRequired,
        ]
        guard codes.contains(code) else { return self }
        return ConnectionFailure(
            .connectionClientCertificateRequired, host: host, port: port, alert: alert,
            exactly: wasAnswered
                ? "the server refuses the client certificate" : "the server requires a client certificate")
    }
}

#endif
