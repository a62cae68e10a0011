// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import PKIX
import ServerTrust
import Testing

@testable import ServerTrustHTTP

/// Common faults of servers. The bytes belong to the response before them, so the next request must not fail because of
/// them, or take them for its response.
@Suite("Bytes after a complete response", .timeLimit(.minutes(10)))
struct SurplusBytesTests {
    /// A complete response, and what follows it.
    struct Fault: CustomTestStringConvertible {
        let testDescription: String
        let response: String
        let surplus: String
        /// Whether the bytes could still become a response, so that only a repeat helps.
        var isHidden: Bool { surplus == "HTT" }
    }

    static let faults = [
        Fault(testDescription: "a body after 204", response: "HTTP/1.1 204 No Content\r\n\r\n", surplus: "surplus"),
        Fault(
            testDescription: "a body with a length after 204",
            response: "HTTP/1.1 204 No Content\r\ncontent-length: 7\r\n\r\n", surplus: "surplus"),
        Fault(
            testDescription: "a body after 304", response: "HTTP/1.1 304 Not Modified\r\ncontent-length: 7\r\n\r\n",
            surplus: "surplus"),
        Fault(
            testDescription: "chunks after 204",
            response: "HTTP/1.1 204 No Content\r\ntransfer-encoding: chunked\r\n\r\n",
            surplus: "7\r\nsurplus\r\n0\r\n\r\n"),
        Fault(
            testDescription: "surplus bytes after a body",
            response: "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello",
            surplus: "surplus"),
        Fault(
            testDescription: "the start of a response", response: "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello",
            surplus: "HTT"),
        Fault(
            testDescription: "a late 100", response: "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello",
            surplus: "HTTP/1.1 100 Continue\r\n\r\n"),
        Fault(
            testDescription: "a whole response", response: "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello",
            surplus: "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nwrong"),
    ]

    /// When the surplus bytes arrive.
    enum Moment: CaseIterable { case atOnce, later }

    @Test("The next request gets its own response", arguments: faults, Moment.allCases)
    func next(fault: Fault, moment: Moment) async throws {
        let scene = try Scene()
        try await scene.run({ head in
            guard head.hasPrefix("GET /first") else {
                return [.send("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nnext")]
            }
            return moment == .atOnce
                ? [.send(fault.response + fault.surplus)]
                : [.send(fault.response), .wait(.milliseconds(20)), .send(fault.surplus)]
        }) { client, server in
            for method in fault.isHidden && moment == .atOnce ? [HTTPMethod.GET] : [.GET, .POST] {
                _ = try await client.text(scene.url(server.port, "/first"))
                // Late bytes arrive on an idle connection, which the client then closes.
                if moment == .later { #expect(try await eventually { client.openConnections == 0 }) }
                var request = HTTPClientRequest(url: scene.url(server.port, "/next"))
                request.method = method
                let response = try await client.execute(request, timeout: .seconds(60))
                #expect(String(buffer: try await response.body.collect(upTo: 100)) == "next")
            }
        }
    }

    @Test("A request that is waiting for the connection gets its own response", arguments: faults)
    func queued(fault: Fault) async throws {
        let scene = try Scene { $0.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1 }
        try await scene.run({ head in
            head.hasPrefix("GET /first")
                ? [.wait(.milliseconds(30)), .send(fault.response + fault.surplus)]
                : [.send("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nnext")]
        }) { client, server in
            async let first = client.text(scene.url(server.port, "/first"))
            #expect(try await eventually { server.received.contains("/first") })
            async let second = client.text(scene.url(server.port, "/next"))
            _ = try await first
            #expect(try await second == "200 next")
        }
    }

    @Test("An idempotent request is repeated if the bytes arrive after it was sent")
    func afterNext() async throws {
        let scene = try Scene()
        let count = Locked(0)
        try await scene.run({ head in
            guard head.contains(" /next") else { return [.send("HTTP/1.1 204 No Content\r\n\r\n")] }
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            let answer = "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nnext"
            return [.send(isFirst ? "surplus" + answer : answer)]
        }) { client, server in
            _ = try await client.text(scene.url(server.port, "/first"))
            try await client.expect("200 next", at: scene.url(server.port, "/next"))
            #expect(server.connections == 2)
        }
    }

    @Test("A gated client's next request gets its own response", arguments: faults.filter { !$0.isHidden })
    func gated(fault: Fault) async throws {
        let scene = try Scene()
        let server = try await ScriptedServer.start(scene.certificates) { head in
            head.hasPrefix("GET /first")
                ? [.send(fault.response + fault.surplus)]
                : [.send("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nnext")]
        }
        let client = HTTPClient(configuration: try scene.gated())
        let result = await failure {
            for _ in 0..<3 {
                try await client.expectAnswer(at: scene.url(server.port, "/first"))
                let request = HTTPClientRequest(url: scene.url(server.port, "/next"))
                let response = try await client.execute(request, timeout: .seconds(60))
                #expect(String(buffer: try await response.body.collect(upTo: 100)) == "next")
            }
        }
        #expect(result == nil, "\(String(describing: result))")
        try await client.shutdown()
        await server.stop()
    }

    @Test("The time for a body ends it even if pieces of it wait to be read")
    func bodyTimeout() async throws {
        let scene = try Scene()
        let chunks = String(repeating: "1\r\nx\r\n", count: 20_000)
        let head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
        try await scene.run({ _ in [.send(head + chunks), .forever("1\r\nx\r\n", pause: .milliseconds(20))] }) {
            client, server in
            let request = HTTPClientRequest(url: scene.url(server.port))
            let response = try await client.execute(request, timeout: .seconds(60), bodyTimeout: .milliseconds(400))
            var pieces = 0
            let error = await failure {
                for try await piece in response.body {
                    pieces += piece.readableBytes
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
            #expect(error as? HTTPClientError == .deadlineExceeded, "\(String(describing: error))")
            // Reading all of them would take 100 seconds.
            #expect(pieces < 20_000)
        }
    }
}

extension Scene {
    /// Returns the configuration of a gated `HTTPClient` for the scene's servers.
    func gated() throws -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        configuration.httpVersion = .http1Only
        configuration.tlsConfiguration = .makeClientConfiguration()
        configuration.tlsConfiguration?.trustRoots = .certificates(
            try certificates.anchors.map { try .init(bytes: $0.der, format: .der) })
        configuration.dnsOverride = self.configuration.dnsOverride
        configuration.timeout.connect = .seconds(60)
        try configuration.gate(by: trust, evaluationTimeout: .seconds(60))
        return configuration
    }
}
