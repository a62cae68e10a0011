// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import ServerTrust
import Testing

@testable import ServerTrustHTTP

/// The server ends each HTTP/2 connection soon after its answers. The pool may not know that yet when it sends the next
/// request.
@Suite("Requests on HTTP/2 connections that have just ended", .timeLimit(.minutes(10)))
struct DeadConnectionTests {
    enum End: CaseIterable {
        case reset, goAway, flood

        func steps(_ stream: UInt8) -> [FrameScript.Step] {
            let answer = FrameScript.Step.send(HTTP2Frames.answer(stream))
            return switch self {
            case .reset: [answer, .abort]
            case .goAway: [answer, .send(HTTP2Frames.goAway(2, last: stream))]
            case .flood: [answer, .flood(HTTP2Frames.settings)]
            }
        }
    }

    @Test("Idempotent requests succeed, and the server sees no other request twice", arguments: End.allCases, methods)
    func ends(end: End, method: HTTPMethod) async throws {
        let scene = try HTTP2Scene()
        var setup = HTTP2Server.Setup(scene.good)
        setup.script = FrameScript()
        setup.script?.answer = { _, stream in end.steps(stream) }
        let ending = setup
        try await scene.run({ _ in ending }) { client, server in
            for number in 0..<15 {
                var request = HTTPClientRequest(url: scene.url(server))
                request.method = method
                do {
                    let response = try await client.execute(request, timeout: .seconds(60))
                    let body = await Result { try await response.body.collect(upTo: 1 << 16) }
                    // The end may overtake the body.
                    if case .success(let body) = body { #expect(String(buffer: body) == "hello") }
                } catch  where method == .POST {
                    // The connection ended after the client had sent the request, so the client must not repeat it.
                    #expect(error is HTTP2ConnectionError || error as? HTTPClientError == .remoteConnectionClosed)
                }
                // Waits a little longer each time, so that the end arrives before or after the next request.
                try await Task.sleep(for: .microseconds(number * 100))
            }
            if method == .POST { #expect(server.record.requests.count <= 15) }
        }
    }

    private static let methods = [HTTPMethod.GET, .POST]

    @Test("A request that was sent in part fails, and the server sees it once")
    func partly() async throws {
        let scene = try HTTP2Scene()
        var setup = HTTP2Server.Setup(scene.good)
        setup.script = FrameScript()
        let good = setup
        setup.script?.answer = { number, stream in number == 0 ? [.send(HTTP2Frames.answer(stream))] : [.abort] }
        let ending = setup
        try await scene.run({ $0 == 1 ? ending : good }) { client, server in
            try await client.expect("200 hello", at: scene.url(server))
            var request = HTTPClientRequest(url: scene.url(server))
            request.method = .POST
            let (parts, last) = AsyncStream.makeStream(of: ByteBuffer.self)
            request.body = .stream(parts, length: .unknown)
            last.yield(ByteBuffer(string: "first"))
            async let outcome = failure { try await client.execute(request, timeout: .seconds(60)) }
            let error = await outcome
            last.finish()
            #expect(error as? HTTPClientError == .remoteConnectionClosed, "\(String(describing: error))")
            #expect(server.record.requests.count == 2)
            try await client.expect("200 hello", at: scene.url(server))
        }
    }
}

extension Result where Failure == any Error {
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
