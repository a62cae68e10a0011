// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import PKIX
import ServerTrust
import ServerTrustNIO
import Testing

@testable import ServerTrustHTTP

/// Each client keeps verdicts: of open connections, of handshakes that are running, and of the first connection to a
/// server with HTTP/2. None of them may count after a change of the rules.
@Suite("Verdicts from before a change of the rules", .timeLimit(.minutes(10)))
struct RuleChangeTests {
    /// A change after which the server is refused.
    enum Change: CaseIterable {
        case pins, deniedHost, deniedKey, deniedCertificate

        func apply(_ scene: HTTP2Scene) {
            let manager = scene.trust.manager
            let leaf = scene.good.chain[0]
            do {
                switch self {
                case .pins:
                    let pins = try SPKIPinSet(pinsRiskingLockout: [SPKIPin(scene.otherRoot.certificate)])
                    let rules = try ServerTrustManager(
                        evaluators: [HTTP2Scene.name: SPKIPinsTrustEvaluator(pins)])
                    manager.replaceRules(by: rules, denied: nil)
                case .deniedHost:
                    manager.replaceRules(by: try ServerTrustManager(rules: [HTTP2Scene.name: .denied]), denied: nil)
                case .deniedKey: manager.replaceRules(by: manager, denied: DeniedList(keys: [SPKIPin(leaf)]))
                case .deniedCertificate: manager.replaceRules(by: manager, denied: DeniedList(certificates: [leaf]))
                }
            } catch {
                Issue.record(error)
            }
        }

        var code: TrustFailure.Code {
            switch self {
            case .pins: .pinNotMatched
            case .deniedHost: .hostDenied
            case .deniedKey, .deniedCertificate: .certificateDenied
            }
        }
    }

    /// A client, and the HTTP version of its server.
    struct Kind: CustomTestStringConvertible {
        let isGated: Bool
        let isHTTP2: Bool
        var testDescription: String { (isGated ? "gate" : "client") + (isHTTP2 ? ", HTTP/2" : ", HTTP/1.1") }

        static let all = [false, true].flatMap { gated in [false, true].map { Kind(isGated: gated, isHTTP2: $0) } }

        /// The number of connections before the one that serves the first request.
        var explorations: Int { isHTTP2 && !isGated ? 1 : 0 }
    }

    /// Sends a request, and returns its response's body.
    private typealias Send = @Sendable (_ path: String) async throws -> HTTPClientResponse

    private func run(
        _ kind: Kind, _ scene: HTTP2Scene, _ setup: @escaping @Sendable (Int) -> HTTP2Server.Setup,
        _ body: (@escaping Send, HTTP2Server) async throws -> Void
    ) async throws {
        let protocols = kind.isHTTP2 ? ["h2", "http/1.1"] : ["http/1.1"]
        let setups: @Sendable (Int) -> HTTP2Server.Setup = { number in
            var setup = setup(number)
            setup.protocols = protocols
            return setup
        }
        guard kind.isGated else {
            return try await scene.run(setups) { client, server in
                try await body({ try await client.get(scene.url(server, $0)) }, server)
            }
        }
        let server = try await HTTP2Server.start(setups)
        let client = HTTPClient(configuration: try scene.gated())
        let result = await failure {
            try await body(
                { path in
                    try await client.execute(HTTPClientRequest(url: scene.url(server, path)), timeout: .seconds(60))
                }, server)
        }
        try await client.shutdown()
        await server.stop()
        if let result { throw result }
    }

    private func text(_ response: HTTPClientResponse) async throws -> String {
        String(buffer: try await response.body.collect(upTo: 1 << 16))
    }

    @Test("No request begins on a connection that only the old rules trust", arguments: Kind.all, Change.allCases)
    func pooled(kind: Kind, change: Change) async throws {
        let scene = try HTTP2Scene()
        try await run(kind, scene, { _ in HTTP2Server.Setup(scene.good) }) { send, server in
            let first = try await text(send("/first"))
            #expect(first == "hello")
            change.apply(scene)
            var error = await failure { try await send("/second") }
            #expect(error != nil)
            // async-http-client may choose a connection that the gate is closing, and fail without the reason.
            for _ in 0..<100 where kind.isGated && !(error is TrustRefusal) {
                error = await failure { try await send("/third") }
            }
            #expect((error as? TrustRefusal)?.headline.code == change.code, "\(String(describing: error))")
            #expect(server.record.requests.map(\.path) == ["/first"])
            // The connection ends by itself.
            let isClosed = try await eventually { server.record.open == 0 }
            #expect(isClosed)
        }
    }

    @Test("A running response ends with the refusal", arguments: Kind.all, Change.allCases)
    func running(kind: Kind, change: Change) async throws {
        let scene = try HTTP2Scene()
        var setup = HTTP2Server.Setup(scene.good)
        setup.answer = { _ in .drip(.milliseconds(50)) }
        let dripping = setup
        try await run(kind, scene, { _ in dripping }) { send, server in
            let response = try await send("/stream")
            change.apply(scene)
            let error = await failure { try await text(response) }
            #expect((error as? TrustRefusal)?.headline.code == change.code, "\(String(describing: error))")
            let isClosed = try await eventually { server.record.open == 0 }
            #expect(isClosed)
        }
    }

    @Test("A change during the handshake counts for its connection", arguments: Kind.all, Change.allCases)
    func handshake(kind: Kind, change: Change) async throws {
        let scene = try HTTP2Scene()
        // The change comes when the connection for the first request is accepted, before its handshake. Over HTTP/2, the
        // client then has a verdict from its first connection.
        try await run(
            kind, scene,
            { number in
                if number == kind.explorations { change.apply(scene) }
                return HTTP2Server.Setup(scene.good)
            }
        ) { send, server in
            let error = await failure { try await send("/first") }
            #expect((error as? TrustRefusal)?.headline.code == change.code, "\(String(describing: error))")
            #expect(server.record.requests.isEmpty)
        }
    }

    @Test("The connection stays if the new rules trust its server, too", arguments: Kind.all)
    func kept(kind: Kind) async throws {
        let scene = try HTTP2Scene()
        let pins = try SPKIPinSet(pinsRiskingLockout: [SPKIPin(scene.intermediate.certificate)])
        let rules = try ServerTrustManager(evaluators: [HTTP2Scene.name: SPKIPinsTrustEvaluator(pins)])
        try await run(kind, scene, { _ in HTTP2Server.Setup(scene.good) }) { send, server in
            for path in ["/first", "/second", "/third"] {
                let body = try await text(send(path))
                #expect(body == "hello")
                scene.trust.manager.replaceRules(by: rules, denied: nil)
            }
            #expect(Set(server.record.requests.map(\.connection)) == [kind.explorations])
        }
    }

    @Test(
        "A verdict from before a change doesn't count if the source waits", arguments: [false, true], Change.allCases)
    func waiting(isHTTP2: Bool, change: Change) async throws {
        let scene = try HTTP2Scene()
        let calls = Locked(0)
        // The change comes after the evaluation, and before its verdict.
        var source = VerdictSource.waiting { chain, host in
            let verdict = scene.trust.evaluateWithoutFetching(chain, host: host)
            let isFirst = calls.withLock { calls in
                calls += 1
                return calls == 1
            }
            if isFirst { change.apply(scene) }
            return verdict
        }
        source.follow(scene.trust.manager)
        var setup = HTTP2Server.Setup(scene.good)
        setup.protocols = isHTTP2 ? ["h2"] : ["http/1.1"]
        let server = try await HTTP2Server.start { [setup] _ in setup }
        let client = try TrustedHTTPClient(source: source, configuration: scene.configuration)
        try await client.used(stopping: { await server.stop() }) {
            let error = await failure { try await client.text(scene.url(server)) }
            #expect((error as? TrustRefusal)?.headline.code == change.code, "\(String(describing: error))")
            #expect(server.record.requests.isEmpty)
            #expect(calls.withLock { $0 } > 1)
        }
    }

    @Test("A request on an open connection uses another one if the source waits", arguments: [false, true])
    func pooledWaiting(isHTTP2: Bool) async throws {
        let scene = try HTTP2Scene()
        var source = VerdictSource.waiting { chain, host in
            try? await Task.sleep(for: .milliseconds(20))
            return scene.trust.evaluateWithoutFetching(chain, host: host)
        }
        source.follow(scene.trust.manager)
        var setup = HTTP2Server.Setup(scene.good)
        setup.protocols = isHTTP2 ? ["h2"] : ["http/1.1"]
        let server = try await HTTP2Server.start { [setup] _ in setup }
        let client = try TrustedHTTPClient(source: source, configuration: scene.configuration)
        try await client.used(stopping: { await server.stop() }) {
            let pins = try SPKIPinSet(pinsRiskingLockout: [SPKIPin(scene.intermediate.certificate)])
            let rules = try ServerTrustManager(evaluators: [HTTP2Scene.name: SPKIPinsTrustEvaluator(pins)])
            for _ in 0..<5 {
                var request = HTTPClientRequest(url: scene.url(server))
                request.method = .POST
                if isHTTP2 { request.body = .bytes(ByteBuffer(string: "body")) }
                let response = try await client.execute(request, timeout: .seconds(60))
                let body = try await text(response)
                #expect(body == "hello")
                scene.trust.manager.replaceRules(by: rules, denied: nil)
            }
            Change.pins.apply(scene)
            let error = await failure { try await client.text(scene.url(server)) }
            #expect((error as? TrustRefusal)?.headline.code == .pinNotMatched, "\(String(describing: error))")
            #expect(server.record.requests.count == 5)
        }
    }

    @Test("Reevaluation on request closes the gate's connections to refused servers", arguments: [false, true])
    func onRequest(isHTTP2: Bool) async throws {
        let scene = try HTTP2Scene()
        var setup = HTTP2Server.Setup(scene.good)
        setup.protocols = isHTTP2 ? ["h2", "http/1.1"] : ["http/1.1"]
        let server = try await HTTP2Server.start { [setup] _ in setup }
        var configuration = try scene.ungated()
        let gate = try configuration.gate(by: scene.trust, evaluationTimeout: .seconds(60))
        let client = HTTPClient(configuration: configuration)
        let result = await failure {
            try await client.expectAnswer(at: scene.url(server))
            #expect(await gate.reevaluateConnections().isEmpty)
            try await client.expectAnswer(at: scene.url(server))
            Change.pins.apply(scene)
            let refused = await gate.reevaluateConnections()
            // The change itself may have closed it before.
            #expect(refused.allSatisfy { $0.verdict.headline?.code == .pinNotMatched })
            #expect(try await eventually { server.record.open == 0 })
        }
        #expect(result == nil, "\(String(describing: result))")
        try await client.shutdown()
        await server.stop()
    }
}
