// SPDX-License-Identifier: Apache-2.0

import Decompression
import NIOCore
import PKIX
import ServerTrust
import ServerTrustLab
import Testing

@testable import ServerTrustWebSocket

@Suite("Compressed WebSocket messages", .timeLimit(.minutes(10)))
struct CompressionTests {
    private let good: LabCertificates

    init() throws { good = try LabScenario.good.certificates(at: .now()) }

    private func client(_ compression: WebSocketCompression = .deflate()) throws -> TrustedWebSocketClient {
        var client = try TrustedWebSocketClient(good)
        client.compression = compression
        return client
    }

    // MARK: - Negotiation

    private func accepted(_ fields: [String], _ compression: WebSocketCompression = .deflate()) -> DeflateParameters? {
        do throws(DeflateParameters.Problem) { return try .accepted(fields, for: compression) } catch { return nil }
    }

    @Test("The offer names the parameters that the client supports")
    func offer() {
        #expect(DeflateParameters.offer(.disabled) == nil)
        #expect(DeflateParameters.offer(.deflate()) == "permessage-deflate; client_max_window_bits")
        #expect(
            DeflateParameters.offer(.deflate(keepsContext: false))
                == "permessage-deflate; server_no_context_takeover; client_no_context_takeover; client_max_window_bits")
    }

    @Test("A server may choose parameters")
    func parameters() throws {
        let plain = try #require(accepted(["permessage-deflate"]))
        #expect(plain.serverKeepsContext && plain.clientKeepsContext && plain.clientWindowBits == 15)
        let all =
            "permessage-deflate; server_no_context_takeover;client_no_context_takeover ; server_max_window_bits=8; client_max_window_bits=\"9\""
        let parameters = try #require(accepted([all]))
        #expect(!parameters.serverKeepsContext && !parameters.clientKeepsContext && parameters.clientWindowBits == 9)
        let without = try #require(
            accepted(["permessage-deflate; server_no_context_takeover"], .deflate(keepsContext: false)))
        #expect(!without.clientKeepsContext)
    }

    @Test(
        "An answer that isn't exactly valid opens no WebSocket",
        arguments: [
            "", "permessage-gzip", "x-webkit-deflate-frame", "permessage-deflate, permessage-deflate",
            "permessage-deflate;", "permessage-deflate; server_no_context_takeover=1",
            "permessage-deflate; client_no_context_takeover=", "permessage-deflate; server_max_window_bits",
            "permessage-deflate; server_max_window_bits=7", "permessage-deflate; server_max_window_bits=16",
            "permessage-deflate; server_max_window_bits=08", "permessage-deflate; server_max_window_bits=+9",
            "permessage-deflate; client_max_window_bits", "permessage-deflate; client_max_window_bits=1000",
            "permessage-deflate; client_max_window_bits=\"10",
            "permessage-deflate; server_max_window_bits=9; server_max_window_bits=9",
            "permessage-deflate; mux", "permessage-deflate; Server_No_Context_Takeover",
        ])
    func invalidAnswer(field: String) async throws {
        #expect(accepted([field]) == nil)
        let peer = try await WebSocketPeer(
            [good], .raw(WebSocketPeer.accepting("sec-websocket-extensions: \(field)\r\n")))
        let client = try client()
        let error = await failure {
            try await client.withConnection(to: peer.url, connectingTo: "127.0.0.1") { _ in
                Issue.record("a WebSocket was opened")
            }
        }
        #expect((error as? WebSocketError)?.code == .webSocketNotUpgraded)
        await peer.stop()
    }

    @Test("Two fields, a missing parameter, and an answer without an offer are invalid")
    func invalidAnswers() {
        #expect(accepted(["permessage-deflate", "permessage-deflate"]) == nil)
        #expect(accepted(["permessage-deflate"], .deflate(keepsContext: false)) == nil)
        #expect(throws: DeflateParameters.Problem.self) {
            try DeflateParameters.accepted(["permessage-deflate"], for: .disabled)
        }
    }

    // MARK: - A real server

    static let choices: [(parameters: [String], keepsContext: Bool)] = [
        ([], true), ([], false), (["server_no_context_takeover=1"], true), (["client_no_context_takeover=1"], true),
        (["server_max_window_bits=9"], true), (["client_max_window_bits=9"], true),
        (["server_no_context_takeover=1", "client_no_context_takeover=1", "client_max_window_bits=10"], false),
    ]

    @Test(
        "Messages of all sizes go to wsproto and back",
        .enabled(if: WSProtoPeer.isAvailable, "wsproto isn't installed"),
        arguments: choices)
    func realServer(_ choice: (parameters: [String], keepsContext: Bool)) async throws {
        let peer = try WSProtoPeer(good, choice.parameters)
        var messages: [WebSocketMessage] = [.text(""), .text("short"), .binary(ByteBuffer())]
        for size in [63, 64, 65, 1000, 65_535, 65_536, 300_000] {
            messages.append(.text(String(repeating: "all work and no play ", count: size / 21 + 1)))
            messages.append(.binary(ByteBuffer(bytes: (0..<size).map { _ in UInt8.random(in: 0...255) })))
        }
        let client = try client(.deflate(keepsContext: choice.keepsContext))
        try await client.withConnection(to: peer.url, connectingTo: "127.0.0.1") { [messages] socket in
            #expect(socket.isCompressed)
            var iterator = socket.messages.makeAsyncIterator()
            for message in messages + messages {
                try await socket.send(message)
                let answer = try await iterator.next()
                #expect(answer == message)
            }
        }
        peer.stop()
    }

    @Test(
        "The client sends fewer bytes with compression",
        .enabled(if: WSProtoPeer.isAvailable, "wsproto isn't installed"), arguments: [true, false])
    func saving(isOn: Bool) async throws {
        let peer = try WSProtoPeer(good, isOn ? [] : ["off"])
        let client = try client()
        let answer = try await client.withConnection(to: peer.url, connectingTo: "127.0.0.1") { socket in
            #expect(socket.isCompressed == isOn)
            try await socket.send(String(repeating: "a", count: 500_000))
            try await socket.send("stats")
            for try await message in socket.messages {
                if case .text(let text) = message, text.utf8.count < 100 { return text }
            }
            return ""
        }
        let parts = answer.split(separator: " ")
        try #require(parts.count == 2)
        #expect(parts[0] == (isOn ? "True" : "False"))
        let received = try #require(Int(parts[1]))
        #expect((received < 10_000) == isOn)
        peer.stop()
    }

    // MARK: - Hostile frames

    /// Returns a frame with a payload of any size.
    private static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let count = payload.count
        let length: [UInt8] =
            count < 126
            ? [UInt8(count)]
            : count < 65_536
                ? [126, UInt8(count >> 8), UInt8(count & 255)]
                : [
                    127, 0, 0, 0, 0, UInt8(count >> 24), UInt8(count >> 16 & 255), UInt8(count >> 8 & 255),
                    UInt8(count & 255),
                ]
        return [first] + length + payload
    }

    /// Returns a compressed message of zeros.
    private func bomb(_ size: Int) throws -> [UInt8] {
        let compression = MessageCompression(try #require(accepted(["permessage-deflate"])))
        return Array(buffer: try #require(compression.deflate(ByteBuffer(repeating: 0, count: size))))
    }

    private func outcome(
        _ frames: [UInt8], fields: String = "sec-websocket-extensions: permessage-deflate\r\n", maximum: Int = 1 << 20
    ) async throws -> (messages: [WebSocketMessage], error: (any Error)?) {
        let peer = try await WebSocketPeer([good], .raw(WebSocketPeer.accepting(fields, then: frames)))
        var client = try client()
        client.maximumMessageSize = maximum
        let messages = Locked<[WebSocketMessage]>([])
        let error = await failure { [client] in
            try await client.withConnection(to: peer.url, connectingTo: "127.0.0.1") { socket in
                for try await message in socket.messages { messages.withLock { $0.append(message) } }
            }
        }
        try await peer.drain()
        await peer.stop()
        return (messages.withLock { $0 }, error)
    }

    /// The examples of RFC 7692 § 7.2.3: `Hello`.
    static let hello: [(name: String, frames: [UInt8])] = [
        ("a compressed block", [0xc1, 7, 0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00]),
        ("fragments", [0x41, 3, 0xf2, 0x48, 0xcd, 0x80, 4, 0xc9, 0xc9, 0x07, 0x00]),
        ("fragments with a ping", [0x41, 3, 0xf2, 0x48, 0xcd, 0x89, 0, 0x80, 4, 0xc9, 0xc9, 0x07, 0x00]),
        ("a block without compression", [0xc1, 11, 0, 5, 0, 0xfa, 0xff, 0x48, 0x65, 0x6c, 0x6c, 0x6f, 0]),
        ("a final block", [0xc1, 8, 0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x00]),
        ("two blocks", [0xc1, 13, 0xf2, 0x48, 0x05, 0, 0, 0, 0xff, 0xff, 0xca, 0xc9, 0xc9, 0x07, 0x00]),
        ("no compression", [0x81, 5, 0x48, 0x65, 0x6c, 0x6c, 0x6f]),
    ]

    @Test("The client reads the examples of RFC 7692", arguments: hello)
    func examples(_ row: (name: String, frames: [UInt8])) async throws {
        let found = try await outcome(row.frames + row.frames + [0x88, 0])
        #expect(found.messages == [.text("Hello"), .text("Hello")])
        #expect(found.error == nil)
    }

    @Test("An empty message may have one byte or none")
    func empty() async throws {
        let found = try await outcome([0xc1, 1, 0, 0xc1, 0] + Self.hello[0].frames + [0xc1, 0, 0x88, 0])
        #expect(found.messages == [.text(""), .text(""), .text("Hello"), .text("")])
        #expect(found.error == nil)
    }

    @Test("A message may refer to earlier ones")
    func context() async throws {
        let first: [UInt8] = [0xc1, 7, 0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00]
        let second: [UInt8] = [0xc1, 5, 0xf2, 0x00, 0x11, 0x00, 0x00]
        #expect(try await outcome(first + second + [0x88, 0]).messages == [.text("Hello"), .text("Hello")])
        let fields = "sec-websocket-extensions: permessage-deflate; server_no_context_takeover\r\n"
        let without = try await outcome(first + second, fields: fields)
        #expect(without.messages == [.text("Hello")])
        #expect((without.error as? WebSocketError)?.code == .webSocketProtocolViolation)
    }

    static let hostile: [(name: String, frames: [UInt8])] = [
        ("a compressed ping", [0xc9, 1, 0]), ("a compressed pong", [0xca, 1, 0]),
        ("a compressed closing frame", [0xc8, 2, 3, 0xe8]),
        ("a compressed continuation", [0x41, 3, 0xf2, 0x48, 0xcd, 0xc0, 4, 0xc9, 0xc9, 0x07, 0x00]),
        ("another reserved bit", [0xe1, 7, 0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00]),
        ("a message that is cut off", [0xc1, 3, 0xf2, 0x48, 0xcd]),
        ("bytes that aren't deflate", [0xc1, 4, 0xff, 0xff, 0xff, 0xff]),
        ("text that isn't UTF-8", [0xc1, 8, 0, 2, 0, 0xfd, 0xff, 0xc3, 0x28, 0]),
        ("a final block and no more", [0xc1, 7, 0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00]),
        ("many final blocks", frame(0xc2, (0..<10_000).flatMap { _ -> [UInt8] in [3, 0] } + [0])),
        ("a reference before the start", [0xc1, 5, 0xf2, 0x00, 0x11, 0x00, 0x00]),
    ]

    @Test("Messages that violate the compression end the WebSocket with an error", arguments: hostile)
    func violations(_ row: (name: String, frames: [UInt8])) async throws {
        let found = try await outcome(row.frames)
        #expect(found.messages.isEmpty)
        #expect(
            (found.error as? WebSocketError)?.code == .webSocketProtocolViolation, "\(String(describing: found.error))")
    }

    @Test("Without the extension, a compressed message is a violation")
    func notNegotiated() async throws {
        let found = try await outcome([0xc1, 7, 0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00], fields: "")
        #expect((found.error as? WebSocketError)?.code == .webSocketProtocolViolation)
    }

    @Test("A small message that inflates beyond the limit is refused, also in fragments")
    func bombs() async throws {
        let payload = try bomb(50 << 20)
        #expect(payload.count < 100_000)
        let whole = try await outcome(Self.frame(0xc2, payload))
        #expect((whole.error as? WebSocketError)?.code == .webSocketTooLarge)
        let parts = Self.frame(0x42, Array(payload.prefix(1000))) + Self.frame(0x80, Array(payload.dropFirst(1000)))
        #expect((try await outcome(parts).error as? WebSocketError)?.code == .webSocketTooLarge)
    }

    @Test("A compressed message may be as large as the limit, and not larger", arguments: [0, 1])
    func exactLimit(excess: Int) async throws {
        let found = try await outcome(Self.frame(0xc2, bomb(100_000)) + [0x88, 0], maximum: 100_000 - excess)
        #expect(found.messages.count == 1 - excess)
        #expect((found.error as? WebSocketError)?.code == (excess == 0 ? nil : .webSocketTooLarge))
    }

    @Test("With a window of 8 bits, the client sends its messages without compression")
    func smallWindow() throws {
        let parameters = try #require(accepted(["permessage-deflate; client_max_window_bits=8"]))
        #expect(MessageCompression(parameters).deflate(ByteBuffer(repeating: 0, count: 1000)) == nil)
    }
}
