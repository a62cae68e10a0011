// SPDX-License-Identifier: Apache-2.0

/// Writes the answers of proxies with faults.
enum ProxyGrammar {
    /// Returns the answer to CONNECT.
    static func connect(_ dice: inout Dice) -> [UInt8] {
        var bytes: [UInt8] = []
        switch dice.number(0...9) {
        case 0...3: bytes = Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)
        case 4: bytes = Array("HTTP/1.1 \(HTTP1Grammar.status(&dice)) X\r\n\r\n".utf8)
        case 5: bytes = Array("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n".utf8)
        case 6: bytes = Array("HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n".utf8)
        case 7: bytes = HTTP1Grammar.head(HTTP1Grammar.status(&dice), FieldGrammar.fields(&dice), &dice)
        default: bytes = HTTP1Grammar.response(&dice)
        }
        return dice.chance(15) ? bytes + dice.bytes(1...20) : bytes
    }

    /// Returns the answers of a SOCKS proxy (RFC 1928): to the offer of methods, and to the request.
    static func socks(_ dice: inout Dice) -> [[UInt8]] {
        let method: [UInt8] =
            dice.chance(80)
            ? [5, 0] : dice.pick([5, 255], [5, 2], [4, 0], [5], [0, 90], [5, 0, 5, 0], dice.bytes(0...5))
        let code: UInt8 = dice.chance(70) ? 0 : dice.pick(1, 2, 3, 4, 5, 6, 7, 8, 9, 255)
        var answer: [UInt8] = [dice.chance(95) ? 5 : dice.byte(), code, dice.chance(95) ? 0 : dice.byte()]
        switch dice.number(0...6) {
        case 0...3: answer += [1, 127, 0, 0, 1, 0, 80]
        case 4: answer += [4] + [UInt8](repeating: 0, count: 15) + [1, 0, 80]
        case 5: answer += [3, dice.pick(0, 1, 4, 255)] + Array("peer".utf8) + [0, 80]
        default: answer += [dice.byte()] + dice.bytes(0...30)
        }
        if dice.chance(10) { answer.removeLast(dice.number(1...3)) }
        if dice.chance(10) { answer += dice.bytes(1...20) }
        return [method, answer]
    }
}
