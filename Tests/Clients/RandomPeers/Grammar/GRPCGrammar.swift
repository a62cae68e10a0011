// SPDX-License-Identifier: Apache-2.0

/// Writes the responses of a gRPC server with faults.
enum GRPCGrammar {
    static func response(_ dice: inout Dice) -> [Frame] {
        var frames: [Frame] = []
        let fields = head(&dice)
        // A response without a message has its status in the head.
        if dice.chance(15) {
            frames = HTTP2Grammar.heads(
                HPACKGrammar.block(fields + trailers(&dice), &dice), isLast: dice.chance(90), &dice)
        } else {
            frames = HTTP2Grammar.heads(HPACKGrammar.block(fields, &dice), isLast: dice.chance(3), &dice)
            for _ in 0..<dice.pick(1, 1, 1, 0, 2, 5) { frames.append(.data(message(&dice), isLast: dice.chance(4))) }
            if dice.chance(93) {
                frames += HTTP2Grammar.heads(HPACKGrammar.block(trailers(&dice), &dice), isLast: dice.chance(95), &dice)
            }
        }
        return dice.chance(35) ? HTTP2Grammar.change(frames, &dice) : frames
    }

    /// The frames of a correct response.
    static let good: [Frame] = [
        .headers(HPACKGrammar.plain([(":status", "200"), ("content-type", "application/grpc")]), isLast: false),
        .data([0, 0, 0, 0, 5] + Array("hello".utf8), isLast: false),
        .headers(HPACKGrammar.plain([("grpc-status", "0")]), isLast: true),
    ]

    private static func head(_ dice: inout Dice) -> [HPACKGrammar.Field] {
        let status = dice.chance(80) ? "200" : HTTP1Grammar.status(&dice)
        var fields: [HPACKGrammar.Field] = [(":status", status)]
        if dice.chance(95) {
            let type = dice.pick(
                "application/grpc+proto", "application/grpcx", "text/html", "", "APPLICATION/GRPC", "\u{0}")
            fields.append(("content-type", dice.chance(85) ? "application/grpc" : type))
        }
        if dice.chance(12) { fields.append(("grpc-encoding", dice.pick("gzip", "deflate", "identity", "x", ""))) }
        if dice.chance(8) { fields.append(("x-bin", dice.pick("AAAA", "!!!", "A", "AA==", ""))) }
        if dice.chance(10) { fields.append(HPACKGrammar.extra(&dice)) }
        return fields
    }

    private static func trailers(_ dice: inout Dice) -> [HPACKGrammar.Field] {
        var fields: [HPACKGrammar.Field] = []
        if dice.chance(93) {
            let status = dice.pick("1", "5", "14", "16", "17", "-1", "x", "", "00", "99999999999999999999", "+0")
            fields.append(("grpc-status", dice.chance(65) ? "0" : status))
        }
        if dice.chance(15) {
            fields.append(
                ("grpc-message", dice.pick("%", "%zz", "%E2%82", "ok", "%00", String(repeating: "%41", count: 900))))
        }
        if dice.chance(10) {
            fields.append(("grpc-retry-pushback-ms", dice.pick("0", "-1", "1", "x", "99999999999999999999")))
        }
        if dice.chance(10) { fields.append(("grpc-status-details-bin", dice.pick("AAAA", "!", ""))) }
        if dice.chance(8) { fields.append(HPACKGrammar.extra(&dice)) }
        return fields
    }

    private static func message(_ dice: inout Dice) -> [UInt8] {
        let content = dice.pick(Array("hello".utf8), [], dice.bytes(1...300))
        let compression: UInt8 = dice.chance(90) ? 0 : dice.pick(1, 2, 255)
        let length =
            dice.chance(90) ? content.count : dice.pick(0, content.count + 1, 1 << 20, 0x7fff_ffff, 0xffff_ffff)
        return [compression] + UInt32(truncatingIfNeeded: length).bigEndianBytes + content
    }
}
