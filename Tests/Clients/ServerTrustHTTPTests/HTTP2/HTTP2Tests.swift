// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import PKIX
import PeerScripts
import ServerTrust
import ServerTrustNIO
import ServerTrustTesting
import Testing

@testable import ServerTrustHTTP
@testable import ServerTrustLab

@Suite("HTTP/2", .timeLimit(.minutes(10)))
struct HTTP2Tests {
    @Test("HTTP/2 takes one more handshake than HTTP/1.1, then one connection serves all requests")
    func requests() async throws {
        let scene = try HTTP2Scene()
        let good = HTTP2Server.Setup(scene.good)
        try await scene.run({ _ in good }) { client, server in
            for _ in 0..<3 {
                let response = try await client.exchange(
                    HTTPClientRequest(url: scene.url(server)), deadline: .now() + .seconds(60))
                #expect(response.response.version.major == 2)
                #expect(response.response.headers["x-servertrust-exchange"].isEmpty)
                #expect(response.server?.verdict.isTrusted == true)
                #expect(response.server?.presentedChain.certificates == scene.good.chain)
                let body = try await response.response.body.collect(upTo: 100)
                #expect(String(buffer: body) == "hello")
            }
            let record = server.record
            #expect(record.handshakes == 2)
            #expect(record.requests.map(\.connection) == [1, 1, 1])
            #expect(HTTP2Frames.hasNoRequest(record.bytes[0]))
            #expect(client.openConnections == 1)
        }
    }

    @Test("200 concurrent requests, including the first, share one connection")
    func parallel() async throws {
        let scene = try HTTP2Scene()
        var setup = HTTP2Server.Setup(scene.good)
        setup.answer = { _ in .later(.milliseconds(50)) }
        let good = setup
        try await scene.run({ _ in good }) { client, server in
            let url = scene.url(server)
            let outcomes = await client.outcomes(200) { _ in url }
            #expect(outcomes.allSatisfy { (try? $0.get()) == "200 later" })
            #expect(server.record.handshakes == 2)
            #expect(Set(server.record.requests.map(\.isHTTP2)) == [true])
        }
    }

    static let protocols: [([String], Bool, Int)] = [
        (["h2"], true, 2), (["h2", "http/1.1"], true, 2), (["http/1.1"], false, 1), ([], false, 1),
    ]

    @Test("The client reaches servers that support only HTTP/2, only HTTP/1.1, or no ALPN", arguments: protocols)
    func negotiation(protocols: [String], isHTTP2: Bool, handshakes: Int) async throws {
        let scene = try HTTP2Scene()
        var setup = HTTP2Server.Setup(scene.good)
        setup.protocols = protocols
        let served = setup
        try await scene.run({ _ in served }) { client, server in
            for _ in 0..<2 { try await client.expect("200 hello", at: scene.url(server)) }
            #expect(server.record.requests.map(\.isHTTP2) == [isHTTP2, isHTTP2])
            #expect(server.record.handshakes == handshakes)
        }
    }

    @Test("Two names of one certificate at one address use separate connections")
    func coalescing() async throws {
        let scene = try HTTP2Scene()
        let good = HTTP2Server.Setup(scene.good)
        try await scene.run({ _ in good }) { client, server in
            for host in [HTTP2Scene.name, HTTP2Scene.otherName, HTTP2Scene.name] {
                try await client.expect("200 hello", at: scene.url(server, host: host))
            }
            #expect(Set(server.record.requests.map(\.connection)).count == 2)
        }
    }

    @Test("The client evaluates each host of a redirect over HTTP/2")
    func redirects() async throws {
        let scene = try HTTP2Scene()
        let port = Locked(0)
        var setup = HTTP2Server.Setup(scene.good)
        setup.answer = { path in
            path == "/" ? .redirect("https://\(HTTP2Scene.otherName):\(port.withLock { $0 })/there") : .text(path)
        }
        let served = setup
        try await scene.run({ _ in served }) { client, server in
            port.withLock { $0 = server.port }
            try await client.expect("200 /there", at: scene.url(server))
            #expect(server.record.requests.map(\.isHTTP2) == [true, true])
            var denying = scene.trust
            denying.manager = try ServerTrustManager(
                rules: [HTTP2Scene.name: .enforced(DefaultTrustEvaluator()), HTTP2Scene.otherName: .denied])
            let closed = try await client.replaceTrust(denying)
            #expect(closed.map(\.host.description) == [HTTP2Scene.otherName])
        }
    }

    @Test("HTTP/2 works through a proxy", arguments: ProxyKind.allCases)
    func proxies(kind: ProxyKind) async throws {
        let proxy = try await LabProxy.start()
        let server = try await LabServer.start(.good)
        var configuration = TrustedHTTPConfiguration()
        configuration.bePatient()
        configuration.proxy = kind.selection(proxy.port)
        try await withClient(of: server, configuration) { client in
            for _ in 0..<3 { try await client.expectOK(at: server.url + "/") }
        }
        #expect(server.counts.http2Requests == 3)
        #expect(server.counts.handshakes == 2)
        #expect(proxy.tunnels.map(\.target) == Array(repeating: "\(server.host):\(server.port)", count: 2))
        #expect(proxy.clientBytes.starts(with: [22, 3]))
        await proxy.stop()
    }

    @Test("The client presents its certificate over HTTP/2, but not to servers that redirects lead to")
    func clientCertificate() async throws {
        var elsewhere = LabServer.Options()
        elsewhere.clientCertificates = .requested
        let target = try await LabServer.start(.good, options: elsewhere)
        var options = LabServer.Options()
        options.clientCertificates = .required
        options.response = .redirect(to: "https://\(target.host):\(target.port)/")
        let server = try await LabServer.start(.good, options: options)
        var configuration = TrustedHTTPConfiguration(server, httpVersion: .automatic)
        try configuration.show(#require(server.clientIdentity))
        var trust = ServerTrustConfiguration(server)
        trust.anchors = .only(server.certificates.anchors + target.certificates.anchors)
        try await withClient(of: server, trust: trust, configuration) { client in
            for _ in 0..<2 { try await client.expectOK(at: server.url + "/") }
        }
        #expect(target.counts.http2Requests == 2)
        #expect(target.counts.clientCertificates == 0)
        await target.stop()
        #expect(server.counts.http2Requests == 2)
        #expect(server.counts.clientCertificates == 2)
    }

    @Test("Multi-part bodies work in both directions, whatever HTTP/1.1 headers the request has")
    func bodies() async throws {
        let scene = try HTTP2Scene()
        var setup = HTTP2Server.Setup(scene.good)
        setup.answer = { _ in .text(String(repeating: "x", count: 300_000)) }
        let served = setup
        try await scene.run({ _ in served }) { client, server in
            var request = HTTPClientRequest(url: scene.url(server, "/upload?a=b"))
            request.method = .POST
            request.headers = ["connection": "close", "keep-alive": "5", "te": "trailers", "x-mine": "1"]
            let part = ByteBuffer(repeating: 7, count: 100_000)
            let parts = AsyncStream<ByteBuffer> { continuation in
                for _ in 0..<20 { continuation.yield(part) }
                continuation.finish()
            }
            request.body = .stream(parts, length: .unknown)
            let response = try await client.execute(request, timeout: .seconds(60))
            #expect(try await response.body.collect(upTo: 1 << 20).readableBytes == 300_000)
            #expect(server.record.requests.map(\.path) == ["/upload?a=b"])
            #expect(server.record.requests.map(\.isHTTP2) == [true])
            #expect(try #require(server.record.bytes.last).count > 2_000_000)
        }
    }

    @Test("The client uses HTTP/2 with nginx", .enabled(if: Peer.Program.nginx.isAvailable))
    func nginx() async throws {
        let certificates = try LabScenario.good.certificates(at: .now())
        let peer = try await Peer.nginx(certificates, isHTTP2: true)
        var configuration = TrustedHTTPConfiguration()
        configuration.bePatient()
        configuration.dnsOverride = [certificates.host.description: "127.0.0.1"]
        configuration.decompression = .enabled(limit: .size(1 << 20))
        let client = try TrustedHTTPClient(trust: certificates.configuration, configuration: configuration)
        let url = "https://\(certificates.host):\(peer.port)/long.txt"
        for outcome in await client.outcomes(100, at: { _ in url }) {
            #expect(try outcome.get() == "200 " + Peer.longText)
        }
        #expect(client.openConnections == 1)
        await client.shutdown()
        let log = try? String(contentsOf: peer.folder.appendingPathComponent("access.log"), encoding: .utf8)
        #expect(log?.split(separator: "\n").filter { $0.contains("HTTP/2.0") }.count == 100)
        peer.stop()
    }

    @Test("The client never offers HTTP/2 when it is limited to HTTP/1.1")
    func http1Only() async throws {
        let server = try await LabServer.start(.good)
        let configuration = TrustedHTTPConfiguration(server, httpVersion: .http1Only)
        try await withClient(of: server, configuration) { client in
            for _ in 0..<2 { try await client.expectOK(at: server.url + "/") }
        }
        #expect(server.counts.http2Requests == 0 && server.counts.connections == 1)
    }
}
