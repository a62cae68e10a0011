// SPDX-License-Identifier: Apache-2.0

/// The text of string literals.
enum SourceStrings {
    /// Returns the text of a literal.
    /// - Parameters:
    ///   - literal: the literal with its delimiters.
    ///   - language: the language of the source.
    /// - Returns: the text, or nil for an escape that the language doesn't have and for invalid UTF-8.
    static func text(of literal: ArraySlice<UInt8>, _ language: SourceLanguage) -> String? {
        let hashes = literal.prefix { $0 == UInt8(ascii: "#") }.count
        var content = literal.dropFirst(hashes).dropLast(hashes)
        guard let quote = content.first, content.count >= 2 else { return nil }
        let isLong =
            quote == UInt8(ascii: "\"") && language != .objectiveC && language != .javaScript && content.count >= 6
            && content.prefix(3).allSatisfy { $0 == quote } && content.suffix(3).allSatisfy { $0 == quote }
        content = content.dropFirst(isLong ? 3 : 1).dropLast(isLong ? 3 : 1)
        var bytes = Array(content)
        if isLong, language != .kotlin {
            guard let stripped = withoutIndentation(bytes, language) else { return nil }
            bytes = stripped
        }
        guard !(language == .kotlin && isLong), bytes.contains(UInt8(ascii: "\\")) else {
            return String(validating: bytes, as: UTF8.self)
        }
        var reader = EscapeReader(bytes: bytes, language: language, hashes: hashes)
        return reader.text()
    }

    /// Returns the lines without their common indentation. In Java, this is the indentation of the least indented line
    /// (JLS § 3.10.6). In Swift, it is the indentation of the closing delimiter. Returns nil if no line break follows
    /// the opening delimiter.
    private static func withoutIndentation(_ bytes: [UInt8], _ language: SourceLanguage) -> [UInt8]? {
        var lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false).map {
            $0.last == 0x0d ? $0.dropLast() : $0
        }
        func indentation(_ line: ArraySlice<UInt8>) -> Int { line.prefix { $0 == 0x20 || $0 == 0x09 }.count }
        guard lines.count > 1, indentation(lines[0]) == lines[0].count else { return nil }
        lines.removeFirst()
        let last = lines[lines.count - 1]
        let isBlank = indentation(last) == last.count
        if language == .swift {
            guard isBlank else { return nil }
            lines.removeLast()
            return Array(lines.map { $0.dropFirst(min(last.count, indentation($0))) }.joined(separator: [0x0a]))
        }
        let significant = lines.filter { indentation($0) < $0.count } + (isBlank ? [last] : [])
        let common = significant.map(indentation).min() ?? 0
        let stripped = lines.map { line -> ArraySlice<UInt8> in
            var line = line.dropFirst(min(common, indentation(line)))
            while let end = line.last, end == 0x20 || end == 0x09 { line = line.dropLast() }
            return line
        }
        return Array(stripped.joined(separator: [0x0a]))
    }
}

/// Replaces the escapes of a string literal.
///
/// Collects the text as bytes and converts it to a string once. Appending to a string's view copies the whole string
/// each time.
private struct EscapeReader {
    let bytes: [UInt8]
    let language: SourceLanguage
    let hashes: Int
    private var index = 0
    private var output: [UInt8] = []

    init(bytes: [UInt8], language: SourceLanguage, hashes: Int) {
        self.bytes = bytes
        self.language = language
        self.hashes = hashes
        output.reserveCapacity(bytes.count)
    }

    mutating func text() -> String? {
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\"), isFollowedByHashes else {
                output.append(bytes[index])
                index += 1
                continue
            }
            index += 1 + hashes
            guard index < bytes.count else { return nil }
            let letter = bytes[index]
            index += 1
            guard escape(letter) else { return nil }
        }
        return String(validating: output, as: UTF8.self)
    }

    private var isFollowedByHashes: Bool {
        bytes.count > index + hashes && bytes[(index + 1)..<(index + 1 + hashes)].allSatisfy { $0 == UInt8(ascii: "#") }
    }

    private mutating func escape(_ letter: UInt8) -> Bool {
        if let scalar = Self.simple[letter] { return append(scalar.value) }
        switch letter {
        case UInt8(ascii: "u"): return unicode()
        case UInt8(ascii: "x") where language == .objectiveC || language == .javaScript: return append(hex(2...2))
        case UInt8(ascii: "U") where language == .objectiveC: return append(hex(8...8))
        case UInt8(ascii: "0"): return append(bytes.count > index && bytes[index].isDigit ? nil : 0)
        case 0x0a: return language != .kotlin
        default: return false
        }
    }

    /// The single-letter escapes that mean the same in all languages that have them.
    private static let simple: [UInt8: Unicode.Scalar] = [
        UInt8(ascii: "n"): "\n", UInt8(ascii: "t"): "\t", UInt8(ascii: "r"): "\r", UInt8(ascii: "\\"): "\\",
        UInt8(ascii: "\""): "\"", UInt8(ascii: "'"): "'", UInt8(ascii: "$"): "$", UInt8(ascii: "/"): "/",
        UInt8(ascii: "`"): "`", UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "f"): "\u{c}",
    ]

    private mutating func unicode() -> Bool {
        if index < bytes.count, bytes[index] == UInt8(ascii: "{") {
            guard language == .swift || language == .javaScript else { return false }
            index += 1
            let value = hex(1...8)
            guard index < bytes.count, bytes[index] == UInt8(ascii: "}") else { return false }
            index += 1
            return append(value)
        }
        guard language != .swift, let high = hex(4...4) else { return false }
        guard high & 0xfc00 == 0xd800 else { return append(high) }
        guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u") else {
            return false
        }
        index += 2
        guard let low = hex(4...4), low & 0xfc00 == 0xdc00 else { return false }
        return append(0x10000 + (high - 0xd800) << 10 + (low - 0xdc00))
    }

    private mutating func hex(_ count: ClosedRange<Int>) -> UInt32? {
        var value: UInt32 = 0
        var digits = 0
        while digits < count.upperBound, index < bytes.count,
            let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue
        {
            value = value << 4 | UInt32(digit)
            digits += 1
            index += 1
        }
        return digits >= count.lowerBound ? value : nil
    }

    private mutating func append(_ value: UInt32?) -> Bool {
        guard let encoded = value.flatMap(Unicode.Scalar.init).flatMap(UTF8.encode) else { return false }
        output.append(contentsOf: encoded)
        return true
    }
}
