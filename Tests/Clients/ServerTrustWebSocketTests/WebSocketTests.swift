// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import NIOHTTP1
import PKIX
import PeerScripts
import ServerTrust
import ServerTrustNIO
import ServerTrustTesting
import ServerTrustWebSocket
import Testing

@testable import ServerTrustLab

extension TrustedWebSocketClient {
    /// Creates a client with the scenario's rules.
    init(_ certificates: LabCertificates, timeout: Duration = .seconds(60)) throws {
        try self.init(trust: certificates.configuration)
        self.timeout = timeout
    }
}

/// Returns the error that `body` throws, or nil.
func failure<Value>(_ body: () async throws -> Value) async -> (any Error)? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}

@Suite("WebSockets", .timeLimit(.minutes(10)))
struct WebSocketTests {
    private let good: LabCertificates

    init() throws { good = try LabScenario.good.certificates(at: .now()) }

    @Test("Messages go in both directions, the client masks its own, and the WebSocket ends with closing frames")
    func echo() async throws {
        let peer = try await WebSocketPeer([good], .echo(WebSocketPeer.accepting("Sec-WebSocket-Protocol: v2\r\n")))
        let client = try TrustedWebSocketClient(good)
        let headers = HTTPHeaders([("authorization", "Bearer token")])
        let answers = try await client.withConnection(
            to: peer.url, protocols: ["v2", "v1"], headers: headers, connectingTo: "127.0.0.1"
        ) { socket in
            #expect(socket.subprotocol == "v2")
            #expect(socket.server.verdict.isTrusted)
            try await socket.send("hello")
            try await socket.send(.binary(ByteBuffer(bytes: [0, 255])))
            try await socket.send(String(repeating: "x", count: 10_000))
            var answers: [WebSocketMessage] = []
            for try await message in socket.messages {
                answers.append(message)
                if answers.count == 3 { break }
            }
            return answers
        }
        let expected: [WebSocketMessage] = [
            .text("hello"), .binary(ByteBuffer(bytes: [0, 255])), .text(String(repeating: "x", count: 10_000)),
        ]
        #expect(answers == expected)
        try await peer.drain()
        let log = peer.log
        #expect(!log.hasUnmaskedFrame)
        let request = String(decoding: log.bytes[0] ?? [], as: UTF8.self).prefix { $0 != "\0" }
        #expect(request.hasPrefix("GET /feed?a=b HTTP/1.1\r\nhost: \(peer.host):\(peer.port)\r\n"))
        #expect(request.contains("authorization: Bearer token\r\n"))
        await peer.stop()
    }

    @Test("A URL can contain an IPv6 address with a zone, which the client uses to connect but not in rules")
    func zone() async throws {
        var options = LabServer.Options()
        options.address = .v6
        let server = try await LabServer.start(.ipAddressOnly, options: options)
        // The zone is a number, because ::1 has no named zone.
        for (url, rule, isTrusted) in [
            ("wss://[::1%251]:\(server.port)/", "::1", true), ("wss://[::1]:\(server.port)/", "::1", true),
            ("wss://[::1%251]:\(server.port)/", "::2", false),
        ] {
            var trust = server.certificates.configuration
            trust.manager = try ServerTrustManager(evaluators: [rule: DefaultTrustEvaluator()])
            var client = try TrustedWebSocketClient(trust: trust)
            client.timeout = .seconds(60)
            let error = await failure { [client] in try await client.withConnection(to: url) { _ in } }
            // The lab's servers don't support WebSockets, so a request that reaches them means trust.
            #expect(((error as? WebSocketError)?.code == .webSocketNotUpgraded) == isTrusted)
            #expect((error is TrustRefusal) == !isTrusted)
        }
        await server.stop()
        let client = try TrustedWebSocketClient(good)
        for url in ["wss://[::1%25]/", "wss://[::1%25a/b]/", "wss://::1%251/", "wss://[127.0.0.1%251]/"] {
            let error = await failure { try await client.withConnection(to: url) { _ in } }
            #expect((error as? WebSocketError)?.code == .webSocketUnusableURL, "\(url)")
        }
    }

    @Test("Every scenario has its expected outcome, and refused servers receive no part of the request")
    func conformance() async throws {
        let violations = try await ClientConformance().run { server in
            let client = try TrustedWebSocketClient(server.certificates)
            let error = await failure {
                try await client.withConnection(
                    to: "wss://\(server.host):\(server.port)/", connectingTo: server.address.rawValue
                ) { _ in }
            }
            // The lab's servers don't support WebSockets, so a request that reaches them means trust.
            if let error = error as? WebSocketError, error.code == .webSocketNotUpgraded { return .trusted }
            guard let refusal = error as? TrustRefusal else { return .noHandshake }
            return .refused(refusal.headline.code)
        }
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test("Records of the verdicts on the lab's servers lead to the same verdicts")
    func records() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("records-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var settings = TrustRecorder.Settings()
        settings.verifies = true
        let recorder = TrustRecorder(folder: folder.path, recording: .all, settings: settings)
        for scenario in LabScenario.all where !scenario.isForProbes {
            let server = try await LabServer.start(scenario)
            server.certificates.manager.events.add(recorder)
            let client = try TrustedWebSocketClient(server.certificates)
            _ = await failure {
                try await client.withConnection(
                    to: "wss://\(server.host):\(server.port)/", connectingTo: server.address.rawValue
                ) { _ in }
            }
            await server.stop()
        }
        await recorder.flush()
        #expect(recorder.counts.written > 100)
        #expect(recorder.counts.differing == 0)
    }

    @Test("A WebSocket works through a proxy, which sees only TLS", arguments: [true, false])
    func proxy(isHTTP: Bool) async throws {
        let proxy = try await LabProxy.start()
        let peer = try await WebSocketPeer([good])
        var client = try TrustedWebSocketClient(good)
        client.proxy =
            isHTTP ? .http(host: "127.0.0.1", port: proxy.port) : .socks5(host: "127.0.0.1", port: proxy.port)
        let answer = try await client.withConnection(to: peer.url) { socket in
            try await socket.send("secret")
            for try await message in socket.messages { return message }
            return .text("")
        }
        #expect(answer == .text("secret"))
        #expect(proxy.tunnels.map(\.target) == ["\(peer.host):\(peer.port)"])
        #expect(proxy.clientBytes.starts(with: [22, 3]))
        await peer.stop()
        await proxy.stop()
    }

    @Test("Among 200 concurrent WebSockets, those whose server presents another certificate send no data")
    func swapped() async throws {
        let expired = try LabScenario.expired.certificates(at: .now())
        let root = try TestAuthority.root()
        var trust = good.configuration
        trust.anchors = .only(good.anchors + expired.anchors + [root.certificate])
        let peer = try await WebSocketPeer([good, expired])
        var client = try TrustedWebSocketClient(trust: trust)
        client.timeout = .seconds(120)
        let (opened, refused) = try await withThrowingTaskGroup(of: Bool.self) { [client] group in
            for _ in 0..<200 {
                group.addTask {
                    do {
                        return try await client.withConnection(to: peer.url, connectingTo: "127.0.0.1") { socket in
                            try await socket.send("hello")
                            for try await message in socket.messages { return message == .text("hello") }
                            return false
                        }
                    } catch is TrustRefusal {
                        return false
                    }
                }
            }
            return try await group.reduce(into: (0, 0)) { counts, isOpen in
                if isOpen { counts.0 += 1 } else { counts.1 += 1 }
            }
        }
        #expect(opened == 100 && refused == 100)
        try await peer.drain()
        for (number, bytes) in peer.log.bytes { #expect(number % 2 == 0 || bytes.isEmpty) }
        #expect(peer.log.bytes.count == 100)
        await peer.stop()
    }

    @Test("The client doesn't contact a host that the rules deny")
    func denied() async throws {
        let peer = try await WebSocketPeer([good])
        let trust = ServerTrustConfiguration(try ServerTrustManager(rules: [peer.host.description: .denied]))
        let client = try TrustedWebSocketClient(trust: trust)
        let error = await failure {
            try await client.withConnection(to: peer.url, connectingTo: "127.0.0.1") { _ in }
        }
        #expect((error as? TrustRefusal)?.headline.code == .hostDenied)
        #expect(peer.log.connections == 0)
        await peer.stop()
    }

    static let urls: [(String, ErrorCode)] = [
        ("ws://api.lab.test/", .webSocketUnusableURL), ("https://api.lab.test/", .webSocketUnusableURL),
        ("wss://", .webSocketUnusableURL),
        ("wss://user@api.lab.test/", .webSocketUnusableURL), ("wss://api.lab.test:0/", .webSocketUnusableURL),
        ("wss://api.lab.test/a\r\nb", .webSocketUnusableURL), ("wss://api.lab.test/a b", .webSocketUnusableURL),
        ("", .webSocketUnusableURL),
    ]

    @Test("The client refuses an invalid URL before any lookup", arguments: urls)
    func unusable(url: String, reason: ErrorCode) async throws {
        let client = try TrustedWebSocketClient(good)
        let error = await failure { try await client.withConnection(to: url) { _ in } }
        #expect((error as? WebSocketError)?.code == reason)
    }

    static let fields: [(String, String)] = [
        ("host", "other.example"), ("Upgrade", "h2c"), ("sec-websocket-key", "x"), ("content-length", "5"),
        ("a\r\nb", "x"), ("a", "b\r\nc: d"), ("", "x"), ("a b", "x"), ("transfer-encoding", "chunked"),
    ]

    @Test("The client refuses header fields that could change the request", arguments: fields)
    func badField(name: String, value: String) async throws {
        let client = try TrustedWebSocketClient(good)
        let error = await failure {
            try await client.withConnection(to: "wss://api.lab.test/", headers: HTTPHeaders([(name, value)])) { _ in }
        }
        #expect((error as? WebSocketError)?.code == .webSocketUnusableField)
    }

    @Test(
        "Cancellation closes the connection, before the server answers and while waiting for messages",
        arguments: [true, false])
    func cancelled(isSilent: Bool) async throws {
        let peer = try await WebSocketPeer([good], isSilent ? .silent : .echo())
        let client = try TrustedWebSocketClient(good, timeout: .seconds(600))
        let task = Task {
            try await client.withConnection(to: peer.url, connectingTo: "127.0.0.1") { socket in
                for try await _ in socket.messages {}
                try Task.checkCancellation()
            }
        }
        while peer.log.bytes[0] == nil { try await Task.sleep(for: .milliseconds(5)) }
        task.cancel()
        let result = await task.result
        #expect(throws: (any Error).self) { try result.get() }
        try await peer.drain()
        await peer.stop()
    }
}
