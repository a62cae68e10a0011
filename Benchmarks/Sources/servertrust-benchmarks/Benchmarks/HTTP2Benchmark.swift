// SPDX-License-Identifier: Apache-2.0

import AllocationCounter
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import ServerTrustTesting
import ServerTrustURLSession
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Requests over HTTP/2, compared with async-http-client and NIOSSL's verification, against lab servers in this
/// process.
struct HTTP2Benchmark: Benchmark {
    let name = "http2"
    let summary =
        "parallel and warm requests, new connections and memory of hosts over HTTP/2 beside async-http-client alone"
    var countsInstructions: Bool { false }

    func run(_ settings: Settings) async throws -> Section {
        let scene = try await HTTP2Scene()
        var section = Section(
            benchmark: name, title: summary,
            columns: ["median µs", "fastest µs", "medians / built-in", "by round", "allocations", "KB a host"])
        // The last contender is compared with the first. Waiting requests are measured in elapsed time, other requests
        // in processor time.
        for (label, kind, limit) in [
            ("200 requests of 100 ms at once", HTTP2Contender.Kind.parallel, 1.1),
            ("200 tasks of 100 ms at once, session with a delegate", .session, 1.1), ("warm request", .warm, 1.05),
            ("connection and request", .connection, 1.05),
        ] {
            // A profiler selects one contender by its name, a race selects its contenders by the label.
            let contenders = [false, true].map { HTTP2Contender(scene, kind, isOurs: $0) }.filter { contender in
                settings.contender.map { "\(label), \(contender.name)".contains($0) } ?? true
            }
            let timings =
                kind.waits
                ? try await byClock(contenders, rounds: max(1, settings.rounds / 4))
                : try await Race(turn: 40e6, rounds: settings.rounds).run(contenders)
            guard let base = timings.first, let own = timings.last else { continue }
            for (contender, timing) in zip(contenders, timings) {
                let allocations = kind.waits ? nil : try await contender.allocations()
                section.rows.append(
                    Section.Row(
                        name: "\(label), \(timing.name)",
                        cells: [
                            .microseconds(timing.median), .microseconds(timing.fastest),
                            .ratio(timing.median / base.median), .ratio(timing.ratio(to: base)),
                            .allocations(allocations), .none,
                        ]))
            }
            section.claims.append(
                Section.Claim(what: "\(label) / built-in", value: own.ratio(to: base), limit: limit, unit: "x"))
        }
        if settings.contender == nil {
            for isOurs in [false, true] {
                let bytes = try await scene.bytesPerHost(isOurs: isOurs)
                section.rows.append(
                    Section.Row(
                        name: "host with a connection, \(isOurs ? ContenderName.ours : "built-in")",
                        cells: [.none, .none, .none, .none, .none, .number(bytes / 1024, decimals: 1)]))
            }
        }
        await scene.shutdown()
        return section
    }

    private func byClock(_ contenders: [HTTP2Contender], rounds: Int) async throws -> [Timing] {
        var samples = [[Double]](repeating: [], count: contenders.count)
        for contender in contenders { try await contender.run(1) }
        for round in 0..<rounds {
            for offset in contenders.indices {
                let index = (round + offset) % contenders.count
                let start = ContinuousClock.now
                try await contenders[index].run(1)
                samples[index].append((ContinuousClock.now - start) / .nanoseconds(1))
            }
        }
        return zip(contenders, samples).map { Timing(name: $0.name, samples: $1) }
    }
}

/// The servers and clients of all contenders.
final class HTTP2Scene: Sendable {
    let quick: LabServer
    let slow: LabServer
    let builtIn: HTTPClient
    let ours: TrustedHTTPClient
    /// A session whose delegate is asked about each connection.
    let session: URLSession
    let delegate = CountingDelegate()
    /// A client that uses each connection for one request.
    let builtInOnce: HTTPClient
    let oursOnce: TrustedHTTPClient
    private let trust: ServerTrustConfiguration
    private let plain: HTTPClient.Configuration
    private let configuration: TrustedHTTPConfiguration
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    private static let hosts = 100

    init() async throws {
        let now = Time.now()
        let root = try TestAuthority.root(CertificateTemplate.authority("HTTP/2 Root").valid(around: now))
        let authority = try root.intermediate(CertificateTemplate.authority("HTTP/2 CA").valid(around: now))
        let leaf = try authority.issue(
            CertificateTemplate.leaf("localhost", "*.hosts.test").valid(around: now))
        let scenario = LabScenario.custom(
            host: "localhost", leaf: leaf, others: [authority.certificate], anchors: [root.certificate])
        quick = try await LabServer.start(scenario)
        var options = LabServer.Options()
        options.response = .slow(["late"], pause: .milliseconds(100))
        slow = try await LabServer.start(scenario, options: options)
        var trust = ServerTrustConfiguration(
            try ServerTrustManager(evaluators: [
                "localhost": DefaultTrustEvaluator(), "*.hosts.test": DefaultTrustEvaluator(),
            ]))
        trust.anchors = .only([root.certificate])
        self.trust = trust
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates([try NIOSSLCertificate(bytes: root.certificate.der, format: .der)])
        var plain = HTTPClient.Configuration(tlsConfiguration: tls)
        // async-http-client creates spans even without a tracer.
        plain.tracing.tracer = nil
        for host in 0..<Self.hosts { plain.dnsOverride["h\(host).hosts.test"] = "127.0.0.1" }
        self.plain = plain
        var configuration = TrustedHTTPConfiguration()
        configuration.dnsOverride = plain.dnsOverride
        self.configuration = configuration
        builtIn = HTTPClient(eventLoopGroup: group, configuration: plain)
        ours = try TrustedHTTPClient(trust: trust, configuration: configuration, eventLoopGroup: group)
        let sessionConfiguration = URLSessionConfiguration.ephemeral.withServerTrust(trust)
        sessionConfiguration.urlCache = nil
        session = URLSession(configuration: sessionConfiguration, delegate: delegate, delegateQueue: nil)
        var once = plain
        once.maximumUsesPerConnection = 1
        builtInOnce = HTTPClient(eventLoopGroup: group, configuration: once)
        configuration.maximumUsesPerConnection = 1
        oursOnce = try TrustedHTTPClient(trust: trust, configuration: configuration, eventLoopGroup: group)
    }

    func shutdown() async {
        session.invalidateAndCancel()
        for client in [builtIn, builtInOnce] { try? await client.shutdown() }
        for client in [ours, oursOnce] { await client.shutdown() }
        for server in [quick, slow] { await server.stop() }
    }

    /// Returns the heap bytes of a host with an open connection, including the server's side.
    func bytesPerHost(isOurs: Bool) async throws -> Double {
        var samples: [Double] = []
        for _ in 0..<4 {
            let open = quick.counts.openConnections
            let client = isOurs ? nil : HTTPClient(eventLoopGroup: group, configuration: plain)
            let trusted =
                isOurs
                ? try TrustedHTTPClient(
                    trust: trust, configuration: configuration, eventLoopGroup: group) : nil
            let before = Double(heap_bytes_in_use())
            for host in 0..<Self.hosts {
                let request = HTTPClientRequest(url: "https://h\(host).hosts.test:\(quick.port)/")
                let response =
                    if let trusted { try await trusted.execute(request, timeout: .seconds(30)) } else {
                        try await client?.execute(request, timeout: .seconds(30))
                    }
                _ = try await response?.body.collect(upTo: 1024)
            }
            // The connections that learned the chains close by themselves.
            while quick.counts.openConnections > open + Self.hosts { try await Task.sleep(for: .milliseconds(5)) }
            samples.append((Double(heap_bytes_in_use()) - before) / Double(Self.hosts))
            try await client?.shutdown()
            await trusted?.shutdown()
            while quick.counts.openConnections > open { try await Task.sleep(for: .milliseconds(5)) }
        }
        // The first sample includes memory that is never released.
        return Array(samples.dropFirst()).quantile(0.5)
    }
}

/// A delegate that leaves every server to the rules, and counts the challenges.
final class CountingDelegate: NSObject, URLSessionDataDelegate {
    let challenges = Mutex(0)

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust {
            challenges.withLock { $0 += 1 }
        }
        completionHandler(.performDefaultHandling, nil)
    }
}

private final class HTTP2Contender: Contender {
    enum Kind {
        case parallel, session, warm, connection

        /// Whether requests mostly wait, so that elapsed time counts.
        var waits: Bool { self == .parallel || self == .session }
    }

    let name: String
    private let scene: HTTP2Scene
    private let kind: Kind
    private let isOurs: Bool

    init(_ scene: HTTP2Scene, _ kind: Kind, isOurs: Bool) {
        self.scene = scene
        self.kind = kind
        self.isOurs = isOurs
        self.name = isOurs ? ContenderName.ours : "built-in, no tracing"
    }

    func run(_ iterations: Int) async throws {
        for _ in 0..<iterations {
            guard kind.waits else {
                try await request(to: scene.quick)
                continue
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<200 { group.addTask { try await self.request(to: self.scene.slow) } }
                try await group.waitForAll()
            }
        }
    }

    private func request(to server: LabServer) async throws {
        if isOurs, kind == .session { return try await task(to: server) }
        let request = HTTPClientRequest(url: server.url + "/")
        let response =
            switch (isOurs, kind) {
            case (true, .connection): try await scene.oursOnce.execute(request, timeout: .seconds(30))
            case (true, _): try await scene.ours.execute(request, timeout: .seconds(30))
            case (false, .connection): try await scene.builtInOnce.execute(request, timeout: .seconds(30))
            case (false, _): try await scene.builtIn.execute(request, timeout: .seconds(30))
            }
        let body = try await response.body.collect(upTo: 1024)
        guard response.status == .ok, response.version.major == 2, body.readableBytes > 0 else {
            throw WrongAnswer(contender: name, what: "status \(response.status.code), \(response.version)")
        }
    }
    private func task(to server: LabServer) async throws {
        guard let url = URL(string: server.url + "/") else { throw WrongAnswer(contender: name, what: server.url) }
        let (data, response) = try await scene.session.data(from: url)
        guard (response as? HTTPURLResponse)?.statusCode == 200, !data.isEmpty,
            scene.delegate.challenges.withLock({ $0 }) > 0
        else { throw WrongAnswer(contender: name, what: "\(response), \(data.count) bytes") }
    }
}
