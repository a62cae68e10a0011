// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustNIO
import Testing

@testable import ServerTrustHTTP

/// A source of verdicts that waits for a test's decisions, as for a delegate.
private final class HeldSource: Sendable {
    private struct State {
        var chains: [PresentedChain] = []
        var open: [CheckedContinuation<DelegateDecision, Never>] = []
        /// The decisions on the next chains. Later chains wait.
        var decisions: [DelegateDecision]
    }
    private let state: Locked<State>
    private let trust: ServerTrustConfiguration

    init(_ trust: ServerTrustConfiguration, _ decisions: DelegateDecision...) {
        self.trust = trust
        state = Locked(State(decisions: decisions))
    }

    /// The certificates of the chains so far.
    var chains: [[Certificate]] { state.withLock { $0.chains.map { [$0.leaf].compactMap(\.self) + $0.others } } }
    /// The number of chains that wait for a decision.
    var waiting: Int { state.withLock { $0.open.count } }

    func decide(_ decision: DelegateDecision) {
        let open = state.withLock { state in
            defer { state.open = [] }
            return state.open
        }
        for continuation in open { continuation.resume(returning: decision) }
    }

    var source: VerdictSource {
        .waiting { [self] chain, host in
            let decision = await withCheckedContinuation { continuation in
                let next = state.withLock { state -> DelegateDecision? in
                    state.chains.append(chain)
                    guard state.decisions.isEmpty else { return state.decisions.removeFirst() }
                    state.open.append(continuation)
                    return nil
                }
                if let next { continuation.resume(returning: next) }
            }
            return await trust.evaluateAfterDelegate(chain, host: host, decision)
        }
    }
}

@Suite("HTTP/2 with a delegate's verdicts", .timeLimit(.minutes(10)))
struct DelegateSourceTests {
    /// Runs `body` with a client that asks `source`, and a server.
    private func run<Result: Sendable>(
        _ scene: HTTP2Scene, _ source: HeldSource, _ set: (inout TrustedHTTPConfiguration) -> Void = { _ in },
        _ setup: @escaping @Sendable (Int) -> HTTP2Server.Setup,
        _ body: (TrustedHTTPClient, HTTP2Server) async throws -> Result
    ) async throws -> Result {
        let server = try await HTTP2Server.start(setup)
        var configuration = scene.configuration
        configuration.asksDelegate = true
        set(&configuration)
        let client = try TrustedHTTPClient(source: source.source, configuration: configuration)
        return try await client.used(stopping: { await server.stop() }) { try await body(client, server) }
    }

    /// Ends the connection with a request that isn't repeated.
    private func end(_ client: TrustedHTTPClient, _ url: String) async throws {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        _ = try? await client.execute(request, timeout: .seconds(60))
        #expect(try await eventually { client.openConnections == 0 })
    }

    private func good(_ scene: HTTP2Scene) -> HTTP2Server.Setup {
        var setup = HTTP2Server.Setup(scene.good)
        setup.answer = { $0 == "/end" ? .cut : .text("hello") }
        return setup
    }

    @Test("The delegate sees only chains that the server presented")
    func presented() async throws {
        let scene = try HTTP2Scene()
        let source = HeldSource(scene.trust, .accept, .accept)
        let other = try scene.presented(scene.intermediate)
        let (first, later) = (good(scene), HTTP2Server.Setup(other))
        try await run(scene, source, { _ in }, { $0 == 0 ? first : later }) { client, server in
            for _ in 0..<2 { try await client.expect("200 hello", at: scene.url(server)) }
            // The second leaf is unknown on the second connection, so the third one asks with its own chain.
            #expect(source.chains == [scene.good.chain, other.chain])
            #expect(server.record.requests.map(\.connection) == [3, 3])
        }
    }

    @Test("A delegate's refusal of a later connection ends the requests that wait for it")
    func refused() async throws {
        let scene = try HTTP2Scene()
        let source = HeldSource(scene.trust, .accept)
        let setup = good(scene)
        try await run(scene, source, { _ in }, { _ in setup }) { client, server in
            try await client.expect("200 hello", at: scene.url(server))
            try await end(client, scene.url(server, "/end"))
            let before = server.record.requests.count
            async let outcome = client.outcomes(1) { _ in scene.url(server) }
            #expect(try await eventually { source.waiting == 1 })
            source.decide(.refuse(expected: "another server"))
            let error = await outcome.first.flatMap { if case .failure(let error) = $0 { error } else { nil } }
            #expect((error as? TrustRefusal)?.headline.code == .evaluatorRefused)
            #expect(source.chains == [scene.good.chain, scene.good.chain])
            #expect(server.record.requests.count == before)
            #expect(server.record.bytes.count == 3 && HTTP2Frames.hasNoRequest(server.record.bytes[2]))
        }
    }

    @Test("GOAWAY or the end of the connection during the delegate's decision sends nothing", arguments: [true, false])
    func goAway(isGoAway: Bool) async throws {
        let scene = try HTTP2Scene()
        let source = HeldSource(scene.trust, .accept)
        let setup = good(scene)
        var leaving = setup
        leaving.script = FrameScript(greeting: [
            .send(HTTP2Frames.settings), .pause(.milliseconds(50)),
            isGoAway ? .send(HTTP2Frames.goAway(0)) : .abort,
        ])
        let left = leaving
        try await run(scene, source, { _ in }, { $0 == 2 ? left : setup }) { client, server in
            try await client.expect("200 hello", at: scene.url(server))
            try await end(client, scene.url(server, "/end"))
            async let text = client.text(scene.url(server))
            // The connection that replaces the ended one has its own decision.
            #expect(try await eventually { source.waiting == 2 })
            source.decide(.accept)
            #expect(try await text == "200 hello")
            #expect(source.chains.count == 3)
            #expect(HTTP2Frames.hasNoRequest(server.record.bytes[2]))
        }
    }

    @Test("Rules that change during the delegate's decision apply before a request is sent")
    func rulesChange() async throws {
        let scene = try HTTP2Scene()
        let source = HeldSource(scene.trust)
        let setup = good(scene)
        try await run(scene, source, { _ in }, { _ in setup }) { client, server in
            async let outcome = client.outcomes(10) { _ in scene.url(server) }
            #expect(try await eventually { source.waiting == 1 })
            var trust = scene.trust
            trust.manager = try ServerTrustManager(rules: [HTTP2Scene.name: .denied])
            _ = await client.connections.reevaluate(by: VerdictSource(trust))
            source.decide(.accept)
            let outcomes = await outcome
            #expect(outcomes.allSatisfy { if case .failure(is TrustRefusal) = $0 { true } else { false } })
            #expect(server.record.requests.isEmpty)
            #expect(server.record.bytes.allSatisfy { HTTP2Frames.hasNoRequest($0) })
        }
    }

    @Test("With a callback for certificates, HTTP/2 is for servers that request none", arguments: [0, 1, 3])
    func certificates(first requesting: Int) async throws {
        let scene = try HTTP2Scene()
        let source = HeldSource(scene.trust, .accept, .accept, .accept)
        let calls = Locked(0)
        let set = { (configuration: inout TrustedHTTPConfiguration) in
            configuration.tls.sslContextCallback = { _, promise in
                calls.withLock { $0 += 1 }
                promise.succeed(.noChanges)
            }
        }
        let setup = good(scene)
        var asking = setup
        asking.requestsCertificate = true
        let asked = asking
        // Connection 0 learns the chain, and connection 1 uses HTTP/2.
        try await run(scene, source, set, { $0 >= requesting ? asked : setup }) { client, server in
            for _ in 0..<2 { try await client.expect("200 hello", at: scene.url(server)) }
            let record = server.record
            let isHTTP2 = requesting == 3
            #expect(record.requests.map(\.isHTTP2) == [isHTTP2, isHTTP2])
            #expect(record.requests.map(\.connection) == (requesting == 0 ? [1, 1] : isHTTP2 ? [1, 1] : [3, 3]))
            #expect(calls.withLock { $0 } == (isHTTP2 ? 0 : 1))
            #expect(source.chains.count == (requesting == 1 ? 2 : 1))
        }
    }
}
