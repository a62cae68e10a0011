// SPDX-License-Identifier: Apache-2.0

import HandshakeProbe
import NIOCore
import PKIX
import ServerTrust

/// Observes a server's part of a handshake by ``HandshakeProbe``, has the chain evaluated, and sends nothing but the probe's hello.
final class ObservingHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var probe: HandshakeProbe
    private let verification: ServerVerification
    private let report: @Sendable (EvaluatedServer, HandshakeObservation) -> Void
    private let done: EventLoopPromise<Void>
    private var hasStarted = false
    private var hasEnded = false
    private var cancelVerification: (@Sendable () -> Void)?

    /// - Parameters:
    ///   - offer: the contents of the hello.
    ///   - verification: evaluates the chain.
    ///   - done: completes behind the report, or fails with ``ServerConnectionError``.
    ///   - report: called with the evaluated server, on the event loop.
    init(
        _ offer: ProbeOffer, _ verification: ServerVerification, _ done: EventLoopPromise<Void>,
        report: @escaping @Sendable (EvaluatedServer, HandshakeObservation) -> Void
    ) {
        self.probe = HandshakeProbe(offer)
        self.verification = verification
        self.done = done
        self.report = report
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { start(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { cancelVerification?() }

    func channelActive(context: ChannelHandlerContext) {
        start(context)
        context.fireChannelActive()
    }

    private func start(_ context: ChannelHandlerContext) {
        guard !hasStarted else { return }
        hasStarted = true
        send(probe.start(), context)
    }

    private func send(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        guard !bytes.isEmpty else { return }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasEnded else { return }
        send(probe.receive(unwrapInboundIn(data).readableBytesView), context)
        settle(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        probe.end()
        settle(context)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A reset says no more than an end.
        if error is IOError { probe.end() }
        settle(context)
        guard !hasEnded else { return }
        hasEnded = true
        done.fail(error)
        context.close(promise: nil)
    }

    /// Ends with the probe.
    private func settle(_ context: ChannelHandlerContext) {
        guard !hasEnded, let result = probe.result else { return }
        hasEnded = true
        switch result {
        case .failure(let error):
            done.fail(
                ServerConnectionError(
                    error.code == .ended ? .closedDuringHandshake : .handshakeFailed, host: verification.host,
                    detail: error.detail))
        case .success(let seen): evaluate(seen, context)
        }
    }

    private func evaluate(_ seen: HandshakeObservation, _ context: ChannelHandlerContext) {
        let chain = PresentedChain(
            der: seen.certificates, staple: seen.staple.map { .given($0) } ?? .none,
            signedCertificateTimestampList: seen.timestampList)
        let (host, done, report) = (verification.host, done, report)
        cancelVerification = verification.verify(chain, on: context.eventLoop) { outcome in
            switch outcome {
            case .timedOut: done.fail(ServerConnectionError(.evaluationTimedOut, host: host))
            case .evaluated(let server):
                report(server.held(to: seen), seen)
                done.succeed(())
            }
        }
    }
}

extension EvaluatedServer {
    /// Returns the server with the verdict of a handshake that is only observed: refused for a signature that isn't the leaf's, for
    /// a version of TLS that is no longer in use, and for a key that may not be used in the handshake.
    fileprivate func held(to seen: HandshakeObservation) -> EvaluatedServer {
        var verdict = verdict
        if seen.signature == .invalid {
            verdict = verdict.refused(
                for: TrustFailure(
                    .handshakeSignatureInvalid, certificate: 0, role: .leaf,
                    found: .text(seen.signatureScheme?.description ?? "none")))
        }
        if let version = seen.version, version < .tls12 {
            verdict = verdict.refused(
                for: TrustFailure(
                    .tlsVersionOutdated, expected: .text(ProtocolVersion.tls12.description),
                    found: .text(version.description)))
        }
        verdict = verdict.held(toKeyUsageOf: presentedChain.leaf, in: seen)
        return EvaluatedServer(host: host, presentedChain: presentedChain, verdict: verdict)
    }
}

extension TrustVerdict {
    /// Returns the verdict refused if the leaf's key usage lacks the operation that the negotiated suite needs (RFC 5246 § 7.4.2, RFC
    /// 8446 § 4.4.2.2): BoringSSL ends such a handshake with `KEY_USAGE_BIT_INCORRECT`.
    func held(toKeyUsageOf leaf: Certificate?, in seen: HandshakeObservation) -> TrustVerdict {
        guard let usage = leaf?.keyUsage, let exchange = seen.cipherSuite?.keyExchange,
            !failures.contains(where: { $0.code == .keyUsageNotForTLS })
        else { return self }
        let needed: KeyUsage = exchange == .rsa ? .keyEncipherment : .digitalSignature
        guard !usage.contains(needed) else { return self }
        return refused(
            for: TrustFailure(
                .keyUsageNotForTLS, certificate: 0, role: .leaf, expected: .list(needed.names),
                found: .list(usage.names)))
    }
}
