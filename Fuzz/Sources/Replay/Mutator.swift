// SPDX-License-Identifier: Apache-2.0

/// A generator of new inputs from a target's inputs. The same seed, number and inputs always produce the same bytes.
struct Mutator {
    /// An input, and the index of the input that it was made from.
    struct Mutated {
        var bytes: [UInt8]
        var base: Int
    }

    private let inputs: [[UInt8]]
    /// The number of inputs from the folder Seeds, which come first. Half of the mutated inputs start from them.
    private let seedCount: Int
    private let words: [[UInt8]]
    private let seed: UInt64
    /// The size limit of a mutated input, in bytes: the same as libFuzzer's.
    let maximumCount: Int

    init(inputs: [[UInt8]], seedCount: Int, words: [[UInt8]], seed: UInt64) {
        self.inputs = inputs
        self.seedCount = seedCount
        self.words = words
        self.seed = seed
        maximumCount = max(4_096, inputs.map(\.count).max() ?? 0)
    }

    /// Returns a mutated input by its number. It doesn't depend on other inputs.
    func input(_ number: Int) -> Mutated {
        var random = SplitMix64(seed: seed &+ UInt64(number) &* 0xd134_2543_de82_ef95)
        _ = random.next()
        let fromSeeds = seedCount > 0 && random.next() & 1 == 0
        let base = random.next(below: fromSeeds ? seedCount : inputs.count)
        var bytes = inputs[base]
        // Half of the inputs get one step, a quarter two, and so on up to six.
        for _ in 0...min(5, random.next().trailingZeroBitCount) {
            mutate(&bytes, &random)
            if bytes.count > maximumCount { bytes.removeSubrange(maximumCount...) }
        }
        return Mutated(bytes: bytes, base: base)
    }

    private func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        // An empty input has nothing to change.
        let step = bytes.isEmpty ? 7 : random.next(below: 19)
        switch step {
        case 0, 1: flipBit(&bytes, &random)
        case 2: bytes[random.next(below: bytes.count)] = random.byte()
        case 3: bytes[random.next(below: bytes.count)] = Self.edges[random.next(below: Self.edges.count)]
        case 4: addToByte(&bytes, &random)
        case 5, 6: changeLength(&bytes, &random)
        case 7: insert(&bytes, &random)
        case 8: bytes.removeSubrange(random.range(in: bytes.count))
        case 9: repeatRange(&bytes, &random)
        case 10: bytes.removeSubrange(random.next(below: bytes.count)...)
        case 11: splice(&bytes, &random)
        case 12: overwrite(&bytes, &random)
        case 13: changeNumber(&bytes, &random)
        case 14, 15: insertWord(&bytes, &random)
        default: changeElement(&bytes, &random)
        }
    }
}

extension Mutator {
    /// Bytes at the edges of ranges, and bytes with a meaning in text formats.
    private static let edges: [UInt8] =
        [0x00, 0x01, 0x7f, 0x80, 0x81, 0xc0, 0xed, 0xff, 0x30, 0x31, 0xa0] + Array("\n\r \"'{}[]<>&\\%=-+.,:;*/0".utf8)

    /// Whether a byte is the tag of an element in most inputs, or has the class of such a tag.
    private static func isTag(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x01...0x06, 0x0a, 0x0c, 0x13, 0x14, 0x16...0x18, 0x1e, 0x30, 0x31, 0x80...0x8f, 0xa0...0xaf: true
        default: false
        }
    }

    /// Lengths at the edges of DER's forms: short, long, indefinite, and longer than the remaining bytes.
    private static let lengths: [UInt8] = [0x00, 0x01, 0x7f, 0x80, 0x81, 0x82, 0x83, 0x84, 0x88, 0xff]

    /// Numbers at the edges of types, for texts.
    private static let numbers = [
        "0", "-1", "1", "00", "2147483648", "4294967296", "9007199254740993", "9223372036854775808",
        "18446744073709551616", "99999999999999999999999999", "1e400", "0.1", "-0",
    ].map { Array($0.utf8) }

    private func flipBit(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        bytes[random.next(below: bytes.count)] ^= 1 << UInt8(random.next(below: 8))
    }

    private func addToByte(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        let change = UInt8(1 + random.next(below: 4))
        let index = random.next(below: bytes.count)
        bytes[index] = random.next() & 1 == 0 ? bytes[index] &+ change : bytes[index] &- change
    }

    /// Changes a byte that is probably the length of an element.
    private func changeLength(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        guard bytes.count > 1 else { return flipBit(&bytes, &random) }
        var index = 1 + random.next(below: bytes.count - 1)
        for _ in 0..<16 where !Self.isTag(bytes[index - 1]) { index = 1 + random.next(below: bytes.count - 1) }
        switch random.next(below: 3) {
        case 0: bytes[index] &+= 1
        case 1: bytes[index] &-= 1
        default: bytes[index] = Self.lengths[random.next(below: Self.lengths.count)]
        }
    }

    private func insert(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        let index = random.next(below: bytes.count + 1)
        let count = 1 + random.next(below: random.next(below: 8) == 0 ? 256 : 8)
        let byte = random.byte()
        let isRepeated = random.next() & 1 == 0
        let new = (0..<count).map { _ in isRepeated ? byte : random.byte() }
        bytes.insert(contentsOf: new, at: index)
    }

    /// Repeats a range after itself or elsewhere, once or often.
    private func repeatRange(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        let range = random.range(in: bytes.count)
        let part = Array(bytes[range])
        let index = random.next() & 1 == 0 ? range.upperBound : random.next(below: bytes.count + 1)
        let times = random.next(below: 4) == 0 ? 1 + random.next(below: 64) : 1
        for _ in 0..<times where bytes.count < maximumCount { bytes.insert(contentsOf: part, at: index) }
    }

    /// Joins the start of this input and the end of another.
    private func splice(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        let other = inputs[random.next(below: inputs.count)]
        bytes.removeSubrange(random.next(below: bytes.count + 1)...)
        bytes += other[random.next(below: other.count + 1)...]
    }

    /// Overwrites a range with one of another input or of this one.
    private func overwrite(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        let other = random.next() & 1 == 0 ? bytes : inputs[random.next(below: inputs.count)]
        let source = random.range(in: other.count)
        let start = random.next(below: bytes.count)
        for (offset, byte) in other[source].enumerated() where start + offset < bytes.count {
            bytes[start + offset] = byte
        }
    }

    /// Replaces a decimal number in a text. Flips a bit if there is no number.
    private func changeNumber(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
        let start = random.next(below: bytes.count)
        guard let first = bytes[start...].firstIndex(where: isDigit) else { return flipBit(&bytes, &random) }
        let end = bytes[first...].firstIndex { !isDigit($0) } ?? bytes.count
        bytes.replaceSubrange(first..<end, with: Self.numbers[random.next(below: Self.numbers.count)])
    }

    /// Inserts a word of the target's dictionary, or overwrites bytes with it. Repeats a range if there is no
    /// dictionary.
    private func insertWord(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        guard !words.isEmpty else { return repeatRange(&bytes, &random) }
        let word = words[random.next(below: words.count)]
        let start = random.next(below: bytes.count + 1)
        let end = random.next() & 1 == 0 ? start : min(start + word.count, bytes.count)
        bytes.replaceSubrange(start..<end, with: word)
    }

    /// Removes, empties, repeats, replaces or swaps DER elements. Flips a bit if the input isn't DER.
    private func changeElement(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        guard let tree = DERTree(bytes) else { return flipBit(&bytes, &random) }
        let number = random.next(below: tree.elements.count)
        let element = tree.elements[number]
        let own = bytes[element.start..<element.end]
        let new: [UInt8]
        switch random.next(below: 6) {
        case 0: new = []
        case 1: new = [own[own.startIndex], 0]
        case 2: new = (0..<(2 + random.next(below: 3))).flatMap { _ in own }
        case 3:
            // Gives the same contents another tag.
            new = DERTree.element(tag: random.byte(), bytes[element.contents..<element.end])
        case 4:
            let other = tree.elements[random.next(below: tree.elements.count)]
            new = Array(bytes[other.start..<other.end])
        default:
            let donor = inputs[random.next(below: inputs.count)]
            guard let others = DERTree(donor)?.elements else { return flipBit(&bytes, &random) }
            let other = others[random.next(below: others.count)]
            new = Array(donor[other.start..<other.end])
        }
        bytes = tree.replacing(number, with: new, in: bytes)
    }
}
