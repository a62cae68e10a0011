// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOSSL
import PKIX
import ServerTrust

/// TLS to servers that this package evaluates: a TLS context that leaves the last word to the verdict, whom to ask for it, and
/// how long to wait.
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
/// The leaf is held against the host that was asked for by this package's rules (RFC 9525), not against the socket's address. The
/// name goes into SNI if it is a DNS name; an address has no place there (RFC 6066 § 3).
///
/// The server is asked for an OCSP staple and for signed certificate timestamps, which are in ``EvaluatedServer/presentedChain``; they are
/// read by means that are experimental (<doc:ReadingTheHandshake>), unless `ServerTrustConfiguration.readsStaples` is off. Verification
/// callbacks alone don't ask.
///
/// Not checked: the timestamps. Sessions aren't resumed: every connection has its verdict.
public struct ServerTrustTLS: Sendable {
    /// Shared by all connections.
    package let context: NIOSSLContext
    /// The source of verdicts.
    package let source: VerdictSource
    /// From the moment that the connection is there to the end of the handshake, verdict included.
    public var handshakeTimeout: Duration
    /// The longest that a waiting source is waited for. Part of `handshakeTimeout` where that is kept, which is everywhere but in
    /// a verification callback of its own.
    public var evaluationTimeout: Duration
    /// Sent in SNI; nil for the host that is evaluated. For a server whose name is about to change.
    package var serverName: Hostname?
    /// Only tests change it.
    package var layout = NIOSSLInternals.Layout()

    /// - Parameters:
    ///   - source: the source of verdicts.
    ///   - context: the TLS context; one made by `TLSConfiguration.clientForServerTrust(applicationProtocols:)`
    ///     is right.
    ///   - handshakeTimeout: 10 seconds unless given.
    ///   - evaluationTimeout: 10 seconds unless given.
    /// - Throws: ``ServerTrustContextError`` for a context that would let servers past the verdict.
    public init(
        _ source: VerdictSource, context: NIOSSLContext, handshakeTimeout: Duration = .seconds(10),
        evaluationTimeout: Duration = .seconds(10)
    ) throws(ServerTrustContextError) {
        try ServerTrustContextError.check(context.configuration)
        self.context = context
        self.source = source
        self.handshakeTimeout = handshakeTimeout
        self.evaluationTimeout = evaluationTimeout
    }

    /// Evaluates by a configuration, over a TLS context made for it.
    /// - Parameters:
    ///   - trust: how servers are evaluated.
    ///   - applicationProtocols: the protocols offered in ALPN, the preferred one first; nothing unless given.
    /// - Throws: NIOSSL's error when it can't make a context.
    public init(_ trust: ServerTrustConfiguration, applicationProtocols: [String] = []) throws {
        let configuration = TLSConfiguration.clientForServerTrust(applicationProtocols: applicationProtocols)
        try self.init(VerdictSource(trust), context: NIOSSLContext(configuration: configuration))
    }

    func verification(_ host: Hostname) -> ServerVerification {
        ServerVerification(host: host, source: source, timeout: TimeAmount(clamping: evaluationTimeout))
    }

    /// Returns the reader of one connection's staple and timestamps.
    func handshakeEvidence() -> HandshakeEvidence { HandshakeEvidence(layout: source.readsStaples ? layout : nil) }
}

// MARK: - Before connecting

extension ServerTrustTLS {
    /// Looks the host up in the rules, before its name goes to a resolver.
    /// - Throws: `TrustRefusal` for a host that is refused before its server presents a certificate: its rule denies it, or it has no rule and
    ///   needs one. The verdict's path is empty, and the manager has emitted its events.
    public func requireNotDenied(_ host: Hostname) throws(TrustRefusal) {
        if let verdict = source.denial(of: host) { throw TrustRefusal(verdict) }
    }
}

// MARK: - Into a pipeline

extension ServerTrustTLS {
    /// Adds TLS and, behind it, a handler that reports the outcome of the evaluation. On the event loop.
    /// - Parameters:
    ///   - pipeline: of a connection to the host; connected already or not yet.
    ///   - host: the host that was asked for, by any address.
    ///   - position: `.last` unless given; at `.first` TLS is put under handlers that are there already.
    /// - Returns: the server that may be talked to: when TLS is up and the verdict is good. Fails with `TrustRefusal`, or with
    ///   ``ConnectionFailure`` if it didn't come to a verdict. The pipeline has the same error in `errorCaught`, and the
    ///   connection is closed.
    /// - Throws: NIOSSL's error for a name that has no place in SNI; `TrustRefusal` for a host that the rules deny. In a channel
    ///   initializer that comes before the connection is made, and after the name was looked up: use
    ///   ``requireNotDenied(_:)`` or `ClientBootstrap.connect(to:port:connectingTo:through:prologue:serverTrust:channelInitializer:)` where the
    ///   name must not get to a resolver.
    @discardableResult
    public func addHandlers(
        to pipeline: ChannelPipeline.SynchronousOperations, host: Hostname,
        position: ChannelPipeline.SynchronousOperations.Position = .last
    ) throws -> EventLoopFuture<EvaluatedServer> {
        try requireNotDenied(host)
        let handler = ServerTrustHandler(
            host: host, timeout: TimeAmount(clamping: handshakeTimeout), eventLoop: pipeline.eventLoop)
        let verification = verification(host)
        let evidence = handshakeEvidence()
        let name = (serverName ?? host).serverName
        let tls = try NIOSSLClientHandler(context: context, serverHostname: name) { presented, answer in
            let chain = evidence.chain(of: presented)
            handler.cancelVerification = verification.verify(chain, on: answer.futureResult.eventLoop) { outcome in
                handler.settle(outcome)
                answer.succeed(outcome.isTrusted ? .certificateVerified : .failed)
            }
        }
        evidence.request(by: tls)
        // All at once: nothing may happen between them.
        let witness = HandshakeWitness()
        handler.witness = witness
        try pipeline.addHandlers([witness, tls, handler], position: position)
        return handler.server
    }
}

// MARK: - For those who build their own pipelines

extension ServerTrustTLS {
    /// Returns a custom verification callback for NIOSSL and its wrappers, such as gRPC Swift's Posix transport.
    ///
    /// The wrapper's own TLS settings have to be right: no verification of names (`.noHostnameVerification`), and not none at all.
    /// They aren't seen here. The connection fails with an error of NIOSSL's; `observer` gets the reason. A callback doesn't see its
    /// connection, so that no OCSP staple is requested: `PresentedChain.staple` is `unknown`.
    ///
    /// A callback is asked in the middle of the handshake: a host that the rules deny is refused then, and was contacted. Ask
    /// ``requireNotDenied(_:)`` before connecting.
    /// - Parameters:
    ///   - host: the host that the callback's connections go to. NIOSSL doesn't pass it, so use one for each host.
    ///   - observer: called with the outcome on the event loop, before NIOSSL is.
    public func verificationCallback(
        host: Hostname, observer: @escaping @Sendable (VerificationOutcome) -> Void = { _ in }
    ) -> @Sendable ([NIOSSLCertificate], EventLoopPromise<NIOSSLVerificationResult>) -> Void {
        let verification = verification(host)
        return { presented, answer in
            verification.verify(PresentedChain(presented: presented), on: answer.futureResult.eventLoop) { outcome in
                observer(outcome)
                answer.succeed(outcome.isTrusted ? .certificateVerified : .failed)
            }
        }
    }

    /// Returns a callback for wrappers whose callback hands on the validated path, as `verificationCallback(host:observer:)` does for the
    /// others.
    /// - Parameters:
    ///   - host: the host that the callback's connections go to. NIOSSL doesn't pass it, so use one for each host.
    ///   - observer: called with the outcome on the event loop, before NIOSSL is.
    public func verificationCallbackWithMetadata(
        host: Hostname, observer: @escaping @Sendable (VerificationOutcome) -> Void = { _ in }
    ) -> @Sendable ([NIOSSLCertificate], EventLoopPromise<NIOSSLVerificationResultWithMetadata>) -> Void {
        let verification = verification(host)
        return { presented, answer in
            verification.verify(PresentedChain(presented: presented), on: answer.futureResult.eventLoop) { outcome in
                observer(outcome)
                guard case .evaluated(let server) = outcome, server.verdict.isTrusted else {
                    return answer.succeed(.failed)
                }
                let path = try? server.verdict.path.map { try NIOSSLCertificate(bytes: $0.der, format: .der) }
                answer.succeed(.certificateVerified(VerificationMetadata(path.map { ValidatedCertificateChain($0) })))
            }
        }
    }
}

extension Hostname {
    /// The name for SNI; nil for an address.
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

/// NIOSSL's older way to set a pre-shared key counts as well, and asking about it is no use of it: through a protocol the
/// compiler doesn't take it for one.
private protocol HasOldCallback {
    var hasOldCallback: Bool { get }
}

extension TLSConfiguration {
    /// Whether a client has a pre-shared key: a server that has it shows no certificate.
    package var hasPreSharedKey: Bool { pskClientProvider != nil || (self as any HasOldCallback).hasOldCallback }
}

extension TLSConfiguration: HasOldCallback {
    @available(*, deprecated)
    fileprivate var hasOldCallback: Bool { pskClientCallback != nil }
}
