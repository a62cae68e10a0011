// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOPosix
import PKIX
import ServerTrustLab
import Testing

@testable import ServerTrust
@testable import ServerTrustHTTP

/// Some of these responses would end the process in async-http-client.
@Suite("Responses whose status isn't one", .timeLimit(.minutes(10)))
struct MalformedResponseTests {
    /// Responses over HTTP/1.1. Each has a status that no response may have.
    static let http1 = [
        "HTTP/1.1 000 Zero\r\ncontent-length: 0\r\n\r\n", "HTTP/1.1 000 Zero\r\ncontent-length: 5\r\n\r\nhello",
        "HTTP/1.1 000 Zero\r\n\r\n", "HTTP/1.1 001 One\r\ncontent-length: 5\r\n\r\nhello",
        "HTTP/1.1 042 Early\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        "HTTP/1.1 099 Last\r\ncontent-length: 5\r\n\r\nhello", "HTTP/1.0 099 Old\r\n\r\nhello",
        "HTTP/1.1 600 Late\r\ncontent-length: 5\r\n\r\nhello", "HTTP/1.1 999 No\r\ncontent-length: 0\r\n\r\n",
        "HTTP/1.1 101 Other\r\nconnection: upgrade\r\nupgrade: other\r\n\r\nother bytes",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 000 Zero\r\ncontent-length: 5\r\n\r\nhello",
        "HTTP/1.1 000 Zero\r\ncontent-length: 0\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello",
    ]

    /// Answers the first request with a response, and all others with status 200.
    private static func script(_ response: String) -> @Sendable (String) -> [ScriptedServer.Step] {
        let count = Locked(0)
        return { _ in
            let number = count.withLock { count in
                defer { count += 1 }
                return count
            }
            return number == 0 ? [.send(response)] : [.answer(200)]
        }
    }

    @Test("A status outside 100 to 599 is an error, and the next request works", arguments: http1)
    func trusted(response: String) async throws {
        let scene = try Scene()
        try await scene.run(Self.script(response)) { client, server in
            let error = await failure { try await client.text(scene.url(server.port)) }
            #expect((error as? TrustedHTTPError)?.code == .responseMalformed, "\(String(describing: error))")
            try await client.expectOK(at: scene.url(server.port))
        }
    }

    @Test("A status outside 100 to 599 is an error behind the gate, and the next request works", arguments: http1)
    func gated(response: String) async throws {
        let scene = try Scene()
        let server = try await ScriptedServer.start(scene.certificates, Self.script(response))
        let client = HTTPClient(configuration: try scene.gated())
        let result = await failure {
            let error = await failure { try await client.expectAnswer(at: scene.url(server.port)) }
            #expect((error as? TrustedHTTPError)?.code == .responseMalformed, "\(String(describing: error))")
            try await client.expectAnswer(at: scene.url(server.port))
        }
        #expect(result == nil, "\(String(describing: result))")
        try await client.shutdown()
        await server.stop()
    }

    @Test("The fetcher reports a status outside 100 to 599, and the next request works", arguments: http1)
    func fetched(response: String) async throws {
        let server = try await ScriptedServer.start(nil, Self.script(response))
        let fetcher = try HTTPTrustFetcher(
            rules: AddressRules(allowedHosts: [Hostname("ca.test")]), trust: nil,
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            lookup: AddressLookup { _ in [IPAddress("127.0.0.1")].compactMap(\.self) })
        let request = TrustFetchRequest(
            .crl, url: "http://ca.test:\(server.port)/crl", maximumBytes: 1 << 16, timeout: .seconds(60))
        let error = await failure { try await fetcher.fetch(request) }
        #expect((error as? TrustFetchError)?.code == .fetchProtocolViolation, "\(String(describing: error))")
        #expect(await failure { try await fetcher.fetch(request) } == nil)
        await fetcher.shutdown()
        await server.stop()
    }

    @Test("A switch to another protocol is a response if the request asked for one")
    func upgrade() async throws {
        let scene = try Scene()
        let response = "HTTP/1.1 101 Other\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n"
        try await scene.run({ _ in [.send(response), .cut] }) { client, server in
            var request = HTTPClientRequest(url: scene.url(server.port))
            request.headers.add(name: "connection", value: "upgrade")
            request.headers.add(name: "upgrade", value: "other")
            let response = try await client.execute(request, timeout: .seconds(60))
            #expect(response.status == .switchingProtocols)
        }
    }

    @Test("Any number of informational responses precedes a response")
    func informational() async throws {
        let scene = try Scene()
        let early = "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
        let last = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello"
        try await scene.run({ _ in [.send(early + early + last)] }) { client, server in
            for _ in 0..<2 { try await client.expect("200 hello", at: scene.url(server.port)) }
            #expect(server.connections == 1)
        }
    }

    /// A header block with a literal `:status`, which isn't in HPACK's tables.
    private static func status(_ text: String, _ stream: UInt8, isLast: Bool = false) -> [UInt8] {
        HTTP2Frames.frame(
            1, flags: isLast ? 5 : 4, stream: stream, [8, UInt8(text.utf8.count)] + Array(text.utf8))
    }

    /// Responses over HTTP/2: values of `:status`.
    static let http2 = [
        "000", "042", "099", "-1", "", "0", "+0", "+150", "0150", "00100", "1000", "2000", "101", "600", "999", "20",
        "2x0",
        "٢٠٠",
    ]

    private static func frames(_ status: String, _ stream: UInt8, _ ending: Int) -> [UInt8] {
        switch ending {
        case 0: Self.status(status, stream, isLast: true)
        case 1: Self.status(status, stream) + HTTP2Frames.data(stream, "hello", isLast: true)
        default: Self.status(status, stream) + HTTP2Frames.answer(stream)
        }
    }

    /// The first connection for requests answers its first request with these frames.
    private static func setups(
        _ scene: HTTP2Scene, first: Int, _ frames: @escaping @Sendable (_ stream: UInt8) -> [UInt8]
    ) -> @Sendable (Int) -> HTTP2Server.Setup {
        var setup = HTTP2Server.Setup(scene.good)
        setup.script = FrameScript()
        let good = setup
        setup.script?.answer = { number, stream in
            [.send(number == 0 ? frames(stream) : HTTP2Frames.answer(stream))]
        }
        let hostile = setup
        return { $0 == first ? hostile : good }
    }

    @Test("A wrong :status is an error, and the next request works", arguments: http2, [0, 1, 2])
    func trustedHTTP2(status: String, ending: Int) async throws {
        let scene = try HTTP2Scene()
        try await scene.run(Self.setups(scene, first: 1) { Self.frames(status, $0, ending) }) { client, server in
            let error = await failure { try await client.text(scene.url(server)) }
            #expect((error as? TrustedHTTPError)?.code == .responseMalformed, "\(String(describing: error))")
            try await client.expect("200 hello", at: scene.url(server))
        }
    }

    @Test(
        "An informational head that ends the stream is an error, and the next request works", arguments: ["100", "103"])
    func endingHead(status: String) async throws {
        let scene = try HTTP2Scene()
        try await scene.run(Self.setups(scene, first: 1) { Self.status(status, $0, isLast: true) }) { client, server in
            let error = await failure { try await client.text(scene.url(server)) }
            #expect((error as? TrustedHTTPError)?.code == .responseMalformed, "\(String(describing: error))")
            try await client.expect("200 hello", at: scene.url(server))
        }
    }

    @Test("A wrong :status behind the gate is an error, and the next request works", arguments: http2)
    func gatedHTTP2(status: String) async throws {
        let scene = try HTTP2Scene()
        for ending in 0...2 {
            let server = try await HTTP2Server.start(
                Self.setups(scene, first: 0) { Self.frames(status, $0, ending) })
            let client = HTTPClient(configuration: try scene.gated())
            let result = await failure {
                let error = await failure { try await client.expectAnswer(at: scene.url(server)) }
                #expect((error as? TrustedHTTPError)?.code == .responseMalformed, "\(String(describing: error))")
                try await client.expectAnswer(at: scene.url(server))
            }
            #expect(result == nil, "\(String(describing: result))")
            try await client.shutdown()
            await server.stop()
        }
    }

    @Test("An upload over HTTP/1.1 continues after an early response")
    func earlyHTTP1() async throws {
        let scene = try Scene()
        let early = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nearly"
        try await scene.run({ head in head.hasPrefix("POST") ? [.send(early)] : [.answer(200)] }) { client, server in
            var request = HTTPClientRequest(url: scene.url(server.port))
            request.method = .POST
            let (parts, last) = AsyncStream.makeStream(of: ByteBuffer.self)
            request.body = .stream(parts, length: .unknown)
            last.yield(ByteBuffer(string: "first"))
            let response = try await client.execute(request, timeout: .seconds(60))
            let body = try await response.body.collect(upTo: 100)
            #expect(String(buffer: body) == "early")
            last.yield(ByteBuffer(string: "second"))
            last.finish()
            let hasArrived = try await eventually { server.received.contains("second") }
            #expect(hasArrived)
        }
    }

    /// How the connection ends after a response that was complete before its request.
    enum EarlyEnd: CaseIterable { case reset, goAway, streamReset, nothing }

    @Test(
        "A response that is complete before its request arrives, however the connection ends",
        arguments: EarlyEnd.allCases,
        [true, false])
    func early(end: EarlyEnd, isGated: Bool) async throws {
        let scene = try HTTP2Scene()
        let setups = Self.setups(scene, first: isGated ? 0 : 1) { HTTP2Frames.answer($0) }
        let scripts: @Sendable (Int) -> HTTP2Server.Setup = { number in
            var setup = setups(number)
            let answer = setup.script?.answer
            setup.script?.answer = { number, stream in
                let steps = answer?(number, stream) ?? []
                return switch end {
                case .reset: steps + [.pause(.milliseconds(20)), .abort]
                case .goAway: steps + [.send(HTTP2Frames.goAway(0, last: stream))]
                case .streamReset: steps + [.send(HTTP2Frames.frame(3, stream: stream, [0, 0, 0, 0]))]
                case .nothing: steps
                }
            }
            return setup
        }
        let server = try await HTTP2Server.start(scripts)
        let (parts, last) = AsyncStream.makeStream(of: ByteBuffer.self)
        // More than the window, so that the stream isn't writable when the response arrives.
        last.yield(ByteBuffer(repeating: 0x62, count: 200_000))
        var request = HTTPClientRequest(url: scene.url(server))
        request.method = .POST
        request.body = .stream(parts, length: .unknown)
        let body:
            @Sendable (@escaping @Sendable (HTTPClientRequest) async throws -> HTTPClientResponse) async throws -> Void =
                {
                    [request] send in
                    let response = try await send(request)
                    // The reset may overtake the body.
                    _ = await failure { try await response.body.collect(upTo: 100) }
                    try await Task.sleep(for: .milliseconds(60))
                    last.yield(ByteBuffer(string: "second"))
                    last.finish()
                    var isAnswered = false
                    for _ in 0..<10 where !isAnswered {
                        isAnswered = await failure { try await send(HTTPClientRequest(url: scene.url(server))) } == nil
                    }
                    #expect(isAnswered)
                }
        if isGated {
            let client = HTTPClient(configuration: try scene.gated())
            let result = await failure { try await body { try await client.execute($0, timeout: .seconds(60)) } }
            try await client.shutdown()
            #expect(result == nil, "\(String(describing: result))")
            await server.stop()
        } else {
            let client = try TrustedHTTPClient(trust: scene.trust, configuration: scene.configuration)
            try await client.used(stopping: { await server.stop() }) {
                try await body { try await client.execute($0, timeout: .seconds(60)) }
            }
        }
    }

    // MARK: - Frames

    /// Frames that SwiftNIO or async-http-client can't process.
    enum Trap: CaseIterable {
        /// A pushed response, before the server has acknowledged that pushes are off.
        case push
        /// A window of 0 for streams, while the client sends a body.
        case window
        /// A large window, and then the usual one.
        case largeWindow

        func frames(_ stream: UInt8) -> [UInt8] {
            switch self {
            case .push:
                HTTP2Frames.frame(5, flags: 4, stream: stream, [0, 0, 0, 2, 0x82, 0x87, 0x84])
                    + HTTP2Frames.head(2) + HTTP2Frames.head(stream, isLast: true)
            case .window: HTTP2Frames.frame(4, [0, 4, 0, 0, 0, 0])
            case .largeWindow:
                HTTP2Frames.frame(4, [0, 4, 0, 16, 0, 0]) + HTTP2Frames.frame(4, [0, 4, 0, 0, 255, 255])
            }
        }
    }

    @Test("Frames that can't be processed end the connection, and the next request works", arguments: Trap.allCases)
    func traps(trap: Trap) async throws {
        let scene = try HTTP2Scene()
        try await scene.run(Self.setups(scene, first: 1) { trap.frames($0) }) { client, server in
            var request = HTTPClientRequest(url: scene.url(server))
            request.method = .POST
            let (parts, last) = AsyncStream.makeStream(of: ByteBuffer.self)
            last.yield(ByteBuffer(string: "first"))
            request.body = .stream(parts, length: .unknown)
            async let outcome = failure { try await client.execute(request, timeout: .seconds(60)) }
            #expect(try await eventually { !server.record.requests.isEmpty })
            // The second part comes when the frames have arrived.
            try await Task.sleep(for: .milliseconds(50))
            last.yield(ByteBuffer(string: "second"))
            last.finish()
            let error = await outcome
            #expect(error != nil)
            try await client.expect("200 hello", at: scene.url(server))
        }
    }

    @Test(
        "A push directly behind the first SETTINGS ends the connection, and a later request works",
        arguments: [true, false])
    func earlyPush(isGated: Bool) async throws {
        let scene = try HTTP2Scene()
        var setup = HTTP2Server.Setup(scene.good)
        setup.script = FrameScript()
        let good = setup
        let push = HTTP2Frames.frame(5, flags: 4, stream: 1, [0, 0, 0, 2, 0x82, 0x87, 0x84])
        setup.script?.greeting = [.send(HTTP2Frames.settings + push + HTTP2Frames.head(2) + HTTP2Frames.data(2, "x"))]
        let hostile = setup
        let first = isGated ? 0 : 1
        let server = try await HTTP2Server.start { $0 == first ? hostile : good }
        if isGated {
            let client = HTTPClient(configuration: try scene.gated())
            _ = await failure { try await client.expectAnswer(at: scene.url(server), within: .seconds(5)) }
            let isAnswered = try await eventually {
                await failure { try await client.expectAnswer(at: scene.url(server)) } == nil
            }
            #expect(isAnswered)
            try await client.shutdown()
            await server.stop()
        } else {
            let client = try TrustedHTTPClient(trust: scene.trust, configuration: scene.configuration)
            try await client.used(stopping: { await server.stop() }) {
                _ = await failure { try await client.text(scene.url(server)) }
                try await client.expect("200 hello", at: scene.url(server))
            }
        }
    }
}

extension HTTP2Scene {
    /// Returns the configuration of a gated `HTTPClient` for the scene's servers.
    func gated() throws -> HTTPClient.Configuration {
        var configuration = try ungated()
        try configuration.gate(by: trust, evaluationTimeout: .seconds(60))
        return configuration
    }

    /// Returns the configuration without its gate.
    func ungated() throws -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        configuration.tlsConfiguration = .makeClientConfiguration()
        configuration.tlsConfiguration?.trustRoots = .certificates([
            try .init(bytes: root.certificate.der, format: .der)
        ])
        configuration.dnsOverride = [Self.name: "127.0.0.1"]
        configuration.timeout.connect = .seconds(60)
        return configuration
    }
}
