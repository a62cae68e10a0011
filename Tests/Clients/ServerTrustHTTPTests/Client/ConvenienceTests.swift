// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import Testing

@Suite("Convenience methods for requests", .timeLimit(.minutes(10)))
struct ConvenienceTests {
    @Test("Each convenience method sends its URL and body and returns the whole response")
    func methods() async throws {
        typealias Call = @Sendable (TrustedHTTPClient, String) async throws -> HTTPClient.Response
        let body = HTTPClientRequest.Body.bytes(ByteBuffer(string: "up"))
        let rows: [(line: String, hasBody: Bool, call: Call)] = [
            ("GET /a HTTP/1.1", false, { try await $0.get(url: $1) }),
            ("POST /a HTTP/1.1", true, { try await $0.post(url: $1, body: body) }),
            ("PUT /a HTTP/1.1", true, { try await $0.put(url: $1, body: body) }),
            ("PATCH /a HTTP/1.1", true, { try await $0.patch(url: $1, body: body) }),
            ("DELETE /a HTTP/1.1", false, { try await $0.delete(url: $1) }),
            ("OPTIONS /a HTTP/1.1", false, { try await $0.execute(.OPTIONS, url: $1) }),
        ]
        for row in rows {
            let scene = try Scene()
            try await scene.run({ _ in [.answer(201, ["x-mine: 1"], body: "down")] }) { client, server in
                let response = try await row.call(client, scene.url(server.port, "/a"))
                #expect(response.status == .created)
                #expect(response.host == scene.certificates.host.description)
                #expect(response.headers["x-mine"] == ["1"])
                #expect(response.body.map { String(buffer: $0) } == "down")
                let lines = server.received.components(separatedBy: "\r\n")
                #expect(lines.first == row.line)
                #expect((lines.last == "up") == row.hasBody)
            }
        }
    }

    @Test("A convenience method's deadline covers the whole body")
    func deadline() async throws {
        let scene = try Scene()
        let script: @Sendable (String) -> [ScriptedServer.Step] = { _ in
            [.send("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx")]
        }
        try await scene.run(script) { client, server in
            let error = await failure {
                try await client.get(url: scene.url(server.port), deadline: .now() + .seconds(5))
            }
            #expect(error as? HTTPClientError == .deadlineExceeded)
        }
    }

    @Test("A body above the limit causes an error, with or without a length", arguments: [true, false])
    func tooLarge(hasLength: Bool) async throws {
        let scene = try Scene()
        let text =
            hasLength
            ? "content-length: 5\r\n\r\n12345" : "transfer-encoding: chunked\r\n\r\n5\r\n12345\r\n0\r\n\r\n"
        try await scene.run({ _ in [.send("HTTP/1.1 200 OK\r\n" + text)] }) { client, server in
            let error = await failure { try await client.execute(url: scene.url(server.port), maxBodySize: 4) }
            #expect(error is NIOTooManyBytesError)
            let whole = try await client.execute(url: scene.url(server.port), maxBodySize: 5)
            #expect(whole.body?.readableBytes == 5)
        }
    }

    @Test("The shared client evaluates servers with the system's anchors and can't be changed")
    func shared() async throws {
        let client = try TrustedHTTPClient.shared
        let server = try await LabServer.start(.good)
        let refused = await failure { try await client.get(url: "https://127.0.0.1:\(server.port)/") }
        #expect(refused is TrustRefusal)
        #expect(server.counts.requestBytes == 0)
        let plain = await failure { try await client.get(url: "http://127.0.0.1:\(server.port)/") }
        #expect((plain as? TrustedHTTPError)?.code == .requestPlainHTTPRefused)
        await #expect(throws: TrustedHTTPError(.clientShared)) {
            try await client.replaceTrust(server.certificates.configuration)
        }
        await client.shutdown()
        let again = await failure { try await client.get(url: "https://127.0.0.1:\(server.port)/") }
        #expect(again is TrustRefusal)
        #expect(try TrustedHTTPClient.shared === client)
        await server.stop()
        #expect(server.counts.requestBytes == 0)
    }
}
