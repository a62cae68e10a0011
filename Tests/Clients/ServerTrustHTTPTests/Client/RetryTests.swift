// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import Testing

@Suite("The retry policy", .timeLimit(.minutes(10)))
struct RetryTests {
    /// The outcome of a request, and the traffic that it caused.
    private struct Course {
        var result: Result<Int, any Error>
        var requests: Int
        var connections: Int
        var waits: [Duration]

        var status: Int? { try? result.get() }
    }

    /// Sends a request to a server. Nothing really waits between retries.
    /// - Parameters:
    ///   - random: the random number of each wait.
    ///   - answer: the server's steps for the request with this number, from 0.
    private func send(
        _ method: HTTPMethod = .GET, _ body: HTTPClientRequest.Body? = nil, random: Double = 0,
        within timeout: Duration = .seconds(600), retries: TrustedHTTPConfiguration.Retries = .upTo(3),
        host: String = "api.lab.test", _ answer: @escaping @Sendable (Int) -> [ScriptedServer.Step]
    ) async throws -> Course {
        let waits = Locked<[Duration]>([])
        let number = Locked(0)
        let scene = try Scene { configuration in
            configuration.retries = retries
            configuration.retryTimer.random = { random }
            configuration.retryTimer.sleep = { wait in
                waits.withLock { $0.append(wait) }
                try Task.checkCancellation()
            }
        }
        return try await scene.run({ _ in
            answer(
                number.withLock {
                    $0 += 1
                    return $0 - 1
                })
        }) { client, server in
            var request = HTTPClientRequest(url: "https://\(host):\(server.port)/")
            request.method = method
            request.body = body
            let result: Result<Int, any Error>
            do {
                result = .success(Int(try await client.execute(request, timeout: timeout).status.code))
            } catch { result = .failure(error) }
            return Course(
                result: result, requests: number.withLock { $0 }, connections: server.connections,
                waits: waits.withLock { $0 })
        }
    }

    @Test(
        "The client retries temporary statuses, and waits longer each time", arguments: [408, 429, 500, 502, 503, 504])
    func statuses(status: Int) async throws {
        let course = try await send(random: 1) { $0 < 3 ? [.answer(status)] : [.answer(200)] }
        #expect(course.status == 200)
        #expect(course.requests == 4)
        #expect(course.waits == [.milliseconds(500), .seconds(1), .seconds(2)])
    }

    @Test("The client doesn't retry other statuses", arguments: [200, 204, 400, 401, 403, 404, 409, 501, 505])
    func otherStatuses(status: Int) async throws {
        let course = try await send { _ in [.answer(status)] }
        #expect(course.status == status)
        #expect(course.requests == 1)
    }

    @Test("Without a policy, the client doesn't retry")
    func off() async throws {
        let course = try await send(retries: .off) { _ in [.answer(503)] }
        #expect(course.status == 503)
        #expect(course.requests == 1)
        #expect(TrustedHTTPConfiguration().retries == .off)
    }

    @Test("A server that always answers 503 gets a limited number of requests")
    func limit() async throws {
        let course = try await send { _ in [.answer(503)] }
        #expect(course.status == 503)
        #expect(course.requests == 4)
    }

    @Test("The client only retries the policy's methods")
    func methods() async throws {
        for method in [HTTPMethod.GET, .HEAD, .OPTIONS, .PUT, .DELETE] {
            #expect(try await send(method) { $0 == 0 ? [.answer(503)] : [.answer(200)] }.requests == 2)
        }
        for method in [HTTPMethod.POST, .PATCH, .RAW(value: "get")] {
            #expect(try await send(method) { _ in [.answer(503)] }.requests == 1)
        }
        var retries = TrustedHTTPConfiguration.Retries.upTo(1)
        retries.methods = ["POST"]
        retries.statuses = [418]
        #expect(try await send(.POST, retries: retries) { _ in [.answer(418)] }.requests == 2)
        #expect(try await send(.GET, retries: retries) { _ in [.answer(418)] }.requests == 1)
        #expect(try await send(.POST, retries: retries) { _ in [.answer(503)] }.requests == 1)
    }

    @Test("A body in memory is sent again, and a streamed body isn't")
    func bodies() async throws {
        let answer: @Sendable (Int) -> [ScriptedServer.Step] = { $0 == 0 ? [.answer(503)] : [.answer(200)] }
        let bytes = try await send(.PUT, .bytes(ByteBuffer(string: "body")), answer)
        #expect(bytes.status == 200)
        #expect(bytes.requests == 2)
        let parts = AsyncStream<ByteBuffer> {
            $0.yield(ByteBuffer(string: "body"))
            $0.finish()
        }
        let stream = try await send(.PUT, .stream(parts, length: .known(Int64(4))), answer)
        #expect(stream.status == 503)
        #expect(stream.requests == 1)
        #expect(stream.waits.isEmpty)
    }

    @Test("The client waits for Retry-After, with the random time in addition")
    func retryAfter() async throws {
        let seconds = try await send(random: 0.5) { $0 == 0 ? [.answer(503, ["retry-after: 7"])] : [.answer(200)] }
        #expect(seconds.status == 200)
        #expect(seconds.waits == [.milliseconds(7250)])
        let fields = ["date: Fri, 27 Nov 2026 12:00:00 GMT", "retry-after: Fri, 27 Nov 2026 12:00:30 GMT"]
        #expect(try await send { $0 == 0 ? [.answer(429, fields)] : [.answer(200)] }.waits == [.seconds(30)])
        let bad = try await send { $0 == 0 ? [.answer(503, ["retry-after: -5"])] : [.answer(200)] }
        #expect(bad.waits == [.zero])
    }

    @Test(
        "If a server asks for a long wait, the client returns the response",
        arguments: ["61", "1" + String(repeating: "0", count: 30), "Fri, 31 Dec 9999 23:59:59 GMT"])
    func longRetryAfter(text: String) async throws {
        let course = try await send { _ in [.answer(503, ["retry-after: \(text)"])] }
        #expect(course.status == 503)
        #expect(course.requests == 1)
        #expect(course.waits.isEmpty)
    }

    @Test("If the deadline comes first, the client returns the response")
    func deadline() async throws {
        let course = try await send(within: .seconds(40)) { _ in [.answer(503, ["retry-after: 50"])] }
        #expect(course.status == 503)
        #expect(course.requests == 1)
        let lost = try await send(random: 1, within: .seconds(40), retries: longWait) { _ in [.cut] }
        #expect(lost.requests == 1)
        #expect(lost.waits.isEmpty)
    }

    private var longWait: TrustedHTTPConfiguration.Retries {
        var retries = TrustedHTTPConfiguration.Retries.upTo(3)
        retries.delay = .seconds(50)
        retries.maximumDelay = .seconds(50)
        return retries
    }

    @Test("The client retries after a lost connection")
    func lost() async throws {
        let course = try await send { $0 < 2 ? [.cut] : [.answer(200)] }
        #expect(course.status == 200)
        #expect(course.requests == 3)
        #expect(try await send(.POST) { _ in [.cut] }.requests == 1)
        #expect(try await send(retries: .off) { _ in [.cut] }.requests == 1)
    }

    @Test("The client never retries a host without a rule")
    func refusal() async throws {
        let course = try await send(host: Scene.elsewhere) { _ in [.answer(200)] }
        #expect(throws: TrustRefusal.self) { try course.result.get() }
        #expect(course.connections == 0)
        #expect(course.waits.isEmpty)
    }

    @Test("A refused server that takes over ends the retries")
    func takeover() async throws {
        let scene = try HTTP2Scene()
        let foreign = HTTP2Server.Setup(
            try scene.presented(.root(.authority("Foreign Root").valid(around: .now()))))
        var good = HTTP2Server.Setup(scene.good)
        good.protocols = ["http/1.1"]
        good.answer = { _ in .cut }
        var configured = scene
        configured.configuration.retries = .upTo(5)
        configured.configuration.retryTimer.sleep = { _ in }
        try await configured.run({ [good] in $0 == 0 ? good : foreign }) { client, server in
            let error = await failure { try await client.text(scene.url(server, "/secret")) }
            #expect((error as? TrustRefusal)?.headline.code == .unknownIssuer)
            #expect(server.record.bytes.count == 2)
            #expect(server.record.bytes.last?.isEmpty == true)
        }
    }

    @Test("A body that never ends doesn't stop a retry")
    func slowBody() async throws {
        let slow: [ScriptedServer.Step] = [
            .send("HTTP/1.1 503 Slow\r\ncontent-length: 1000\r\n\r\n"), .forever("x", pause: .milliseconds(100)),
        ]
        let course = try await send { $0 == 0 ? slow : [.answer(200)] }
        #expect(course.status == 200)
        #expect(course.requests == 2)
    }

    @Test("Each hop of a redirect is retried by its own method, and all hops share the limit")
    func redirects() async throws {
        let count = Locked(0)
        let scene = try Scene {
            $0.retries = .upTo(2)
            $0.retryTimer.sleep = { _ in }
        }
        try await scene.run({ head in
            if head.hasPrefix("POST") { return [.answer(303, ["location: /next"])] }
            return count.withLock {
                $0 += 1
                return $0 < 3 ? [.answer(500)] : [.answer(200)]
            }
        }) { client, server in
            var request = HTTPClientRequest(url: scene.url(server.port))
            request.method = .POST
            let response = try await client.execute(request, timeout: .seconds(60))
            #expect(response.status == .ok)
            #expect(response.history.map(\.responseHead.status.code) == [303, 200])
            #expect(count.withLock { $0 } == 3)
        }
    }

    @Test("Canceling the task ends the wait")
    func cancellation() async throws {
        let (waiting, start) = AsyncStream<Void>.makeStream()
        let scene = try Scene {
            $0.retries = .upTo(1)
            $0.retryTimer.sleep = { _ in
                start.yield()
                try await Task.sleep(for: .seconds(3600))
            }
        }
        try await scene.run({ _ in [.answer(503)] }) { client, server in
            let task = Task { try await client.text(scene.url(server.port)) }
            for await _ in waiting { break }
            task.cancel()
            let error = await failure { try await task.value }
            #expect(error is CancellationError)
        }
    }

    @Test("The random time is at most the limit, which doubles up to its maximum")
    func waits() {
        var retries = TrustedHTTPConfiguration.Retries.upTo(.max)
        #expect(
            (1...8).map { retries.wait(before: $0, retryAfter: nil, random: 1) ?? .zero }
                == [
                    .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(16), .seconds(30),
                    .seconds(30),
                ])
        #expect(retries.wait(before: .max, retryAfter: nil, random: 1) == .seconds(30))
        #expect(retries.wait(before: 3, retryAfter: nil, random: 0) == .zero)
        #expect(retries.wait(before: 1, retryAfter: 60, random: 0) == .seconds(60))
        #expect(retries.wait(before: 1, retryAfter: 61, random: 0) == nil)
        retries.delay = .seconds(-5)
        #expect(retries.wait(before: 1, retryAfter: nil, random: 1) == .zero)
    }
}
