// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A parser for the text format of Protocol Buffers, limited to the features that lists of roots use.
struct TextProto {
    /// A value of a field.
    indirect enum Value {
        case string([UInt8])
        /// A number or a name, as written: `1731456000`, `0x5AF`, `true`.
        case word(String)
        case message([Field])
    }

    /// A field with its line, from 1.
    struct Field {
        let name: String
        let value: Value
        let line: Int
    }

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    /// Counts the fields, and the values of lists.
    private(set) var meter = WorkMeter(work: maximumCount)

    /// The maximum depth of messages, and the maximum number of fields. Chrome's list has a depth of two and about
    /// 1,000 fields.
    private static let maximumDepth = 8
    private static let maximumCount = 100_000

    /// Parses a text.
    /// - Throws: ``RootListError`` with the line.
    static func fields(_ bytes: [UInt8]) throws(RootListError) -> [Field] {
        var parser = TextProto(bytes: bytes)
        return try parser.fields()
    }

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the fields of the text. Call it once.
    /// - Throws: ``RootListError`` with the line.
    mutating func fields() throws(RootListError) -> [Field] { try readFields(depth: 0, end: nil) }

    /// Reads fields up to the end of their message.
    private mutating func readFields(depth: Int, end: UInt8?) throws(RootListError) -> [Field] {
        guard depth <= Self.maximumDepth else { throw error("messages nested at most \(Self.maximumDepth) deep") }
        var fields: [Field] = []
        while true {
            skipSpace()
            guard let next = peek() else {
                guard end == nil else { throw error("the end of a message") }
                return fields
            }
            if next == end {
                position += 1
                return fields
            }
            if next == UInt8(ascii: ",") || next == UInt8(ascii: ";") {
                position += 1
                continue
            }
            guard meter.charge(work: 1) else { throw error("at most \(Self.maximumCount) fields") }
            let start = line
            let name = try readWord("the name of a field")
            fields += try readValues(depth: depth).map { Field(name: name, value: $0, line: start) }
        }
    }

    /// Reads the value after a name, or the values of a bracketed list.
    private mutating func readValues(depth: Int) throws(RootListError) -> [Value] {
        skipSpace()
        let hasColon = take(UInt8(ascii: ":"))
        skipSpace()
        guard hasColon, take(UInt8(ascii: "[")) else { return [try readValue(depth: depth, hasColon: hasColon)] }
        var values: [Value] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return values }
        while true {
            guard meter.charge(work: 1) else { throw error("at most \(Self.maximumCount) values") }
            values.append(try readValue(depth: depth, hasColon: true))
            skipSpace()
            if take(UInt8(ascii: "]")) { return values }
            guard take(UInt8(ascii: ",")) else { throw error("a comma or ]") }
            skipSpace()
        }
    }

    private mutating func readValue(depth: Int, hasColon: Bool) throws(RootListError) -> Value {
        switch peek() {
        case let start? where start == UInt8(ascii: "{") || start == UInt8(ascii: "<"):
            position += 1
            // The closing brackets come two after the opening ones.
            return .message(try readFields(depth: depth + 1, end: start + 2))
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            var text = try readString()
            skipSpace()
            // Adjacent strings are one string.
            while let next = peek(), next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") {
                text += try readString()
                skipSpace()
            }
            guard hasColon else { throw error("a colon before a string") }
            return .string(text)
        default:
            guard hasColon else { throw error("a colon or {") }
            return .word(try readWord("a value"))
        }
    }

    private mutating func readString() throws(RootListError) -> [UInt8] {
        let quote = bytes[position]
        position += 1
        var text: [UInt8] = []
        while let byte = peek(), byte != 0x0a {
            position += 1
            if byte == quote { return text }
            text.append(byte)
            // Keeps escapes undecoded. None of the fields read here contain escaped bytes.
            guard byte == UInt8(ascii: "\\"), let escaped = peek() else { continue }
            text.append(escaped)
            position += 1
        }
        throw error("the end of a string")
    }

    private mutating func readWord(_ expected: String) throws(RootListError) -> String {
        let start = position
        while let byte = peek(), Self.isWord(byte) { position += 1 }
        guard position > start else { throw error(expected) }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || "_-+.".utf8.contains(byte)
    }

    private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        position += 1
        return true
    }

    /// Skips white space and comments.
    private mutating func skipSpace() {
        while let byte = peek() {
            switch byte {
            case 0x0a:
                line += 1
                position += 1
            case 0x20, 0x09, 0x0d: position += 1
            case UInt8(ascii: "#"): while let next = peek(), next != 0x0a { position += 1 }
            default: return
            }
        }
    }

    private func error(_ expected: String) -> RootListError {
        let found = String(decoding: bytes[position...].prefix(24).prefix { $0 != 0x0a }, as: UTF8.self)
        return .unexpected(line: line, expected: expected, found: found)
    }
}
