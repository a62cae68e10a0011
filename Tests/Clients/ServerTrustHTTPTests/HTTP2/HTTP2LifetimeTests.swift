// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustNIO
import ServerTrustTesting
import Testing

@testable import ServerTrustHTTP

@Suite("How HTTP/2 connections and streams end", .timeLimit(.minutes(10)))
struct HTTP2LifetimeTests {
    private func setup(
        _ scene: HTTP2Scene, _ answer: @escaping @Sendable (String) -> HTTP2Server.Answer
    ) -> HTTP2Server.Setup {
        var setup = HTTP2Server.Setup(scene.good)
        setup.answer = answer
        return setup
    }

    private func pinned(_ scene: HTTP2Scene, to certificate: Certificate) throws -> ServerTrustConfiguration {
        var trust = scene.trust
        trust.manager = try ServerTrustManager(evaluators: [
            HTTP2Scene.name: SPKIPinsTrustEvaluator(try SPKIPinSet(pinsRiskingLockout: [SPKIPin(certificate)]))
        ])
        return trust
    }

    @Test("Replaced rules that refuse a server end its connection's streams with the verdict")
    func replaced() async throws {
        let scene = try HTTP2Scene()
        let served = setup(scene) { $0 == "/body" ? .drip(.milliseconds(20)) : .never }
        try await scene.run({ _ in served }) { client, server in
            let body = try await client.get(scene.url(server, "/body"))
            async let waiting = failure { try await client.text(scene.url(server, "/head")) }
            #expect(try await eventually { server.record.requests.count == 2 })
            let kept = try await client.replaceTrust(try pinned(scene, to: scene.intermediate.certificate))
            #expect(kept.isEmpty)
            #expect(client.openConnections == 1)
            let closed = try await client.replaceTrust(try pinned(scene, to: scene.otherRoot.certificate))
            #expect(closed.map(\.verdict.headline?.code) == [.pinNotMatched])
            let head = await waiting
            #expect((head as? TrustRefusal)?.headline.code == .pinNotMatched, "\(String(describing: head))")
            let end = await failure { try await body.body.collect(upTo: 1 << 20) }
            #expect((end as? TrustRefusal)?.headline.code == .pinNotMatched, "\(String(describing: end))")
            #expect(client.openConnections == 0)
            let later = await failure { try await client.text(scene.url(server)) }
            #expect((later as? TrustRefusal)?.headline.code == .pinNotMatched)
            #expect(server.record.requests.count == 2)
        }
    }

    @Test("The new rules apply to a connection that is still being established, before any byte of the request is sent")
    func replacedInTheMaking() async throws {
        let scene = try HTTP2Scene()
        let asked = Locked(0)
        let mayAnswer = Locked(false)
        let trust = scene.trust
        let source = VerdictSource.waiting { chain, host in
            let number = asked.withLock { asked in
                asked += 1
                return asked
            }
            while number > 1, !mayAnswer.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(5)) }
            return trust.evaluateWithoutFetching(chain, host: host)
        }
        // HTTP/2 uses a different leaf, so that it has a separate verdict.
        let (first, later) = (
            HTTP2Server.Setup(scene.good), HTTP2Server.Setup(try scene.presented(scene.intermediate))
        )
        let server = try await HTTP2Server.start { $0 == 0 ? first : later }
        let client = try TrustedHTTPClient(source: source, configuration: scene.configuration)
        async let error = failure { try await client.text(scene.url(server)) }
        #expect(try await eventually { asked.withLock { $0 } == 2 })
        try await client.replaceTrust(try pinned(scene, to: scene.otherRoot.certificate))
        mayAnswer.withLock { $0 = true }
        let found = await error
        #expect((found as? TrustRefusal)?.headline.code == .pinNotMatched, "\(String(describing: found))")
        #expect(server.record.requests.isEmpty)
        #expect(server.record.bytes.allSatisfy { HTTP2Frames.hasNoRequest($0) })
        await client.shutdown()
        await server.stop()
    }

    @Test("A deadline during the body ends its stream, and the connection continues")
    func deadline() async throws {
        let scene = try HTTP2Scene()
        let served = setup(scene) { $0 == "/drip" ? .drip(.milliseconds(20)) : .text("hello") }
        try await scene.run({ _ in served }) { client, server in
            try await client.expect("200 hello", at: scene.url(server))
            let response = try await client.execute(
                HTTPClientRequest(url: scene.url(server, "/drip")), timeout: .seconds(60), bodyTimeout: .seconds(1))
            let end = await failure { try await response.body.collect(upTo: 1 << 20) }
            #expect(end as? HTTPClientError == .deadlineExceeded)
            try await client.expect("200 hello", at: scene.url(server))
            #expect(server.record.bytes.count == 2)
            #expect(client.openConnections == 1)
        }
    }

    /// The client doesn't reuse the stream of such a request, and a server only allows a hundred streams.
    @Test("Requests that are canceled before they send a frame take no stream from other requests")
    func cancelledEarly() async throws {
        let scene = try HTTP2Scene()
        let served = setup(scene) { _ in .text("hello") }
        try await scene.run({ _ in served }) { client, server in
            #expect(try await client.text(scene.url(server)) == "200 hello")
            for number in 0..<400 {
                let task = Task { try await client.text(scene.url(server)) }
                if number.isMultiple(of: 2) { try await Task.sleep(for: .microseconds(number % 20 * 40)) }
                task.cancel()
                _ = try? await task.value
            }
            // The server may have closed the connection because of so many resets. It answers this request after that.
            _ = try? await client.text(scene.url(server))
            let texts = await client.outcomes(200, at: { _ in scene.url(server) }).map { try? $0.get() }
            #expect(texts.allSatisfy { $0 == "200 hello" })
            #expect(server.record.requests.allSatisfy { $0.isHTTP2 })
        }
    }

    @Test("A canceled request ends its stream, and the connection continues")
    func cancelled() async throws {
        let scene = try HTTP2Scene()
        let served = setup(scene) { $0 == "/never" ? .never : .text("hello") }
        try await scene.run({ _ in served }) { client, server in
            let url = scene.url(server, "/never")
            for _ in 0..<20 {
                let count = server.record.requests.count
                let task = Task { try await client.text(url) }
                #expect(try await eventually { server.record.requests.count > count })
                task.cancel()
                #expect(await failure { try await task.value } != nil)
            }
            try await client.expect("200 hello", at: scene.url(server))
            #expect(server.record.bytes.count == 2)
        }
    }

    @Test("A stream that the server resets fails without affecting others")
    func reset() async throws {
        let scene = try HTTP2Scene()
        let served = setup(scene) { $0 == "/reset" ? .reset : .later(.milliseconds(200)) }
        try await scene.run({ _ in served }) { client, server in
            async let other = client.text(scene.url(server))
            let error = await failure { try await client.text(scene.url(server, "/reset")) }
            #expect(error != nil)
            #expect(!(error is TrustRefusal))
            let text = try await other
            #expect(text == "200 later")
            #expect(server.record.handshakes == 2)
        }
    }

    @Test("After GOAWAY, requests use a new connection, which is evaluated like the first")
    func goAway() async throws {
        let scene = try HTTP2Scene()
        let served = setup(scene) { $0 == "/last" ? .goAway : .text("hello") }
        try await scene.run({ _ in served }) { client, server in
            try await client.expect("200 hello", at: scene.url(server))
            try await client.expect("200 the last", at: scene.url(server, "/last"))
            #expect(try await eventually { client.openConnections == 0 })
            try await client.expect("200 hello", at: scene.url(server))
            #expect(server.record.bytes.count == 3)
            #expect(server.record.requests.map(\.isHTTP2) == [true, true, true])
        }
    }

    @Test("A server that stops sending SETTINGS delays requests for no longer than the connect timeout")
    func settingsLost() async throws {
        var scene = try HTTP2Scene()
        scene.configuration.timeout.connect = .seconds(2)
        let good = HTTP2Server.Setup(scene.good)
        var setup = good
        setup.isSilent = true
        let silent = setup
        try await scene.run({ $0 == 1 ? silent : good }) { [scene] client, server in
            // The deadline is shorter than the connect timeout, so a single request doesn't show it.
            var errors = 0
            while let error = await failure({ try await client.text(scene.url(server), within: .milliseconds(900)) }) {
                errors += 1
                #expect(error as? HTTPClientError == .deadlineExceeded, "\(error)")
                guard errors < 20 else { break }
            }
            #expect((1..<20).contains(errors))
            try await client.expect("200 hello", at: scene.url(server))
        }
    }

    @Test("A client that shuts down during requests ends them and closes its connections")
    func shutdown() async throws {
        let scene = try HTTP2Scene()
        let served = setup(scene) { $0 == "/body" ? .drip(.milliseconds(20)) : .never }
        let server = try await HTTP2Server.start { _ in served }
        let client = try TrustedHTTPClient(trust: scene.trust, configuration: scene.configuration)
        let body = try await client.get(scene.url(server, "/body"))
        async let waiting = failure { try await client.text(scene.url(server, "/head")) }
        #expect(try await eventually { server.record.requests.count == 2 })
        await client.shutdown()
        let ends = [await waiting, await failure { try await body.body.collect(upTo: 1 << 20) }]
        #expect(ends.allSatisfy { $0 != nil })
        #expect(client.openConnections == 0)
        #expect(try await eventually { server.record.open == 0 })
        let later = await failure { try await client.text(scene.url(server)) }
        #expect((later as? TrustedHTTPError)?.code == .clientShutDown)
        await server.stop()
    }

    @Test("A released client closes its connections")
    func released() async throws {
        let scene = try HTTP2Scene()
        let good = HTTP2Server.Setup(scene.good)
        let server = try await HTTP2Server.start { _ in good }
        do {
            let client = try TrustedHTTPClient(trust: scene.trust, configuration: scene.configuration)
            try await client.expect("200 hello", at: scene.url(server))
        }
        #expect(try await eventually { server.record.open == 0 })
        await server.stop()
    }

    @Test(
        "The next connection reuses the first one's verdict once, while it is recent, for the same chain and rules"
    )
    func firstVerdict() throws {
        let scene = try HTTP2Scene()
        let chain = PresentedChain(scene.good.chain)
        let host = try Hostname(HTTP2Scene.name)
        let revision = VerdictSource(scene.trust).revision
        let other = VerdictSource(scene.trust).revision
        let server = EvaluatedServer(
            host: host, presentedChain: chain, verdict: scene.trust.evaluateWithoutFetching(chain, host: host),
            revision: revision)
        let otherChain = PresentedChain(try scene.presented(scene.intermediate).chain)
        func taken(_ chain: PresentedChain, _ revision: TrustRevision, after: TimeAmount) -> [Bool] {
            let activity = HTTP2Activity(server)
            return (0..<2).map { _ in activity.takeFirst(chain, revision, at: .now() + after) != nil }
        }
        #expect(taken(chain, revision, after: .zero) == [true, false])
        #expect(taken(otherChain, revision, after: .zero) == [false, false])
        #expect(taken(chain, other, after: .zero) == [false, false])
        #expect(taken(chain, revision, after: .minutes(1)) == [false, false])
    }
}
