// SPDX-License-Identifier: Apache-2.0

/// Writes responses of HTTP/1.1 with faults.
enum HTTP1Grammar {
    /// Returns informational heads, a head, a body and surplus bytes.
    static func response(_ dice: inout Dice, body: [UInt8]? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        if dice.chance(8) {
            for _ in 0..<dice.pick(1, 1, 2, 3, 40) { bytes += informational(&dice) }
        }
        let status = status(&dice)
        let content = body ?? dice.pick(Array("hello".utf8), [], dice.bytes(1...40), dice.bytes(1...3000))
        let framing = BodyGrammar.framing(content, &dice)
        var fields = framing.fields
        if !dice.chance(75) { fields += FieldGrammar.fields(&dice) }
        if status.hasPrefix("3"), dice.chance(70) { fields.append("location: \(location(&dice))") }
        if status.hasPrefix("401") || status.hasPrefix("407") { fields.append(FieldGrammar.challenge(&dice)) }
        if dice.chance(10) { fields.reverse() }
        bytes += head(status, fields, &dice) + framing.body
        if dice.chance(12) { bytes += surplus(&dice) }
        return bytes
    }

    /// Returns a status line, fields and an empty line.
    static func head(_ status: String, _ fields: [String], _ dice: inout Dice) -> [UInt8] {
        let newline = dice.chance(98) ? "\r\n" : dice.pick("\n", "\r", "\n\r", "\r\r\n")
        let line = version(&dice) + (dice.chance(97) ? " " : dice.pick("", "  ", "\t")) + status + reason(&dice)
        let lines = [line] + fields
        return Array((lines.joined(separator: newline) + newline + (dice.chance(98) ? newline : "")).utf8)
    }

    static func status(_ dice: inout Dice) -> String {
        if dice.chance(70) { return dice.pick("200", "200", "200", "201", "206", "404", "500", "503") }
        switch dice.number(0...5) {
        case 0: return dice.pick("204", "304", "205")
        case 1: return dice.pick("301", "302", "303", "307", "308", "401", "407", "421", "425", "429")
        case 2: return dice.pick("100", "101", "102", "103", "199", "104")
        case 3: return dice.pick("000", "001", "042", "099", "600", "999")
        case 4:
            return dice.pick(
                "+200", "-1", "-200", "2000", "20", "2", "", "2x0", "0200", "20 0", "0x1F4", "٢٠٠", "200.0")
        default:
            let number = String(dice.number(0...999))
            return String(repeating: "0", count: 3 - number.count) + number
        }
    }

    private static func version(_ dice: inout Dice) -> String {
        if dice.chance(95) { return "HTTP/1.1" }
        return dice.pick(
            "HTTP/1.0", "HTTP/1.0", "HTTP/0.9", "HTTP/1.2", "HTTP/1.9", "HTTP/2.0", "HTTP/2", "HTTP/11.1", "HTTP/1.1.1",
            "http/1.1", "HTTP/1.", "HTTP/", "ICY", "HTTPS/1.1", "RTSP/1.0", "HTTP/-1.1", "")
    }

    private static func reason(_ dice: inout Dice) -> String {
        if dice.chance(92) { return " OK" }
        return dice.pick(
            "", " ", "  ", " \u{0}", " \t", " ü", " " + String(repeating: "r", count: dice.number(1...9000)), "\u{b}OK",
            " OK\u{7f}")
    }

    private static func informational(_ dice: inout Dice) -> [UInt8] {
        let status = dice.pick("100", "102", "103", "100", "101", "199")
        return head(status, dice.chance(30) ? FieldGrammar.fields(&dice) : [], &dice)
    }

    private static func location(_ dice: inout Dice) -> String {
        dice.pick(
            "/next", "/", "", "?", "//peer.test/", "http://peer.test/", "https://other.test/", "next",
            "https://peer.test:0/",
            "https://peer.test:99999/", "https://127.0.0.1:65536/", "https://127.0.0.1:1/", "https://[::1",
            "javascript:1", "/\u{0}", "https://a@peer.test/", "ü", "/%zz",
            "#")
    }

    private static func surplus(_ dice: inout Dice) -> [UInt8] {
        switch dice.number(0...4) {
        case 0: dice.bytes(1...30)
        case 1: Array("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nextra".utf8)
        case 2: Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
        case 3: Array("\r\n\r\n".utf8)
        default: response(&dice)
        }
    }
}
