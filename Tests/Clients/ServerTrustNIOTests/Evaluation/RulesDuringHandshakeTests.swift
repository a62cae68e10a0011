// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import PKIX
import PeerScripts
import ServerTrust
import ServerTrustNIO
import Testing

@testable import ServerTrustLab

@Suite("Rules that change during a handshake", .timeLimit(.minutes(10)))
struct RulesDuringHandshakeTests {
    private static let versions: [LabServer.TLSVersions] = [.tls12, .tls13]

    private static func tls(_ source: VerdictSource, _ versions: LabServer.TLSVersions = .both) throws
        -> ServerTrustTLS
    {
        var configuration = TLSConfiguration.clientForServerTrust()
        configuration.minimumTLSVersion = versions == .tls13 ? .tlsv13 : .tlsv12
        configuration.maximumTLSVersion = versions == .tls12 ? .tlsv12 : .tlsv13
        return try ServerTrustTLS(
            source, context: NIOSSLContext(configuration: configuration), handshakeTimeout: .seconds(60),
            evaluationTimeout: .seconds(60))
    }

    // MARK: While a source waits

    @Test(
        "If rules refuse the server while a source waits, the earlier good verdict doesn't count and nothing is sent",
        arguments: RuleChange.allCases, versions)
    func refusedMeanwhile(change: RuleChange, versions: LabServer.TLSVersions) async throws {
        for isHasty in [false, true] {
            let rules = try await ChangingRules(change, versions)
            let verdicts = WaitingVerdicts(rules.trust)
            var caller = Caller(tls: try Self.tls(verdicts.source))
            caller.isHasty = isHasty
            async let called = caller.call(rules.server)
            try await verdicts.reach(1)
            try rules.refuse()
            verdicts.release()
            let report = try await called
            #expect(report.finding == rules.expected)
            #expect(report.events == ["untrusted", "refusal"])
            #expect(verdicts.verdicts == [true, false])
            await rules.server.stop()
            #expect(rules.server.counts.requestBytes == 0)
        }
    }

    @Test(
        "If rules accept the server while a source waits, the earlier refusal doesn't count",
        arguments: RuleChange.allCases, versions)
    func acceptedMeanwhile(change: RuleChange, versions: LabServer.TLSVersions) async throws {
        let rules = try await ChangingRules(change, versions, accepts: true)
        // A host that the rules deny isn't contacted, so the rules refuse it after the connection has begun.
        let verdicts = WaitingVerdicts(rules.trust)
        let caller = Caller(tls: try Self.tls(verdicts.source))
        async let called = caller.call(rules.server)
        try await verdicts.reach(1)
        try rules.refuse()
        // The second verdict is a refusal, which waits, too.
        verdicts.pass(1)
        try await verdicts.reach(2)
        try rules.accept()
        verdicts.release()
        let report = try await called
        #expect(report.finding == .trusted)
        #expect(report.events == ["trusted", "handshake"])
        #expect(verdicts.verdicts == [true, false, true])
        #expect(report.answer.hasPrefix("HTTP/1.1 200"))
        await rules.server.stop()
    }

    @Test("A change that keeps the server accepted evaluates the server again and continues", arguments: versions)
    func keptMeanwhile(versions: LabServer.TLSVersions) async throws {
        let rules = try await ChangingRules(.host, versions)
        let verdicts = WaitingVerdicts(rules.trust)
        let caller = Caller(tls: try Self.tls(verdicts.source))
        async let called = caller.call(rules.server)
        try await verdicts.reach(1)
        try rules.accept()
        verdicts.release()
        let report = try await called
        #expect(report.finding == .trusted)
        #expect(report.events == ["trusted", "handshake"])
        #expect(verdicts.verdicts == [true, true])
        await rules.server.stop()
    }

    // MARK: Between the verdict and the end of the handshake

    enum Source: CaseIterable {
        case immediate, waiting

        func make(_ trust: ServerTrustConfiguration) -> VerdictSource {
            self == .immediate ? VerdictSource(trust) : WaitingVerdicts(trust, passing: .max).source
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let change: RuleChange
        let source: Source
        let versions: LabServer.TLSVersions

        var testDescription: String { "\(change), \(source), \(versions)" }

        static let all = RuleChange.allCases.flatMap { change in
            Source.allCases.flatMap { source in
                RulesDuringHandshakeTests.versions.map { Row(change: change, source: source, versions: $0) }
            }
        }
    }

    /// Calls `body` once, with the first verdict.
    private static func once(_ body: @escaping @Sendable () throws -> Void) -> @Sendable (EvaluatedServer) -> Void {
        let isDone = Locked(false)
        return { _ in
            let isFirst = isDone.withLock { isDone in
                defer { isDone = true }
                return !isDone
            }
            guard isFirst else { return }
            do { try body() } catch { Issue.record(error) }
        }
    }

    @Test(
        "If rules refuse the server between its verdict and the end of the handshake, the handshake fails and nothing is sent",
        arguments: Row.all)
    func refusedAfterVerdict(row: Row) async throws {
        let rules = try await ChangingRules(row.change, row.versions)
        var caller = Caller(tls: try Self.tls(row.source.make(rules.trust)))
        caller.onVerdict = Self.once { try rules.refuse() }
        let report = try await caller.call(rules.server)
        #expect(report.finding == rules.expected)
        #expect(report.events == ["trusted", "untrusted", "refusal"])
        await rules.server.stop()
        #expect(rules.server.counts.requestBytes == 0)
    }

    @Test(
        "If rules change between the verdict and the end of the handshake and still accept the server, the handshake succeeds",
        arguments: Row.all)
    func keptAfterVerdict(row: Row) async throws {
        let rules = try await ChangingRules(row.change, row.versions)
        var caller = Caller(tls: try Self.tls(row.source.make(rules.trust)))
        caller.onVerdict = Self.once { try rules.accept() }
        let report = try await caller.call(rules.server)
        #expect(report.finding == .trusted)
        #expect(report.events == ["trusted", "trusted", "handshake"])
        #expect(report.answer.hasPrefix("HTTP/1.1 200"))
        await rules.server.stop()
    }

    @Test(
        "A client that writes before TLS is established sends nothing while the server is evaluated again",
        arguments: Source.allCases, versions)
    func hasty(source: Source, versions: LabServer.TLSVersions) async throws {
        let rules = try await ChangingRules(.pins, versions)
        let verdicts = WaitingVerdicts(rules.trust, passing: 1)
        var caller = Caller(tls: try Self.tls(source == .immediate ? VerdictSource(rules.trust) : verdicts.source))
        caller.isHasty = true
        caller.onVerdict = Self.once { try rules.refuse() }
        async let called = caller.call(rules.server)
        if source == .waiting {
            try await verdicts.reach(2)
            // Long enough for bytes on their way.
            for _ in 0..<40 where rules.server.counts.requestBytes == 0 { try await Task.sleep(for: .milliseconds(5)) }
            verdicts.release()
        }
        let report = try await called
        #expect(report.finding == rules.expected)
        await rules.server.stop()
        #expect(rules.server.counts.requestBytes == 0)
    }

    @Test("What a client writes before TLS is established arrives after the second evaluation", arguments: versions)
    func hastyAndKept(versions: LabServer.TLSVersions) async throws {
        let rules = try await ChangingRules(.pins, versions)
        var caller = Caller(tls: try Self.tls(Source.waiting.make(rules.trust)))
        caller.isHasty = true
        caller.onVerdict = Self.once { try rules.accept() }
        let report = try await caller.call(rules.server)
        #expect(report.finding == .trusted)
        #expect(report.answer.hasPrefix("HTTP/1.1 200"))
        await rules.server.stop()
    }

    @Test(
        "The promises of writes before TLS is established succeed for a trusted server, and fail for any other",
        arguments: [LabScenario.good, .expired, .noTLS, .handshakeCutOff], [1, 3])
    func promises(scenario: LabScenario, count: Int) async throws {
        let server = try await LabServer.start(scenario)
        let tls = try ServerTrustTLS(server)
        let host = server.host
        let writes = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: server.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let writer = EarlyWriter(count, on: channel.eventLoop)
                    try tls.addHandlers(to: channel.pipeline.syncOperations, host: host)
                    try channel.pipeline.syncOperations.addHandler(writer)
                    return (channel, writer.promises.map(\.futureResult))
                }
            }
        for write in writes.1 {
            var isWritten = true
            do { try await write.get() } catch { isWritten = false }
            #expect(isWritten == scenario.expected.isTrusted)
        }
        try? await writes.0.close()
        await server.stop()
        #expect((server.counts.requestBytes > 0) == scenario.expected.isTrusted)
    }

    @Test("The promises of writes before TLS is established fail if the client closes the connection")
    func closedByClient() async throws {
        let rules = try await ChangingRules(.pins)
        let verdicts = WaitingVerdicts(rules.trust)
        let tls = try Self.tls(verdicts.source)
        let host = rules.server.host
        let (channel, writes) = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: rules.server.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let writer = EarlyWriter(2, on: channel.eventLoop)
                    try tls.addHandlers(to: channel.pipeline.syncOperations, host: host)
                    try channel.pipeline.syncOperations.addHandler(writer)
                    return (channel, writer.promises.map(\.futureResult))
                }
            }
        try await verdicts.reach(1)
        try? await channel.close()
        for write in writes { await #expect(throws: (any Error).self) { try await write.get() } }
        verdicts.release()
        await rules.server.stop()
        #expect(rules.server.counts.requestBytes == 0)
    }

    // MARK: Between the verdict and the server's last flight in TLS 1.2

    /// Connects with TLS 1.2, and holds back what the server sends after its first flight.
    private struct HeldFlight {
        let channel: any Channel
        let server: EventLoopFuture<EvaluatedServer>
        let flight: HoldingHandler.State
        /// The server's data and events that passed through the pipeline.
        let log: Locked<[String]>

        init(_ source: VerdictSource, _ host: Hostname, port: Int) async throws {
            let tls = try RulesDuringHandshakeTests.tls(source, .tls12)
            let (flight, log) = (HoldingHandler.State(), Locked<[String]>([]))
            let (channel, server) = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(HoldingHandler(flight))
                        let server = try tls.addHandlers(to: pipeline, host: host)
                        try pipeline.addHandler(LogHandler(log))
                        return (channel, server)
                    }
                }
            (self.channel, self.server, self.flight, self.log) = (channel, server, flight, log)
        }

        func release() {
            channel.pipeline.fireUserInboundEventTriggered(HoldingHandler.Release())
        }

        func outcome() async -> LabOutcome {
            do {
                return LabOutcome(try await server.get().verdict)
            } catch let refusal as TrustRefusal {
                return .refused(refusal.headline.code)
            } catch {
                return .noHandshake
            }
        }
    }

    @Test(
        "If rules refuse the server before the last flight of its TLS 1.2 handshake, the handshake fails and nothing is sent or delivered",
        arguments: RuleChange.allCases, Source.allCases)
    func lateFinished(change: RuleChange, source: Source) async throws {
        let rules = try await ChangingRules(change, .tls12)
        let script = [ScriptedPeer.Answer(bytes: Array("early".utf8), after: 0)]
        let peer = try await ScriptedPeer(script, certificates: rules.server.certificates)
        let held = try await HeldFlight(source.make(rules.trust), rules.server.host, port: peer.port)
        // The Finished message and the data.
        try await held.flight.reach(applicationData: 1)
        #expect(held.log.withLock { $0 } == ["trusted"])
        try rules.refuse()
        held.release()
        #expect(await held.outcome() == rules.expected)
        try? await held.channel.closeFuture.get()
        #expect(held.log.withLock { $0 } == ["trusted", "untrusted", "refusal"])
        #expect(peer.received.isEmpty)
        await peer.stop()
        await rules.server.stop()
    }

    @Test(
        "Data that arrives while the server is evaluated again is delivered in order after a good verdict, and not before",
        arguments: Source.allCases)
    func earlyData(source: Source) async throws {
        let rules = try await ChangingRules(.pins, .tls12)
        let pieces = (0..<40).map { "piece \($0)\n" }
        let script = pieces.map { ScriptedPeer.Answer(bytes: Array($0.utf8), after: 0) }
        let peer = try await ScriptedPeer(script, certificates: rules.server.certificates)
        let verdicts = WaitingVerdicts(rules.trust, passing: 1)
        let held = try await HeldFlight(
            source == .immediate ? VerdictSource(rules.trust) : verdicts.source, rules.server.host, port: peer.port)
        try await held.flight.reach(applicationData: 1)
        try rules.accept()
        held.release()
        if source == .waiting {
            try await verdicts.reach(2)
            // Long enough for data on its way.
            try await Task.sleep(for: .milliseconds(100))
            #expect(held.log.withLock { $0 } == ["trusted"])
            verdicts.release()
        }
        #expect(await held.outcome() == .trusted)
        func data() -> String {
            held.log.withLock { log in log.filter { $0.hasPrefix("data ") }.map { $0.dropFirst(5) }.joined() }
        }
        while data().utf8.count < pieces.joined().utf8.count { try await Task.sleep(for: .milliseconds(2)) }
        #expect(data() == pieces.joined())
        #expect(held.log.withLock { $0.prefix(3) } == ["trusted", "trusted", "handshake"])
        #expect(held.log.withLock { $0[3].hasPrefix("data ") })
        try await held.channel.close()
        await peer.stop()
        await rules.server.stop()
    }

    @Test("A server that ends the connection while it is evaluated again is a closed connection, not a trusted server")
    func endsMeanwhile() async throws {
        let rules = try await ChangingRules(.pins, .tls12)
        let peer = try await ScriptedPeer([], certificates: rules.server.certificates)
        let verdicts = WaitingVerdicts(rules.trust, passing: 1)
        let held = try await HeldFlight(verdicts.source, rules.server.host, port: peer.port)
        try await held.flight.reach(bytes: 1)
        try rules.accept()
        held.release()
        try await verdicts.reach(2)
        try await held.channel.close()
        #expect(await held.outcome() == .noHandshake)
        verdicts.release()
        #expect(held.log.withLock { !$0.contains("handshake") })
        await peer.stop()
        await rules.server.stop()
    }

    @Test("A second evaluation without a verdict ends with the time limit", arguments: [true, false])
    func noSecondVerdict(isBoundByEvaluation: Bool) async throws {
        let rules = try await ChangingRules(.pins, .tls12)
        let verdicts = WaitingVerdicts(rules.trust, passing: 1)
        var tls = try Self.tls(verdicts.source)
        let short = Duration.seconds(5)
        if isBoundByEvaluation { tls.evaluationTimeout = short } else { tls.handshakeTimeout = short }
        var caller = Caller(tls: tls)
        caller.onVerdict = Self.once { try rules.accept() }
        let report = try await caller.call(rules.server)
        #expect(report.code == .connectionEvaluationTimedOut)
        #expect(report.events == ["trusted", "connectionEvaluationTimedOut"])
        verdicts.release()
        await rules.server.stop()
        #expect(rules.server.counts.requestBytes == 0)
    }
}

/// Holds back what the server sends after the client's second flight, until an event releases it.
private final class HoldingHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    struct Release: Sendable {}

    /// The bytes that are held back.
    final class State: Sendable {
        fileprivate let bytes = Locked<[UInt8]>([])

        /// Waits until a number of bytes and of records with application data are held back.
        func reach(bytes count: Int = 0, applicationData records: Int = 0) async throws {
            while true {
                let held = bytes.withLock { $0 }
                if held.count >= count, Self.records(held).count(where: { $0 == 23 }) >= records { return }
                try await Task.sleep(for: .milliseconds(2))
            }
        }

        /// Returns the types of the records.
        private static func records(_ bytes: [UInt8]) -> [UInt8] {
            var types: [UInt8] = []
            var rest = bytes[...]
            while rest.count >= 5 {
                let head = Array(rest.prefix(5))
                let length = 5 + Int(head[3]) << 8 + Int(head[4])
                guard rest.count >= length else { break }
                types.append(head[0])
                rest = rest.dropFirst(length)
            }
            return types
        }
    }

    private let state: State
    private var flights = 0
    private var isWriting = false
    private var isReleased = false

    init(_ state: State) { self.state = state }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // Several writes without a read in between are one flight.
        if !isWriting { flights += 1 }
        isWriting = true
        context.write(data, promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isWriting = false
        guard flights > 1, !isReleased else { return context.fireChannelRead(data) }
        state.bytes.withLock { $0 += unwrapInboundIn(data).readableBytesView }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is Release else { return context.fireUserInboundEventTriggered(event) }
        isReleased = true
        context.fireChannelRead(wrapInboundOut(ByteBuffer(bytes: state.bytes.withLock { $0 })))
        context.fireChannelReadComplete()
    }
}

/// Writes when the connection is open, without waiting for TLS.
private final class EarlyWriter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let promises: [EventLoopPromise<Void>]

    init(_ count: Int, on eventLoop: any EventLoop) {
        promises = (0..<count).map { _ in eventLoop.makePromise() }
    }

    func channelActive(context: ChannelHandlerContext) {
        for promise in promises {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "GET / HTTP/1.1\r\n")), promise: promise)
        }
        context.fireChannelActive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Logs what passes through a pipeline.
private final class LogHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let log: Locked<[String]>

    init(_ log: Locked<[String]>) { self.log = log }

    private func note(_ event: String) { log.withLock { $0.append(event) } }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        note("data " + String(buffer: unwrapInboundIn(data)))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let server as EvaluatedServer: note(server.verdict.isTrusted ? "trusted" : "untrusted")
        case TLSUserEvent.handshakeCompleted: note("handshake")
        default: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        note(error is TrustRefusal ? "refusal" : "other")
        context.close(promise: nil)
    }
}
