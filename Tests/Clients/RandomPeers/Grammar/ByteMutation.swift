// SPDX-License-Identifier: Apache-2.0

/// Changes of bytes that know no grammar.
enum ByteMutation {
    /// Bytes at which parsers take decisions.
    private static let special: [UInt8] = [0, 1, 9, 10, 13, 32, 43, 45, 48, 58, 59, 127, 128, 255]

    /// Returns the bytes with one to three changes.
    static func apply(to bytes: [UInt8], _ dice: inout Dice) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<dice.number(1...3) { change(&bytes, &dice) }
        return bytes
    }

    private static func change(_ bytes: inout [UInt8], _ dice: inout Dice) {
        let place = dice.number(0...max(bytes.count - 1, 0))
        let end = min(place + dice.number(1...16), bytes.count)
        guard place < end else { return bytes = dice.bytes(0...8) }
        switch dice.number(0...7) {
        case 0: bytes[place] ^= 1 << UInt8(dice.number(0...7))
        case 1: bytes[place] = dice.pick(from: special) ?? 0
        case 2: bytes.insert(contentsOf: dice.bytes(1...8), at: place)
        case 3: bytes.removeSubrange(place..<end)
        case 4: bytes.insert(contentsOf: bytes[place..<end], at: place)
        case 5: bytes.removeSubrange(place...)
        case 6: bytes.swapAt(place, dice.number(0...bytes.count - 1))
        default: bytes += bytes[place..<end]
        }
    }
}
