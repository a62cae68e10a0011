// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import PKIX
import ServerTrust
import ServerTrustNIO
import Testing

@testable import ServerTrustHTTP

@Suite("Servers that violate HTTP/2", .timeLimit(.minutes(10)))
struct HostileFramesTests {
    /// The first connection for requests answers its first request with these steps. All others answer `hello`.
    private static func setups(
        _ scene: HTTP2Scene, _ steps: @escaping @Sendable (_ stream: UInt8) -> [FrameScript.Step]
    ) -> @Sendable (Int) -> HTTP2Server.Setup {
        var setup = HTTP2Server.Setup(scene.good)
        setup.script = FrameScript()
        let good = setup
        setup.script?.answer = { number, stream in
            number == 0 ? steps(stream) : [.send(HTTP2Frames.answer(stream))]
        }
        let hostile = setup
        return { $0 == 1 ? hostile : good }
    }

    enum Flood: String, CaseIterable {
        case continuation, settings, ping, emptyData, resets

        func steps(_ stream: UInt8) -> [FrameScript.Step] {
            switch self {
            case .continuation:
                // A head that doesn't end.
                [.send(HTTP2Frames.frame(1, stream: stream, [0x88])), .flood(HTTP2Frames.frame(9, stream: stream))]
            case .settings: [.flood(HTTP2Frames.settings)]
            case .ping: [.flood(HTTP2Frames.ping)]
            case .emptyData: [.flood(HTTP2Frames.data(stream, ""))]
            case .resets: [.flood(HTTP2Frames.frame(3, stream: stream, [0, 0, 0, 8]))]
            }
        }
    }

    @Test(
        "A flood ends with its connection, which carries no further request", arguments: Flood.allCases, [true, false])
    func flood(flood: Flood, isAnswered: Bool) async throws {
        let scene = try HTTP2Scene()
        let setups = Self.setups(scene) { stream in
            (isAnswered ? [.send(HTTP2Frames.answer(stream))] : []) + flood.steps(stream)
        }
        try await scene.run(setups) { client, server in
            let first = try? await client.text(scene.url(server))
            if isAnswered { #expect(first == "200 hello") }
            #expect(try await eventually { client.openConnections == 0 || server.record.requests.count > 1 })
            try await client.expect("200 hello", at: scene.url(server))
            let record = server.record
            #expect(record.requests.dropFirst().allSatisfy { $0.connection > 1 })
            #expect(record.flooded < FrameScript.longestFlood)
            #expect(try await eventually { server.record.open == 1 })
        }
    }

    @Test("A flood through the gate also ends with its connection", arguments: Flood.allCases)
    func gate(flood: Flood) async throws {
        let scene = try HTTP2Scene()
        let setups = Self.setups(scene) { stream in [.send(HTTP2Frames.answer(stream))] + flood.steps(stream) }
        // The gate doesn't explore, so the first connection already serves requests.
        let server = try await HTTP2Server.start { setups($0 + 1) }
        let client = HTTPClient(configuration: try scene.gated())
        let result = await failure {
            try await client.expectAnswer(at: scene.url(server))
            #expect(try await eventually { server.record.open == 0 })
            // async-http-client may reuse the closed connection once, and then the request fails before it is sent.
            #expect(
                try await eventually {
                    await failure { try await client.expectAnswer(at: scene.url(server)) } == nil
                })
            #expect(server.record.requests.map(\.connection) == [0, 1])
            #expect(server.record.flooded < FrameScript.longestFlood)
        }
        #expect(result == nil, "\(String(describing: result))")
        try await client.shutdown()
        await server.stop()
    }

    @Test(
        "A body of one-byte frames arrives complete or is abandoned, and the connection stays open",
        arguments: [false, true])
    func pieces(isCancelled: Bool) async throws {
        let scene = try HTTP2Scene()
        let setups = Self.setups(scene) { stream in
            let bytes = [[UInt8]](repeating: HTTP2Frames.data(stream, "x"), count: 100_000).joined()
            return [.send(HTTP2Frames.head(stream) + bytes + HTTP2Frames.data(stream, "", isLast: true))]
        }
        try await scene.run(setups) { client, server in
            do {
                let response = try await client.get(scene.url(server))
                if !isCancelled { #expect(try await response.body.collect(upTo: 1 << 20).readableBytes == 100_000) }
            }
            // The connection still works, whether the client read the body or abandoned it.
            try await client.expect("200 hello", at: scene.url(server))
            #expect(server.record.requests.map(\.connection) == [1, 1])
        }
    }

    static let breaks: [(String, [UInt8])] = [
        ("GOAWAY with an error", HTTP2Frames.goAway(11)),
        ("GOAWAY with an error, before the stream", HTTP2Frames.goAway(2, last: 0)),
        ("data outside of a stream", HTTP2Frames.data(0, "x")),
        ("a window that doesn't grow", HTTP2Frames.windowUpdate(0)),
        ("half a head and another frame", HTTP2Frames.frame(1, stream: 1, [0x88]) + HTTP2Frames.ping),
    ]

    @Test("A connection error fails its streams and closes the connection", arguments: breaks)
    func ends(name: String, frame: [UInt8]) async throws {
        let scene = try HTTP2Scene()
        let setups = Self.setups(scene) { stream in
            [
                .send(HTTP2Frames.head(stream) + HTTP2Frames.data(stream, "half")), .pause(.milliseconds(50)),
                .send(frame),
            ]
        }
        try await scene.run(setups) { client, server in
            let response = try await client.get(scene.url(server))
            #expect(await failure { try await response.body.collect(upTo: 1 << 20) } != nil)
            #expect(try await eventually { client.openConnections == 0 })
            try await client.expect("200 hello", at: scene.url(server))
            #expect(server.record.requests.map(\.connection) == [1, 2])
        }
    }

    @Test("A stream error fails only that stream, and its connection continues")
    func streamError() async throws {
        let scene = try HTTP2Scene()
        // `content-length: 5`, but only two bytes.
        let head = { @Sendable stream in HTTP2Frames.frame(1, flags: 4, stream: stream, [0x88, 0x0f, 0x0d, 1, 0x35]) }
        let setups = Self.setups(scene) { [.send(head($0) + HTTP2Frames.data($0, "hi", isLast: true))] }
        try await scene.run(setups) { client, server in
            #expect(await failure { try await client.text(scene.url(server)) } != nil)
            try await client.expect("200 hello", at: scene.url(server))
            #expect(server.record.requests.map(\.connection) == [1, 1])
        }
    }

    @Test(
        "Frames that arrive right after SETTINGS, before the connection can carry requests, don't stop the request",
        arguments: [
            ("GOAWAY", HTTP2Frames.goAway(0, last: 0), 3), ("SETTINGS", HTTP2Frames.frame(4, [0, 3, 0, 0, 0, 7]), 2),
        ])
    func early(name: String, frame: [UInt8], connection: Int) async throws {
        let scene = try HTTP2Scene()
        let setup = HTTP2Server.Setup(scene.good)
        let scripts = [
            FrameScript(), FrameScript { _, stream in [.send(HTTP2Frames.answer(stream) + HTTP2Frames.goAway(0))] },
            FrameScript(greeting: [.send(HTTP2Frames.settings + frame)]), FrameScript(),
        ]
        try await scene.run({ number in
            var setup = setup
            setup.script = scripts[min(number, 3)]
            return setup
        }) { client, server in
            try await client.expect("200 hello", at: scene.url(server))
            #expect(try await eventually { client.openConnections == 0 })
            try await client.expect("200 hello", at: scene.url(server))
            #expect(server.record.requests.map(\.connection) == [1, connection])
        }
    }

    @Test("GOAWAY right after the first SETTINGS doesn't stop the request")
    func earlyGoAway() async throws {
        let scene = try HTTP2Scene()
        let setup = HTTP2Server.Setup(scene.good)
        let greeting = HTTP2Frames.settings + HTTP2Frames.goAway(0, last: 0)
        try await scene.run({ number in
            var setup = setup
            setup.script = number == 1 ? FrameScript(greeting: [.send(greeting)]) : FrameScript()
            return setup
        }) { client, server in
            var request = HTTPClientRequest(url: scene.url(server))
            request.method = .POST
            let response = try await client.execute(request, timeout: .seconds(60))
            #expect(response.status == .ok)
            #expect(server.record.requests.map(\.connection) == [2])
        }
    }
}
