// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import PKIX
import ServerTrust
import Testing

@testable import ServerTrustHTTP
@testable import ServerTrustLab

@Suite("Redirects")
struct RedirectTests {
    /// Redirects requests for `/N` to the location, and returns the request's head in the body of `/end`.
    private func script(
        _ status: Int, to location: @escaping @Sendable (String) -> String?
    ) -> @Sendable (String) -> [ScriptedServer.Step] {
        { head in
            let path = String(head.split(separator: " ")[1])
            guard let location = location(path) else { return [.answer(200, body: head)] }
            return [.answer(status, ["location: \(location)"])]
        }
    }

    @Test("The client follows redirects to the final response, hop by hop")
    func chain() async throws {
        try await Scene().run(
            script(302) { path in ["/": "/1", "/1": "2?x=y", "/2?x=y": "?end", "/2?end": nil][path] ?? nil }
        ) { client, server in
            let response = try await client.get("https://api.lab.test:\(server.port)/")
            #expect(response.history.map(\.responseHead.status.code) == [302, 302, 302, 200])
            #expect(response.url?.absoluteString == "https://api.lab.test:\(server.port)/2?end")
            #expect(server.connections == 1)
        }
    }

    @Test("A redirect to a host with another CA fails, and that host receives no part of a request")
    func anotherAuthority() async throws {
        let server = try await LabServer.start(.redirectToAnotherAuthority)
        let target = try #require(server.redirectTarget)
        var trust = ServerTrustConfiguration(server)
        trust.manager = try ServerTrustManager(evaluators: ["*.lab.test": DefaultTrustEvaluator()])
        try await withClient(of: server, trust: trust) { client in
            let error = await failure { try await client.text(server.url + "/") }
            let refusal = try #require(error as? TrustRefusal)
            #expect(refusal.headline.code == .untrustedRoot)
            #expect(refusal.verdict.host == target.host)
        }
        #expect(server.counts.requests == 1)
        #expect(target.counts.connections == 1)
        #expect(target.counts.requestBytes == 0)
    }

    @Test("A redirect to a host without a rule fails")
    func unlisted() async throws {
        let server = try await LabServer.start(.redirectToAnotherAuthority)
        try await withClient(of: server) { client in
            let error = await failure { try await client.text(server.url + "/") }
            #expect((error as? TrustRefusal)?.headline.code == .hostNotListed)
        }
    }

    @Test(
        "The client refuses redirects that loop, lead to plain HTTP, or name no server",
        arguments: [
            ("http://api.lab.test/", ErrorCode.redirectToPlainHTTP),
            ("https://user@api.lab.test/", .redirectMalformed), ("file:///etc/passwd", .redirectMalformed),
            ("javascript:alert(1)", .redirectMalformed), ("//", .redirectMalformed), ("/", .redirectCycle),
        ])
    func refused(location: String, reason: ErrorCode) async throws {
        try await Scene().run(script(302) { _ in location }) { client, server in
            let error = await failure { try await client.text("https://api.lab.test:\(server.port)/") }
            #expect((error as? TrustedHTTPError)?.code == reason, "\(String(describing: error))")
        }
    }

    @Test("The client limits the number of redirects", arguments: [0, 1, 3])
    func counted(maximum: Int) async throws {
        let scene = try Scene { $0.redirects = .follow(max: maximum) }
        try await scene.run(script(302) { $0 + "x" }) { client, server in
            let url = "https://api.lab.test:\(server.port)/"
            if maximum == 0 {
                try await client.expect("302 ", at: url)
            } else {
                let error = await failure { try await client.text(url) }
                #expect((error as? TrustedHTTPError)?.code == .redirectLimitExceeded)
                #expect(server.received.split(separator: "GET ").count == maximum + 1)
            }
        }
    }

    @Test(
        "A redirect keeps or changes the method and body according to its status",
        arguments: [
            (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (307, "POST", "POST"),
            (308, "POST", "POST"),
            (301, "PUT", "PUT"), (303, "PUT", "GET"), (303, "HEAD", "HEAD"), (302, "DELETE", "DELETE"),
        ])
    func methods(status: Int, method: String, then: String) async throws {
        try await Scene().run(script(status) { $0 == "/" ? "/end" : nil }) { client, server in
            var request = HTTPClientRequest(url: "https://api.lab.test:\(server.port)/")
            request.method = HTTPMethod(rawValue: method)
            if ["POST", "PUT"].contains(method) {
                request.body = .bytes(ByteBuffer(string: "the body"))
                request.headers.add(name: "content-type", value: "text/plain")
            }
            _ = try await client.execute(request, timeout: .seconds(20)).body.collect(upTo: 1 << 16)
            let last = try #require(server.received.range(of: "/end HTTP/1.1", options: .backwards))
            let tail = String(server.received[last.lowerBound...])
            #expect(server.received.contains("\(then) /end HTTP/1.1"))
            #expect(tail.contains("the body") == (then == method && request.body != nil))
            #expect(tail.contains("content-type") == (then == method && request.body != nil))
        }
    }

    @Test("The client doesn't follow a redirect for a request whose body was a stream")
    func stream() async throws {
        try await Scene().run(script(307) { $0 == "/" ? "/end" : nil }) { client, server in
            var request = HTTPClientRequest(url: "https://api.lab.test:\(server.port)/")
            request.method = .POST
            let parts = AsyncStream<ByteBuffer> { continuation in
                continuation.yield(ByteBuffer(string: "the body"))
                continuation.finish()
            }
            request.body = .stream(parts, length: .known(Int64(8)))
            let response = try await client.execute(request, timeout: .seconds(20))
            #expect(response.status.code == 307)
        }
    }

    @Test("A redirect to another origin drops the credentials", arguments: [true, false])
    func credentials(isSameOrigin: Bool) async throws {
        let scene = try Scene()
        let target = try await ScriptedServer.start(scene.certificates) { _ in [.answer(200)] }
        let port = target.port
        try await scene.run(
            script(302) { $0 == "/" ? isSameOrigin ? "/end" : "https://api.lab.test:\(port)/end" : nil }
        ) { client, server in
            var request = HTTPClientRequest(url: "https://api.lab.test:\(server.port)/")
            for name in ["authorization", "cookie", "proxy-authorization", "origin", "x-harmless"] {
                request.headers.add(name: name, value: "of-\(name)")
            }
            request.headers.add(name: "host", value: "mine.example")
            _ = try await client.execute(request, timeout: .seconds(20)).body.collect(upTo: 1 << 16)
            let text = isSameOrigin ? server.received.components(separatedBy: "/end").last ?? "" : target.received
            #expect(text.contains("of-x-harmless"))
            for name in ["authorization", "cookie", "proxy-authorization", "origin"] {
                #expect(text.contains("\(name): of-") == isSameOrigin)
            }
            #expect(text.contains("mine.example") == isSameOrigin)
        }
        await target.stop()
    }

    @Test(
        "A redirect to another origin drops the client certificate",
        arguments: [LabServer.TLSVersions.tls12, .tls13])
    func clientCertificate(versions: LabServer.TLSVersions) async throws {
        var options = LabServer.Options()
        options.clientCertificates = .requested
        options.versions = versions
        let target = try await LabServer.start(.good, options: options)
        let url = target.url + "/"
        let first = try await ScriptedServer.start(target.certificates) { _ in [.answer(302, ["location: \(url)"])] }
        var configuration = TrustedHTTPConfiguration(target)
        try configuration.show(try #require(target.clientIdentity))
        try await withClient(of: target, configuration) { client in
            let redirecting = "https://\(target.host):\(first.port)/"
            try await client.expectOK(at: redirecting)
            #expect(target.counts.handshakes == 1 && target.counts.clientCertificates == 0)
            // Requested directly, the server gets the certificate, and a redirect doesn't reuse that connection.
            try await client.expectOK(at: url)
            #expect(target.counts.handshakes == 2 && target.counts.clientCertificates == 1)
            try await client.expectOK(at: redirecting)
            #expect(target.counts.handshakes == 2 && target.counts.requests == 3)
            #expect(client.openConnections == 3)
        }
        await first.stop()
    }

    @Test("A redirect back from another origin doesn't restore the client certificate")
    func clientCertificateOnReturn() throws {
        var hops = RedirectHops(.follow, from: "https://a.lab.test/")
        var request = HTTPClientRequest(url: "https://a.lab.test/")
        for (url, hasLeft) in [
            ("https://a.lab.test/2", false), ("https://a.lab.test:444/", true), ("https://a.lab.test/3", true),
        ] {
            let response = HTTPClientResponse(status: .found, headers: ["location": url], history: [])
            request = try #require(try hops.next(after: request, response))
            #expect(request.url == url)
            #expect(hops.hasLeftOrigin == hasLeft)
        }
    }
}
