// SPDX-License-Identifier: Apache-2.0

import NIOCore
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustWebSocket
import Testing

@Suite("Pings on WebSockets", .timeLimit(.minutes(10)))
struct PingTests {
    private let good: LabCertificates

    init() throws { good = try LabScenario.good.certificates(at: .now()) }

    private func client(timeout: Duration = .seconds(1)) throws -> TrustedWebSocketClient {
        var client = try TrustedWebSocketClient(good)
        // Values below a second count as one.
        client.pingInterval = .zero
        client.pingTimeout = timeout
        return client
    }

    @Test("A server that doesn't answer a ping ends the messages with an error")
    func unanswered() async throws {
        let peer = try await WebSocketPeer([good], .raw(WebSocketPeer.accepting()))
        let client = try client()
        let error = await failure {
            try await client.withConnection(to: peer.url, connectingTo: "127.0.0.1") { socket in
                for try await message in socket.messages { Issue.record("\(message)") }
            }
        }
        #expect((error as? WebSocketError)?.code == .webSocketTimedOut, "\(String(describing: error))")
        try await peer.drain()
        await peer.stop()
    }

    @Test("Without an interval, a silent WebSocket stays open")
    func off() async throws {
        let peer = try await WebSocketPeer([good])
        let client = try TrustedWebSocketClient(good)
        try await client.withConnection(to: peer.url, connectingTo: "127.0.0.1") { socket in
            try await Task.sleep(for: .milliseconds(2500))
            try await socket.send("hello")
            for try await message in socket.messages {
                #expect(message == .text("hello"))
                break
            }
        }
        await peer.stop()
    }

    @Test(
        "wsproto answers pings, and the WebSocket stays open",
        .enabled(if: WSProtoPeer.isAvailable, "wsproto isn't installed"))
    func answered() async throws {
        let peer = try WSProtoPeer(good)
        let client = try client(timeout: .seconds(60))
        let received = try await client.withConnection(to: peer.url, connectingTo: "127.0.0.1") { socket in
            var iterator = socket.messages.makeAsyncIterator()
            func bytes() async throws -> Int {
                try await socket.send("stats")
                guard case .text(let text)? = try await iterator.next() else { return 0 }
                return text.split(separator: " ").last.flatMap { Int($0) } ?? 0
            }
            let before = try await bytes()
            try await Task.sleep(for: .milliseconds(3500))
            return (before, try await bytes())
        }
        // A ping has 14 bytes, and the message 11.
        #expect(received.1 - received.0 >= 2 * 14 + 11)
        peer.stop()
    }

    @Test("A WebSocket whose messages aren't read stays open, although the server's answers wait")
    func unread() async throws {
        let flood = (0..<20_000).flatMap { _ -> [UInt8] in [0x82, 100] + [UInt8](repeating: 1, count: 100) }
        let peer = try await WebSocketPeer([good], .raw(WebSocketPeer.accepting(then: flood)))
        let client = try client()
        let error = await failure {
            try await client.withConnection(to: peer.url, connectingTo: "127.0.0.1") { socket in
                try await Task.sleep(for: .milliseconds(4500))
                var count = 0
                for try await _ in socket.messages {
                    count += 1
                    if count == 20_000 { return }
                }
            }
        }
        #expect(error == nil, "\(String(describing: error))")
        await peer.stop()
    }
}
