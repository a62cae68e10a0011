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
/// The leaf is held against the host that was asked for by this package's rules (RFC 9525), whatever address the socket has. The
/// name goes into SNI if it is a DNS name; an address has no place there (RFC 6066 § 3).
///
/// Not checked: OCSP staples and signed certificate timestamps that come over TLS, for which NIOSSL doesn't ask. Sessions aren't
/// resumed: every connection has its verdict.
public struct ServerTrustTLS: Sendable {
    /// Shared by all connections.
    public let context: NIOSSLContext
    /// Whom to ask.
    public let source: VerdictSource
    /// From the moment that the connection is there to the end of the handshake, verdict included.
    public var handshakeTimeout: TimeAmount
    /// The longest that a waiting source is waited for. Part of `handshakeTimeout` where that is kept, which is everywhere but in
    /// a verification callback of its own.
    public var evaluationTimeout: TimeAmount

    /// - Parameters:
    ///   - source: whom to ask.
    ///   - context: the TLS context; one made by `TLSConfiguration.clientForServerTrust(applicationProtocols:)`
    ///     is right.
    ///   - handshakeTimeout: 10 seconds unless given.
    ///   - evaluationTimeout: 10 seconds unless given.
    /// - Throws: ``ServerTrustContextError`` for a context that would let servers past the verdict.
    public init(
        _ source: VerdictSource, context: NIOSSLContext, handshakeTimeout: TimeAmount = .seconds(10),
        evaluationTimeout: TimeAmount = .seconds(10)
    ) throws(ServerTrustContextError) {
        try ServerTrustContextError.check(context.configuration)
        self.context = context
        self.source = source
        self.handshakeTimeout = handshakeTimeout
        self.evaluationTimeout = evaluationTimeout
    }

    /// What a configuration finds, over a TLS context made for it.
    /// - Parameters:
    ///   - trust: how servers are evaluated.
    ///   - applicationProtocols: what is offered in ALPN, the preferred one first; nothing unless given.
    /// - Throws: what NIOSSL throws when it makes a context.
    public init(_ trust: ServerTrustConfiguration, applicationProtocols: [String] = []) throws {
        let configuration = TLSConfiguration.clientForServerTrust(applicationProtocols: applicationProtocols)
        try self.init(VerdictSource(trust), context: NIOSSLContext(configuration: configuration))
    }

    private func verification(_ host: Hostname) -> ServerVerification {
        ServerVerification(host: host, source: source, timeout: evaluationTimeout)
    }
}

// MARK: - Before connecting

extension ServerTrustTLS {
    /// Looks the host up in the rules, before its name goes to a resolver.
    /// - Throws: `TrustRefusal` for a host that is refused whatever its server presents: its rule denies it, or it has no rule and
    ///   needs one. The verdict's path is empty, and the manager has emitted its events.
    public func requireNotDenied(_ host: Hostname) throws(TrustRefusal) {
        if let verdict = source.denial(of: host) { throw TrustRefusal(verdict) }
    }
}

// MARK: - Into a pipeline

extension ServerTrustTLS {
    /// Adds TLS and, behind it, a handler that tells how the evaluation went. On the event loop.
    /// - Parameters:
    ///   - pipeline: of a connection to the host; connected already or not yet.
    ///   - host: the host that was asked for, by whatever address it was reached.
    ///   - position: `.last` unless given; at `.first` TLS is put under handlers that are there already.
    /// - Returns: the server that may be talked to: when TLS is up and the verdict is good. Fails with `TrustRefusal`, or with
    ///   ``ServerConnectionError`` if it didn't come to a verdict. The pipeline has the same error in `errorCaught`, and the
    ///   connection is closed.
    /// - Throws: what NIOSSL throws for a name that has no place in SNI; `TrustRefusal` for a host that the rules deny. In a channel
    ///   initialiser that comes before the connection is made, and after the name was looked up: use
    ///   ``requireNotDenied(_:)`` or `ClientBootstrap.connect(to:port:connectingTo:serverTrust:channelInitializer:)` where the
    ///   name must not get to a resolver.
    @discardableResult
    public func addHandlers(
        to pipeline: ChannelPipeline.SynchronousOperations, host: Hostname,
        position: ChannelPipeline.SynchronousOperations.Position = .last
    ) throws -> EventLoopFuture<EvaluatedServer> {
        try requireNotDenied(host)
        let handler = ServerTrustHandler(host: host, timeout: handshakeTimeout, eventLoop: pipeline.eventLoop)
        let verification = verification(host)
        let tls = try NIOSSLClientHandler(context: context, serverHostname: host.serverName) { presented, answer in
            handler.cancelVerification = verification.verify(presented, on: answer.futureResult.eventLoop) { outcome in
                handler.settle(outcome)
                answer.succeed(outcome.isTrusted ? .certificateVerified : .failed)
            }
        }
        // Both at once: nothing may happen between the two.
        try pipeline.addHandlers([tls, handler], position: position)
        return handler.server
    }
}

// MARK: - For those who build their own pipelines

extension ServerTrustTLS {
    /// What NIOSSL and its wrappers take as a custom verification callback, such as gRPC Swift's Posix transport.
    ///
    /// The wrapper's own TLS settings have to be right: no verification of names (`.noHostnameVerification`), and not none at all.
    /// They aren't seen here. The connection fails with an error of NIOSSL's; why is what `observer` is told.
    ///
    /// A callback is asked in the middle of the handshake: a host that the rules deny is refused then, and was contacted. Ask
    /// ``requireNotDenied(_:)`` before connecting.
    /// - Parameters:
    ///   - host: the host that the callback's connections go to. The callback isn't told by NIOSSL, so use one for each host.
    ///   - observer: told of the outcome on the event loop, before NIOSSL is.
    public func verificationCallback(
        host: Hostname, observer: @escaping @Sendable (VerificationOutcome) -> Void = { _ in }
    ) -> @Sendable ([NIOSSLCertificate], EventLoopPromise<NIOSSLVerificationResult>) -> Void {
        let verification = verification(host)
        return { presented, answer in
            verification.verify(presented, on: answer.futureResult.eventLoop) { outcome in
                observer(outcome)
                answer.succeed(outcome.isTrusted ? .certificateVerified : .failed)
            }
        }
    }

    /// The same for wrappers that take the callback that may hand on the validated path, which is done.
    /// - Parameters:
    ///   - host: the host that the callback's connections go to. The callback isn't told by NIOSSL, so use one for each host.
    ///   - observer: told of the outcome on the event loop, before NIOSSL is.
    public func verificationCallbackWithMetadata(
        host: Hostname, observer: @escaping @Sendable (VerificationOutcome) -> Void = { _ in }
    ) -> @Sendable ([NIOSSLCertificate], EventLoopPromise<NIOSSLVerificationResultWithMetadata>) -> Void {
        let verification = verification(host)
        return { presented, answer in
            verification.verify(presented, on: answer.futureResult.eventLoop) { outcome in
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
    /// What goes into SNI; nil for an address.
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
        guard configuration.pskClientProvider == nil, !(configuration as any HasOldCallback).hasOldCallback else {
            throw .preSharedKey
        }
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

extension TLSConfiguration: HasOldCallback {
    @available(*, deprecated)
    fileprivate var hasOldCallback: Bool { pskClientCallback != nil }
}
