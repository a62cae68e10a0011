// SPDX-License-Identifier: Apache-2.0

/// Writes the answers and frames of a WebSocket server with faults.
enum WebSocketGrammar {
    static let goodHead =
        "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: {accept}\r\n\r\n"
    /// A text message.
    static let hello: [UInt8] = [0x81, 5] + Array("hello".utf8)

    static func upgrade(_ dice: inout Dice) -> Delivery.Content {
        var frames: [UInt8] = []
        for _ in 0..<dice.number(0...4) { frames += frame(&dice) }
        if dice.chance(60) { return .upgrade(head: goodHead, rest: frames) }
        if dice.chance(30) { return .bytes(HTTP1Grammar.response(&dice)) }
        var lines = ["HTTP/1.1 " + (dice.chance(80) ? "101 Switching" : HTTP1Grammar.status(&dice) + " X")]
        if dice.chance(93) {
            lines.append("upgrade: " + (dice.chance(85) ? "websocket" : dice.pick("WebSocket", "x", "", "h2c")))
        }
        if dice.chance(93) {
            lines.append("connection: " + (dice.chance(85) ? "upgrade" : dice.pick("close", "", "x, Upgrade")))
        }
        if dice.chance(95) {
            lines.append("sec-websocket-accept: " + (dice.chance(85) ? "{accept}" : dice.pick("x", "", "{accept}x")))
        }
        if dice.chance(25) {
            lines.append(
                "sec-websocket-extensions: "
                    + dice.pick(
                        "permessage-deflate", "permessage-deflate; server_max_window_bits=7", "x", "",
                        "permessage-deflate; a"))
        }
        if dice.chance(15) { lines.append("sec-websocket-protocol: " + dice.pick("x", "", "a, b")) }
        if dice.chance(20) { lines += FieldGrammar.fields(&dice) }
        return .upgrade(head: lines.joined(separator: "\r\n") + "\r\n\r\n", rest: frames)
    }

    /// Returns a frame (RFC 6455 § 5.2).
    static func frame(_ dice: inout Dice) -> [UInt8] {
        let payload = payload(&dice)
        let code = dice.chance(75) ? dice.pick(1, 2, 8, 9, 10, 0) : dice.number(0...15)
        var first = UInt8(code)
        if dice.chance(85) { first |= 0x80 }
        if dice.chance(8) { first |= dice.pick(0x40, 0x20, 0x10, 0x70) }
        var bytes = [first]
        // A server must not mask.
        let isMasked = dice.chance(6)
        let mask: UInt8 = isMasked ? 0x80 : 0
        let length = dice.chance(92) ? payload.count : payload.count + dice.pick(1, 100, 70000, 1 << 40)
        switch dice.chance(92) ? 0 : dice.number(1...2) {
        case 0 where length < 126: bytes.append(mask | UInt8(length))
        case 0 where length < 65536, 1 where length < 65536:
            bytes += [mask | 126, UInt8(length >> 8), UInt8(length & 255)]
        default:
            let top: UInt8 = dice.chance(10) ? 0x80 : 0
            bytes += [mask | 127] + [top] + [48, 40, 32, 24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }
        }
        return bytes + (isMasked ? [0, 0, 0, 0] : []) + payload
    }

    private static func payload(_ dice: inout Dice) -> [UInt8] {
        switch dice.number(0...6) {
        case 0: []
        case 1: Array("hello".utf8)
        case 2: dice.bytes(1...130)
        // A closing code and its reason.
        case 3:
            [UInt8(dice.number(0...20)), dice.byte()] + (dice.chance(50) ? Array("bye".utf8) : dice.bytes(0...4))
        case 4: [0xc3, 0x28, 0xed, 0xa0, 0x80]
        // Deflated text without its end.
        case 5: [0xca, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00]
        default: dice.bytes(125...70000)
        }
    }
}
