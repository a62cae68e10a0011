// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import Testing

@Suite("A request's time limits", .timeLimit(.minutes(10)))
struct DeadlineTests {
    /// Long enough for a handshake on a busy machine.
    private static let head = Duration.seconds(5)
    /// A body that arrives long after the time limit of the head.
    private static let lateBody: @Sendable (String) -> [ScriptedServer.Step] = { _ in
        [.send("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n"), .wait(.seconds(6)), .send("late")]
    }
    private static let noBody: @Sendable (String) -> [ScriptedServer.Step] = { _ in
        [.send("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n")]
    }

    @Test("A deadline covers only the head of the response, as in async-http-client", arguments: [true, false])
    func untilHead(isTimeout: Bool) async throws {
        let scene = try Scene()
        try await scene.run(Self.lateBody) { client, server in
            let request = HTTPClientRequest(url: scene.url(server.port))
            let response =
                isTimeout
                ? try await client.execute(request, timeout: Self.head)
                : try await client.exchange(request, deadline: .now() + TimeAmount(Self.head)).response
            let body = try await response.body.collect(upTo: 100)
            #expect(String(buffer: body) == "late")
        }
    }

    @Test(
        "The body has a separate time limit, and the request's limit overrides the configuration's",
        arguments: [true, false])
    func body(isOfRequest: Bool) async throws {
        let scene = try Scene { $0.bodyTimeout = isOfRequest ? .seconds(600) : .seconds(1) }
        try await scene.run(Self.noBody) { client, server in
            let response = try await client.execute(
                HTTPClientRequest(url: scene.url(server.port)), timeout: .seconds(60),
                bodyTimeout: isOfRequest ? .seconds(1) : nil)
            let error = await failure { try await response.body.collect(upTo: 100) }
            #expect(error as? HTTPClientError == .deadlineExceeded, "\(String(describing: error))")
            #expect(try await eventually { client.openConnections == 0 })
        }
    }

    @Test("A caller can set one time limit for the whole response, including its body")
    func whole() async throws {
        let scene = try Scene()
        try await scene.run(Self.noBody) { client, server in
            let response = try await client.exchange(
                HTTPClientRequest(url: scene.url(server.port)), completeBy: .now() + TimeAmount(Self.head)
            ).response
            let error = await failure { try await response.body.collect(upTo: 100) }
            #expect(error as? HTTPClientError == .deadlineExceeded, "\(String(describing: error))")
        }
    }

    @Test("A redirect whose body never arrives ends at the deadline")
    func redirect() async throws {
        let scene = try Scene()
        try await scene.run({ _ in
            [.send("HTTP/1.1 302 Found\r\nlocation: /next\r\ncontent-length: 100\r\n\r\n")]
        }) { client, server in
            let request = HTTPClientRequest(url: scene.url(server.port))
            let error = await failure { try await client.execute(request, timeout: Self.head) }
            #expect(error as? HTTPClientError == .deadlineExceeded, "\(String(describing: error))")
        }
    }
}
