// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustSupport

/// A JSON value (RFC 8259) with the line on which it starts.
///
/// Members keep their order and their duplicates: Foundation's readers keep one of them, and which one is not specified (§ 4).
package struct JSONValue: Sendable {
    package indirect enum Content: Sendable {
        case object([Member])
        case array([JSONValue])
        case string(String)
        /// The digits as written.
        case number(String)
        case boolean(Bool)
        case null
    }

    package struct Member: Sendable {
        package let key: String
        /// The value, with the line of the key.
        package let value: JSONValue
    }

    package let content: Content
    /// The line, from 1.
    package let line: Int

    fileprivate init(_ content: Content, line: Int) {
        self.content = content
        self.line = line
    }
}

/// The reason why bytes are no JSON.
package struct JSONError: Error, Sendable {
    /// Whether the value is nested too deeply or has too many values.
    package let isTooLarge: Bool
    /// The line of the error, from 1; nil for the whole text.
    package let line: Int?
    package let detail: String
}

extension JSONValue {
    /// Parses JSON in UTF-8, with or without a byte order mark.
    ///
    /// Strict: only white space around the one value, no comments, no trailing commas.
    /// - Parameters:
    ///   - bytes: the text.
    ///   - maximumDepth: the maximum depth of nested containers.
    ///   - maximumCount: the maximum number of values.
    package init(parsing bytes: [UInt8], maximumDepth: Int, maximumCount: Int) throws(JSONError) {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw JSONError(isTooLarge: false, line: nil, detail: "not UTF-8")
        }
        guard !CombiningRun.isTooLong(inJSON: bytes) else {
            throw JSONError(isTooLarge: false, line: nil, detail: "expected \(CombiningRun.expectation)")
        }
        var reader = JSONReader(bytes, maximumDepth: maximumDepth, maximumCount: maximumCount)
        guard let value = reader.document() else {
            throw JSONError(isTooLarge: reader.isTooLarge, line: reader.line, detail: reader.expectation)
        }
        self = value
    }
}

private struct JSONReader {
    private let bytes: [UInt8]
    private var index: Int
    private(set) var line = 1
    private(set) var expectation = "not JSON"
    private(set) var isTooLarge = false
    private var count = 0
    private let maximumDepth: Int
    private let maximumCount: Int

    init(_ bytes: [UInt8], maximumDepth: Int, maximumCount: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        self.maximumCount = maximumCount
        self.index = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    }

    mutating func document() -> JSONValue? {
        guard let node = value(depth: 0) else { return nil }
        skipWhiteSpace()
        return index == bytes.count ? node : fail("something behind the value, expected the end of the file")
    }

    private mutating func fail<Value>(_ detail: String) -> Value? {
        expectation = "not JSON: " + detail
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
        guard depth < maximumDepth, count < maximumCount else {
            isTooLarge = true
            expectation = "nested too deeply, or too many values"
            return nil
        }
        guard index < bytes.count else { return fail("the file ends, expected a value") }
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
        guard text.withUTF8Buffer({ bytes[index...].starts(with: $0) }) else { return fail("expected a value") }
        index += text.utf8CodeUnitCount
        return ()
    }

    private mutating func object(_ depth: Int) -> JSONValue.Content? {
        index += 1
        var members: [JSONValue.Member] = []
        guard !skip("}") else { return .object([]) }
        repeat {
            skipWhiteSpace()
            let start = line
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\""), let key = string() else {
                return fail("expected a key in quotes")
            }
            guard skip(":") else { return fail("expected a colon behind the key") }
            guard let member = value(depth: depth + 1) else { return nil }
            members.append(JSONValue.Member(key: key, value: JSONValue(member.content, line: start)))
        } while skip(",")
        return skip("}") ? .object(members) : fail("expected a comma or }")
    }

    private mutating func array(_ depth: Int) -> JSONValue.Content? {
        index += 1
        var elements: [JSONValue] = []
        guard !skip("]") else { return .array([]) }
        repeat {
            guard let node = value(depth: depth + 1) else { return nil }
            elements.append(node)
        } while skip(",")
        return skip("]") ? .array(elements) : fail("expected a comma or ]")
    }

    /// RFC 8259 § 6.
    private mutating func number() -> String? {
        let start = index
        func isDigit(_ at: Int) -> Bool { at < bytes.count && bytes[at] >= 0x30 && bytes[at] <= 0x39 }
        if index < bytes.count, bytes[index] == UInt8(ascii: "-") { index += 1 }
        guard isDigit(index) else { return fail("expected a value") }
        let first = index
        while isDigit(index) { index += 1 }
        guard bytes[first] != 0x30 || index == first + 1 else { return fail("a number with a leading zero") }
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            guard isDigit(index) else { return fail("expected a digit") }
            while isDigit(index) { index += 1 }
        }
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") {
                index += 1
            }
            guard isDigit(index) else { return fail("expected a digit") }
            while isDigit(index) { index += 1 }
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// RFC 8259 § 7.
    private mutating func string() -> String? {
        index += 1
        var text: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let scalar = escape() else { return fail("an escape that there isn't") }
                text += Array(String(scalar).utf8)
            case 0..<0x20: return fail("a control character in a text")
            default: text.append(byte)
            }
        }
        return fail("a text without an end")
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
