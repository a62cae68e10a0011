// SPDX-License-Identifier: Apache-2.0

import AllocationCounter
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import ServerTrustNIO
import Synchronization

/// Connections and requests, compared with the same libraries and their built-in verification, against one lab server
/// in this process. Counts the work of server and client together.
struct WireBenchmark: Benchmark {
    let name = "wire"
    let summary = "new connections, warm requests and memory beside NIOSSL and async-http-client alone"
    var countsInstructions: Bool { false }

    func run(_ settings: Settings) async throws -> Section {
        let server = try await LocalServer.start()
        let scene = try WireScene(server)
        defer { scene.shutdown() }
        var section = Section(
            benchmark: name, title: summary,
            columns: ["median µs", "fastest µs", "p99 µs", "by round", "per second", "allocations", "KB a connection"])
        // The last contender is compared with the first. The contenders between them are for information.
        for race in [
            ("handshake", [HandshakeContender(scene, isOurs: false), HandshakeContender(scene, isOurs: true)], 1.05),
            (
                "connection and request",
                [RequestContender(scene, .builtIn, isWarm: false), RequestContender(scene, .ours, isWarm: false)], 1.05
            ),
            (
                "warm request",
                [.builtIn, .builtInUntraced, .ours].map { RequestContender(scene, $0, isWarm: true) }, 1.02
            ),
        ] as [(String, [any WireContender], Double)] {
            let (label, all, limit) = race
            let contenders = all.filter { contender in
                settings.contender.map { "\(label), \(contender.name)".contains($0) } ?? true
            }
            // A turn has time for a few dozen handshakes.
            let timings = try await Race(turn: 40e6, rounds: settings.rounds).run(contenders)
            guard let base = timings.first, let own = timings.last else { continue }
            for (contender, timing) in zip(contenders, timings) {
                section.rows.append(
                    Section.Row(
                        name: "\(label), \(contender.name)",
                        cells: [
                            .microseconds(timing.median), .microseconds(timing.fastest),
                            .microseconds(contender.latencies.quantile(0.99)), .ratio(timing.ratio(to: base)),
                            .number(1e9 / timing.median, decimals: 0),
                            .allocations(try await contender.allocations()), .none,
                        ]))
            }
            section.claims.append(
                Section.Claim(what: "\(label) / built-in", value: own.ratio(to: base), limit: limit, unit: "x"))
        }
        guard settings.contender == nil else { return section }
        let memory = try await WireMemory(scene).measure()
        for (name, bytes) in [("built-in", memory.builtIn), (ContenderName.ours, memory.ours)] {
            section.rows.append(
                Section.Row(
                    name: "open connection, \(name)",
                    cells: [.none, .none, .none, .none, .none, .none, .number(bytes / 1024, decimals: 1)]))
        }
        section.claims.append(
            Section.Claim(
                what: "memory of a connection / built-in", value: memory.ours / memory.builtIn, limit: 1.1, unit: "x"))
        await server.stop()
        return section
    }
}

/// The server, and the clients that all contenders share.
final class WireScene: Sendable {
    let server: LabServer
    let builtIn: NIOSSLContext
    let ours: ServerTrustTLS
    let plainClient: HTTPClient
    /// A client without async-http-client's spans, which make a request slower and are created even without a tracer.
    let untracedClient: HTTPClient
    let trustedClient: TrustedHTTPClient
    let host: Hostname
    /// One event loop for all clients, separate from the server's. A client on the server's loop would save or add a
    /// thread switch at each turn.
    private let clients = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    init(_ server: LabServer) throws {
        self.server = server
        self.host = server.host
        var trust = ServerTrustConfiguration(
            try ServerTrustManager(evaluators: [
                server.host.description: SPKIPinsTrustEvaluator(
                    try SPKIPinSet(pinsRiskingLockout: [SPKIPin(server.certificates.chain[0])]))
            ]))
        trust.anchors = .only(server.certificates.anchors)
        var verifying = TLSConfiguration.makeClientConfiguration()
        verifying.trustRoots = .certificates(
            try server.certificates.anchors.map { try NIOSSLCertificate(bytes: $0.der, format: .der) })
        verifying.applicationProtocols = ["http/1.1"]
        builtIn = try NIOSSLContext(configuration: verifying)
        ours = try ServerTrustTLS(trust, applicationProtocols: ["http/1.1"])
        var plain = HTTPClient.Configuration(tlsConfiguration: verifying)
        plain.httpVersion = .http1Only
        plainClient = HTTPClient(eventLoopGroup: clients, configuration: plain)
        plain.tracing.tracer = nil
        untracedClient = HTTPClient(eventLoopGroup: clients, configuration: plain)
        var configuration = TrustedHTTPConfiguration()
        configuration.httpVersion = .http1Only
        trustedClient = try TrustedHTTPClient(trust: trust, configuration: configuration, eventLoopGroup: clients)
    }

    /// Shuts down in the background, because the process ends soon.
    func shutdown() {
        plainClient.shutdown { _ in }
        untracedClient.shutdown { _ in }
        Task { [trustedClient] in await trustedClient.shutdown() }
    }

    /// Opens a connection and returns it after the TLS handshake.
    func connect(isOurs: Bool) async throws -> any Channel {
        let (channel, handshake) = try await ClientBootstrap(group: clients)
            .connect(host: server.address.rawValue, port: server.port) { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    guard isOurs else {
                        let up = channel.eventLoop.makePromise(of: Void.self)
                        try pipeline.addHandlers([
                            NIOSSLClientHandler(context: builtIn, serverHostname: host.description), HandshakeWatch(up),
                        ])
                        return (channel, up.futureResult)
                    }
                    return (channel, try ours.addHandlers(to: pipeline, host: host).map { _ in })
                }
            }
        try await handshake.get()
        return channel
    }
}

private final class HandshakeWatch: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let promise: EventLoopPromise<Void>

    init(_ promise: EventLoopPromise<Void>) { self.promise = promise }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted = event as? TLSUserEvent { promise.succeed() }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        promise.fail(error)
        context.close(promise: nil)
    }
}

/// A contender that records the elapsed time of each iteration, for the slowest of a hundred.
protocol WireContender: Contender {
    var latencies: [Double] { get }
}

private final class HandshakeContender: WireContender {
    let name: String
    private let scene: WireScene
    private let isOurs: Bool
    private let times = Times()

    init(_ scene: WireScene, isOurs: Bool) {
        self.scene = scene
        self.isOurs = isOurs
        self.name = isOurs ? ContenderName.ours : "built-in"
    }

    var latencies: [Double] { times.all }

    func run(_ iterations: Int) async throws {
        for _ in 0..<iterations {
            let start = ContinuousClock.now
            let channel = try await scene.connect(isOurs: isOurs)
            times.add(ContinuousClock.now - start)
            try? await channel.close().get()
        }
    }
}

private final class RequestContender: WireContender {
    enum Client: String {
        case builtIn = "built-in"
        case builtInUntraced = "built-in, no tracing"
        case ours
    }

    let name: String
    private let scene: WireScene
    private let client: Client
    private let isWarm: Bool
    private let times = Times()

    init(_ scene: WireScene, _ client: Client, isWarm: Bool) {
        self.scene = scene
        self.client = client
        self.isWarm = isWarm
        self.name = client == .ours ? ContenderName.ours : client.rawValue
    }

    var latencies: [Double] { times.all }

    func run(_ iterations: Int) async throws {
        var request = HTTPClientRequest(url: scene.server.url + "/")
        if !isWarm { request.headers.add(name: "connection", value: "close") }
        for _ in 0..<iterations {
            let start = ContinuousClock.now
            let response =
                switch client {
                case .builtIn: try await scene.plainClient.execute(request, timeout: .seconds(30))
                case .builtInUntraced: try await scene.untracedClient.execute(request, timeout: .seconds(30))
                case .ours: try await scene.trustedClient.execute(request, timeout: .seconds(30))
                }
            let body = try await response.body.collect(upTo: 1024)
            times.add(ContinuousClock.now - start)
            guard response.status == .ok, body.readableBytes > 0 else {
                throw WrongAnswer(contender: name, what: "status \(response.status.code)")
            }
        }
    }
}

/// Times in nanoseconds. Only one task adds them at a time.
private final class Times: Sendable {
    private let times = Mutex<[Double]>([])

    var all: [Double] { times.withLock { $0 } }
    func add(_ duration: Duration) { times.withLock { $0.append(duration / .nanoseconds(1)) } }
}

/// The heap memory of open connections, including the server's side.
struct WireMemory {
    private static let connections = 200
    private let scene: WireScene

    init(_ scene: WireScene) { self.scene = scene }

    /// Returns the bytes per connection.
    func measure() async throws -> (builtIn: Double, ours: Double) {
        // The clients take turns. The first samples include memory that is never released.
        var samples: [[Double]] = [[], []]
        for round in 0..<6 {
            for index in 0..<2 {
                let bytes = try await bytes(isOurs: index == 1)
                if round > 0 { samples[index].append(bytes) }
            }
        }
        return (samples[0].quantile(0.5), samples[1].quantile(0.5))
    }

    private func bytes(isOurs: Bool) async throws -> Double {
        // The pools keep their connections open.
        let open = scene.server.counts.openConnections
        let before = Double(heap_bytes_in_use())
        var channels: [any Channel] = []
        for _ in 0..<Self.connections { channels.append(try await scene.connect(isOurs: isOurs)) }
        let bytes = (Double(heap_bytes_in_use()) - before) / Double(Self.connections)
        for channel in channels { try? await channel.close().get() }
        while scene.server.counts.openConnections > open { try await Task.sleep(for: .milliseconds(5)) }
        return bytes
    }
}
