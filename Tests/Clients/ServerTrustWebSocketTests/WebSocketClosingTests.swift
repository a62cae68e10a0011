// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustWebSocket
import Testing

@Suite("Closing WebSockets", .timeLimit(.minutes(10)))
struct WebSocketClosingTests {
    private let good: LabCertificates

    init() throws { good = try LabScenario.good.certificates(at: .now()) }

    private static func closing(_ code: UInt16, _ reason: String) -> [UInt8] {
        [0x88, UInt8(2 + reason.utf8.count), UInt8(code >> 8), UInt8(truncatingIfNeeded: code)] + Array(reason.utf8)
    }

    @Test(
        "The code and reason of the server's closing frame are available after the messages",
        arguments: [
            (1000, ""), (1000, "done"), (1001, "going away"), (1011, "try later"), (4000, ""),
            (4001, String(repeating: "\u{e4}", count: 61)), (3000, "a\nb"),
        ])
    func reason(code: Int, reason: String) async throws {
        let bytes: [UInt8] = [0x81, 2, 0x68, 0x69] + Self.closing(UInt16(code), reason)
        let peer = try await WebSocketPeer([good], .raw(WebSocketPeer.accepting(then: bytes)))
        let client = try TrustedWebSocketClient(good)
        try await client.withConnection(to: peer.url, connectingTo: "127.0.0.1") { socket in
            let error = await failure {
                var messages: [WebSocketMessage] = []
                for try await message in socket.messages { messages.append(message) }
                #expect(messages == [.text("hi")])
            }
            let isUsual = code == 1000 || code == 1001
            #expect((error as? WebSocketError)?.code == (isUsual ? nil : .webSocketClosedWithCode))
            #expect((error as? WebSocketError)?.closing?.reason == (isUsual ? nil : reason))
            #expect((error as? WebSocketError)?.number == (isUsual ? nil : code))
            #expect(!String(describing: error).contains("\n"))
            #expect(socket.closing?.code == code)
            #expect(socket.closing?.reason == reason)
        }
        try await peer.drain()
        await peer.stop()
    }

    @Test(
        "Every closing code that RFC 6455 allows in a frame ends the WebSocket with this code",
        arguments: [
            1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999,
        ])
    func allowed(code: Int) async throws {
        let peer = try await WebSocketPeer([good], .raw(WebSocketPeer.accepting(then: Self.closing(UInt16(code), ""))))
        let client = try TrustedWebSocketClient(good)
        try await client.withConnection(to: peer.url, connectingTo: "127.0.0.1") { socket in
            let error = await failure { for try await _ in socket.messages {} }
            let isUsual = code == 1000 || code == 1001
            #expect((error as? WebSocketError)?.code == (isUsual ? nil : .webSocketClosedWithCode))
            #expect((error as? WebSocketError)?.number == (isUsual ? nil : code))
            #expect(socket.closing?.code == code)
        }
        try await peer.drain()
        // The client's closing frame has the same code.
        #expect(Self.lastCode(peer.log.bytes[0]) == code)
        await peer.stop()
    }

    @Test(
        "A closing code that must not be in a frame is a protocol violation, and isn't reported as the server's code",
        arguments: [
            0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 1999, 2000, 2999, 5000, 6000, 32_768, 65_535,
        ])
    func refused(code: Int) async throws {
        let bytes: [UInt8] = [0x81, 2, 0x68, 0x69] + Self.closing(UInt16(code), "because")
        let peer = try await WebSocketPeer([good], .raw(WebSocketPeer.accepting(then: bytes)))
        let client = try TrustedWebSocketClient(good)
        try await client.withConnection(to: peer.url, connectingTo: "127.0.0.1") { socket in
            var messages: [WebSocketMessage] = []
            let error = await failure { for try await message in socket.messages { messages.append(message) } }
            #expect(messages == [.text("hi")])
            #expect((error as? WebSocketError)?.code == .webSocketProtocolViolation)
            #expect(socket.closing == nil)
        }
        try await peer.drain()
        #expect(Self.lastCode(peer.log.bytes[0]) == 1002)
        await peer.stop()
    }

    /// Returns the code of a client's closing frame without a reason at the end of its bytes.
    private static func lastCode(_ bytes: [UInt8]?) -> Int? {
        guard let frame = bytes?.suffix(8).map({ Int($0) }), frame.count == 8, frame[0] == 0x88, frame[1] == 0x82
        else { return nil }
        return (frame[6] ^ frame[2]) << 8 + (frame[7] ^ frame[3])
    }

    @Test("A closing frame without a code has no code")
    func noCode() async throws {
        let peer = try await WebSocketPeer([good], .raw(WebSocketPeer.accepting(then: [0x88, 0])))
        let client = try TrustedWebSocketClient(good)
        try await client.withConnection(to: peer.url, connectingTo: "127.0.0.1") { socket in
            for try await _ in socket.messages {}
            #expect(socket.closing != nil && socket.closing?.code == nil && socket.closing?.reason == "")
        }
        await peer.stop()
    }

    @Test(
        "The client waits for the server's answer to its closing frame and drops messages that arrive before the answer"
    )
    func answered() async throws {
        let peer = try await WebSocketPeer([good])
        let client = try TrustedWebSocketClient(good)
        let socket = try await client.withConnection(to: peer.url, connectingTo: "127.0.0.1") { socket in
            #expect(socket.closing == nil)
            for _ in 0..<200 { try await socket.send(String(repeating: "x", count: 1000)) }
            return socket
        }
        #expect(socket.closing?.code == 1000)
        try await peer.drain()
        await peer.stop()
    }

    @Test(
        "Closing ends within the limit even if the server doesn't answer the closing frame or keeps sending",
        arguments: [[], [0x81, 1, 0x61]])
    func silent(frame: [UInt8]) async throws {
        let frames = [[UInt8]](repeating: frame, count: 10_000).flatMap(\.self)
        let peer = try await WebSocketPeer([good], .raw(WebSocketPeer.accepting(then: frames)))
        let client = try TrustedWebSocketClient(good, timeout: .seconds(1))
        let socket = try await client.withConnection(to: peer.url, connectingTo: "127.0.0.1") { $0 }
        #expect(socket.closing == nil)
        try await peer.drain()
        await peer.stop()
    }

    @Test("A body that throws ends the connection without waiting for the server", arguments: [true, false])
    func thrown(isSilent: Bool) async throws {
        struct Stop: Error {}
        let peer = try await WebSocketPeer([good], isSilent ? .raw(WebSocketPeer.accepting()) : .echo())
        let client = try TrustedWebSocketClient(good)
        let error = await failure {
            try await client.withConnection(to: peer.url, connectingTo: "127.0.0.1") { _ in throw Stop() }
        }
        #expect(error is Stop)
        try await peer.drain()
        await peer.stop()
    }
}
