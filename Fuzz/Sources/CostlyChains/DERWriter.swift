// SPDX-License-Identifier: Apache-2.0

/// Functions that write DER. They check nothing and share no code with the package, whose parser reads their output.
enum DERWriter {
    static func tlv(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(contents.count + 6)
        appendHeader(tag, contents.count, to: &bytes)
        bytes += contents
        return bytes
    }

    static func sequence(_ members: [UInt8]...) -> [UInt8] { tlv(0x30, Array(members.joined())) }

    /// Returns the members in the order of their encodings, as a SET OF requires.
    static func set(_ members: [[UInt8]]) -> [UInt8] {
        tlv(0x31, Array(members.sorted { $0.lexicographicallyPrecedes($1) }.joined()))
    }

    static func appendHeader(_ tag: UInt8, _ count: Int, to bytes: inout [UInt8]) {
        bytes.append(tag)
        switch count {
        case ..<0x80: bytes.append(UInt8(count))
        case ..<0x100: bytes += [0x81, UInt8(count)]
        case ..<0x1_0000: bytes += [0x82, UInt8(count >> 8), UInt8(count & 0xff)]
        default: bytes += [0x83, UInt8(count >> 16), UInt8(count >> 8 & 0xff), UInt8(count & 0xff)]
        }
    }

    /// Encodes a nonnegative INTEGER.
    static func integer(_ number: Int) -> [UInt8] { tlv(0x02, bigEndian(number)) }

    static func bigEndian(_ number: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = number
        repeat {
            bytes.insert(UInt8(rest & 0xff), at: 0)
            rest >>= 8
        } while rest > 0
        return bytes[0] >= 0x80 ? [0] + bytes : bytes
    }

    /// Encodes the object identifier 1.2.`number`.
    static func identifier(_ number: Int) -> [UInt8] {
        var contents: [UInt8] = [0x2a]
        contents += base128(number)
        return tlv(0x06, contents)
    }

    private static func base128(_ number: Int) -> [UInt8] {
        var groups = [UInt8(number & 0x7f)]
        var rest = number >> 7
        while rest > 0 {
            groups.insert(UInt8(rest & 0x7f) | 0x80, at: 0)
            rest >>= 7
        }
        return groups
    }

    static func bits(_ contents: [UInt8]) -> [UInt8] { tlv(0x03, [0] + contents) }

    static func text(_ text: String, tag: UInt8 = 0x0c) -> [UInt8] { tlv(tag, Array(text.utf8)) }
}
