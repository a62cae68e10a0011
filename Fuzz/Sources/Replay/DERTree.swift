// SPDX-License-Identifier: Apache-2.0

/// The elements of an input that is DER, or a byte that selects something followed by DER.
///
/// Removing, repeating or replacing an element changes the lengths of the elements around it. This type writes those
/// lengths again, so that a mutated input gets past the first length.
struct DERTree {
    struct Element {
        var start: Int
        var contents: Int
        var end: Int
        /// The index of the element around this one.
        var parent: Int?
    }

    private static let maximumElements = 1_000
    private static let maximumDepth = 32

    private(set) var elements: [Element] = []

    /// Returns nil if an input isn't DER.
    init?(_ bytes: [UInt8]) {
        for offset in 0...1 where offset < bytes.count {
            elements = []
            guard read(bytes, offset..<bytes.count, parent: nil, depth: 0), elements.count > 1 else { continue }
            return
        }
        return nil
    }

    /// Reads the elements of a range, and the elements inside constructed ones. Returns false if they don't fill the
    /// range.
    private mutating func read(_ bytes: [UInt8], _ range: Range<Int>, parent: Int?, depth: Int) -> Bool {
        guard depth < Self.maximumDepth else { return false }
        var index = range.lowerBound
        while index < range.upperBound {
            guard elements.count < Self.maximumElements, let header = Self.header(bytes, index, range.upperBound) else {
                return false
            }
            let number = elements.count
            elements.append(Element(start: index, contents: header.start, end: header.end, parent: parent))
            if bytes[index] & 0x20 != 0 {
                guard read(bytes, header.start..<header.end, parent: number, depth: depth + 1) else { return false }
            } else if bytes[index] == 4, header.end > header.start {
                // The value of an extension is DER in an octet string.
                let inner = read(bytes, header.start..<header.end, parent: number, depth: depth + 1)
                if !inner { elements.removeSubrange((number + 1)...) }
            }
            index = header.end
        }
        return true
    }

    /// Returns where an element's contents start and end.
    private static func header(_ bytes: [UInt8], _ index: Int, _ limit: Int) -> (start: Int, end: Int)? {
        guard index + 2 <= limit, bytes[index] & 0x1f != 0x1f else { return nil }
        let first = Int(bytes[index + 1])
        if first < 0x80 { return index + 2 + first <= limit ? (index + 2, index + 2 + first) : nil }
        let count = first & 0x7f
        guard (1...3).contains(count), index + 2 + count <= limit else { return nil }
        let length = bytes[(index + 2)..<(index + 2 + count)].reduce(0) { $0 << 8 | Int($1) }
        let start = index + 2 + count
        return start + length <= limit ? (start, start + length) : nil
    }

    /// Returns the input with an element replaced by other bytes.
    func replacing(_ number: Int, with new: [UInt8], in bytes: [UInt8]) -> [UInt8] {
        var new = new
        var element = elements[number]
        while let parent = element.parent {
            let outer = elements[parent]
            let contents = bytes[outer.contents..<element.start] + new + bytes[element.end..<outer.end]
            new = Self.element(tag: bytes[outer.start], contents)
            element = outer
        }
        return Array(bytes[..<element.start]) + new + bytes[element.end...]
    }

    static func element(tag: UInt8, _ contents: ArraySlice<UInt8>) -> [UInt8] {
        let count = contents.count
        if count < 0x80 { return [tag, UInt8(count)] + contents }
        var length: [UInt8] = []
        var rest = count
        while rest > 0 {
            length.insert(UInt8(rest & 0xff), at: 0)
            rest >>= 8
        }
        return [tag, 0x80 | UInt8(length.count)] + length + contents
    }
}
