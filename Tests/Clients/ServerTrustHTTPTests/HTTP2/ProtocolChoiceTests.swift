// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOEmbedded
import PKIX
import ServerTrust
import ServerTrustNIO
import Testing

@testable import ServerTrustHTTP

@Suite("The choice between HTTP/1.1 and HTTP/2", .timeLimit(.minutes(10)))
struct ProtocolChoiceTests {
    private func scripted(_ scene: HTTP2Scene, _ script: FrameScript = FrameScript()) -> HTTP2Server.Setup {
        var setup = HTTP2Server.Setup(scene.good)
        setup.script = script
        return setup
    }

    @Test("Connections that the server resets before SETTINGS don't stop the request")
    func reset() async throws {
        let scene = try HTTP2Scene()
        let (broken, good) = (scripted(scene, FrameScript(greeting: [.abort])), scripted(scene))
        try await scene.run({ $0 < 2 ? broken : good }) { client, server in
            try await client.expect("200 hello", at: scene.url(server))
            #expect(server.record.requests.map(\.connection) == [2])
        }
    }

    @Test("The client makes few connections to a server that resets each before SETTINGS")
    func resets() async throws {
        let scene = try HTTP2Scene()
        let broken = scripted(scene, FrameScript(greeting: [.abort]))
        try await scene.run({ _ in broken }) { client, server in
            let error = await failure { try await client.text(scene.url(server)) }
            #expect(error != nil && !(error is HandshakeAbandoned), "\(String(describing: error))")
            #expect((2...4).contains(server.record.bytes.count))
        }
    }

    @Test("The client waits for late SETTINGS")
    func lateSettings() async throws {
        var scene = try HTTP2Scene()
        scene.configuration.handshakeTimeout = .seconds(6)
        let late = scripted(scene, FrameScript(greeting: [.pause(.milliseconds(1_700)), .send(HTTP2Frames.settings)]))
        try await scene.run({ _ in late }) { [scene] client, server in
            try await client.expect("200 hello", at: scene.url(server))
            #expect(server.record.bytes.count == 2)
        }
    }

    @Test("Canceling the first request doesn't change the protocol choice", arguments: [0, 3, 10, 30, 60])
    func cancelled(milliseconds: Int) async throws {
        let scene = try HTTP2Scene()
        let pausing = FrameScript(greeting: [.pause(.milliseconds(50)), .send(HTTP2Frames.settings)])
        let (slow, good) = (scripted(scene, pausing), scripted(scene))
        try await scene.run({ $0 < 2 ? slow : good }) { client, server in
            let first = Task { try await client.text(scene.url(server)) }
            try await Task.sleep(for: .milliseconds(milliseconds))
            first.cancel()
            _ = try? await first.value
            for _ in 0..<2 { try await client.expect("200 hello", at: scene.url(server)) }
        }
    }

    @Test("The client reaches an HTTP/2-only server again after outages")
    func outages() async throws {
        let scene = try HTTP2Scene()
        let isOut = Locked(false)
        var leaving = scripted(
            scene, FrameScript { _, stream in [.send(HTTP2Frames.answer(stream) + HTTP2Frames.goAway(0))] })
        leaving.protocols = ["h2"]
        var down = leaving
        down.greeting = []
        let (good, gone) = (leaving, down)
        try await scene.run({ _ in isOut.withLock { $0 } ? gone : good }) { client, server in
            for _ in 0..<5 {
                isOut.withLock { $0 = false }
                try await client.expect("200 hello", at: scene.url(server))
                #expect(try await eventually { client.openConnections == 0 })
                isOut.withLock { $0 = true }
                for _ in 0..<3 {
                    #expect(await failure { try await client.text(scene.url(server)) } != nil)
                }
            }
            isOut.withLock { $0 = false }
            try await client.expect("200 hello", at: scene.url(server))
        }
    }

    /// Ends an HTTP/1.1 connection. The client doesn't retry such a request.
    private func end(_ client: TrustedHTTPClient, _ url: String) async throws {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        let sent = request
        #expect(await failure { try await client.execute(sent, timeout: .seconds(60)) } != nil)
        #expect(try await eventually { client.openConnections == 0 })
    }

    @Test("The client follows a server that moves from HTTP/1.1 to HTTP/2")
    func moved() async throws {
        let scene = try HTTP2Scene()
        var old = HTTP2Server.Setup(scene.good)
        old.protocols = ["http/1.1"]
        old.answer = { $0 == "/end" ? .reset : .text("hello") }
        var new = scripted(scene)
        new.protocols = ["h2"]
        let (first, later) = (old, new)
        try await scene.run({ $0 == 0 ? first : later }) { client, server in
            try await client.expect("200 hello", at: scene.url(server))
            try await end(client, scene.url(server, "/end"))
            for _ in 0..<2 { try await client.expect("200 hello", at: scene.url(server)) }
            #expect(server.record.requests.map(\.connection) == [0, 0, 2, 2])
        }
    }

    @Test("The client explores again when a server refuses the HTTP/1.1 it had selected")
    func refusesHTTP1() async throws {
        var scene = try HTTP2Scene()
        // NIOSSL can't follow a chain whose intermediate the client adds.
        scene.trust.settings.intermediates = [scene.intermediate.certificate]
        var short = HTTP2Server.Setup(scene.good)
        short.presented.chain = [scene.good.chain[0]]
        short.answer = { $0 == "/end" ? .reset : .text("hello") }
        var refusing = short
        // A fatal alert: no_application_protocol.
        refusing.greeting = [21, 3, 3, 0, 2, 2, 120]
        var new = scripted(scene)
        new.protocols = ["h2"]
        let setups = [short, short, refusing, new]
        try await scene.run({ setups[min($0, 3)] }) { [scene] client, server in
            try await client.expect("200 hello", at: scene.url(server))
            try await end(client, scene.url(server, "/end"))
            try await client.expect("200 hello", at: scene.url(server))
            #expect(server.record.requests.map(\.connection) == [1, 1, 4])
        }
    }

    // MARK: - Without a server

    private struct Choice {
        let choice = ProtocolChoice(isOpen: true) { wall, activity in
            HTTP2Pool(wall, client: HTTPClient(configuration: .init()), prefix: "", activity: activity)
        }
        let server: EvaluatedServer
        let eventLoop = EmbeddedEventLoop()
        let start = NIODeadline.uptimeNanoseconds(1 << 50)

        init() throws {
            let scene = try HTTP2Scene()
            let chain = PresentedChain(scene.good.chain)
            let host = try Hostname(HTTP2Scene.name)
            server = EvaluatedServer(
                host: host, presentedChain: chain, verdict: scene.trust.evaluateWithoutFetching(chain, host: host))
        }

        /// Returns the number of the exploration that the next connection makes, or nil if it takes another step.
        func exploration(after pause: TimeAmount = .zero) -> Int? {
            guard case .explore(let number) = choice.nextStep(on: eventLoop, at: start + pause) else { return nil }
            return number
        }

        /// Explores and finds HTTP/2.
        func explore(after pause: TimeAmount = .zero) throws {
            let number = try #require(exploration(after: pause))
            choice.settle(
                .http2(choice.wall(for: server), server), of: number, at: start + pause)
        }
    }

    @Test("A failed connection doesn't settle the protocol choice")
    func nothing() throws {
        let scene = try Choice()
        for _ in 0..<100 { scene.choice.settle(.none, of: try #require(scene.exploration())) }
        try scene.explore()
        #expect(scene.choice.http2 != nil)
    }

    @Test("While a server selects HTTP/1.1, connections offer both protocols at the same time")
    func http1() throws {
        let scene = try Choice()
        scene.choice.settle(.http1, of: try #require(scene.exploration()))
        let numbers = try [scene.exploration(), scene.exploration()].map { try #require($0) }
        scene.choice.settle(.none, of: numbers[0])
        #expect(scene.exploration() != nil)
        #expect(scene.choice.http2 == nil)
        scene.choice.settle(.http2(scene.choice.wall(for: scene.server), scene.server), of: numbers[1])
        #expect(scene.choice.http2 != nil)
    }

    @Test("After abandoning three HTTP/2 clients in an hour, the client uses HTTP/1.1", arguments: [true, false])
    func retreats(isRefused: Bool) throws {
        let scene = try Choice()
        for _ in 0..<3 {
            try scene.explore()
            scene.choice.retreat(from: try #require(scene.choice.http2), .refused, at: scene.start)
            #expect(scene.choice.http2 == nil)
        }
        try scene.explore()
        #expect(scene.choice.http2 == nil)
        #expect(scene.exploration() == nil)
        // HTTP/1.1 stays until the hour is over or the server refuses it.
        if isRefused { #expect(scene.choice.forgetHTTP1()) }
        try scene.explore(after: isRefused ? .zero : .hours(2))
        #expect(scene.choice.http2 != nil)
    }

    @Test(
        "The client uses HTTP/1.1 with an anchor for which NIOSSL refused the server, unless another server answered earlier"
    )
    func anchors() throws {
        for isOther in [false, true] {
            let scene = try Choice()
            try scene.explore()
            scene.choice.retreat(from: try #require(scene.choice.http2), .refusedByWall, at: scene.start)
            if isOther { scene.choice.settle(.none, of: try #require(scene.exploration())) }
            try scene.explore()
            #expect((scene.choice.http2 != nil) == isOther)
        }
    }

    @Test(
        "If a client can't connect within the connect timeout, a client with the same anchor replaces it"
    )
    func stalled() throws {
        let scene = try Choice()
        try scene.explore()
        let first = try #require(scene.choice.http2)
        let none = first.activity.connections
        first.activity.giveUp(after: .hours(1), since: .now(), none)
        #expect(scene.choice.http2 === first)
        first.activity.giveUp(after: .zero, since: .now(), none)
        let second = try #require(scene.choice.http2)
        #expect(second !== first && second.wall.anchor == first.wall.anchor)
        #expect(scene.exploration() == nil)
        // Once the client is connected, there is nothing to wait for.
        second.activity.connect()
        second.activity.giveUp(after: .zero, since: .now(), none)
        #expect(scene.choice.http2 === second)
    }

    @Test("When many clients wait for SETTINGS, a new client is created at most every ten minutes")
    func manyStalled() throws {
        let scene = try Choice()
        try scene.explore()
        let start = scene.start
        var last = try #require(scene.choice.client(at: start))
        /// Whether the last client is replaced when its connection isn't established. A request keeps running, so that
        /// the client isn't shut down.
        func isReplaced(at time: NIODeadline) throws -> Bool {
            #expect(last.activity.begin())
            last.activity.giveUp(after: .zero, since: .now(), last.activity.connections)
            let next = try #require(scene.choice.client(at: time))
            defer { last = next }
            return next !== last
        }
        for number in 0..<10 { #expect(try isReplaced(at: start) == (number < 8)) }
        #expect(try !isReplaced(at: start + .minutes(9)))
        #expect(try isReplaced(at: start + .minutes(10)))
        #expect(try !isReplaced(at: start + .minutes(19)))
        #expect(try isReplaced(at: start + .minutes(20)))
    }
}
