// SPDX-License-Identifier: Apache-2.0

/// Writes blocks of fields in HPACK (RFC 7541) with faults.
enum HPACKGrammar {
    typealias Field = (name: String, value: String)

    /// Returns a block. Most blocks are correct HPACK, with fields that break HTTP/2 now and then.
    static func block(_ fields: [Field], _ dice: inout Dice) -> [UInt8] {
        var bytes: [UInt8] = []
        if dice.chance(4) { bytes += integer(dice.pick(0, 1, 4096, 4097, 1 << 20), prefix: 5, first: 0x20) }
        for field in fields { bytes += literal(field, &dice) }
        guard dice.chance(5) else { return bytes }
        return bytes + garbage(&dice)
    }

    /// Returns a block without faults and without entries in the dynamic table.
    static func plain(_ fields: [Field]) -> [UInt8] {
        fields.flatMap { [0] + string($0.name) + string($0.value) }
    }

    private static func literal(_ field: Field, _ dice: inout Dice) -> [UInt8] {
        // Not indexed, indexed, never indexed.
        [dice.pick(0, 0, 0x40, 0x10)] + string(field.name) + string(field.value)
    }

    private static func string(_ text: String) -> [UInt8] {
        integer(text.utf8.count, prefix: 7, first: 0) + Array(text.utf8)
    }

    /// Returns an integer (RFC 7541 § 5.1).
    static func integer(_ value: Int, prefix: Int, first: UInt8) -> [UInt8] {
        let limit = (1 << prefix) - 1
        guard value >= limit else { return [first | UInt8(value)] }
        var bytes = [first | UInt8(limit)]
        var rest = value - limit
        while rest >= 128 {
            bytes.append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    private static func garbage(_ dice: inout Dice) -> [UInt8] {
        switch dice.number(0...7) {
        case 0: dice.bytes(1...20)
        // An index that no table has.
        case 1: dice.pick([0x80], [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], [0xbe], [0xff, 0x00])
        // An integer that doesn't end.
        case 2: [0xff] + [UInt8](repeating: 0xff, count: dice.number(1...12))
        // Huffman codes with wrong padding.
        case 3: [0, 0x82] + dice.bytes(2...2) + [0x84] + dice.bytes(4...4)
        case 4: [0, 0x81, 0xff, 0x81, 0xff]
        // A string longer than the block.
        case 5: [0, 0x7f, 0xff, 0xff, 0x03] + dice.bytes(0...9)
        // A change of the table's size at the end.
        case 6: integer(dice.pick(0, 4096, 1 << 30), prefix: 5, first: 0x20)
        default: [0x88, 0x88, 0x89]
        }
    }

    /// Returns the fields of a response's head.
    static func head(_ dice: inout Dice, status: String? = nil) -> [Field] {
        var fields: [Field] = [(":status", status ?? self.status(&dice))]
        if dice.chance(18) {
            for _ in 0..<dice.number(1...3) { fields.append(extra(&dice)) }
        }
        if dice.chance(3) { fields.reverse() }
        if dice.chance(2) { fields.removeFirst() }
        return fields
    }

    private static func status(_ dice: inout Dice) -> String {
        if dice.chance(75) { return "200" }
        return dice.pick(
            HTTP1Grammar.status(&dice), dice.pick("204", "304"), dice.pick("100", "101", "103"),
            dice.pick("000", "042", "099", "-1", "2000", "", "20x"))
    }

    static func extra(_ dice: inout Dice) -> Field {
        switch dice.number(0...6) {
        case 0: (":status", "200")
        case 1: (dice.pick(":path", ":method", ":", ":authority", ":x", ":protocol"), "x")
        case 2: ("content-length", dice.pick("5", "0", "6", "-1", "5, 5", "99999999999999999999", "x", "+5"))
        case 3:
            dice.pick(
                ("connection", "close"), ("transfer-encoding", "chunked"), ("upgrade", "h2c"), ("te", "gzip"),
                ("keep-alive", "x"), ("proxy-connection", "x"))
        case 4: (dice.pick("Upper", "", "a b", "a\u{0}", "ü", "a:", "\n"), "x")
        case 5:
            ("x", dice.pick("", "a\u{0}", "a\r\nb", " x ", String(repeating: "v", count: dice.pick(100, 9000, 70000))))
        default:
            dice.pick(("content-encoding", "gzip"), ("location", "/next"), ("set-cookie", "a=b"), ("content-type", "x"))
        }
    }
}
