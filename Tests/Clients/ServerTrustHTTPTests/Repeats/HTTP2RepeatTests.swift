// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOHTTP2
import PKIX
import ServerTrust
import ServerTrustHTTP
import Testing

@Suite("Retries over HTTP/2", .timeLimit(.minutes(10)))
struct HTTP2RepeatTests {
    /// Sends `/first`, then the request to `/second` that the server fails.
    /// - Parameters:
    ///   - connections: the connections that fail `/second`. Connection 0 explores.
    ///   - hasFirst: whether `/first` is sent.
    /// - Returns: the status or the error, the connections that carried `/second`, and the reasons for the retries.
    private func send(
        _ method: HTTPMethod, _ body: HTTPClientRequest.Body? = nil, on connections: ClosedRange<Int> = 1...1,
        hasFirst: Bool = true, _ failure: HTTP2Server.Answer
    ) async throws -> (outcome: Result<Int, any Error>, connections: [Int], reasons: [RepeatedRequest.Reason]) {
        let scene = try HTTP2Scene()
        let observer = RepeatObserver(scene.trust)
        return try await scene.run({ number in
            var setup = HTTP2Server.Setup(scene.good)
            setup.answer = { $0 == "/second" && connections.contains(number) ? failure : .text("hello") }
            return setup
        }) { client, server in
            if hasFirst { try await client.expect("200 hello", at: scene.url(server, "/first")) }
            var request = HTTPClientRequest(url: scene.url(server, "/second"))
            request.method = method
            request.body = body
            let outcome: Result<Int, any Error>
            do {
                outcome = .success(Int(try await client.execute(request, timeout: .seconds(60)).status.code))
            } catch { outcome = .failure(error) }
            #expect(server.record.requests.allSatisfy { $0.isHTTP2 })
            return (
                outcome, server.record.requests.filter { $0.path == "/second" }.map(\.connection), observer.reasons
            )
        }
    }

    /// Failures after which the server didn't process the request.
    static let refusals: [HTTP2Server.Answer] = [.tooLate, .refuse]

    @Test("The client retries an unprocessed request on a new connection, whatever its method", arguments: refusals)
    func notProcessed(refusal: HTTP2Server.Answer) async throws {
        let requests: [(HTTPMethod, HTTPClientRequest.Body?)] = [
            (.GET, nil), (.POST, .bytes(ByteBuffer(string: "abc"))),
        ]
        for (method, body) in requests {
            for hasFirst in [true, false] {
                let course = try await send(method, body, hasFirst: hasFirst, refusal)
                #expect(try course.outcome.get() == 200)
                #expect(course.connections == [1, 2])
                #expect(course.reasons == [.notProcessed])
            }
        }
    }

    @Test("The client sends a request twice to a server that never processes it", arguments: refusals)
    func neverProcessed(refusal: HTTP2Server.Answer) async throws {
        let course = try await send(.POST, on: 1...1000, hasFirst: false, refusal)
        let error = #expect(throws: NIOHTTP2Errors.StreamClosed.self) { try course.outcome.get() }
        #expect(error?.errorCode == .refusedStream)
        #expect(course.connections == [1, 2])
        #expect(course.reasons == [.notProcessed])
    }

    /// The frames that fail a server's first request, and whether they show that it didn't process the
    /// request.
    static let endings: [([FrameScript.Step], Bool)] = {
        let cancel = HTTP2Frames.frame(3, stream: 1, [0, 0, 0, 8])
        return [
            ([.send(HTTP2Frames.goAway(0, last: 0))], true),
            // The GOAWAY arrives together with the end of the connection.
            ([.pause(.milliseconds(50)), .send(HTTP2Frames.goAway(0, last: 0)), .abort], true),
            ([.send(cancel)], false), ([.send(HTTP2Frames.goAway(0) + cancel)], false),
        ]
    }()

    @Test("The client retries a request above a GOAWAY's last stream, but not one that the server cancels")
    func streamEnds() async throws {
        for (steps, isRepeated) in Self.endings {
            let scene = try HTTP2Scene()
            let observer = RepeatObserver(scene.trust)
            var setup = HTTP2Server.Setup(scene.good)
            setup.script = FrameScript()
            let good = setup
            setup.script?.answer = { _, _ in steps }
            let failing = setup
            try await scene.run({ $0 == 1 ? failing : good }) { client, server in
                var request = HTTPClientRequest(url: scene.url(server))
                request.method = .POST
                let status = try? await client.execute(request, timeout: .seconds(60)).status
                #expect((status == .ok) == isRepeated)
                #expect(server.record.requests.map(\.connection) == (isRepeated ? [1, 2] : [1]))
                #expect(observer.reasons == (isRepeated ? [.notProcessed] : []))
            }
        }
    }

    @Test("The client sends a request with a streamed body once", arguments: refusals + [.cut])
    func streamed(refusal: HTTP2Server.Answer) async throws {
        let chunks = AsyncStream { continuation in
            continuation.yield(ByteBuffer(string: "abc"))
            continuation.finish()
        }
        let course = try await send(.PUT, .stream(chunks, length: .known(Int64(3))), refusal)
        #expect(throws: (any Error).self) { try course.outcome.get() }
        #expect(course.connections == [1])
        #expect(course.reasons.isEmpty)
    }

    @Test("When a reused connection ends, the client retries an idempotent request once")
    func lost() async throws {
        for (method, last) in [(HTTPMethod.GET, 1), (.PUT, 1), (.DELETE, 2)] {
            let course = try await send(method, on: 1...last, .cut)
            #expect(course.connections == [1, 2])
            #expect(course.reasons == [.connectionLost])
            #expect((try? course.outcome.get()) == (last == 1 ? 200 : nil))
        }
        for (method, hasFirst) in [(HTTPMethod.POST, true), (.PATCH, true), (.GET, false)] {
            let course = try await send(method, hasFirst: hasFirst, .cut)
            #expect(throws: HTTPClientError.remoteConnectionClosed) { try course.outcome.get() }
            #expect(course.connections == [1])
            #expect(course.reasons.isEmpty)
        }
    }

    @Test("A server that accepts ten requests per connection answers each of 50 concurrent requests once")
    func tenPerConnection() async throws {
        let scene = try HTTP2Scene()
        let observer = RepeatObserver(scene.trust)
        try await scene.run({ _ in
            var setup = HTTP2Server.Setup(scene.good)
            let count = Locked(0)
            setup.answer = { _ in
                count.withLock { count in
                    count += 1
                    return count == 10 ? .last : .text("hello")
                }
            }
            return setup
        }) { client, server in
            let base = scene.url(server)
            let outcomes = await client.outcomes(50) { base + "\($0)" }
            for outcome in outcomes { #expect(throws: Never.self) { try outcome.get() } }
            let requests = server.record.requests
            #expect(Set(requests.map(\.path)).count == 50 && requests.count == 50)
            #expect(Set(requests.map(\.connection)).count >= 5)
            #expect(Set(observer.reasons) == [.notProcessed])
            #expect(observer.requests.allSatisfy { $0.host.description == HTTP2Scene.name })
        }
    }

    @Test(
        "An nginx that accepts ten requests per connection answers 50 concurrent requests, ten times in a row",
        .enabled(if: Peer.Program.nginx.isAvailable))
    func nginx() async throws {
        let scene = try Scene()
        let peer = try await Peer.nginx(scene.certificates, isHTTP2: true, requestsPerConnection: 10)
        defer { peer.stop() }
        let observer = RepeatObserver(scene.trust)
        let url = scene.url(peer.port, "/long.txt")
        for _ in 0..<10 {
            let client = try TrustedHTTPClient(trust: scene.trust, configuration: scene.configuration)
            let outcomes = await client.outcomes(50) { _ in url }
            #expect(outcomes.allSatisfy { (try? $0.get()) == "200 " + Peer.longText })
            await client.shutdown()
        }
        #expect(Set(observer.reasons) == [.notProcessed])
    }
}
