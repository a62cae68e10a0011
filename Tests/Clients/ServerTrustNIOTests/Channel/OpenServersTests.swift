// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import NIOPosix
import NIOSSL
import PKIX
import PeerScripts
import ServerTrust
import ServerTrustNIO
import Testing

@testable import ServerTrustLab

@Suite("Open connections when rules change", .timeLimit(.minutes(10)))
struct OpenServersTests {
    /// The way to the server.
    enum Way: CaseIterable {
        case direct, http, https, socks

        /// The number of servers that a connection depends on.
        var servers: Int { self == .https ? 2 : 1 }
    }

    /// A server, its changing rules, and the proxy on the way.
    private struct Scene {
        let rules: ChangingRules
        let proxy: LabProxy?
        let address: ConnectionProxy?
        let tls: ServerTrustTLS

        init(_ change: RuleChange, _ way: Way, _ versions: LabServer.TLSVersions = .both) async throws {
            let certificates = try LabCertificates.localhost()
            rules = try await ChangingRules(change, versions, anchors: certificates.anchors)
            switch way {
            case .direct: (proxy, address) = (nil, nil)
            case .http, .socks:
                let started = try await LabProxy.start()
                proxy = started
                address = way == .http ? ProxyKind.http.proxy(started.port) : ProxyKind.socks.proxy(started.port)
            case .https:
                let started = try await LabProxy.start(certificates: certificates)
                (proxy, address) = (started, .https(host: "localhost", port: started.port))
            }
            tls = try ServerTrustTLS(rules.trust)
        }

        var count: Int { tls.open?.count ?? -1 }

        func connect() async throws -> OpenConnection {
            try await OpenConnection(to: rules.server, tls, through: address)
        }

        func stop() async {
            await rules.server.stop()
            await proxy?.stop()
        }
    }

    @Test(
        "Replaced rules that refuse the server close its open connection with the refusal, also through proxies",
        arguments: RuleChange.ofRules, Way.allCases)
    func refused(change: RuleChange, way: Way) async throws {
        let scene = try await Scene(change, way)
        let connection = try await scene.connect()
        #expect(scene.count == way.servers)
        try await connection.ask()
        let before = scene.rules.server.counts.requestBytes
        try scene.rules.refuse()
        #expect(try await eventually { !connection.channel.isActive })
        #expect(connection.log.outcomes == [.refused(change.code)])
        #expect(connection.log.refusedHosts == [scene.rules.server.host])
        #expect(try await eventually { scene.count == 0 })
        await #expect(throws: TrustRefusal.self) { try await scene.connect() }
        #expect(scene.rules.server.counts.requestBytes == before)
        await scene.stop()
    }

    @Test("Replaced rules that refuse an https proxy close the connections through it")
    func refusedProxy() async throws {
        let scene = try await Scene(.host, .https)
        let connection = try await scene.connect()
        try await connection.ask()
        try scene.rules.refuseProxy()
        #expect(try await eventually { !connection.channel.isActive })
        #expect(connection.log.outcomes == [.refused(.hostDenied)])
        #expect(connection.log.refusedHosts == [try Hostname("localhost")])
        #expect(try await eventually { scene.count == 0 })
        await #expect(throws: TrustRefusal.self) { try await scene.connect() }
        await scene.stop()
    }

    @Test("Replaced rules that accept the server leave its connection open and usable", arguments: Way.allCases)
    func kept(way: Way) async throws {
        let scene = try await Scene(.pins, way)
        let connection = try await scene.connect()
        try await connection.ask()
        for _ in 0..<3 {
            try scene.rules.accept()
            #expect(await scene.tls.reevaluateConnections().isEmpty)
            try await connection.ask()
        }
        #expect(connection.log.outcomes.isEmpty)
        #expect(scene.count == way.servers)
        try await connection.channel.close()
        #expect(try await eventually { scene.count == 0 })
        await scene.stop()
    }

    @Test("Replaced rules close all connections of the clients that use them, and no others")
    func several() async throws {
        let scene = try await Scene(.pins, .direct)
        let separate = try await Scene(.pins, .direct)
        let first = try await scene.connect()
        let second = try await scene.connect()
        let other = try await separate.connect()
        #expect(scene.count == 2 && separate.count == 1)
        try scene.rules.refuse()
        for connection in [first, second] {
            #expect(try await eventually { !connection.channel.isActive })
            #expect(connection.log.outcomes == [.refused(.pinNotMatched)])
        }
        try await other.ask()
        #expect(other.log.outcomes.isEmpty)
        try await other.channel.close()
        await scene.stop()
        await separate.stop()
    }

    @Test(
        "reevaluateConnections() closes connections to servers that are refused for another reason than replaced rules, and returns these",
        arguments: Way.allCases)
    func explicit(way: Way) async throws {
        let scene = try await Scene(.exception, way)
        let connection = try await scene.connect()
        try await connection.ask()
        #expect(await scene.tls.reevaluateConnections().isEmpty)
        try scene.rules.refuse()
        let refused = await scene.tls.reevaluateConnections()
        #expect(refused.map(\.host) == [scene.rules.server.host])
        #expect(refused.map { LabOutcome($0.verdict) } == [.refused(.certificateExpired)])
        #expect(refused.first?.presentedChain.certificates == scene.rules.server.certificates.chain)
        #expect(!connection.channel.isActive)
        #expect(connection.log.outcomes == [.refused(.certificateExpired)])
        #expect(scene.count == 0)
        #expect(await scene.tls.reevaluateConnections().isEmpty)
        await scene.stop()
    }

    @Test("reevaluateConnections() right after replaced rules returns when the refused connections are closed")
    func explicitAfterReplacedRules() async throws {
        for _ in 0..<20 {
            let scene = try await Scene(.key, .direct)
            let connections = [try await scene.connect(), try await scene.connect()]
            try scene.rules.refuse()
            await scene.tls.reevaluateConnections()
            for connection in connections {
                #expect(!connection.channel.isActive)
                // Two evaluations at the same time report the refusal once.
                #expect(connection.log.outcomes == [.refused(.certificateDenied)])
            }
            #expect(scene.count == 0)
            await scene.stop()
        }
    }

    @Test("A source that doesn't follow a manager is evaluated again only on request")
    func ownSource() async throws {
        let rules = try await ChangingRules(.pins)
        let trust = rules.trust
        let context = try NIOSSLContext(configuration: .clientForServerTrust())
        let tls = try ServerTrustTLS(
            .immediate { trust.evaluateWithoutFetching($0, host: $1) }, context: context)
        let connection = try await OpenConnection(to: rules.server, tls)
        try rules.refuse()
        try await connection.ask()
        let refused = await tls.reevaluateConnections()
        #expect(refused.map { LabOutcome($0.verdict) } == [.refused(.pinNotMatched)])
        #expect(!connection.channel.isActive)
        await rules.server.stop()
    }

    @Test("A connection without a new verdict is closed with an error, not kept")
    func noVerdict() async throws {
        let rules = try await ChangingRules(.pins)
        let verdicts = WaitingVerdicts(rules.trust, passing: 1)
        let context = try NIOSSLContext(configuration: .clientForServerTrust())
        let tls = try ServerTrustTLS(
            verdicts.source, context: context, handshakeTimeout: .seconds(60), evaluationTimeout: .seconds(5))
        let connection = try await OpenConnection(to: rules.server, tls)
        #expect(await tls.reevaluateConnections().isEmpty)
        #expect(!connection.channel.isActive)
        #expect(connection.log.codes == [.connectionEvaluationTimedOut])
        verdicts.release()
        #expect(try await eventually { tls.open?.count == 0 })
        await rules.server.stop()
    }

    @Test("Rules that refuse and then accept again while a source waits leave the connection open")
    func backAgain() async throws {
        let rules = try await ChangingRules(.pins)
        let verdicts = WaitingVerdicts(rules.trust, passing: 1)
        let context = try NIOSSLContext(configuration: .clientForServerTrust())
        let tls = try ServerTrustTLS(
            verdicts.source, context: context, handshakeTimeout: .seconds(60), evaluationTimeout: .seconds(60))
        let connection = try await OpenConnection(to: rules.server, tls)
        try rules.refuse()
        try await verdicts.reach(2)
        try rules.accept()
        verdicts.release()
        _ = await tls.open?.reevaluate()
        try await connection.ask()
        #expect(connection.log.outcomes.isEmpty)
        try await connection.channel.close()
        await rules.server.stop()
    }

    @Test("reevaluateConnections() returns although the refusal was withdrawn while the handshake still waited")
    func withdrawn() async throws {
        let rules = try await ChangingRules(.pins)
        let verdicts = WaitingVerdicts(rules.trust, passing: 1)
        let context = try NIOSSLContext(configuration: .clientForServerTrust())
        let tls = try ServerTrustTLS(
            verdicts.source, context: context, handshakeTimeout: .seconds(60), evaluationTimeout: .seconds(60))
        let isDone = Locked(false)
        async let opened = OpenConnection(to: rules.server, tls) { _ in
            // The first verdict is outdated at the end of the handshake.
            guard !isDone.withLock({ $0 }) else { return }
            isDone.withLock { $0 = true }
            try? rules.accept()
        }
        try await verdicts.reach(2)
        try rules.refuse()
        let isOver = Locked(false)
        let reevaluation = Task {
            await tls.reevaluateConnections()
            isOver.withLock { $0 = true }
        }
        // Both evaluations have begun. They refuse the server while the second verdict still waits.
        try await verdicts.reach(4)
        verdicts.pass(only: 3)
        verdicts.pass(only: 4)
        try await Task.sleep(for: .milliseconds(50))
        try rules.accept()
        verdicts.release()
        // The connection may have been refused meanwhile.
        let connection = try? await opened
        #expect(try await eventually { isOver.withLock { $0 } })
        try await connection?.ask()
        try await connection?.channel.close()
        await reevaluation.value
        #expect(try await eventually { tls.open?.count == 0 })
        await rules.server.stop()
    }

    @Test("Copies of the TLS settings share their connections, and failed handshakes aren't listed")
    func listed() async throws {
        let scene = try await Scene(.host, .direct)
        var copy = scene.tls
        copy.handshakeTimeout = .seconds(60)
        let report = try await Caller(tls: copy).call(scene.rules.server)
        #expect(report.finding == .trusted)
        #expect(try await eventually { scene.count == 0 })
        let connection = try await scene.connect()
        #expect(copy.open?.count == 1)
        let expired = try await LabServer.start(.expired)
        _ = try await Caller(tls: copy).call(scene.rules.server.host, port: expired.port)
        #expect(try await eventually { copy.open?.count == 1 })
        await scene.rules.server.stop()
        #expect(try await eventually { !connection.channel.isActive })
        #expect(try await eventually { scene.count == 0 })
        await expired.stop()
        await scene.stop()
    }

    @Test("Many connections that open and close while rules change leave none listed or open after a refusal")
    func storm() async throws {
        let scene = try await Scene(.pins, .direct)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for _ in 0..<30 {
                    try? scene.rules.refuse()
                    try? await Task.sleep(for: .milliseconds(3))
                    try? scene.rules.accept()
                    try? await Task.sleep(for: .milliseconds(10))
                }
            }
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<15 {
                        let connection = try? await scene.connect()
                        try? await connection?.ask()
                    }
                }
            }
        }
        try scene.rules.refuse()
        await scene.tls.reevaluateConnections()
        #expect(try await eventually { scene.count == 0 })
        await scene.stop()
    }
}

/// An established connection to an HTTP server.
private struct OpenConnection: Sendable {
    /// What passed through the pipeline.
    final class Log: Sendable {
        fileprivate let state = Locked<(errors: [any Error], text: String)>(([], ""))

        func handler(_ onVerdict: @escaping @Sendable (EvaluatedServer) -> Void) -> OpenConnectionHandler {
            OpenConnectionHandler(self, onVerdict)
        }

        /// The refusals in `errorCaught`.
        var outcomes: [LabOutcome] {
            state.withLock { $0.errors }.compactMap { $0 as? TrustRefusal }.map { .refused($0.headline.code) }
        }
        var refusedHosts: [Hostname?] {
            state.withLock { $0.errors }.compactMap { $0 as? TrustRefusal }.map(\.verdict.host)
        }
        var codes: [ErrorCode] {
            state.withLock { $0.errors }.compactMap { ($0 as? ConnectionFailure)?.code }
        }
    }

    let channel: any Channel
    let log: Log
    let host: Hostname

    /// - Parameter onVerdict: called on the event loop with each verdict, before the handshake continues.
    init(
        to target: LabServer, _ tls: ServerTrustTLS, through proxy: ConnectionProxy? = nil,
        onVerdict: @escaping @Sendable (EvaluatedServer) -> Void = { _ in }
    ) async throws {
        let log = Log()
        self.log = log
        host = target.host
        let (channel, server) = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(
            to: host, port: target.port, connectingTo: proxy == nil ? "127.0.0.1" : nil, through: proxy,
            serverTrust: tls
        ) { (channel, server) -> EventLoopFuture<(any Channel, EventLoopFuture<EvaluatedServer>)> in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(log.handler(onVerdict))
                return (channel, server)
            }
        }
        self.channel = channel
        _ = try await server.get()
    }

    /// Sends a request and waits for its answer.
    func ask() async throws {
        let before = log.state.withLock { $0.text.utf8.count }
        try await channel.writeAndFlush(ByteBuffer(string: "GET / HTTP/1.1\r\nhost: \(host)\r\n\r\n"))
        while log.state.withLock({ !$0.text.dropFirst(before).hasSuffix("lab\n") }) {
            guard channel.isActive else { throw ChannelError.ioOnClosedChannel }
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}

private final class OpenConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let log: OpenConnection.Log
    private let onVerdict: @Sendable (EvaluatedServer) -> Void

    init(_ log: OpenConnection.Log, _ onVerdict: @escaping @Sendable (EvaluatedServer) -> Void) {
        self.log = log
        self.onVerdict = onVerdict
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let server = event as? EvaluatedServer { onVerdict(server) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let text = String(buffer: unwrapInboundIn(data))
        log.state.withLock { $0.text += text }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        log.state.withLock { $0.errors.append(error) }
    }
}

/// Waits until a condition is true. Returns false if it doesn't become true.
private func eventually(_ condition: () -> Bool) async throws -> Bool {
    for _ in 0..<5_000 where !condition() { try await Task.sleep(for: .milliseconds(4)) }
    return condition()
}
