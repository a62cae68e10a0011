// SPDX-License-Identifier: Apache-2.0

import ServerTrustPins

extension PinTree {
    /// Returns the tree as `bplist00`, with four-byte offsets and references. Equal strings aren't shared.
    func binaryPropertyList() -> [UInt8] {
        var writer = BinaryPropertyListWriter()
        let top = writer.add(self)
        return writer.finished(top: top)
    }
}

private struct BinaryPropertyListWriter {
    private var objects: [[UInt8]] = []

    private static func number(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * (size - 1 - $0))) }
    }

    private static func header(_ marker: UInt8, _ count: Int) -> [UInt8] {
        count < 15 ? [marker | UInt8(count)] : [marker | 0xf, 0x12] + number(count, 4)
    }

    mutating func add(_ tree: PinTree) -> Int {
        let index = objects.count
        objects.append([])
        switch tree {
        case .boolean(let value): objects[index] = [value ? 0x09 : 0x08]
        case .integer(let value): objects[index] = [0x13] + Self.number(value, 8)
        case .data(let bytes): objects[index] = Self.header(0x40, bytes.count) + bytes
        case .string(let text):
            if text.utf8.allSatisfy({ $0 < 0x80 }) {
                objects[index] = Self.header(0x50, text.utf8.count) + Array(text.utf8)
            } else {
                let units = Array(text.utf16)
                objects[index] = Self.header(0x60, units.count) + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
            }
        case .array(let elements):
            let references = elements.map { add($0.value) }
            objects[index] = Self.header(0xa0, references.count) + references.flatMap { Self.number($0, 4) }
        case .dictionary(let members):
            let keys = members.map { add(.string($0.key)) }
            let values = members.map { add($0.value) }
            objects[index] = Self.header(0xd0, keys.count) + (keys + values).flatMap { Self.number($0, 4) }
        }
        return index
    }

    func finished(top: Int) -> [UInt8] {
        var bytes = PinNode.binaryPropertyListMagic
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            bytes += object
        }
        let table = bytes.count
        bytes += offsets.flatMap { Self.number($0, 4) }
        return bytes + [0, 0, 0, 0, 0, 0, 4, 4] + Self.number(objects.count, 8) + Self.number(top, 8)
            + Self.number(table, 8)
    }
}
