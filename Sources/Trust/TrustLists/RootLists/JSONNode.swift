// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustSupport

/// A value of JSON (RFC 8259) with its line. Keys keep their order, and none is there twice.
///
/// A class, as values nest.
final class JSONNode {
    indirect enum Value {
        case object([(key: String, value: JSONNode)])
        case array([JSONNode])
        case string(String)
        /// A number as it is written.
        case number(String)
        case boolean(Bool)
        case null
    }

    let value: Value
    /// The line on which the value begins, from 1.
    let line: Int

    init(value: Value, line: Int) {
        self.value = value
        self.line = line
    }

    /// Parses a text.
    /// - Throws: ``RootListError`` with the line.
    static func parse(_ bytes: [UInt8]) throws(RootListError) -> JSONNode {
        var parser = JSONParser(bytes)
        return try parser.parse()
    }

    /// Returns an error at the value.
    func error(_ expected: String) -> RootListError { RootListError(line: line, "expected \(expected)") }

    /// Whether the value is an array.
    var isArray: Bool { if case .array = value { true } else { false } }

    /// Whether the value is null.
    var isNull: Bool { if case .null = value { true } else { false } }

    /// Whether the value is false.
    var isFalse: Bool { if case .boolean(false) = value { true } else { false } }

    /// Returns the members of an object.
    func members() throws(RootListError) -> [(key: String, value: JSONNode)] {
        guard case .object(let members) = value else { throw error("an object") }
        return members
    }

    /// Returns the members of an object by their keys. One that isn't known is an error: it may have been meant as a condition.
    func members(_ known: [String]) throws(RootListError) -> [String: JSONNode] {
        var found: [String: JSONNode] = [:]
        for member in try members() {
            guard known.contains(member.key) else {
                throw .unexpected(
                    line: member.value.line, expected: "a key of \(known.joined(separator: ", "))", found: member.key)
            }
            found[member.key] = member.value
        }
        return found
    }

    /// Returns the elements of an array.
    func elements() throws(RootListError) -> [JSONNode] {
        guard case .array(let elements) = value else { throw error("an array") }
        return elements
    }

    /// Returns the text of a string.
    func string() throws(RootListError) -> String {
        guard case .string(let text) = value else { throw error("a string") }
        return text
    }

    /// Returns a truth value.
    func boolean() throws(RootListError) -> Bool {
        guard case .boolean(let flag) = value else { throw error("true or false") }
        return flag
    }

    /// Returns the moment of a string by RFC 3339, or the beginning of a day.
    func time() throws(RootListError) -> Time {
        let text = try string()
        do throws(TimeFormatError) { return try Time(rfc3339: text) } catch {
            throw .unexpected(line: line, expected: "a time by RFC 3339, or a day", found: text)
        }
    }
}

/// A parser of JSON, with limits on depth and number of values.
struct JSONParser {
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    /// Counts the values.
    private(set) var meter = WorkMeter(work: maximumCount)

    private static let maximumDepth = 8
    private static let maximumCount = 1_000_000

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func parse() throws(RootListError) -> JSONNode {
        guard !CombiningRun.isTooLong(inJSON: bytes) else {
            throw RootListError(line: nil, "expected \(CombiningRun.expectation)")
        }
        let node = try readValue(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw error("the end of the file") }
        return node
    }

    private mutating func readValue(depth: Int) throws(RootListError) -> JSONNode {
        skipSpace()
        guard depth <= Self.maximumDepth, meter.charge(work: 1) else {
            throw error("at most \(Self.maximumCount) values, \(Self.maximumDepth) deep")
        }
        let start = line
        let value: JSONNode.Value =
            switch peek() {
            case UInt8(ascii: "{"): .object(try readMembers(depth: depth))
            case UInt8(ascii: "["): .array(try readElements(depth: depth))
            case UInt8(ascii: "\""): .string(try readString())
            default: try readWord()
            }
        return JSONNode(value: value, line: start)
    }

    private mutating func readMembers(depth: Int) throws(RootListError) -> [(key: String, value: JSONNode)] {
        var members: [(key: String, value: JSONNode)] = []
        var keys: Set<String> = []
        try readList(end: UInt8(ascii: "}")) { parser throws(RootListError) in
            let key = try parser.readString()
            guard keys.insert(key).inserted else { throw parser.error("the key \"\(key.prefix(64))\" once") }
            parser.skipSpace()
            guard parser.take(UInt8(ascii: ":")) else { throw parser.error("a colon") }
            members.append((key, try parser.readValue(depth: depth + 1)))
        }
        return members
    }

    private mutating func readElements(depth: Int) throws(RootListError) -> [JSONNode] {
        var elements: [JSONNode] = []
        try readList(end: UInt8(ascii: "]")) { parser throws(RootListError) in
            elements.append(try parser.readValue(depth: depth + 1))
        }
        return elements
    }

    /// Reads members with commas between them, from the opening bracket to the closing one.
    private mutating func readList(
        end: UInt8, _ member: (inout JSONParser) throws(RootListError) -> Void
    ) throws(RootListError) {
        position += 1
        skipSpace()
        if take(end) { return }
        while true {
            skipSpace()
            try member(&self)
            skipSpace()
            if take(end) { return }
            guard take(UInt8(ascii: ",")) else { throw error("a comma, or the end") }
        }
    }

    private mutating func readWord() throws(RootListError) -> JSONNode.Value {
        let start = position
        while let byte = peek(), Self.isWord(byte) { position += 1 }
        let word = String(decoding: bytes[start..<position], as: UTF8.self)
        switch word {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "null": return .null
        default:
            guard let first = word.utf8.first, first == UInt8(ascii: "-") || first >= 0x30 && first <= 0x39,
                Double(word) != nil
            else {
                position = start
                throw error("a value of JSON")
            }
            return .number(word)
        }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte >= 0x30 && byte <= 0x39 || byte >= 0x61 && byte <= 0x7a || byte == UInt8(ascii: "E")
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
    }

    private mutating func readString() throws(RootListError) -> String {
        guard take(UInt8(ascii: "\"")) else { throw error("a string") }
        var units: [UInt8] = []
        while let byte = peek(), byte >= 0x20 {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: units, as: UTF8.self) else { throw error("text in UTF-8") }
                return text
            case UInt8(ascii: "\\"): units += Array(String(try readEscape()).utf8)
            default: units.append(byte)
            }
        }
        throw error("the end of a string")
    }

    private mutating func readEscape() throws(RootListError) -> Character {
        let byte = peek()
        position += 1
        switch byte {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            // A pair of surrogates stands for characters that no name in these files needs.
            guard let unit = readUnit(), let scalar = Unicode.Scalar(unit) else { break }
            return Character(scalar)
        default: break
        }
        position = min(position, bytes.count)
        throw error("an escape of JSON")
    }

    private mutating func readUnit() -> UInt32? {
        guard bytes.count - position >= 4 else { return nil }
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Hex.value(ofDigit: bytes[position]) else { return nil }
            unit = unit << 4 | UInt32(digit)
            position += 1
        }
        return unit
    }

    private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek(), byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d {
            if byte == 0x0a { line += 1 }
            position += 1
        }
    }

    private func error(_ expected: String) -> RootListError {
        let found = String(
            decoding: bytes[min(position, bytes.count)...].prefix(24).prefix { $0 != 0x0a }, as: UTF8.self)
        return .unexpected(line: line, expected: expected, found: found)
    }
}
