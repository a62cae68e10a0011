// SPDX-License-Identifier: Apache-2.0

/// Writes the frames of an HTTP/2 server with faults.
enum HTTP2Grammar {
    /// Returns the frames that a server sends first. The peer acknowledges the client's settings by itself.
    static func greeting(_ dice: inout Dice) -> [Frame] {
        let frames = dice.chance(95) ? [settings(&dice)] : dice.pick([], [.acknowledgment, .settings, .settings])
        return dice.chance(10) ? frames + noise(&dice) : frames
    }

    /// Returns the frames of a response.
    static func response(_ dice: inout Dice) -> [Frame] {
        var frames: [Frame] = []
        if dice.chance(10) {
            for _ in 0..<dice.pick(1, 1, 2, 30) {
                let fields = HPACKGrammar.head(&dice, status: dice.pick("100", "103", "101", "199", "102"))
                frames.append(.headers(HPACKGrammar.block(fields, &dice), isLast: dice.chance(10)))
            }
        }
        let content = dice.pick(Array("hello".utf8), [], dice.bytes(1...40), dice.bytes(1...20000))
        let hasBody = dice.chance(80)
        frames += heads(HPACKGrammar.block(HPACKGrammar.head(&dice), &dice), isLast: !hasBody, &dice)
        if hasBody { frames += body(content, &dice) }
        return dice.chance(30) ? change(frames, &dice) : frames
    }

    /// Returns HEADERS, with CONTINUATION frames now and then.
    static func heads(_ block: [UInt8], isLast: Bool, _ dice: inout Dice) -> [Frame] {
        var head = Frame.headers(block, isLast: isLast)
        if dice.chance(6) {
            // Padding, correct or not.
            head.flags |= 8
            head.payload = [dice.pick(0, 3, 255)] + block + [0, 0, 0]
        } else if dice.chance(6) {
            // A priority: a stream that it depends on, and a weight.
            head.flags |= 0x20
            head.payload = UInt32(dice.pick(0, 1, 3)).bigEndianBytes + [16] + block
        }
        guard block.count > 1, dice.chance(10) else { return [head] }
        let cut = dice.number(1...block.count - 1)
        head.payload = Array(block[..<cut])
        head.flags = isLast ? 1 : 0
        let next = Frame(type: 9, flags: dice.chance(80) ? 4 : 0, stream: .request(0), payload: Array(block[cut...]))
        return [head] + (dice.chance(10) ? noise(&dice) : []) + [next]
    }

    private static func body(_ content: [UInt8], _ dice: inout Dice) -> [Frame] {
        var frames: [Frame] = []
        var rest = content[...]
        while rest.count > 16384 || (!rest.isEmpty && dice.chance(30)) {
            let piece = rest.prefix(min(16384, dice.number(1...rest.count)))
            rest = rest.dropFirst(piece.count)
            frames.append(.data(Array(piece), isLast: false))
        }
        let hasTrailers = dice.chance(12)
        frames.append(.data(Array(rest), isLast: !hasTrailers))
        if hasTrailers {
            let fields = (0..<dice.number(1...3)).map { _ in
                dice.chance(70) ? ("x-end", "y") : HPACKGrammar.extra(&dice)
            }
            frames += heads(HPACKGrammar.block(fields, &dice), isLast: dice.chance(90), &dice)
        }
        return frames
    }

    /// Returns the frames with a change of their order, number or fields.
    static func change(_ frames: [Frame], _ dice: inout Dice) -> [Frame] {
        var frames = frames
        let place = dice.number(0...frames.count - 1)
        switch dice.number(0...8) {
        case 0: frames.remove(at: place)
        case 1: frames.insert(frames[place], at: place)
        case 2: frames.swapAt(place, dice.number(0...frames.count - 1))
        case 3: frames[place].flags ^= 1 << UInt8(dice.number(0...7))
        case 4: frames[place].stream = stream(&dice)
        case 5: frames[place].length = dice.pick(0, 1, frames[place].payload.count + 1, 16385, 0xffffff)
        case 6: frames[place].type = dice.pick(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0xbb)
        default: frames.insert(contentsOf: noise(&dice), at: dice.number(0...frames.count))
        }
        return frames
    }

    static func stream(_ dice: inout Dice) -> Frame.Stream {
        dice.pick(
            .request(0), .number(0), .request(2), .request(-2), .request(1), .number(2), .number(0x7fff_ffff),
            .number(0x8000_0001), .number(0xffff_ffff))
    }

    private static func settings(_ dice: inout Dice) -> Frame {
        guard dice.chance(20) else { return .settings }
        var payload: [UInt8] = []
        for _ in 0..<dice.pick(1, 2, 3, 200) {
            let value = dice.pick(0, 1, 100, 16384, 65535, 1 << 20, 0xffffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff)
            payload += [0, UInt8(dice.number(0...9))] + UInt32(value).bigEndianBytes
        }
        var frame = Frame(type: 4, payload: payload)
        if dice.chance(10) { frame.payload.removeLast() }
        if dice.chance(5) { frame.flags = 1 }
        return frame
    }

    /// Returns frames that don't belong to a response.
    static func noise(_ dice: inout Dice) -> [Frame] {
        let stream = dice.chance(60) ? .request(0) : stream(&dice)
        switch dice.number(0...11) {
        case 0: return [settings(&dice)]
        case 1: return [Frame(type: 6, flags: dice.pick(0, 0, 1), payload: dice.bytes(dice.pick(8...8, 8...8, 0...9)))]
        case 2:
            let last = UInt32(dice.pick(0, 1, 3, 0x7fff_ffff, 2))
            let code = UInt32(dice.pick(0, 0, 1, 2, 11, 13, 99))
            return [Frame(type: 7, payload: last.bigEndianBytes + code.bigEndianBytes + dice.bytes(0...4))]
        case 3:
            return [Frame(type: 3, stream: stream, payload: UInt32(dice.pick(0, 1, 2, 5, 7, 8, 13, 99)).bigEndianBytes)]
        case 4, 5:
            let increment = UInt32(dice.pick(0, 1, 65535, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff))
            return [Frame(type: 8, stream: dice.pick(.number(0), stream), payload: increment.bigEndianBytes)]
        case 6: return [Frame(type: 2, stream: stream, payload: UInt32(dice.pick(0, 1, 3)).bigEndianBytes + [0])]
        case 7:
            let block = HPACKGrammar.plain([
                (":method", "GET"), (":path", "/"), (":scheme", "https"), (":authority", "x"),
            ])
            return [
                Frame(type: 5, flags: 4, stream: stream, payload: UInt32(dice.pick(2, 4, 0, 1)).bigEndianBytes + block)
            ]
        case 8: return [Frame(type: 9, flags: dice.pick(0, 4), stream: stream, payload: dice.bytes(0...9))]
        case 9: return [Frame(type: dice.byte(), flags: dice.byte(), stream: stream, payload: dice.bytes(0...40))]
        case 10:
            return [Frame](
                repeating: Frame(type: dice.pick(0, 4, 6, 8), stream: stream, payload: []), count: dice.number(2...300))
        default: return [.data(dice.bytes(0...20), isLast: dice.chance(50))]
        }
    }
}
