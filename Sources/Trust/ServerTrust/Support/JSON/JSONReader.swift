// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A JSON reader that visits each byte once, and limits the depth and the number of values.
struct JSONReader {
    private let bytes: [UInt8]
    private var index: Int
    private(set) var line = 1
    /// The reason why a function returned nil.
    private(set) var problem = "not JSON"
    private(set) var isTooLarge = false
    /// The place of a repeated key below the object or array that is being read, such as `ct.policy`, or nil without
    /// one.
    private var repeatedKey: String?
    /// The number of values so far.
    private(set) var count = 0
    private let maximumDepth: Int
    private let maximumCount: Int
    private let repeatedKeys: JSONValue.RepeatedKeys

    init(_ bytes: [UInt8], maximumDepth: Int, maximumCount: Int, repeatedKeys: JSONValue.RepeatedKeys) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        self.maximumCount = maximumCount
        self.repeatedKeys = repeatedKeys
        self.index = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    }

    /// Reads the only value of the text. If it is an object, stores only the members whose keys are kept.
    mutating func document(keeping isKept: (String) -> Bool = { _ in true }) -> JSONValue? {
        guard let node = value(depth: 0, keeping: isKept) else {
            if let repeatedKey { problem = "the key \"\(clipped(repeatedKey))\" occurs twice\(problem), expected once" }
            return nil
        }
        skipWhiteSpace()
        return index == bytes.count ? node : fail("the end of the file")
    }

    private mutating func fail<Value>(_ expected: String) -> Value? {
        let rest = String(decoding: bytes[min(index, bytes.count)...].prefix(24).prefix { $0 != 0x0a }, as: UTF8.self)
        problem = "not JSON: expected \(expected)" + (rest.isEmpty ? "" : ", found \"\(clipped(rest))\"")
        return nil
    }

    /// Whether the reader has stopped at a repeated key.
    var hasRepeatedKey: Bool { repeatedKey != nil }

    private mutating func failRepeated(_ key: String, at start: Int) -> Void? {
        repeatedKey = clipped(key, to: 64)
        problem = ", the second time at byte \(start + 1)"
        return nil
    }

    /// Adds a key or an index to the place of a repeated key.
    private mutating func failBelow(_ place: @autoclosure () -> String) -> Void? {
        guard let rest = repeatedKey else { return nil }
        repeatedKey = place() + (rest.hasPrefix("[") ? "" : ".") + rest
        return nil
    }

    private mutating func skipWhiteSpace() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x0a: line += 1
            case 0x20, 0x09, 0x0d: break
            default: return
            }
            index += 1
        }
    }

    private mutating func skip(_ byte: Unicode.Scalar) -> Bool {
        skipWhiteSpace()
        guard index < bytes.count, bytes[index] == UInt8(ascii: byte) else { return false }
        index += 1
        return true
    }

    /// Moves to the first byte of a value.
    private mutating func startValue(_ depth: Int) -> UInt8? {
        skipWhiteSpace()
        guard depth < maximumDepth, count <= maximumCount else {
            isTooLarge = true
            problem = "too deep, or too many values; expected at most \(maximumCount) values, \(maximumDepth) deep"
            return nil
        }
        return index < bytes.count ? bytes[index] : fail("a value")
    }

    private mutating func value(depth: Int, keeping isKept: (String) -> Bool = { _ in true }) -> JSONValue? {
        count += 1
        guard let first = startValue(depth) else { return nil }
        let start = line
        switch first {
        case UInt8(ascii: "{"):
            var members: [JSONValue.Member] = []
            let (isEveryKeyChecked, isKeptKeyChecked) = (repeatedKeys == .refused, repeatedKeys != .kept)
            let isRead: Void? = object(checking: { isEveryKeyChecked || isKeptKeyChecked && isKept($0) }) {
                reader, key, line in
                guard isKept(key) else { return reader.skipValue(depth: depth + 1) }
                guard let member = reader.value(depth: depth + 1) else { return nil }
                members.append(JSONValue.Member(key: key, value: JSONValue(member.content, line: line)))
                return ()
            }
            return isRead.map { JSONValue(.object(members), line: start) }
        case UInt8(ascii: "["):
            var elements: [JSONValue] = []
            let isRead: Void? = array { reader in reader.value(depth: depth + 1).map { elements.append($0) } }
            return isRead.map { JSONValue(.array(elements), line: start) }
        case UInt8(ascii: "\""): return string().map { JSONValue(.string(decoded($0)), line: start) }
        case UInt8(ascii: "t"): return literal("true").map { JSONValue(.boolean(true), line: start) }
        case UInt8(ascii: "f"): return literal("false").map { JSONValue(.boolean(false), line: start) }
        case UInt8(ascii: "n"): return literal("null").map { JSONValue(.null, line: start) }
        default:
            return number().map { JSONValue(.number(String(decoding: bytes[$0], as: UTF8.self)), line: start) }
        }
    }

    /// Reads a value and stores nothing. It doesn't add to ``count``.
    private mutating func skipValue(depth: Int) -> Void? {
        switch startValue(depth) {
        case nil: return nil
        case UInt8(ascii: "{"):
            let isChecked = repeatedKeys == .refused
            return object(checking: { _ in isChecked }) { reader, _, _ in reader.skipValue(depth: depth + 1) }
        case UInt8(ascii: "["): return array { reader in reader.skipValue(depth: depth + 1) }
        case UInt8(ascii: "\""): return string().map { _ in }
        case UInt8(ascii: "t"): return literal("true")
        case UInt8(ascii: "f"): return literal("false")
        case UInt8(ascii: "n"): return literal("null")
        default: return number().map { _ in }
        }
    }

    private mutating func literal(_ text: StaticString) -> Void? {
        guard text.withUTF8Buffer({ bytes[index...].starts(with: $0) }) else { return fail("a value") }
        index += text.utf8CodeUnitCount
        return ()
    }

    /// Reads an object. Calls `member` at each value, with the key and its line.
    /// - Parameter isChecked: whether a key must not occur twice.
    private mutating func object(
        checking isChecked: (String) -> Bool, _ member: (inout JSONReader, String, Int) -> Void?
    ) -> Void? {
        index += 1
        var keys: Set<String> = []
        guard !skip("}") else { return () }
        repeat {
            skipWhiteSpace()
            let (start, place) = (line, index)
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { return fail("a key in quotes") }
            guard let key = string().map(decoded) else { return nil }
            guard !isChecked(key) || keys.insert(key).inserted else { return failRepeated(key, at: place) }
            guard skip(":") else { return fail("a colon after the key") }
            guard member(&self, key, start) != nil else { return failBelow(clipped(key, to: 64)) }
        } while skip(",")
        return skip("}") ? () : fail("a comma or }")
    }

    /// Reads an array. Calls `element` at each value.
    private mutating func array(_ element: (inout JSONReader) -> Void?) -> Void? {
        index += 1
        guard !skip("]") else { return () }
        var count = 0
        repeat {
            guard element(&self) != nil else { return failBelow("[\(count)]") }
            count += 1
        } while skip(",")
        return skip("]") ? () : fail("a comma or ]")
    }

    /// Reads a number (RFC 8259 § 6).
    private mutating func number() -> Range<Int>? {
        let start = index
        func isDigit(_ at: Int) -> Bool { at < bytes.count && bytes[at] >= 0x30 && bytes[at] <= 0x39 }
        if index < bytes.count, bytes[index] == UInt8(ascii: "-") { index += 1 }
        guard isDigit(index) else { return fail("a value") }
        let first = index
        while isDigit(index) { index += 1 }
        guard bytes[first] != 0x30 || index == first + 1 else { return fail("a number without a leading zero") }
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            guard isDigit(index) else { return fail("a digit") }
            while isDigit(index) { index += 1 }
        }
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") {
                index += 1
            }
            guard isDigit(index) else { return fail("a digit") }
            while isDigit(index) { index += 1 }
        }
        return start..<index
    }

    /// The text between a string's quotes.
    private struct Characters {
        let range: Range<Int>
        let hasEscapes: Bool
    }

    /// Reads a string (RFC 8259 § 7).
    private mutating func string() -> Characters? {
        index += 1
        let start = index
        var hasEscapes = false
        while true {
            index = bytes.withUnsafeBytes { $0.endOfPlainText(from: index) }
            guard index < bytes.count else { return fail("a closing quotation mark") }
            index += 1
            switch bytes[index - 1] {
            case UInt8(ascii: "\""): return Characters(range: start..<(index - 1), hasEscapes: hasEscapes)
            case UInt8(ascii: "\\"):
                guard escape() != nil else { return fail("a JSON escape") }
                hasEscapes = true
            default: return fail("a text without control characters")
            }
        }
    }

    private func decoded(_ characters: Characters) -> String {
        let range = characters.range
        guard characters.hasEscapes else { return String(decoding: bytes[range], as: UTF8.self) }
        var text: [UInt8] = []
        var reader = self
        reader.index = range.lowerBound
        while reader.index < range.upperBound {
            let byte = bytes[reader.index]
            reader.index += 1
            if byte != UInt8(ascii: "\\") {
                text.append(byte)
            } else if let scalar = reader.escape() {
                text += Array(String(scalar).utf8)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func escape() -> Unicode.Scalar? {
        guard index < bytes.count else { return nil }
        let byte = bytes[index]
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            guard let unit = hex() else { return nil }
            guard unit & 0xf800 == 0xd800 else { return Unicode.Scalar(unit) }
            guard unit < 0xdc00, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
                bytes[index + 1] == UInt8(ascii: "u")
            else { return nil }
            index += 2
            guard let low = hex(), low & 0xfc00 == 0xdc00 else { return nil }
            return Unicode.Scalar(0x10000 + (UInt32(unit) - 0xd800) << 10 + (UInt32(low) - 0xdc00))
        default: return nil
        }
    }

    private mutating func hex() -> UInt16? {
        guard index + 4 <= bytes.count else { return nil }
        var unit: UInt16 = 0
        for byte in bytes[index..<index + 4] {
            guard let digit = Hex.value(ofDigit: byte) else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        index += 4
        return unit
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the offset of the first quotation mark, backslash or control character at or after `start`. Without one,
    /// returns the end.
    fileprivate func endOfPlainText(from start: Int) -> Int {
        var index = start
        // Eight bytes at a time: a byte's highest bit is set if the byte is zero after the subtraction, or less than the
        // subtrahend. A borrow only reaches bytes above such a byte, so the lowest bit is exact.
        let ones: UInt64 = 0x0101_0101_0101_0101
        while index + 8 <= count {
            let word = UInt64(littleEndian: loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let quotes = word ^ (ones &* 0x22)
            let escapes = word ^ (ones &* 0x5c)
            let found =
                ((quotes &- ones) & ~quotes | (escapes &- ones) & ~escapes | (word &- ones &* 0x20) & ~word)
                & (ones &* 0x80)
            if found != 0 { return index + found.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < count, self[index] >= 0x20, self[index] != UInt8(ascii: "\""), self[index] != UInt8(ascii: "\\") {
            index += 1
        }
        return index
    }
}
