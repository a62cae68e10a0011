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

    mutating func document() -> JSONValue? {
        guard let node = value(depth: 0) else { return nil }
        skipWhiteSpace()
        return index == bytes.count ? node : fail("the end of the file")
    }

    private mutating func fail<Value>(_ expected: String) -> Value? {
        let rest = String(decoding: bytes[min(index, bytes.count)...].prefix(24).prefix { $0 != 0x0a }, as: UTF8.self)
        problem = "not JSON: expected \(expected)" + (rest.isEmpty ? "" : ", found \"\(clipped(rest))\"")
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

    private mutating func value(depth: Int) -> JSONValue? {
        skipWhiteSpace()
        count += 1
        guard depth < maximumDepth, count <= maximumCount else {
            isTooLarge = true
            problem = "too deep, or too many values; expected at most \(maximumCount) values, \(maximumDepth) deep"
            return nil
        }
        guard index < bytes.count else { return fail("a value") }
        let start = line
        switch bytes[index] {
        case UInt8(ascii: "{"): return object(depth).map { JSONValue($0, line: start) }
        case UInt8(ascii: "["): return array(depth).map { JSONValue($0, line: start) }
        case UInt8(ascii: "\""): return string().map { JSONValue(.string($0), line: start) }
        case UInt8(ascii: "t"): return literal("true").map { JSONValue(.boolean(true), line: start) }
        case UInt8(ascii: "f"): return literal("false").map { JSONValue(.boolean(false), line: start) }
        case UInt8(ascii: "n"): return literal("null").map { JSONValue(.null, line: start) }
        default: return number().map { JSONValue(.number($0), line: start) }
        }
    }

    private mutating func literal(_ text: StaticString) -> Void? {
        guard text.withUTF8Buffer({ bytes[index...].starts(with: $0) }) else { return fail("a value") }
        index += text.utf8CodeUnitCount
        return ()
    }

    private mutating func object(_ depth: Int) -> JSONValue.Content? {
        index += 1
        var members: [JSONValue.Member] = []
        var keys: Set<String> = []
        guard !skip("}") else { return .object([]) }
        repeat {
            skipWhiteSpace()
            let start = line
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { return fail("a key in quotes") }
            guard let key = string() else { return nil }
            guard repeatedKeys == .kept || keys.insert(key).inserted else {
                return fail("the key \"\(clipped(key, to: 64))\" once")
            }
            guard skip(":") else { return fail("a colon after the key") }
            guard let member = value(depth: depth + 1) else { return nil }
            members.append(JSONValue.Member(key: key, value: JSONValue(member.content, line: start)))
        } while skip(",")
        return skip("}") ? .object(members) : fail("a comma or }")
    }

    private mutating func array(_ depth: Int) -> JSONValue.Content? {
        index += 1
        var elements: [JSONValue] = []
        guard !skip("]") else { return .array([]) }
        repeat {
            guard let node = value(depth: depth + 1) else { return nil }
            elements.append(node)
        } while skip(",")
        return skip("]") ? .array(elements) : fail("a comma or ]")
    }

    /// Reads a number (RFC 8259 § 6).
    private mutating func number() -> String? {
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
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// Reads a string (RFC 8259 § 7).
    private mutating func string() -> String? {
        index += 1
        var text: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let scalar = escape() else { return fail("a JSON escape") }
                text += Array(String(scalar).utf8)
            case 0..<0x20: return fail("a text without control characters")
            default: text.append(byte)
            }
        }
        return fail("a closing quotation mark")
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
