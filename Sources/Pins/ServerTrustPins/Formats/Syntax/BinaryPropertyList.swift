// SPDX-License-Identifier: Apache-2.0

import ServerTrust

// Binary property lists (`bplist00`), as CoreFoundation's CFBinaryPList.c describes them. They consist of objects, a
// table of their offsets, and a trailer of 32 bytes with the position of the table.
//
// Foundation's reader follows references without a limit. If 30 arrays each contain the next array twice, a few hundred
// bytes become a billion values. This reader limits the depth and checks every offset. It also produces no more values
// than there are bytes. If each container is referenced once, as in the files that writers produce, each value takes at
// least the bytes of its reference.

extension PinNode {
    package static let binaryPropertyListMagic = Array("bplist00".utf8)

    /// Parses a binary property list.
    /// - Throws: `PinFileError` for other bytes.
    init(binaryPropertyList bytes: [UInt8], file: String) throws(PinFileError) {
        guard var reader = BinaryPropertyListReader(bytes) else {
            throw PinFileError(.pinFileUnreadable, in: file, "a binary property list that is cut off")
        }
        guard let node = reader.object(reader.top, depth: 0) else {
            let isTooLarge = reader.count > bytes.count || reader.isTooDeep
            throw PinFileError(
                isTooLarge ? .pinFileTooLarge : .pinFileUnreadable, in: file,
                isTooLarge ? "nested too deeply, or too many values" : "a damaged binary property list")
        }
        self = node
    }
}

private struct BinaryPropertyListReader {
    let bytes: [UInt8]
    let top: Int
    private let offsetSize: Int
    private let referenceSize: Int
    private let objectCount: Int
    private let tableStart: Int
    private(set) var count = 0
    private(set) var isTooDeep = false
    /// The number of bytes of strings and data copied so far.
    private var payload = 0

    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 8 + 32, bytes.count <= PinConfiguration.maximumFileSize,
            bytes.starts(with: PinNode.binaryPropertyListMagic)
        else { return nil }
        self.bytes = bytes
        let trailer = bytes.count - 32
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            let objectCount = Self.number(bytes, trailer + 8, 8), let top = Self.number(bytes, trailer + 16, 8),
            let tableStart = Self.number(bytes, trailer + 24, 8), objectCount > 0, top < objectCount,
            tableStart >= 8, tableStart <= trailer, objectCount <= (trailer - tableStart) / offsetSize
        else { return nil }
        self.objectCount = objectCount
        self.top = top
        self.tableStart = tableStart
    }

    /// Reads a big-endian number. Returns nil if it isn't inside the bytes or has more than 62 bits.
    private static func number(_ bytes: [UInt8], _ start: Int, _ size: Int) -> Int? {
        guard start >= 0, size >= 0, start <= bytes.count, size <= bytes.count - start else { return nil }
        var value: UInt64 = 0
        for byte in bytes[start..<start + size] {
            guard value < 1 << 54 else { return nil }
            value = value << 8 | UInt64(byte)
        }
        return Int(exactly: value)
    }

    mutating func object(_ reference: Int, depth: Int) -> PinNode? {
        count += 1
        guard depth < PinNode.maximumDepth, count <= PinNode.maximumCount else {
            isTooDeep = true
            return nil
        }
        guard count <= bytes.count, reference < objectCount,
            let start = Self.number(bytes, tableStart + reference * offsetSize, offsetSize), start >= 8,
            start < tableStart
        else { return nil }
        let marker = bytes[start]
        switch marker >> 4 {
        case 0x0: return marker == 0x08 ? node(.boolean(false)) : marker == 0x09 ? node(.boolean(true)) : nil
        case 0x1: return integer(start + 1, 1 << Int(marker & 0xf))
        case 0x2: return real(start + 1, 1 << Int(marker & 0xf))
        case 0x3: return marker == 0x33 ? date(start + 1) : nil
        case 0x4: return copied(start, 1).map { node(.data(Array(bytes[$0]))) }
        case 0x5:
            return copied(start, 1).flatMap { text(String(validating: bytes[$0], as: UTF8.self)) }
        case 0x6: return copied(start, 2).flatMap(utf16)
        case 0xa: return array(start, depth)
        case 0xd: return dictionary(start, depth)
        default: return nil
        }
    }

    private func node(_ value: PinNode.Value) -> PinNode { PinNode(value, line: nil) }

    /// Returns the bits of a number of this size, or nil if it isn't inside the objects.
    private func bits(_ start: Int, _ size: Int) -> UInt64? {
        guard size <= 8, start + size <= tableStart else { return nil }
        return bytes[start..<start + size].reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func integer(_ start: Int, _ size: Int) -> PinNode? {
        bits(start, size).map { node(.number(size == 8 ? String(Int64(bitPattern: $0)) : String($0))) }
    }

    private func real(_ start: Int, _ size: Int) -> PinNode? {
        guard size == 4 || size == 8, let bits = bits(start, size) else { return nil }
        let value = size == 4 ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
        return node(.number(String(value)))
    }

    /// Reads a date, stored as seconds since 2001.
    private func date(_ start: Int) -> PinNode? {
        guard let bits = bits(start, 8), let seconds = Int64(exactly: Double(bitPattern: bits).rounded(.down)),
            abs(seconds) < 1 << 40
        else { return nil }
        return node(.date(Time(secondsSinceEpoch: seconds + 978_307_200)))
    }

    /// Returns contents, which are copied for each reference to them. The total must not exceed the size limit for a
    /// file.
    private mutating func copied(_ start: Int, _ size: Int) -> Range<Int>? {
        guard let range = contents(start, size) else { return nil }
        payload += range.count
        guard payload <= PinConfiguration.maximumFileSize else {
            isTooDeep = true
            return nil
        }
        return range
    }

    /// Returns the bytes of an object's contents. Their count is in the marker or after it.
    private func contents(_ start: Int, _ size: Int) -> Range<Int>? {
        var elements = Int(bytes[start] & 0xf)
        var first = start + 1
        if elements == 0xf {
            guard first < tableStart, bytes[first] >> 4 == 1 else { return nil }
            let width = 1 << Int(bytes[first] & 0xf)
            guard width <= 8, let number = Self.number(bytes, first + 1, width) else { return nil }
            elements = number
            first += 1 + width
        }
        guard first <= tableStart, elements <= (tableStart - first) / size else { return nil }
        return first..<first + elements * size
    }

    private func utf16(_ range: Range<Int>) -> PinNode? {
        let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        return text(String(validating: units, as: UTF16.self))
    }

    private func text(_ text: String?) -> PinNode? {
        guard let text, !CombiningRun.isTooLong(in: text) else { return nil }
        return node(.string(text))
    }

    private mutating func array(_ start: Int, _ depth: Int) -> PinNode? {
        guard let range = contents(start, referenceSize) else { return nil }
        var elements: [PinNode] = []
        for index in stride(from: range.lowerBound, to: range.upperBound, by: referenceSize) {
            guard let reference = Self.number(bytes, index, referenceSize),
                let element = object(reference, depth: depth + 1)
            else { return nil }
            elements.append(element)
        }
        return node(.array(elements))
    }

    /// Reads a dictionary: all keys, then all values.
    private mutating func dictionary(_ start: Int, _ depth: Int) -> PinNode? {
        guard let range = contents(start, 2 * referenceSize) else { return nil }
        let half = range.count / 2
        var members: [PinNode.Member] = []
        for index in stride(from: range.lowerBound, to: range.lowerBound + half, by: referenceSize) {
            guard let key = Self.number(bytes, index, referenceSize),
                let value = Self.number(bytes, index + half, referenceSize),
                case .string(let name) = object(key, depth: depth + 1)?.value,
                let node = object(value, depth: depth + 1)
            else { return nil }
            members.append(PinNode.Member(key: name, node: node))
        }
        return node(.dictionary(members))
    }
}
