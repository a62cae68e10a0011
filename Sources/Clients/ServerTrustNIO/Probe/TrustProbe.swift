// SPDX-License-Identifier: Apache-2.0

import HandshakeProbe
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOTLS
import PKIX
import ServerTrust

/// Inspects a server once: connects, shakes hands, and reports the chain that was presented and the verdict on it.
///
/// ```swift
/// let report = try await TrustProbe(ServerTrustConfiguration(manager)).probe(try Hostname("api.example.com"))
/// print(report.verdict, report.tlsVersion ?? "")
/// ```
///
/// For tools: a refused server is a report, not an error, and the connection is closed as soon as the answer is there. Nothing is
/// sent to a server that is refused.
public struct TrustProbe: Sendable {
    /// The source of the verdict.
    package var source: VerdictSource

    /// From connecting to the answer; 5 seconds unless set.
    public var timeout = Duration.seconds(5)

    /// For the look-up of the name, which comes before; 5 seconds unless set.
    public var nameLookupTimeout = Duration.seconds(5)

    /// Changed by tests alone.
    package var nameLookup = NameLookup.shared

    /// Sent in SNI; nil for the host that is evaluated.
    package var serverName: Hostname?

    /// The proxy that the server is reached through, which resolves its name; none unless set. Its part counts for ``timeout`` as well, and the
    /// look-up of its own name for ``nameLookupTimeout``.
    public var proxy: ConnectionProxy?

    /// The exchange in the clear before TLS, as that of `STARTTLS`; none unless set. Its part counts for ``timeout`` as well.
    public var prologue: TLSPrologue?

    /// Sent to servers that ask for a client certificate; none unless set.
    package var identity: ClientIdentity?

    /// Offered in ALPN; HTTP/2 and HTTP/1.1 unless set. With a request, HTTP/1.1 alone.
    public var applicationProtocols = ["h2", "http/1.1"]

    /// Whether a server is observed by ``HandshakeProbe`` first, and asked by TLS only where that is no proof. With a request, TLS comes first.
    ///
    /// The verdict is then about the handshake too: without a proof of the key no server is trusted.
    package var observesFirst = false

    /// The oldest version; TLS 1.2 unless set. One before it is for a probe that observes first, and such a server is refused.
    package var minimumVersion = ProtocolVersion.tls12

    /// Makes a probe that evaluates by a configuration.
    public init(_ trust: ServerTrustConfiguration) { self.init(VerdictSource(trust)) }

    /// Makes a probe that evaluates by a source of verdicts.
    package init(_ source: VerdictSource) { self.source = source }

    /// Connects and evaluates. A host that the rules deny isn't contacted: the report has the verdict, and no presented chain.
    /// - Parameters:
    ///   - host: the name to ask for and to hold the leaf against.
    ///   - port: 443 unless given.
    ///   - address: where to connect to instead of the host: a name or an IP literal. The host is evaluated all the same.
    ///   - path: asked for with `GET` if the server is trusted; nil for no request.
    /// - Throws: ``TrustProbeError`` if no chain was presented that could be evaluated.
    public func probe(
        _ host: Hostname, port: Int = 443, connectingTo address: String? = nil, requesting path: String? = nil
    ) async throws(TrustProbeError) -> TrustProbeReport {
        if let verdict = source.denial(of: host) {
            return TrustProbeReport(
                EvaluatedServer(host: host, presentedChain: PresentedChain([]), verdict: verdict), port: port)
        }
        if let path { return try await request(path, of: host, port: port, connectingTo: address) }
        guard observesFirst else {
            return try await attempt(host, port: port, connectingTo: address, requesting: nil, offering: nil)
        }
        return try await observe(host, port: port, connectingTo: address)
    }

    /// Connects once.
    /// - Parameter offer: the hello of an observation; nil for TLS.
    func attempt(
        _ host: Hostname, port: Int, connectingTo address: String?, requesting path: String?,
        offering offer: ProbeOffer?
    ) async throws(TrustProbeError) -> TrustProbeReport {
        let start = NIODeadline.now()
        let record = NIOLockedValueBox(ProbeRecord())
        var failure: TrustProbeError?
        do {
            let route = ConnectionRoute(host, port: port, address: address, proxy: proxy, prologue: prologue)
            try await connect(route, path, offer, record)
        } catch {
            failure = TrustProbeError(error)
        }
        let (found, connected, request) = record.withLockedValue { ($0.report, $0.address, $0.request.found) }
        if let request { failure = failure?.after(request, wasAnswered: identity != nil) }
        guard var report = found else { throw failure ?? .endedByServer }
        report.address = connected
        report.clientCertificateDemand = request
        report.milliseconds = Int((NIODeadline.now() - start).nanoseconds / 1_000_000)
        let isAnswered = report.isComplete && (path == nil || report.response != nil)
        if report.verdict.isTrusted, !isAnswered || failure != nil { report.failure = failure ?? .endedByServer }
        return report
    }

    /// Looks a host up, for a probe of each of its addresses.
    /// - Returns: at least one address, in the order in which to try them.
    package static func addresses(
        of host: Hostname, within limit: Duration, _ lookup: NameLookup = .shared
    ) async throws(TrustProbeError) -> [String] {
        // It has one address, and that of a socket is written without its zone.
        if host.zone != nil { return [host.resolverName] }
        do {
            let deadline = NIODeadline.now() + TimeAmount(limit)
            let loop = MultiThreadedEventLoopGroup.singleton.any()
            let found = try await lookup.addresses(of: host.description, before: deadline, on: loop)
            return found.compactMap(\.ipAddress)
        } catch {
            throw TrustProbeError(error)
        }
    }

    /// Looks up the name of the server, or of the proxy.
    private func addresses(_ route: ConnectionRoute, on loop: any EventLoop) async throws -> [SocketAddress] {
        do {
            let deadline = NIODeadline.now() + TimeAmount(nameLookupTimeout)
            return try await nameLookup.addresses(of: route.peer.host, before: deadline, on: loop)
        } catch {
            throw route.connectionError(error)
        }
    }

    private func connect(
        _ route: ConnectionRoute, _ path: String?, _ offer: ProbeOffer?, _ record: NIOLockedValueBox<ProbeRecord>
    ) async throws {
        let limit = TimeAmount(timeout)
        let protocols = path == nil ? applicationProtocols : ["http/1.1"]
        var settings = TLSConfiguration.clientForServerTrust(applicationProtocols: protocols)
        if minimumVersion == .tls13 { settings.minimumTLSVersion = .tlsv13 }
        identity?.add(to: &settings)
        settings.onCertificateRequest { record.withLockedValue { $0.request.note() } }
        var tls = try ServerTrustTLS(
            source, context: NIOSSLContext(configuration: settings), handshakeTimeout: limit, evaluationTimeout: limit)
        tls.serverName = serverName
        let isIdentified = identity != nil
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let addresses = try await addresses(route, on: loop)
        let done = loop.makePromise(of: Void.self)
        let deadline = loop.scheduleTask(in: limit) {
            let isOnTheWay = record.withLockedValue { !$0.isOpen }
            done.fail(isOnTheWay ? route.timeoutError(limit) : ChannelError.connectTimeout(limit))
        }
        defer { deadline.cancel() }
        let opening = loop.makePromise(of: Void.self)
        let known = KnownAddresses(addresses, on: loop)
        let connection = ClientBootstrap(group: loop).connectTimeout(limit).resolver(known)
            .channelInitializer { [tls] channel in
                channel.eventLoop.makeCompletedFuture {
                    let begin: @Sendable () throws -> Void = {
                        record.withLockedValue {
                            $0.isOpen = true
                            $0.request.channel = channel
                        }
                        let pipeline = channel.pipeline.syncOperations
                        if let offer {
                            let verification = tls.verification(route.host)
                            return try pipeline.addHandler(
                                ObservingHandler(offer, verification, done) { server, seen in
                                    let report = TrustProbeReport(server, port: route.port, handshake: seen)
                                    record.withLockedValue { $0.report = report }
                                })
                        }
                        try tls.addHandlers(to: pipeline, host: route.host)
                        if path != nil { try pipeline.addHTTPClientHandlers() }
                        try pipeline.addHandler(
                            ProbeHandler(route.host, route.port, path, record, done, isIdentified: isIdentified))
                    }
                    guard !route.isDirect else {
                        opening.succeed(())
                        return try begin()
                    }
                    try route.open(channel, timeout: limit).flatMapThrowing { _ in try begin() }.cascade(to: opening)
                }
            }
            .connect(host: route.peer.host, port: route.peer.port)
        connection.whenFailure { error in
            done.fail(route.connectionError(error))
            opening.fail(error)
        }
        connection.whenSuccess { channel in
            // Only then: without a connection its own error is the reason.
            opening.futureResult.whenFailure { done.fail($0) }
            if route.proxy == nil {
                let found = channel.remoteAddress?.ipAddress
                record.withLockedValue { $0.address = found }
            }
            // The handler may have been removed before it could report.
            channel.closeFuture.whenComplete { _ in done.succeed(()) }
        }
        let outcome = await done.futureResult.result()
        connection.whenSuccess { $0.close(mode: .all, promise: nil) }
        try outcome.get()
    }
}

extension EventLoopFuture where Value: Sendable {
    fileprivate func result() async -> Result<Value, any Error> {
        do { return .success(try await get()) } catch { return .failure(error) }
    }
}

/// The findings so far, shared with the event loop.
private struct ProbeRecord {
    var address: String?
    /// Whether TLS may begin: the proxy, if there is one, has opened its tunnel.
    var isOpen = false
    /// nil until a chain was evaluated.
    var report: TrustProbeReport?
    /// The server's request for a client certificate.
    var request = CertificateRequestRecord()
}

/// Waits for TLS, asks if there is something to ask for, and says when it is over.
private final class ProbeHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let host: Hostname
    private let port: Int
    private let path: String?
    private let record: NIOLockedValueBox<ProbeRecord>
    private let done: EventLoopPromise<Void>
    /// Whether the handshake is over and a client certificate was requested in it.
    private var awaitsRefusal = false
    /// Whether there was a certificate to send.
    private let isIdentified: Bool

    /// The longest wait for a refusal of the client: several round trips of a connection around the world.
    private static let refusalTime = TimeAmount.seconds(1)

    init(
        _ host: Hostname, _ port: Int, _ path: String?, _ record: NIOLockedValueBox<ProbeRecord>,
        _ done: EventLoopPromise<Void>, isIdentified: Bool
    ) {
        self.isIdentified = isIdentified
        self.host = host
        self.port = port
        self.path = path
        self.record = record
        self.done = done
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let server as EvaluatedServer:
            record.withLockedValue { $0.report = TrustProbeReport(server, port: port) }
        case TLSUserEvent.handshakeCompleted(let negotiated):
            let tls = try? context.pipeline.syncOperations.handler(type: NIOSSLClientHandler.self)
            let version = tls?.tlsVersion
            record.withLockedValue {
                $0.report?.isComplete = true
                $0.report?.tlsVersion = version.map { TrustProbeReport.name(of: $0) }
                $0.report?.applicationProtocol = negotiated
            }
            ask(context)
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func ask(_ context: ChannelHandlerContext) {
        guard let path else {
            guard record.withLockedValue({ $0.request.found != nil && $0.report?.tlsVersion == "TLS 1.3" }) else {
                return done.succeed(())
            }
            // In TLS 1.3 the handshake is over for the client before the server has seen its certificate, or none.
            awaitsRefusal = true
            context.eventLoop.scheduleTask(in: Self.refusalTime) { [done] in done.succeed(()) }
            return
        }
        var name = host.description.contains(":") ? "[\(host)]" : host.description
        if port != 443 { name += ":\(port)" }
        let headers = HTTPHeaders([
            ("host", name), ("connection", "close"), ("accept", "*/*"), ("user-agent", "servertrust"),
        ])
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard path != nil else {
            // The server has accepted the client, as it speaks to it.
            return done.succeed(())
        }
        guard case .head(let head) = unwrapInboundIn(data) else { return }
        record.withLockedValue {
            $0.report?.response = TrustProbeReport.Response(
                status: Int(head.status.code), location: head.headers.first(name: "location"))
        }
        done.succeed(())
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The handshake is over: an end without TLS's farewell is no refusal of a client that has sent its certificate.
        if awaitsRefusal, isIdentified, case .uncleanShutdown = error as? NIOSSLError { done.succeed(()) }
        done.fail(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { done.succeed(()) }
}
