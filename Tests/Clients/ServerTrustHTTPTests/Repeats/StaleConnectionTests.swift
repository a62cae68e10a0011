// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import PKIX
import ServerTrust
import ServerTrustHTTP
import Testing

@Suite("Retries after an HTTP/1.1 connection ends", .timeLimit(.minutes(10)))
struct StaleConnectionTests {
    /// What happened to a request to `/second` on a connection that had carried `/first`.
    private struct Course {
        var status: HTTPResponseStatus?
        var error: (any Error)?
        /// The copies of the request that the server received, without their first lines.
        var copies: [String]
        var connections: Int
        var reasons: [RepeatedRequest.Reason]
    }

    /// - Parameters:
    ///   - failing: the numbers of the requests that the server answers with `steps`. `/first` has number 0.
    private func send(
        _ method: HTTPMethod, _ body: HTTPClientRequest.Body? = nil, failing: Set<Int> = [1],
        _ steps: [ScriptedServer.Step] = [.cut]
    ) async throws -> Course {
        let scene = try Scene()
        let observer = RepeatObserver(scene.trust)
        let count = Locked(0)
        return try await scene.run({ _ in
            let number = count.withLock { count in
                defer { count += 1 }
                return count
            }
            return failing.contains(number) ? steps : [.answer(200)]
        }) { client, server in
            if !failing.contains(0) { try await client.expectOK(at: scene.url(server.port, "/first")) }
            var request = HTTPClientRequest(url: scene.url(server.port, "/second"))
            request.method = method
            request.headers.add(name: "idempotency-key", value: "8e03978e")
            request.body = body
            var course = Course(copies: [], connections: 0, reasons: [])
            do { course.status = try await client.execute(request, timeout: .seconds(60)).status } catch {
                course.error = error
            }
            course.copies = Array(
                server.received.components(separatedBy: "\(method.rawValue) /second HTTP/1.1\r\n").dropFirst())
            course.connections = server.connections
            course.reasons = observer.reasons
            return course
        }
    }

    static let methods: [HTTPMethod] = [.GET, .HEAD, .OPTIONS, .TRACE, .PUT, .DELETE]

    @Test("The client retries an unanswered idempotent request once, on a new connection", arguments: methods)
    func idempotent(method: HTTPMethod) async throws {
        let course = try await send(method, method == .PUT ? .bytes(ByteBuffer(string: "abc")) : nil)
        #expect(course.status == .ok)
        #expect(course.connections == 2)
        #expect(course.reasons == [.connectionLost])
        // Both copies have the same headers and body.
        #expect(course.copies.count == 2 && course.copies.first == course.copies.last)
        #expect(course.copies.allSatisfy { $0.contains("idempotency-key: 8e03978e\r\n") })
        #expect(course.copies.allSatisfy { $0.hasSuffix("abc") } == (method == .PUT))
    }

    @Test("The client sends a request that isn't idempotent once", arguments: [HTTPMethod.POST, .PATCH])
    func notIdempotent(method: HTTPMethod) async throws {
        for body in [nil, HTTPClientRequest.Body.bytes(ByteBuffer(string: "abc"))] {
            let course = try await send(method, body)
            #expect(course.error as? HTTPClientError == .remoteConnectionClosed)
            #expect(course.copies.count == 1 && course.connections == 1 && course.reasons.isEmpty)
        }
    }

    @Test("The client sends a request with a streamed body once")
    func streamed() async throws {
        let chunks = AsyncStream { continuation in
            continuation.yield(ByteBuffer(string: "abc"))
            continuation.finish()
        }
        let course = try await send(.PUT, .stream(chunks, length: .known(Int64(3))))
        #expect(course.error != nil && !(course.error is CancellationError))
        #expect(course.copies.count == 1 && course.reasons.isEmpty)
    }

    static let beginnings = ["H", "HTTP/1.1 2", "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 200 OK\r\ncontent-le"]

    @Test("The client doesn't retry a request after the first byte of a response", arguments: beginnings)
    func answered(beginning: String) async throws {
        let course = try await send(.GET, nil, [.send(beginning), .wait(.milliseconds(50)), .cut])
        #expect(course.error != nil && course.status == nil)
        #expect(course.copies.count == 1 && course.reasons.isEmpty)
    }

    @Test("The client doesn't retry the first request on a connection")
    func firstOfConnection() async throws {
        let course = try await send(.GET, failing: [0])
        #expect(course.error as? HTTPClientError == .remoteConnectionClosed)
        #expect(course.copies.count == 1 && course.connections == 1 && course.reasons.isEmpty)
    }

    @Test("The client doesn't retry again if the retry gets no answer")
    func twice() async throws {
        let course = try await send(.GET, failing: [1, 2])
        #expect(course.error as? HTTPClientError == .remoteConnectionClosed)
        #expect(course.copies.count == 2 && course.connections == 2)
        #expect(course.reasons == [.connectionLost])
    }

    @Test("A retry doesn't use another idle connection, which may have ended too")
    func manyIdle() async throws {
        let scene = try Scene()
        let observer = RepeatObserver(scene.trust)
        let count = Locked(0)
        try await scene.run({ head in
            if head.contains(" /first ") { return [.wait(.milliseconds(300)), .answer(200)] }
            return count.withLock { count in
                defer { count += 1 }
                return count == 0 ? [.cut] : [.answer(200, body: "hello")]
            }
        }) { client, server in
            let url = scene.url(server.port, "/first")
            let outcomes = await client.outcomes(4) { _ in url }
            #expect(outcomes.allSatisfy { (try? $0.get()) == "200 " })
            let before = server.connections
            try await client.expect("200 hello", at: scene.url(server.port, "/second"))
            #expect(server.connections == before + 1)
            #expect(observer.reasons == [.connectionLost])
        }
    }
}
