// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOPosix
import NIOSSL
import PKIX
import PeerScripts
import ServerTrust
import ServerTrustNIO
import ServerTrustTesting
import Testing

@testable import ServerTrustHTTP
@testable import ServerTrustLab

@Suite("The full gate for an HTTPClient", .timeLimit(.minutes(10)))
struct ConnectionGateTests {
    /// The size of the preface, SETTINGS and a window update, which reveal nothing about a request.
    private static let maximumPreface = 128

    /// The scenarios without redirects to other hosts, because the gate doesn't control async-http-client's redirects.
    /// The other suites cover two chains that take half a second each in debug builds, because this suite has eighteen
    /// rounds.
    private static let scenarios = LabScenario.all.filter { scenario in
        ![.redirectToAnotherAuthority, .costlyConstraints, .costlySignatures].contains(scenario)
            && !scenario.isForProbes
    }

    @Test(
        "The gate reaches every scenario's outcome by itself, with NIOSSL's verification turned off",
        arguments: GatedClient.Route.allCases)
    func conformance(route: GatedClient.Route) async throws {
        let proxy = try await LabProxy.start()
        var suite = ClientConformance(Self.scenarios)
        suite.refusesDuringHandshake = false
        let violations = try await suite.run { server in
            try await GatedClient(route: route, isVerifiedByNIOSSL: false, proxyPort: proxy.port).outcome(of: server)
        }
        #expect(violations.isEmpty, "\(violations)")
        await proxy.stop()
    }

    @Test(
        "With NIOSSL's verification before the gate, the decisions are the same",
        arguments: GatedClient.Route.allCases)
    func wall(route: GatedClient.Route) async throws {
        let proxy = try await LabProxy.start()
        var suite = ClientConformance(
            Self.scenarios, comparing: .decisions, exempting: [.crossSigned: "NIOSSL finds no other path"])
        suite.refusesDuringHandshake = false
        let violations = try await suite.run { server in
            try await GatedClient(route: route, proxyPort: proxy.port).outcome(of: server)
        }
        #expect(violations.isEmpty, "\(violations)")
        await proxy.stop()
    }

    @Test(
        "Over HTTP/2, a refused server gets only the preface, not a request",
        arguments: GatedClient.Route.allCases, [LabServer.TLSVersions.tls12, .tls13])
    func http2(route: GatedClient.Route, version: LabServer.TLSVersions) async throws {
        let proxy = try await LabProxy.start()
        for scenario in Self.scenarios {
            var options = LabServer.Options()
            options.versions = version
            let server = try await LabServer.start(scenario, options: options)
            let client = GatedClient(
                route: route, version: .automatic, isVerifiedByNIOSSL: false, proxyPort: proxy.port)
            let outcome = try await client.outcome(of: server)
            await server.stop()
            #expect(outcome == server.expected, "\(scenario)")
            // The gate acts after connecting. It contacts a denied host, but sends nothing.
            #expect(server.counts.connections == 1, "\(scenario)")
            guard server.expected.isTrusted else {
                #expect(server.counts.requests == 0 && server.counts.requestBytes <= Self.maximumPreface, "\(scenario)")
                continue
            }
            #expect(server.counts.http2Requests == 1, "\(scenario)")
        }
        await proxy.stop()
    }

    @Test(
        "All 200 concurrent requests to a refused server fail with the reason and send no data",
        arguments: [HTTPClient.Configuration.HTTPVersion.automatic, .http1Only])
    func crowd(version: HTTPClient.Configuration.HTTPVersion) async throws {
        let server = try await LabServer.start(.intercepted)
        let codes = try await GatedClient(version: version).run([server], server.certificates.configuration) { client in
            await withTaskGroup(of: TrustFailure.Code?.self) { group in
                for _ in 0..<200 {
                    group.addTask {
                        (await failure { try await client.expectAnswer(at: server.url + "/") } as? TrustRefusal)?
                            .headline.code
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        await server.stop()
        #expect(codes.count == 200 && codes.allSatisfy { $0 == .pinNotMatched }, "\(Set(codes))")
        #expect(server.counts.requests == 0 && server.counts.openConnections == 0)
        let limit = version == .automatic ? Self.maximumPreface * server.counts.connections : 0
        #expect(server.counts.requestBytes <= limit)
    }

    @Test("200 concurrent requests to a trusted server all succeed over HTTP/2")
    func trustedCrowd() async throws {
        let server = try await LabServer.start(.good)
        let errors = try await GatedClient(version: .automatic).run([server], server.certificates.configuration) {
            client in
            await withTaskGroup(of: String?.self) { group in
                for _ in 0..<200 {
                    group.addTask {
                        await failure { try await client.expectAnswer(at: server.url + "/") }.map { "\($0)" }
                    }
                }
                return await group.reduce(into: [String]()) { if let error = $1 { $0.append(error) } }
            }
        }
        #expect(errors.isEmpty, "\(errors)")
        #expect(server.counts.http2Requests == 200)
        await server.stop()
    }

    @Test("The gate stops a redirect to a host with another CA or without a rule", arguments: [true, false])
    func redirects(isListed: Bool) async throws {
        let server = try await LabServer.start(.redirectToAnotherAuthority)
        let target = try #require(server.redirectTarget)
        var trust = server.certificates.configuration
        if isListed { trust.manager = try ServerTrustManager(evaluators: ["*.lab.test": DefaultTrustEvaluator()]) }
        let error = try await GatedClient(isVerifiedByNIOSSL: false).run([server, target], trust) { client in
            await failure { try await client.expectAnswer(at: server.url + "/") }
        }
        let refusal = try #require(error as? TrustRefusal, "\(String(describing: error))")
        #expect(refusal.verdict.host == target.host)
        #expect(refusal.headline.code == (isListed ? .untrustedRoot : .hostNotListed))
        #expect(target.counts.connections == 1 && target.counts.requestBytes == 0)
        await server.stop()
    }

    @Test("The gate applies a host's own rule, even if another server's certificate names the host too")
    func ownRule() async throws {
        let server = try await LabServer.start(.good)
        var trust = server.certificates.configuration
        let other = try SPKIPinSet(pinsRiskingLockout: [SPKIPin(TestAuthority.root().certificate)])
        trust.manager = try ServerTrustManager(evaluators: [
            "other.lab.test": DefaultTrustEvaluator(), server.host.description: SPKIPinsTrustEvaluator(other),
        ])
        let error = try await GatedClient().run([server], trust) { client in
            await failure { try await client.expectAnswer(at: server.url + "/") }
        }
        #expect((error as? TrustRefusal)?.headline.code == .pinNotMatched)
        #expect((error as? TrustRefusal)?.verdict.host == server.host)
        await server.stop()
        #expect(server.counts.requestBytes == 0)
    }

    @Test("Replaced rules apply to the next request")
    func replacedRules() async throws {
        let server = try await LabServer.start(.good)
        let trust = server.certificates.configuration
        let denying = try ServerTrustManager(rules: [server.host.description: .denied])
        try await GatedClient().run([server], trust) { client in
            try await client.expectAnswer(at: server.url + "/")
            trust.manager.replaceRules(by: denying, denied: nil)
            // First on the open connection, and then on a new one. The client may choose a connection that the gate is
            // closing. That request fails without being sent.
            for index in 0..<3 {
                let error = await failure { try await client.expectAnswer(at: server.url + "/") }
                let isClosed =
                    index == 0 && (error is ChannelError || error as? HTTPClientError == .remoteConnectionClosed)
                #expect(isClosed || (error as? TrustRefusal)?.headline.code == .hostDenied, "\(error as Any)")
            }
        }
        #expect(server.counts.requests == 1)
        await server.stop()
    }

    @Test(
        "Pins refuse mitmproxy even if the machine trusts its CA",
        .enabled(if: Peer.Program.mitmdump.isAvailable))
    func interceptor() async throws {
        let server = try await LabServer.start(.good)
        let (peer, authority) = try await Peer.interceptor(before: server.port)
        var trust = server.certificates.configuration
        trust.anchors = .only(server.certificates.anchors + [authority.certificate])
        let pins = try SPKIPinSet(pinsRiskingLockout: [SPKIPin(try #require(server.certificates.anchors.first))])
        let url = "https://\(server.host):\(peer.port)/"
        for (evaluator, isRefused) in [
            (DefaultTrustEvaluator() as any TrustEvaluator, false), (SPKIPinsTrustEvaluator(pins), true),
        ] {
            trust.manager = try ServerTrustManager(evaluators: [server.host.description: evaluator], memory: nil)
            let error = try await GatedClient(more: [authority.certificate]).run([server], trust) { client in
                await failure { try await client.expectAnswer(at: url) }
            }
            // Without pins, mitmproxy succeeds, so the pins are what refuses it.
            #expect(
                (error as? TrustRefusal)?.headline.code == (isRefused ? .pinNotMatched : nil),
                "\(String(describing: error))")
        }
        #expect(server.counts.requests <= 1)
        peer.stop()
        await server.stop()
    }
}

@Suite("Refusals by the full gate without a verdict", .timeLimit(.minutes(10)))
struct ConnectionGateLimitTests {
    @Test(
        "The gate refuses every connection if NIOSSL's layout is unknown",
        arguments: [HTTPClient.Configuration.HTTPVersion.automatic, .http1Only])
    func layout(version: HTTPClient.Configuration.HTTPVersion) async throws {
        let changes: [(inout NIOSSLInternals.Layout) -> Void] = [
            { $0.connection = "x" }, { $0.connectionType = "x" }, { $0.pointer = "x" }, { $0.context = "x" },
            { $0.contextPointer = "x" }, { $0.serverName = "x" },
        ]
        for change in changes {
            let server = try await LabServer.start(.good)
            let trust = server.certificates.configuration
            var gate = ConnectionGate(source: VerdictSource(trust), timeout: .seconds(60))
            change(&gate.layout)
            let error = try await GatedClient(version: version, gate: gate).run([server], trust) { client in
                await failure { try await client.expectAnswer(at: server.url + "/") }
            }
            await server.stop()
            #expect(error is NIOSSLLayoutError, "\(String(describing: error))")
            #expect(server.counts.requests == 0 && server.counts.openConnections == 0)
        }
    }

    @Test("The gate refuses a host given as an address, although its certificate is valid for that address")
    func address() async throws {
        let server = try await LabServer.start(.ipAddressOnly)
        var trust = server.certificates.configuration
        trust.manager = try ServerTrustManager(evaluators: ["127.0.0.1": DefaultTrustEvaluator()])
        let error = try await GatedClient().run([server], trust) { client in
            await failure { try await client.expectAnswer(at: "https://127.0.0.1:\(server.port)/") }
        }
        await server.stop()
        #expect(error as? HTTPClientGateError == .noServerName, "\(String(describing: error))")
        #expect(server.counts.requestBytes == 0)
    }

    @Test("The gate refuses a plain connection")
    func plain() async throws {
        let server = try await ScriptedServer.start(nil) { _ in [.answer(200)] }
        let certificates = try LabScenario.good.certificates(at: .now())
        let error = try await GatedClient().run([], certificates.configuration) { client in
            await failure { try await client.expectAnswer(at: "http://127.0.0.1:\(server.port)/") }
        }
        await server.stop()
        #expect(error as? HTTPClientGateError == .notTLS, "\(String(describing: error))")
        #expect(server.received.isEmpty)
    }

    @Test("The gate refuses a request whose own TLS configuration turns off verification or allows renegotiation")
    func requestConfiguration() async throws {
        let server = try await LabServer.start(.good)
        let changes: [(HTTPClientGateError, (inout TLSConfiguration) -> Void)] = [
            (.verificationTurnedOff, { $0.certificateVerification = .none }),
            (.verificationTurnedOff, { $0.certificateVerification = .noHostnameVerification }),
            (.renegotiation, { $0.renegotiationSupport = .once }),
        ]
        try await GatedClient().run([server], server.certificates.configuration) { client in
            for (expected, change) in changes {
                var request = HTTPClientRequest(url: server.url + "/")
                var tls = try #require(try GatedClient().configuration([server]).tlsConfiguration)
                change(&tls)
                request.tlsConfiguration = tls
                let error = await failure { try await client.execute(request, timeout: .seconds(60)) }
                #expect(error as? HTTPClientGateError == expected, "\(String(describing: error))")
            }
            try await client.expectAnswer(at: server.url + "/")
        }
        #expect(server.counts.requests == 1)
        await server.stop()
    }

    @Test("The gate's limits include staples only if the configuration reads them")
    func limits() throws {
        var trust = try LabScenario.good.certificates(at: TestAuthority.now).configuration
        var configuration = HTTPClient.Configuration()
        #expect(try configuration.gate(by: trust).limits.contains(.staple))
        trust.readsStaples = false
        #expect(try !configuration.gate(by: trust).limits.contains(.staple))
    }

    /// A client's certificate in a TLS configuration.
    private static func identity() throws -> TestIdentity {
        try TestAuthority.root(.authority("Client CA").valid(around: .now()))
            .issue(.leaf("client.lab.test").valid(around: .now()))
    }

    @Test("The gate refuses a configuration with a client certificate, which a server would receive before its verdict")
    func clientCertificates() throws {
        let trust = try LabScenario.good.certificates(at: TestAuthority.now).configuration
        let identity = try Self.identity()
        var settings = TrustedHTTPConfiguration()
        try settings.show(identity)
        let changes: [(inout TLSConfiguration) -> Void] = [
            { [settings] in
                ($0.certificateChain, $0.privateKey) = (settings.tls.certificateChain, settings.tls.privateKey)
            },
            { [settings] in $0.privateKey = settings.tls.privateKey },
            { $0.sslContextCallback = { _, promise in promise.succeed(.noChanges) } },
        ]
        for change in changes {
            var configuration = HTTPClient.Configuration(tlsConfiguration: .makeClientConfiguration())
            configuration.tlsConfiguration.map { tls in
                var tls = tls
                change(&tls)
                configuration.tlsConfiguration = tls
            }
            #expect(throws: HTTPClientGateError.clientCertificate) { try configuration.gate(by: trust) }
            #expect(configuration.http1_1ConnectionDebugInitializer == nil)
        }
    }

    @Test("The gate refuses the connection of a request with its own client certificate", arguments: [true, false])
    func requestCertificate(isHTTP2: Bool) async throws {
        let scene = try HTTP2Scene()
        var setup = HTTP2Server.Setup(scene.good)
        setup.protocols = isHTTP2 ? ["h2", "http/1.1"] : ["http/1.1"]
        // Over HTTP/2, the server would end the connection because it doesn't know the certificate's issuer.
        setup.requestsCertificate = !isHTTP2
        let server = try await HTTP2Server.start { [setup] _ in setup }
        let configuration = try scene.gated()
        var settings = TrustedHTTPConfiguration()
        try settings.show(try Self.identity())
        var tls = try #require(configuration.tlsConfiguration)
        (tls.certificateChain, tls.privateKey) = (settings.tls.certificateChain, settings.tls.privateKey)
        let client = HTTPClient(configuration: configuration)
        var request = HTTPClientRequest(url: scene.url(server))
        request.tlsConfiguration = tls
        let error = await failure { [request] in try await client.execute(request, timeout: .seconds(60)) }
        #expect(error as? HTTPClientGateError == .clientCertificate, "\(String(describing: error))")
        #expect(server.record.requests.isEmpty)
        try await client.shutdown()
        await server.stop()
    }

    @Test(
        "The gate refuses a redirect to a host or a port that doesn't exist",
        arguments: [
            "https://192.0.2.1:99999/", "//192.0.2.1:99999/", "https://h2.lab.test:99999/",
            "https://user@192.0.2.1:99999/", "https://user:secret@192.0.2.1:99999?x",
            "https://\(String(repeating: "a", count: 300))/",
        ], [true, false])
    func redirectToNowhere(location: String, isHTTP2: Bool) async throws {
        let scene = try HTTP2Scene()
        var setup = HTTP2Server.Setup(scene.good)
        setup.protocols = isHTTP2 ? ["h2", "http/1.1"] : ["http/1.1"]
        setup.answer = { _ in .redirect(location) }
        let server = try await HTTP2Server.start { [setup] _ in setup }
        let client = HTTPClient(configuration: try scene.gated())
        let error = await failure { try await client.expectAnswer(at: scene.url(server)) }
        #expect((error as? TrustedHTTPError)?.code == .redirectMalformed, "\(String(describing: error))")
        try await client.shutdown()
        await server.stop()
    }

    @Test(
        "The gate refuses a redirect to nowhere with any status that async-http-client follows",
        arguments: [301, 302, 303, 304, 305, 307, 308])
    func redirectStatus(status: Int) async throws {
        let scene = try Scene()
        let response = "HTTP/1.1 \(status) Moved\r\nlocation: https://192.0.2.1:99999/\r\ncontent-length: 0\r\n\r\n"
        let server = try await ScriptedServer.start(scene.certificates) { _ in [.send(response)] }
        let client = HTTPClient(configuration: try scene.gated())
        let error = await failure { try await client.expectAnswer(at: scene.url(server.port)) }
        #expect((error as? TrustedHTTPError)?.code == .redirectMalformed, "\(String(describing: error))")
        try await client.shutdown()
        await server.stop()
    }

    @Test("The gate refuses a connection whose HTTP version differs from an open one")
    func changingVersion() async throws {
        let scene = try HTTP2Scene()
        // The first connection stays open with an unfinished response, and GOAWAY makes the client open another one.
        var first = HTTP2Server.Setup(scene.good)
        first.script = FrameScript()
        first.script?.answer = { _, stream in [.send(HTTP2Frames.head(stream) + HTTP2Frames.goAway(0, last: stream))] }
        var second = HTTP2Server.Setup(scene.good)
        second.protocols = ["http/1.1"]
        let server = try await HTTP2Server.start { [first, second] in $0 == 0 ? first : second }
        let client = HTTPClient(configuration: try scene.gated())
        let result = await failure {
            let response = try await client.execute(HTTPClientRequest(url: scene.url(server)), timeout: .seconds(60))
            let error = await failure { try await client.expectAnswer(at: scene.url(server)) }
            #expect(error as? HTTPClientGateError == .protocolChanged, "\(String(describing: error))")
            _ = response
        }
        #expect(result == nil, "\(String(describing: result))")
        try await client.shutdown()
        await server.stop()
    }

    @Test("The gate refuses a configuration that would make it unreliable")
    func configurations() throws {
        let trust = try LabScenario.good.certificates(at: TestAuthority.now).configuration
        let changes: [(HTTPClientGateError?, (inout TLSConfiguration) -> Void)] = [
            (nil, { _ in }), (.verificationTurnedOff, { $0.certificateVerification = .none }),
            (.verificationTurnedOff, { $0.certificateVerification = .optionalVerification }),
            (.verificationTurnedOff, { $0.certificateVerification = .noHostnameVerification }),
            (.renegotiation, { $0.renegotiationSupport = .always }),
            (
                .preSharedKey,
                { $0.pskClientProvider = { _ in PSKClientIdentityResponse(key: NIOSSLSecureBytes(), identity: "") } }
            ),
        ]
        for (expected, change) in changes {
            var tls = TLSConfiguration.makeClientConfiguration()
            change(&tls)
            var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
            do throws(HTTPClientGateError) {
                try configuration.gate(by: trust)
                #expect(expected == nil)
            } catch {
                #expect(error == expected)
                #expect(configuration.http1_1ConnectionDebugInitializer == nil)
            }
        }
    }

    @Test("The configuration's own initializer runs only after the gate opens")
    func initialisers() async throws {
        for scenario in [LabScenario.good, .authorityChanged] {
            let server = try await LabServer.start(scenario)
            let trust = server.certificates.configuration
            for version in [HTTPClient.Configuration.HTTPVersion.automatic, .http1Only] {
                let calls = Locked(0)
                var configuration = try GatedClient(version: version).configuration([server])
                let count: @Sendable (any Channel) -> EventLoopFuture<Void> = { channel in
                    calls.withLock { $0 += 1 }
                    return channel.eventLoop.makeSucceededVoidFuture()
                }
                configuration.http1_1ConnectionDebugInitializer = count
                configuration.http2ConnectionDebugInitializer = count
                try configuration.gate(by: trust)
                let client = HTTPClient(configuration: configuration)
                let error = await failure { try await client.expectAnswer(at: server.url + "/") }
                try await client.shutdown()
                #expect((error == nil) == server.expected.isTrusted)
                #expect(calls.withLock { $0 } == (server.expected.isTrusted ? 1 : 0))
            }
            await server.stop()
        }
    }
}

@Suite("A full gate that waits for its verdict", .timeLimit(.minutes(10)))
struct WaitingGateTests {
    /// A source that waits until it is canceled, and signals when the gate calls it.
    private struct Slow {
        let asked = AsyncStream.makeStream(of: Void.self)
        let cancelled = AsyncStream.makeStream(of: Void.self)

        func gate(_ trust: ServerTrustConfiguration, timeout: TimeAmount) -> ConnectionGate {
            let (asked, cancelled) = (asked.continuation, cancelled.continuation)
            return ConnectionGate(
                source: .waiting { chain, host in
                    asked.yield()
                    try? await Task.sleep(for: .seconds(600))
                    cancelled.yield()
                    return trust.evaluateWithoutFetching(chain, host: host)
                }, timeout: timeout)
        }
    }

    private static let versions = [HTTPClient.Configuration.HTTPVersion.automatic, .http1Only]

    @Test("The gate waits for a verdict that arrives later", arguments: versions)
    func later(version: HTTPClient.Configuration.HTTPVersion) async throws {
        for scenario in [LabScenario.good, .authorityChanged] {
            let server = try await LabServer.start(scenario)
            let trust = server.certificates.configuration
            let gate = ConnectionGate(
                source: .waiting { chain, host in
                    try? await Task.sleep(for: .milliseconds(50))
                    return trust.evaluateWithoutFetching(chain, host: host)
                }, timeout: .seconds(60))
            let error = try await GatedClient(version: version, gate: gate).run([server], trust) { client in
                await failure { try await client.expectAnswer(at: server.url + "/") }
            }
            await server.stop()
            #expect((error == nil) == server.expected.isTrusted, "\(String(describing: error))")
            #expect(server.counts.requests == (server.expected.isTrusted ? 1 : 0))
        }
    }

    @Test(
        "The gate refuses a server whose verdict doesn't come in time, and cancels the evaluation", arguments: versions)
    func timeout(version: HTTPClient.Configuration.HTTPVersion) async throws {
        let server = try await LabServer.start(.good)
        let trust = server.certificates.configuration
        let slow = Slow()
        let gate = slow.gate(trust, timeout: .milliseconds(100))
        let error = try await GatedClient(version: version, gate: gate).run([server], trust) { client in
            await failure { try await client.expectAnswer(at: server.url + "/") }
        }
        for await _ in slow.cancelled.stream { break }
        await server.stop()
        #expect((error as? ConnectionFailure)?.code == .connectionEvaluationTimedOut, "\(String(describing: error))")
        #expect(server.counts.requests == 0 && server.counts.openConnections == 0)
    }

    @Test(
        "The evaluation and the request end if the server closes the connection before the verdict", arguments: versions
    )
    func gone(version: HTTPClient.Configuration.HTTPVersion) async throws {
        let server = try await LabServer.start(.good)
        let trust = server.certificates.configuration
        let slow = Slow()
        let gate = slow.gate(trust, timeout: .seconds(600))
        let error = try await GatedClient(version: version, gate: gate).run([server], trust) { client in
            async let error = failure { try await client.expectAnswer(at: server.url + "/") }
            for await _ in slow.asked.stream { break }
            await server.stop()
            for await _ in slow.cancelled.stream { break }
            return await error
        }
        #expect(error != nil)
        #expect(server.counts.requests == 0)
    }

    @Test("A client can shut down while the gate waits for a verdict", arguments: versions)
    func shutdown(version: HTTPClient.Configuration.HTTPVersion) async throws {
        let server = try await LabServer.start(.good)
        let trust = server.certificates.configuration
        let slow = Slow()
        var configuration = try GatedClient(version: version).configuration([server])
        try configuration.gate(slow.gate(trust, timeout: .seconds(2)))
        let client = HTTPClient(configuration: configuration)
        async let error = failure { try await client.expectAnswer(at: server.url + "/") }
        for await _ in slow.asked.stream { break }
        try await client.shutdown()
        #expect(await error != nil)
        await server.stop()
        #expect(server.counts.requests == 0)
    }

    @Test("A request that is canceled while the gate waits for a verdict leaves nothing behind", arguments: versions)
    func cancelled(version: HTTPClient.Configuration.HTTPVersion) async throws {
        let server = try await LabServer.start(.good)
        let trust = server.certificates.configuration
        let slow = Slow()
        let gate = slow.gate(trust, timeout: .seconds(1))
        try await GatedClient(version: version, gate: gate).run([server], trust) { client in
            let request = Task { try await client.expectAnswer(at: server.url + "/") }
            for await _ in slow.asked.stream { break }
            request.cancel()
            await #expect(throws: (any Error).self) { try await request.value }
            for await _ in slow.cancelled.stream { break }
        }
        await server.stop()
        #expect(server.counts.requests == 0 && server.counts.openConnections == 0)
    }
}
