// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustNIO
import Testing

@Suite("Verdict sources that wait")
struct VerdictSourceTests {
    private func tls(
        _ source: VerdictSource, evaluation: Duration = .seconds(60), handshake: Duration = .seconds(60)
    ) throws -> ServerTrustTLS {
        let context = try NIOSSLContext(configuration: .clientForServerTrust())
        return try ServerTrustTLS(source, context: context, handshakeTimeout: handshake, evaluationTimeout: evaluation)
    }

    @Test(
        "A very long time limit doesn't trap or end a healthy connection",
        arguments: [Duration.seconds(Int64.max), .seconds(Int64.max / 1_000_000_000), .seconds(1_000_000_000_000)])
    func longLimit(_ limit: Duration) async throws {
        let server = try await LabServer.start(.good)
        let source = VerdictSource.waiting { chain, host in Trust(presentedChain: chain, host: host).evaluate() }
        let waiting = try await Caller(tls: tls(source, evaluation: limit, handshake: limit)).call(server)
        // Without the lab's anchor, there is a verdict, and it refuses the server.
        guard case .refused = waiting.finding else {
            Issue.record("\(waiting)")
            return
        }
        var probe = TrustProbe(server.certificates.configuration)
        probe.timeout = limit
        probe.nameLookupTimeout = limit
        let report = try await probe.probe(server.host, port: server.port, connectingTo: server.address.rawValue)
        #expect(report.verdict.isTrusted)
        await server.stop()
    }

    @Test("The connection ends when its time limit passes", arguments: [Duration.zero, .seconds(-1)])
    func noTime(_ limit: Duration) async throws {
        let server = try await LabServer.start(.good)
        let tls = try tls(VerdictSource(server.certificates.configuration), handshake: limit)
        let report = try await Caller(tls: tls).call(server)
        #expect(report.code == .connectionTimedOut)
        #expect(server.counts.requestBytes == 0)
        await server.stop()
    }

    @Test("The event loop continues while a source evaluates", arguments: [LabScenario.good, .expired])
    func slow(scenario: LabScenario) async throws {
        let server = try await LabServer.start(scenario)
        let trust = ServerTrustConfiguration(server)
        let source = VerdictSource.waiting { chain, host in
            try? await Task.sleep(for: .milliseconds(300))
            return trust.evaluateWithoutFetching(chain, host: host)
        }
        let report = try await Caller(tls: tls(source)).call(server)
        await server.stop()
        #expect(report.finding == scenario.expected)
        if !scenario.expected.isTrusted { #expect(server.counts.requestBytes == 0) }
    }

    @Test(
        "If a source never answers, canceled or not, the server is refused at the time limit",
        .timeLimit(.minutes(10)), arguments: [true, false])
    func never(isBoundByEvaluation: Bool) async throws {
        let server = try await LabServer.start(.good)
        let trust = ServerTrustConfiguration(server)
        let isOver = Locked(false)
        let wasCancelled = Locked(false)
        let source = VerdictSource.waiting { chain, host in
            // Ignores cancellation, as a source can, but stops with the test.
            while !isOver.withLock({ $0 }) {
                try? await Task.sleep(for: .milliseconds(20))
                if Task.isCancelled {
                    wasCancelled.withLock { $0 = true }
                    await Task.yield()
                }
            }
            // Too late, even if the server is good.
            return trust.evaluateWithoutFetching(chain, host: host)
        }
        // Long enough for the handshake up to this point on a busy machine.
        let short = Duration.seconds(5)
        let tls = try tls(
            source, evaluation: isBoundByEvaluation ? short : .seconds(60),
            handshake: isBoundByEvaluation ? .seconds(60) : short)
        let report = try await Caller(tls: tls).call(server)
        #expect(report.code == .connectionEvaluationTimedOut)
        #expect(report.events == ["connectionEvaluationTimedOut"])
        for _ in 0..<200 where !wasCancelled.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(10)) }
        #expect(wasCancelled.withLock { $0 })
        isOver.withLock { $0 = true }
        await server.stop()
        #expect(server.counts.requestBytes == 0)
        #expect(server.counts.handshakes == 0)
    }

    @Test("The source's task is canceled if the server closes the connection before the verdict")
    func serverGone() async throws {
        let server = try await LabServer.start(.good)
        let trust = ServerTrustConfiguration(server)
        let state = Locked((asked: false, cancelled: false))
        let source = VerdictSource.waiting { chain, host in
            state.withLock { $0.asked = true }
            try? await Task.sleep(for: .seconds(20))
            if Task.isCancelled { state.withLock { $0.cancelled = true } }
            return trust.evaluateWithoutFetching(chain, host: host)
        }
        let caller = try Caller(tls: tls(source, evaluation: .seconds(60), handshake: .seconds(60)))
        async let report = caller.call(server)
        while !state.withLock({ $0.asked }) { try await Task.sleep(for: .milliseconds(5)) }
        await server.stop()
        #expect(try await report.code == .connectionClosed)
        for _ in 0..<200 where !state.withLock({ $0.cancelled }) { try await Task.sleep(for: .milliseconds(10)) }
        #expect(state.withLock { $0.cancelled })
    }

    /// gRPC Swift and other wrappers use the callback this way.
    @Test(
        "A bare verification callback also gets its verdict in time", arguments: [LabScenario.good, .expired],
        [true, false])
    func bareCallback(scenario: LabScenario, withMetadata: Bool) async throws {
        let server = try await LabServer.start(scenario)
        let tls = try tls(VerdictSource(ServerTrustConfiguration(server)))
        let outcome = Locked<EvaluatedServer?>(nil)
        let observer: @Sendable (EvaluatedServer?) -> Void = { found in outcome.withLock { $0 = found } }
        let host = server.host
        let isUp = Locked(false)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler =
                        withMetadata
                        ? try NIOSSLClientHandler(
                            context: tls.context, serverHostname: host.description,
                            customVerificationCallbackWithMetadata: tls.verificationCallbackWithMetadata(
                                host: host, observer: observer))
                        : try NIOSSLClientHandler(
                            context: tls.context, serverHostname: host.description,
                            customVerificationCallback: tls.verificationCallback(host: host, observer: observer))
                    try channel.pipeline.syncOperations.addHandlers([handler, HandshakeWatch(isUp)])
                }
            }
            .connect(host: "127.0.0.1", port: server.port).get()
        try? await channel.closeFuture.get()
        await server.stop()
        #expect(isUp.withLock { $0 } == scenario.expected.isTrusted)
        guard let evaluated = outcome.withLock({ $0 }) else {
            Issue.record("no verdict")
            return
        }
        #expect(LabOutcome(evaluated.verdict) == scenario.expected)
        #expect(evaluated.presentedChain.certificates == server.certificates.chain)
    }
}

/// Closes the connection when TLS is established.
private final class HandshakeWatch: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let isUp: Locked<Bool>

    init(_ isUp: Locked<Bool>) { self.isUp = isUp }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted = event as? TLSUserEvent {
            isUp.withLock { $0 = true }
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
