// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import NIOCore
import NIOSSL
import PKIX
import ServerTrust

/// TLS to servers that this package evaluates. It consists of a TLS context whose connections depend only on the
/// verdict, the source of the verdicts, and the timeouts.
///
/// ```swift
/// let tls = try ServerTrustTLS(trust)
/// let (channel, server) = try await ClientBootstrap(group: group).connect(host: "api.example.com", port: 443) { channel in
///     channel.eventLoop.makeCompletedFuture {
///         (channel, try tls.addHandlers(to: channel.pipeline.syncOperations, host: host))
///     }
/// }
/// let evaluated = try await server.get()      // throws TrustRefusal, with the verdict
/// ```
///
/// This package's rules (RFC 9525) compare the leaf with the requested host, not with the socket's address. The client
/// sends the host in SNI if it is a DNS name. SNI doesn't allow addresses (RFC 6066 § 3).
///
/// The client requests an OCSP staple and signed certificate timestamps, which are in
/// ``EvaluatedServer/presentedChain``. Reading them is experimental (<doc:ReadingTheHandshake>). To turn it off, use
/// `ServerTrustConfiguration.readsStaples`. Connections that only use a verification callback don't request them.
///
/// When the rules of the configuration's manager change, open connections are evaluated again, and closed if the server
/// is no longer trusted (``reevaluateConnections()``).
///
/// Not checked: the timestamps, unless the configuration asks for Certificate Transparency. Sessions aren't resumed, so
/// every connection has its own verdict.
public struct ServerTrustTLS: Sendable {
    /// The TLS context that all connections share.
    package let context: NIOSSLContext
    /// The source of verdicts.
    package let source: VerdictSource
    /// The time limit from the established connection to the end of the handshake, including the verdict.
    public var handshakeTimeout: Duration
    /// The longest time to wait for an asynchronous source. It is part of `handshakeTimeout`, except in a custom
    /// verification callback, where `handshakeTimeout` doesn't apply.
    public var evaluationTimeout: Duration
    /// The name to send in SNI, for a server whose name is about to change. Nil for the evaluated host.
    package var serverName: Hostname?
    /// Only tests change this property.
    package var layout = NIOSSLInternals.Layout()
    /// The open connections of this value and its copies. Nil if another object lists them.
    package var open: OpenServers?

    /// - Parameters:
    ///   - source: the source of verdicts.
    ///   - context: the TLS context. Create it with `TLSConfiguration.clientForServerTrust(applicationProtocols:)`.
    ///   - handshakeTimeout: the time limit of the handshake. The default is 10 seconds.
    ///   - evaluationTimeout: the longest time to wait for a verdict. The default is 10 seconds.
    /// - Throws: ``ServerTrustContextError`` if servers could bypass the verdict with the context.
    public init(
        _ source: VerdictSource, context: NIOSSLContext, handshakeTimeout: Duration = .seconds(10),
        evaluationTimeout: Duration = .seconds(10)
    ) throws(ServerTrustContextError) {
        try self.init(
            source, context: context, handshakeTimeout: handshakeTimeout, evaluationTimeout: evaluationTimeout,
            open: OpenServers(source))
    }

    /// - Parameter open: lists the open connections. Nil if another object lists them.
    package init(
        _ source: VerdictSource, context: NIOSSLContext, handshakeTimeout: Duration, evaluationTimeout: Duration,
        open: OpenServers?
    ) throws(ServerTrustContextError) {
        try ServerTrustContextError.check(context.configuration)
        self.open = open
        self.context = context
        self.source = source
        self.handshakeTimeout = handshakeTimeout
        self.evaluationTimeout = evaluationTimeout
    }

    /// Evaluates servers with a configuration, and creates a TLS context for it.
    /// - Parameters:
    ///   - trust: how to evaluate servers.
    ///   - applicationProtocols: the protocols to offer in ALPN, the preferred one first. Empty by default.
    /// - Throws: NIOSSL's error if it can't create a context.
    public init(_ trust: ServerTrustConfiguration, applicationProtocols: [String] = []) throws {
        let configuration = TLSConfiguration.clientForServerTrust(applicationProtocols: applicationProtocols)
        try self.init(VerdictSource(trust), context: NIOSSLContext(configuration: configuration))
    }

    /// The handshakes with proxies, with this context.
    package var toProxies: ConnectionRoute.ProxyTLS {
        { pipeline, host, position, timeout in
            var tls = self
            tls.handshakeTimeout = timeout
            return try tls.addHandlers(to: pipeline, host: host, position: position)
        }
    }

    /// Returns TLS to a proxy: the same rules and settings, without the client's certificate and HTTP/2.
    /// - Throws: NIOSSL's error if it can't create a context.
    func forProxy() throws -> ServerTrustTLS {
        var settings = context.configuration
        settings.applicationProtocols = ["http/1.1"]
        settings.certificateChain = []
        settings.privateKey = nil
        settings.sslContextCallback = nil
        return try ServerTrustTLS(
            source, context: NIOSSLContext(configuration: settings), handshakeTimeout: handshakeTimeout,
            evaluationTimeout: evaluationTimeout, open: open)
    }

    /// Evaluates a server with the source, within the timeout. See `VerdictSource.verify(_:of:within:on:settle:)`.
    @discardableResult
    func verify(
        _ chain: PresentedChain, of host: Hostname, on eventLoop: any EventLoop,
        settle: @escaping (EvaluatedServer?) -> Void
    ) -> @Sendable () -> Void {
        source.verify(
            chain, of: host, within: TimeAmount(clamping: evaluationTimeout), on: eventLoop, settle: settle)
    }

    /// Returns the reader of one connection's staple and timestamps.
    func handshakeEvidence() -> HandshakeEvidence { HandshakeEvidence(layout: source.readsStaples ? layout : nil) }
}

// MARK: - Before connecting

extension ServerTrustTLS {
    /// Checks that the rules don't deny the host, before a resolver receives its name.
    /// - Throws: `TrustRefusal` if the host is refused before its server presents a certificate, because its rule
    ///   denies it, or it has no rule and needs one. The verdict's path is empty, and the manager has emitted its
    ///   events.
    public func requireNotDenied(_ host: Hostname) throws(TrustRefusal) {
        try source.requireNotDenied(host)
    }
}

// MARK: - Into a pipeline

extension ServerTrustTLS {
    /// Adds TLS, and after it a handler that reports the outcome of the evaluation. Call it on the event loop.
    /// - Parameters:
    ///   - pipeline: the pipeline of a channel to the host, which may be connected or not.
    ///   - host: the requested host, whatever address you connect to.
    ///   - position: where to add the handlers. The default is `.last`. With `.first`, TLS goes below existing
    ///     handlers.
    /// - Returns: a future with the trusted server. It succeeds when TLS is established and the verdict is good. It
    ///   fails with `TrustRefusal`, or with ``ConnectionFailure`` if there is no verdict. The pipeline receives the
    ///   same error in `errorCaught`, and the connection is closed.
    /// - Throws: NIOSSL's error for a name that isn't valid in SNI. `TrustRefusal` if the rules deny the host. In a
    ///   channel initializer, this happens before the connection is established, but after the name was looked up. If a
    ///   resolver must not receive the name, use ``requireNotDenied(_:)`` or
    ///   `ClientBootstrap.connect(to:port:connectingTo:through:prologue:serverTrust:channelInitializer:)`.
    @discardableResult
    public func addHandlers(
        to pipeline: ChannelPipeline.SynchronousOperations, host: Hostname,
        position: ChannelPipeline.SynchronousOperations.Position = .last
    ) throws -> EventLoopFuture<EvaluatedServer> {
        try requireNotDenied(host)
        let handler = ServerTrustHandler(
            host, source, open,
            timeouts: (TimeAmount(clamping: handshakeTimeout), TimeAmount(clamping: evaluationTimeout)),
            eventLoop: pipeline.eventLoop)
        let evidence = handshakeEvidence()
        let name = (serverName ?? host).serverName
        let tls = try NIOSSLClientHandler(context: context, serverHostname: name) { presented, answer in
            let chain = evidence.chain(of: presented)
            handler.cancelVerification = verify(chain, of: host, on: answer.futureResult.eventLoop) { server in
                handler.settle(server)
                answer.succeed(server.isTrusted ? .certificateVerified : .failed)
            }
        }
        evidence.request(by: tls)
        // The handlers are added together, because no event may occur in between.
        let witness = HandshakeWitness()
        handler.witness = witness
        handler.tls = tls
        try pipeline.addHandlers([witness, tls, handler], position: position)
        return handler.server
    }
}

// MARK: - When rules change

extension ServerTrustTLS {
    /// Evaluates the chains of all open connections again with the current rules, and closes the connections whose
    /// servers are no longer trusted.
    ///
    /// This happens by itself when the rules of the configuration's manager change. Call it to wait for that, or when
    /// something else that the rules depend on has changed: a certificate expired, or there is a new CRL.
    ///
    /// The pipeline of a closed connection receives `TrustRefusal` in `errorCaught`. If there is no verdict within
    /// ``evaluationTimeout``, the connection is closed, too, and its pipeline receives ``ConnectionFailure``.
    ///
    /// The method covers the connections that ``addHandlers(to:host:position:)`` made ready on this value and its
    /// copies. Not covered: connections whose verdict comes from a verification callback or from
    /// `NIOSSLClientHandler.init(context:host:trust:observer:)`, because a callback doesn't know its connection.
    /// - Returns: the refused servers with their new verdicts, in no particular order. The method returns when their
    ///   connections are closed.
    @discardableResult
    public func reevaluateConnections() async -> [EvaluatedServer] {
        await open?.reevaluate(within: evaluationTimeout, isForced: true) ?? []
    }
}

// MARK: - Custom pipelines

extension ServerTrustTLS {
    /// Returns a custom verification callback for NIOSSL and its wrappers, such as gRPC Swift's Posix transport.
    ///
    /// Set the wrapper's own TLS settings so that they verify without names (`.noHostnameVerification`), and don't turn
    /// verification off. The callback can't check these settings. A refused connection fails with a NIOSSL error, and
    /// `observer` receives the reason. A callback doesn't have access to its connection, so it requests no OCSP staple,
    /// and `PresentedChain.staple` is `unknown`.
    ///
    /// NIOSSL calls the callback in the middle of the handshake. At that point, the callback refuses a host that the
    /// rules deny, but the client has already contacted it. Call ``requireNotDenied(_:)`` before connecting.
    /// - Parameters:
    ///   - host: the host of the callback's connections. NIOSSL doesn't pass it, so use a separate callback for each
    ///     host.
    ///   - observer: receives the server with its verdict, or nil if there was no verdict in time. It is called on the
    ///     event loop, before NIOSSL continues.
    public func verificationCallback(
        host: Hostname, observer: @escaping @Sendable (EvaluatedServer?) -> Void = { _ in }
    ) -> @Sendable ([NIOSSLCertificate], EventLoopPromise<NIOSSLVerificationResult>) -> Void {
        { presented, answer in
            verify(PresentedChain(presented: presented), of: host, on: answer.futureResult.eventLoop) { server in
                observer(server)
                answer.succeed(server.isTrusted ? .certificateVerified : .failed)
            }
        }
    }

    /// Returns a callback like `verificationCallback(host:observer:)`, for wrappers whose callback also returns the
    /// validated path.
    /// - Parameters:
    ///   - host: the host of the callback's connections. NIOSSL doesn't pass it, so use a separate callback for each
    ///     host.
    ///   - observer: receives the server with its verdict, or nil if there was no verdict in time. It is called on the
    ///     event loop, before NIOSSL continues.
    public func verificationCallbackWithMetadata(
        host: Hostname, observer: @escaping @Sendable (EvaluatedServer?) -> Void = { _ in }
    ) -> @Sendable ([NIOSSLCertificate], EventLoopPromise<NIOSSLVerificationResultWithMetadata>) -> Void {
        { presented, answer in
            verify(PresentedChain(presented: presented), of: host, on: answer.futureResult.eventLoop) { server in
                observer(server)
                guard let server, server.verdict.isTrusted else { return answer.succeed(.failed) }
                let path = try? server.verdict.path.map { try NIOSSLCertificate(bytes: $0.der, format: .der) }
                answer.succeed(.certificateVerified(VerificationMetadata(path.map { ValidatedCertificateChain($0) })))
            }
        }
    }
}

extension Hostname {
    /// The name for SNI, or nil for an address.
    package var serverName: String? {
        if case .dns(let name) = kind { name } else { nil }
    }
}

extension ServerTrustContextError {
    static func check(_ configuration: TLSConfiguration) throws(ServerTrustContextError) {
        switch configuration.certificateVerification {
        case .noHostnameVerification: break
        case .fullVerification: throw .hostCheckedTwice
        default: throw .refusalIgnored
        }
        guard !configuration.hasPreSharedKey else { throw .preSharedKey }
        guard configuration.renegotiationSupport == .none else { throw .renegotiation }
        guard !configuration.namesTrustRoots else { throw .namedTrustRoots }
        guard [.tlsv12, .tlsv13].contains(configuration.minimumTLSVersion) else { throw .outdatedVersion }
    }
}

/// Access to NIOSSL's older property for a pre-shared key, which counts, too.
///
/// Reading the property doesn't use the deprecated feature. If the call goes through a protocol, the compiler doesn't
/// warn about it.
private protocol HasOldCallback {
    var hasOldCallback: Bool { get }
}

extension TLSConfiguration {
    /// Whether the client has a pre-shared key. A server with the key sends no certificate.
    package var hasPreSharedKey: Bool { pskClientProvider != nil || (self as any HasOldCallback).hasOldCallback }
}

extension TLSConfiguration: HasOldCallback {
    @available(*, deprecated)
    fileprivate var hasOldCallback: Bool { pskClientCallback != nil }
}

extension NIOSSLClientHandler {
    /// Creates a single handler for TLS to a server that a configuration evaluates.
    ///
    /// A refused connection fails with a NIOSSL error, and `observer` receives the verdict. With
    /// ``ServerTrustTLS/addHandlers(to:host:position:)``, the connection fails with the verdict.
    /// - Parameters:
    ///   - context: the TLS context, shared by connections. Create it with
    ///     `TLSConfiguration.clientForServerTrust(applicationProtocols:)`.
    ///   - host: the requested host, whatever address you connect to.
    ///   - trust: how to evaluate servers.
    ///   - observer: receives the server with its verdict, or nil if there was no verdict in time. It is called on the
    ///     event loop, before the handshake continues or fails.
    /// - Throws: ``ServerTrustContextError`` if servers could bypass the verdict with the context. NIOSSL's error for a
    ///   name that isn't valid in SNI. `TrustRefusal` if the rules deny the host, which is then not contacted.
    public convenience init(
        context: NIOSSLContext, host: Hostname, trust: ServerTrustConfiguration,
        observer: @escaping @Sendable (EvaluatedServer?) -> Void = { _ in }
    ) throws {
        // A callback doesn't know its connection, so it lists none.
        let tls = try ServerTrustTLS(
            VerdictSource(trust), context: context, handshakeTimeout: .seconds(10), evaluationTimeout: .seconds(10),
            open: nil)
        try tls.requireNotDenied(host)
        let evidence = tls.handshakeEvidence()
        try self.init(context: context, serverHostname: host.serverName) { presented, answer in
            tls.verify(evidence.chain(of: presented), of: host, on: answer.futureResult.eventLoop) { server in
                observer(server)
                answer.succeed(server.isTrusted ? .certificateVerified : .failed)
            }
        }
        evidence.request(by: self)
    }
}

#endif
