// SPDX-License-Identifier: Apache-2.0

/// Frames bodies of HTTP/1.1, correctly or not.
enum BodyGrammar {
    static func framing(_ content: [UInt8], _ dice: inout Dice) -> (fields: [String], body: [UInt8]) {
        switch dice.number(0...13) {
        case 0...3, 10, 11: return (["content-length: \(content.count)"], content)
        case 4, 5, 12, 13: return (["transfer-encoding: chunked"], chunks(content, &dice))
        case 6: return ([], content)
        case 7:
            let length = content.count + dice.pick(-1, 1, 5, 1000, -content.count)
            return (["content-length: \(length)"], content)
        case 8:
            let fields = (0..<dice.number(1...2)).map { _ in framingField(content.count, &dice) }
            return (fields, dice.chance(50) ? content : chunks(content, &dice))
        default:
            let coding = dice.pick("gzip", "deflate")
            // A head of gzip or zlib, and garbage.
            let body = (coding == "gzip" ? [31, 139, 8, 0, 0, 0, 0, 0, 0, 3] : [120, 156]) + content
            return (["content-encoding: \(coding)", "content-length: \(body.count)"], body)
        }
    }

    /// Returns a field that frames a body, with a fault.
    static func framingField(_ count: Int, _ dice: inout Dice) -> String {
        dice.chance(50)
            ? "content-length: "
                + dice.pick(
                    "\(count)", "\(count), \(count)", "\(count), 1", "-1", "+\(count)", "0x5", "5x", "", " ",
                    "18446744073709551615",
                    "18446744073709551616", "9223372036854775808", "99999999999999999999999", "00005", "5.0", "1e3")
            : "transfer-encoding: "
                + dice.pick(
                    "chunked", "Chunked", "chunked, chunked", "gzip, chunked", "chunked, gzip", "identity", "xchunked",
                    "",
                    "chunked;q=1", "\u{b}chunked", "deflate", "trailers")
    }

    static func chunks(_ content: [UInt8], _ dice: inout Dice) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = content[...]
        while !rest.isEmpty {
            let piece = rest.prefix(dice.number(1...max(1, rest.count)))
            rest = rest.dropFirst(piece.count)
            bytes += Array((size(piece.count, &dice) + `extension`(&dice) + newline(&dice)).utf8) + piece
            bytes += Array(newline(&dice).utf8)
        }
        guard dice.chance(93) else { return bytes }
        bytes += Array((dice.pick("0", "0", "0", "000", "0x0", "-0") + `extension`(&dice) + newline(&dice)).utf8)
        if dice.chance(15) { for line in FieldGrammar.fields(&dice) { bytes += Array((line + "\r\n").utf8) } }
        return dice.chance(95) ? bytes + Array(newline(&dice).utf8) : bytes
    }

    private static func size(_ count: Int, _ dice: inout Dice) -> String {
        let hex = String(count, radix: 16)
        guard dice.chance(6) else { return hex }
        return dice.pick(
            hex.uppercased(), "000000" + hex, "0x" + hex, "-" + hex, "+" + hex, "", " " + hex, hex + " ",
            "ffffffffffffffff",
            "10000000000000000", "7fffffffffffffff", "g", String(count + 1, radix: 16),
            String(max(0, count - 1), radix: 16))
    }

    private static func `extension`(_ dice: inout Dice) -> String {
        guard dice.chance(6) else { return "" }
        return dice.pick(
            ";a=b", ";", ";a", "; a = b", ";a=\"\n\"", ";a=\"\\", ";" + String(repeating: "e", count: 20000), " ;",
            "\u{0}")
    }

    private static func newline(_ dice: inout Dice) -> String {
        dice.chance(97) ? "\r\n" : dice.pick("\n", "\r", "", "\r\r\n", "\n\n")
    }
}
