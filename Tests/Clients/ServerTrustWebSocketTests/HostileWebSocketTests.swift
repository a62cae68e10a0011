// SPDX-License-Identifier: Apache-2.0

import NIOCore
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustWebSocket
import Testing

/// The answers of misbehaving servers.
struct HostileAnswer: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let answer: WebSocketPeer.Answer
    let reason: ErrorCode
    var closes = false

    init(
        _ description: String, _ answer: @escaping WebSocketPeer.Answer,
        _ reason: ErrorCode = .webSocketNotUpgraded, closes: Bool = false
    ) {
        self.testDescription = description
        self.answer = answer
        self.reason = reason
        self.closes = closes
    }

    private static func switching(_ fields: String) -> WebSocketPeer.Answer {
        WebSocketPeer.text("HTTP/1.1 101 Switching Protocols\r\n\(fields)\r\n")
    }

    static let upgrades: [HostileAnswer] = [
        .init("200", WebSocketPeer.text("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nno")),
        .init("a redirect", WebSocketPeer.text("HTTP/1.1 302 Found\r\nlocation: wss://evil.example/\r\n\r\n")),
        .init("no accept", switching("upgrade: websocket\r\nconnection: upgrade\r\n")),
        .init(
            "another accept",
            switching(
                "upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n")),
        .init("two accepts", { WebSocketPeer.accepting("sec-websocket-accept: \($0)\r\n")($0) }),
        .init("an extension", WebSocketPeer.accepting("sec-websocket-extensions: permessage-deflate\r\n")),
        .init("a subprotocol", WebSocketPeer.accepting("sec-websocket-protocol: other\r\n")),
        .init(
            "no upgrade",
            { WebSocketPeer.text("HTTP/1.1 101 X\r\nconnection: upgrade\r\nsec-websocket-accept: \($0)\r\n\r\n")($0) }),
        .init(
            "another upgrade",
            {
                WebSocketPeer.text(
                    "HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: h2c\r\nsec-websocket-accept: \($0)\r\n\r\n")($0)
            }),
        .init(
            "no connection",
            { WebSocketPeer.text("HTTP/1.1 101 X\r\nupgrade: websocket\r\nsec-websocket-accept: \($0)\r\n\r\n")($0) }),
        .init("garbage", WebSocketPeer.text("\u{0}\u{1}hello\r\n\r\n")),
        .init(
            "endless fields", WebSocketPeer.text("HTTP/1.1 101 X\r\n" + String(repeating: "a: b\r\n", count: 50_000))),
        .init("a long field", WebSocketPeer.text("HTTP/1.1 101 X\r\na: " + String(repeating: "b", count: 1 << 20))),
        .init("a connection that ends", WebSocketPeer.text(""), closes: true),
        .init("a connection that ends in the head", WebSocketPeer.text("HTTP/1.1 101 Swi"), closes: true),
        .init("nothing", WebSocketPeer.text(""), .webSocketTimedOut),
        .init("half a head", WebSocketPeer.text("HTTP/1.1 101 Switching"), .webSocketTimedOut),
        .init(
            "interim answers",
            WebSocketPeer.text(String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: 100)), .webSocketTimedOut),
    ]

    private static func after(_ description: String, _ bytes: [UInt8]) -> HostileAnswer {
        after(description, .webSocketProtocolViolation, bytes)
    }

    private static func after(
        _ description: String, _ reason: ErrorCode, closes: Bool = false, _ bytes: [UInt8]
    ) -> HostileAnswer {
        HostileAnswer(description, WebSocketPeer.accepting(then: bytes), reason, closes: closes)
    }

    /// Returns a fragment of a binary message, 100 bytes long.
    private static func fragment(_ opcode: UInt8) -> [UInt8] { [opcode, 100] + [UInt8](repeating: 1, count: 100) }

    static let frames: [HostileAnswer] = [
        after("a masked frame", [0x81, 0x81, 1, 2, 3, 4, 0x61]),
        after("a reserved bit", [0xc1, 1, 0x61]), after("an unknown opcode", [0x83, 1, 0x61]),
        after("an unknown control opcode", [0x8b, 0]), after("text that isn't UTF-8", [0x81, 2, 0xc3, 0x28]),
        after("a surrogate", [0x81, 3, 0xed, 0xa0, 0x80]),
        after("a large frame", .webSocketTooLarge, [0x82, 127, 0, 0, 0, 0, 0, 0x10, 0, 1]),
        after("a frame of 2^63 bytes", .webSocketTooLarge, [0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0]),
        after("a large ping", [0x89, 126, 0, 126] + [UInt8](repeating: 0, count: 126)),
        after("a ping in fragments", [0x09, 1, 0]), after("a continuation without a message", [0x80, 1, 0x61]),
        after("a message within another", [0x01, 1, 0x61, 0x81, 1, 0x62]),
        after("endless fragments", .webSocketTooLarge, fragment(2) + (0..<11_000).flatMap { _ in fragment(0) }),
        after("endless empty fragments", .webSocketTooLarge, [2, 0] + (0..<5_000).flatMap { _ -> [UInt8] in [0, 0] }),
        after("a truncated closing code", [0x88, 1, 3]),
        after("a connection that ends", .webSocketCutOff, closes: true, []),
        after("a connection that ends in a frame", .webSocketCutOff, closes: true, [0x81, 5, 0x61]),
        after("a connection that ends between fragments", .webSocketCutOff, closes: true, [0x01, 1, 0x61]),
        after("a closing code for an error", .webSocketClosedWithCode, [0x88, 2, 3, 0xf3]),
        after("a closing reason that isn't UTF-8", [0x88, 4, 3, 0xe8, 0xc3, 0x28]),
    ]
}

@Suite("Misbehaving WebSocket servers", .timeLimit(.minutes(10)))
struct HostileWebSocketTests {
    private let good: LabCertificates

    init() throws { good = try LabScenario.good.certificates(at: .now()) }

    @Test("A response that doesn't match the request opens no WebSocket", arguments: HostileAnswer.upgrades)
    func upgrade(_ row: HostileAnswer) async throws {
        let peer = try await WebSocketPeer([good], .raw(row.answer, closes: row.closes))
        let client = try TrustedWebSocketClient(
            good, timeout: row.reason == .webSocketTimedOut ? .milliseconds(500) : .seconds(60))
        let error = await failure {
            try await client.withConnection(to: peer.url, connectingTo: "127.0.0.1") { _ in
                Issue.record("a WebSocket was opened")
            }
        }
        #expect((error as? WebSocketError)?.code == row.reason, "\(String(describing: error))")
        try await peer.drain()
        await peer.stop()
    }

    @Test("Frames that violate the protocol end the messages with an error", arguments: HostileAnswer.frames)
    func frame(_ row: HostileAnswer) async throws {
        let peer = try await WebSocketPeer([good], .raw(row.answer, closes: row.closes))
        let client = try TrustedWebSocketClient(good)
        let error = await failure {
            try await client.withConnection(to: peer.url, connectingTo: "127.0.0.1") { socket in
                for try await message in socket.messages { Issue.record("\(message)") }
            }
        }
        #expect((error as? WebSocketError)?.code == row.reason, "\(String(describing: error))")
        try await peer.drain()
        await peer.stop()
    }

    static let usual: [(String, [UInt8], [WebSocketMessage])] = [
        ("a frame right after the answer", [0x81, 2, 0x68, 0x69, 0x88, 2, 3, 0xe8], [.text("hi")]),
        ("fragments with a ping between", [0x01, 1, 0x68, 0x89, 1, 7, 0x80, 1, 0x69, 0x88, 0], [.text("hi")]),
        ("an empty text", [0x81, 0, 0x88, 2, 3, 0xe9], [.text("")]), ("a farewell alone", [0x88, 0], []),
    ]

    @Test("Valid frames become messages, and a closing frame ends them", arguments: usual)
    func frames(_ row: (name: String, bytes: [UInt8], messages: [WebSocketMessage])) async throws {
        let peer = try await WebSocketPeer([good], .raw(WebSocketPeer.accepting(then: row.bytes)))
        let client = try TrustedWebSocketClient(good)
        let messages = try await client.withConnection(to: peer.url, connectingTo: "127.0.0.1") { socket in
            try await socket.messages.reduce(into: [WebSocketMessage]()) { $0.append($1) }
        }
        #expect(messages == row.messages)
        try await peer.drain()
        await peer.stop()
    }
}
