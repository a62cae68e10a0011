// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustNIO
import Testing

@testable import ServerTrustLab

@Suite("TrustedHTTPClient")
struct RequestTests {
    @Test("The client sends the same request as HTTPClient, with the host exactly as in the URL")
    func request() async throws {
        try await Scene().run({ _ in [.answer(200, body: "ok")] }) { client, server in
            var request = HTTPClientRequest(url: "https://API.lab.test:\(server.port)/a%20b?c=d#fragment")
            request.method = .PUT
            request.headers.add(name: "x-mine", value: "1")
            request.body = .bytes(ByteBuffer(string: "body"))
            let response = try await client.execute(request, timeout: .seconds(20))
            #expect(response.status == .ok)
            #expect(response.url?.absoluteString == request.url)
            #expect(response.history.count == 1)
            let lines = server.received.components(separatedBy: "\r\n")
            #expect(lines[0] == "PUT /a%20b?c=d HTTP/1.1")
            #expect(lines.contains("host: api.lab.test:\(server.port)"))
            #expect(lines.contains("x-mine: 1"))
            // As in async-http-client, the request says nothing about the program.
            #expect(!server.received.lowercased().contains("user-agent") && !server.received.contains("accept"))
            #expect(lines.last == "body")
        }
    }

    @Test("A response includes its evaluated server, even if the connection has ended")
    func server() async throws {
        let script: @Sendable (String) -> [ScriptedServer.Step] = { _ in
            [.answer(200, ["connection: close"], body: "ok"), .cut]
        }
        let scene = try Scene()
        try await scene.run(script) { client, server in
            for _ in 0..<20 {
                let answer = try await client.exchange(
                    HTTPClientRequest(url: scene.url(server.port)), deadline: .now() + .seconds(20))
                #expect(answer.server?.host == scene.certificates.host)
                #expect(answer.server?.presentedChain.leaf == scene.certificates.chain.first)
                #expect(answer.server?.verdict.path.last == scene.certificates.anchors.first)
            }
        }
    }

    @Test("The client streams uploads and downloads of several megabytes")
    func streams() async throws {
        let chunk = String(repeating: "0123456789abcdef", count: 4096)
        var options = LabServer.Options()
        options.response = LabResponse(chunks: Array(repeating: chunk, count: 128))
        let server = try await LabServer.start(.good, options: options)
        try await withClient(of: server) { client in
            var request = HTTPClientRequest(url: server.url + "/")
            request.method = .POST
            let parts = AsyncStream<ByteBuffer> { continuation in
                for _ in 0..<128 { continuation.yield(ByteBuffer(string: chunk)) }
                continuation.finish()
            }
            request.body = .stream(parts, length: .unknown)
            let response = try await client.execute(request, timeout: .seconds(60))
            var bytes = 0
            for try await part in response.body {
                bytes += part.readableBytes
            }
            #expect(bytes == 128 * chunk.utf8.count)
        }
        #expect(server.counts.requestBytes > 128 * chunk.utf8.count)
    }

    @Test(
        "The client presents its certificate to a server that asks for one",
        arguments: [LabServer.TLSVersions.tls12, .tls13])
    func clientCertificate(versions: LabServer.TLSVersions) async throws {
        var options = LabServer.Options()
        options.clientCertificates = .required
        options.versions = versions
        let server = try await LabServer.start(.good, options: options)
        let identity = try #require(server.clientIdentity)
        var configuration = TrustedHTTPConfiguration(server)
        try configuration.show(identity)
        let without = try TrustedHTTPClient(trust: .init(server), configuration: .init(server))
        let error = await failure { try await without.text(server.url + "/") }
        await without.shutdown()
        #expect(error != nil && !(error is TrustRefusal))
        #expect(server.counts.requests == 0)
        try await withClient(of: server, configuration) { client in
            try await client.expect("200 hello from the lab\n", at: server.url + "/")
        }
        #expect(server.counts.clientCertificates == 1)
    }

    @Test("The client reuses connections and opens only as many as twenty concurrent requests need")
    func pool() async throws {
        let server = try await LabServer.start(.good)
        try await withClient(of: server) { client in
            for _ in 0..<10 { try await client.expectOK(at: server.url + "/") }
            #expect(server.counts.connections == 1)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask { try await client.expectOK(at: server.url + "/") }
                }
                try await group.waitForAll()
            }
            #expect(server.counts.requests == 30)
            #expect(server.counts.connections <= 8)
            #expect(server.counts.handshakes <= server.counts.connections)
        }
    }

    @Test("Twenty concurrent requests to a refused server all fail with the verdict")
    func refusedTogether() async throws {
        let server = try await LabServer.start(.expired)
        try await withClient(of: server) { client in
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        let error = await failure { try await client.text(server.url + "/") }
                        #expect((error as? TrustRefusal)?.headline.code == .certificateExpired)
                    }
                }
            }
            #expect(client.openConnections == 0)
        }
        #expect(server.counts.requestBytes == 0)
    }

    @Test("The client evaluates a server for the URL's host, never for the address it connects to")
    func hostAndAddress() async throws {
        let server = try await LabServer.start(.ipAddressOnly)
        var trust = ServerTrustConfiguration(server)
        trust.manager = try ServerTrustManager(
            evaluators: [server.host.description: DefaultTrustEvaluator(), "127.0.0.1": DefaultTrustEvaluator()])
        try await withClient(of: server, trust: trust) { client in
            let error = await failure { try await client.text(server.url + "/") }
            #expect((error as? TrustRefusal)?.headline.code == .hostMismatch)
            #expect(server.counts.requestBytes == 0)
            // The same server, reached by its address. The two requests must not share a connection.
            try await client.expectOK(at: "https://127.0.0.1:\(server.port)/")
            let again = await failure { try await client.text(server.url + "/") }
            #expect((again as? TrustRefusal)?.headline.code == .hostMismatch)
        }
    }

    @Test("A URL can contain an IPv6 address")
    func v6() async throws {
        var options = LabServer.Options()
        options.address = .v6
        let server = try await LabServer.start(.ipAddressOnly, options: options)
        var trust = ServerTrustConfiguration(server)
        trust.manager = try ServerTrustManager(evaluators: ["::1": DefaultTrustEvaluator()])
        try await withClient(of: server, trust: trust) { client in
            try await client.expectOK(at: "https://[::1]:\(server.port)/")
        }
    }

    @Test("A URL can contain an IPv6 address with a zone, which the client leaves out of the Host field")
    func zone() async throws {
        var options = LabServer.Options()
        options.address = .v6
        let server = try await LabServer.start(.ipAddressOnly, options: options)
        var trust = ServerTrustConfiguration(server)
        trust.manager = try ServerTrustManager(evaluators: ["::1": DefaultTrustEvaluator()])
        try await withClient(of: server, trust: trust) { client in
            // The zone is a number, because ::1 has no named zone.
            try await client.expectOK(at: "https://[::1%251]:\(server.port)/")
            try await client.expectOK(at: "https://[::1]:\(server.port)/")
        }
    }

    @Test(
        "The client doesn't connect for an invalid request",
        arguments: [
            ("http://api.lab.test/", ErrorCode.requestPlainHTTPRefused),
            ("https://api.lab.test@evil.example/", .requestUserInURL),
            ("https://user:secret@api.lab.test/", .requestUserInURL),
            ("ftp://api.lab.test/", .requestUnsupportedScheme),
            ("https+unix://%2Ftmp%2Fsocket/", .requestUnsupportedScheme),
            ("https://", .requestMalformedURL), ("https:///path", .requestMalformedURL),
            ("api.lab.test", .requestMalformedURL),
            ("", .requestMalformedURL),
            ("https:/api.lab.test/", .requestMalformedURL),
            ("https://api.lab.test:0/", .requestMalformedURL), ("https://api.lab.test:65536/", .requestMalformedURL),
            ("https://api.lab.test:+443/", .requestMalformedURL),
            ("https://b\u{fc}cher\u{3002}example/", .requestMalformedURL),
            ("https://api%2Elab.test/", .requestMalformedURL),
            ("https://api.lab.test\\@evil.example/", .requestUserInURL),
            ("https://api.lab.test\\evil.example/", .requestMalformedURL),
            ("https://::1/", .requestMalformedURL), ("https://[127.0.0.1]/", .requestMalformedURL),
            ("https://0x7f000001/", .requestMalformedURL), ("https://127.1/", .requestMalformedURL),
            ("https://api.lab.test/\r\nx: y", .requestMalformedURL),
            (" https://api.lab.test/", .requestUnsupportedScheme),
        ])
    func refusedURLs(url: String, reason: ErrorCode) async throws {
        let client = try TrustedHTTPClient(trust: Scene().trust)
        let error = await failure { try await client.text(url) }
        await client.shutdown()
        #expect((error as? TrustedHTTPError)?.code == reason, "\(String(describing: error))")
    }

    @Test("The client uses plain HTTP only for hosts that the configuration lists")
    func plain() async throws {
        let server = try await ScriptedServer.start(nil) { _ in [.answer(200, body: "in the clear")] }
        let scene = try Scene {
            $0.insecurelyPlainHosts = $0.dnsOverride.keys.contains("api.lab.test") ? [Self.host] : []
            // Shorter than the request's own limit. The server waits for the end of a head, which never arrives.
            $0.handshakeTimeout = .seconds(3)
        }
        let client = try TrustedHTTPClient(trust: scene.trust, configuration: scene.configuration)
        try await client.expect("200 in the clear", at: "http://api.lab.test:\(server.port)/")
        let error = await failure { try await client.text("http://elsewhere.lab.test:\(server.port)/") }
        #expect((error as? TrustedHTTPError)?.code == .requestPlainHTTPRefused)
        // The client must not reuse the open plain connection for https.
        let secure = await failure { try await client.text("https://api.lab.test:\(server.port)/") }
        #expect(secure is ConnectionFailure)
        await client.shutdown()
        await server.stop()
    }

    private static let host: Hostname = {
        guard let host = try? Hostname("api.lab.test") else { preconditionFailure("a host") }
        return host
    }()

    @Test("The client refuses a TLS configuration in a request, one that turns off verification, and a proxy")
    func configurations() async throws {
        let client = try TrustedHTTPClient(trust: Scene().trust)
        var request = HTTPClientRequest(url: "https://api.lab.test/")
        request.tlsConfiguration = .makeClientConfiguration()
        let error = await failure { [request] in try await client.execute(request, timeout: .seconds(1)) }
        #expect((error as? TrustedHTTPError)?.code == .requestTLSConfiguration)
        await client.shutdown()
        let afterwards = await failure { try await client.text("https://api.lab.test/") }
        #expect((afterwards as? TrustedHTTPError)?.code == .clientShutDown)

        var tls = TLSConfiguration.makeClientConfiguration()
        tls.certificateVerification = .none
        #expect(throws: TrustedHTTPError(.tlsVerificationTurnedOff)) {
            try TrustedHTTPConfiguration(HTTPClient.Configuration(tlsConfiguration: tls), redirects: .disallow)
        }
    }

    @Test("A released client shuts down")
    func forgotten() async throws {
        let server = try await LabServer.start(.good)
        do {
            let client = try TrustedHTTPClient(trust: .init(server), configuration: .init(server))
            try await client.expectOK(at: server.url + "/")
        }
        #expect(try await eventually { server.counts.openConnections == 0 })
        await server.stop()
    }

    @Test("The client ends a canceled request")
    func cancelled() async throws {
        try await Scene().run({ _ in [] }) { client, server in
            let task = Task { try await client.text("https://api.lab.test:\(server.port)/") }
            while server.received.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            task.cancel()
            let error = await failure { try await task.value }
            #expect(
                error is CancellationError || error as? HTTPClientError == .cancelled, "\(String(describing: error))")
        }
    }
}
