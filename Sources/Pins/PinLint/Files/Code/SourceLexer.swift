// SPDX-License-Identifier: Apache-2.0

// A lexer for five languages that knows just enough to find literals: comments (nested in Kotlin and Swift), strings of
// every kind with their interpolations, names, numbers and single symbols. It visits each byte once or twice. Nesting
// uses the heap instead of the stack.
//
// If a string doesn't end on its line, such as an apostrophe in JSX text, it includes the rest of the line. The lexer
// doesn't read uncertain code. Swift's bare regular expressions (`/…/`) are treated as operators.

/// Splits a source into tokens and comments.
struct SourceLexer {
    let bytes: [UInt8]
    let language: SourceLanguage
    var index = 0
    var line: Int32 = 1
    private(set) var tokens: [SourceToken] = []
    private(set) var comments: [SourceComment] = []
    /// The strings whose interpolations contain the current position.
    var interpolations: [Interpolation] = []

    /// The line of an unterminated comment, or the last line of an unterminated string. The rest of the file isn't
    /// read.
    private(set) var unendedLine: Int32?

    mutating func noteUnended() { unendedLine = unendedLine ?? line }

    /// A string that continues after an expression.
    struct Interpolation {
        let string: StringForm
        /// The number of open brackets in the expression. Only the kind of bracket that ends the expression counts.
        var depth = 0
    }

    /// The delimiters of a string.
    struct StringForm {
        let quote: UInt8
        /// Whether the string may span several lines, because three quotes delimit it or because it is a JavaScript
        /// template.
        var isLong = false
        /// The number of `#` before the quote in Swift.
        var hashes = 0
    }

    init(_ bytes: [UInt8], _ language: SourceLanguage) {
        self.bytes = bytes
        self.language = language
        tokens.reserveCapacity(bytes.count / 6)
    }

    /// Returns the byte at a distance from the current one, or 0 past the end.
    func byte(_ distance: Int = 0) -> UInt8 { index + distance < bytes.count ? bytes[index + distance] : 0 }

    mutating func emit(_ kind: SourceToken.Kind, from start: Int, line: Int32) {
        tokens.append(SourceToken(kind: kind, start: Int32(start), end: Int32(index), line: line))
    }

    /// Sets the end of a string's token to the current offset.
    mutating func endLastToken(at token: Int) { tokens[token].end = Int32(index) }

    /// Replaces a token.
    mutating func setToken(_ index: Int, _ token: SourceToken) { tokens[index] = token }

    mutating func run() {
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case 0x0a:
                line += 1
                index += 1
            case 0x20, 0x09, 0x0b, 0x0c, 0x0d: index += 1
            case UInt8(ascii: "/") where self.byte(1) == UInt8(ascii: "/"): lineComment()
            case UInt8(ascii: "/") where self.byte(1) == UInt8(ascii: "*"): blockComment()
            case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"), UInt8(ascii: "#"): quote(byte)
            case UInt8(ascii: "/") where language == .javaScript && isRegularExpressionPossible:
                regularExpression(hashes: 0)
            case _ where byte.isNameStart: word()
            case _ where byte.isDigit: number()
            default: symbol(byte)
            }
        }
    }

    // MARK: Comments

    private mutating func lineComment() {
        let start = index + 2
        while index < bytes.count, bytes[index] != 0x0a { index += 1 }
        comment(start..<index, line)
    }

    private mutating func blockComment() {
        let (start, startLine) = (index + 2, line)
        var depth = 0
        while index < bytes.count {
            if byte() == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
                index += 2
                depth -= 1
                if depth == 0 { return comment(start..<index - 2, startLine) }
            } else if byte() == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*"), depth == 0 || language.nestsComments {
                index += 2
                depth += 1
            } else {
                if bytes[index] == 0x0a { line += 1 }
                index += 1
            }
        }
        unendedLine = unendedLine ?? startLine
        comment(min(start, index)..<index, startLine)
    }

    private mutating func comment(_ range: Range<Int>, _ line: Int32) {
        comments.append(
            SourceComment(
                range: Int32(range.lowerBound)..<Int32(range.upperBound), line: line, tokensBefore: Int32(tokens.count))
        )
    }

    // MARK: Names, numbers and symbols

    private mutating func word() {
        let start = index
        while index < bytes.count, bytes[index].isNameStart || bytes[index].isDigit { index += 1 }
        emit(.word, from: start, line: line)
    }

    private mutating func number() {
        let start = index
        while index < bytes.count, bytes[index].isNameStart || bytes[index].isDigit || isDecimalPoint { index += 1 }
        emit(.number, from: start, line: line)
    }

    private var isDecimalPoint: Bool { byte() == UInt8(ascii: ".") && byte(1).isDigit }

    mutating func symbol(_ byte: UInt8) {
        let start = index
        index += 1
        emit(.symbol, from: start, line: line)
        guard let last = interpolations.indices.last else { return }
        let (opener, closer): (UInt8, UInt8) =
            language == .swift
            ? (UInt8(ascii: "("), UInt8(ascii: ")")) : (UInt8(ascii: "{"), UInt8(ascii: "}"))
        if byte == opener { interpolations[last].depth += 1 }
        if byte == closer {
            interpolations[last].depth -= 1
            if interpolations[last].depth == 0 { string(interpolations.removeLast().string, token: nil) }
        }
    }

    // MARK: Quotes

    private mutating func quote(_ byte: UInt8) {
        switch (byte, language) {
        case (UInt8(ascii: "\""), _): beginString(hashes: 0)
        case (UInt8(ascii: "'"), .kotlin), (UInt8(ascii: "'"), .java), (UInt8(ascii: "'"), .objectiveC): character()
        case (UInt8(ascii: "'"), .javaScript): beginString(hashes: 0)
        case (UInt8(ascii: "`"), .javaScript): beginString(hashes: 0)
        case (UInt8(ascii: "`"), .kotlin), (UInt8(ascii: "`"), .swift): quotedName()
        case (UInt8(ascii: "#"), .swift):
            var hashes = 1
            while self.byte(hashes) == UInt8(ascii: "#") { hashes += 1 }
            if self.byte(hashes) == UInt8(ascii: "\"") {
                beginString(hashes: hashes)
            } else if self.byte(hashes) == UInt8(ascii: "/") {
                regularExpression(hashes: hashes)
            } else {
                // Emits all `#` signs at once, so that a long row of them is counted only once.
                for _ in 0..<hashes { symbol(byte) }
            }
        default: symbol(byte)
        }
    }

    /// Reads a name in backticks: `` `is` ``. The token only contains the name.
    private mutating func quotedName() {
        index += 1
        let start = index
        while index < bytes.count, bytes[index].isNameStart || bytes[index].isDigit { index += 1 }
        if index > start { emit(.word, from: start, line: line) }
        if byte() == UInt8(ascii: "`") { index += 1 }
    }

    /// Reads a character literal. If it doesn't end on its line, it includes the rest of the line.
    private mutating func character() {
        let start = index
        index += 1
        while index < bytes.count, bytes[index] != 0x0a {
            if bytes[index] == UInt8(ascii: "\\") {
                index += min(2, bytes.count - index)
                continue
            }
            index += 1
            if bytes[index - 1] == UInt8(ascii: "'") { break }
        }
        emit(.other, from: start, line: line)
    }

    // MARK: Regular expressions

    /// Whether a slash in JavaScript can start a regular expression, based on the token before it.
    private var isRegularExpressionPossible: Bool {
        guard let last = tokens.last else { return true }
        let first = bytes[Int(last.start)]
        switch last.kind {
        case .symbol:
            return ![UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "<")].contains(first)
        case .word:
            let words: [StaticString] = ["return", "typeof", "case", "in", "of", "delete", "void", "throw", "await"]
            return words.contains { word in
                word.withUTF8Buffer { bytes[Int(last.start)..<Int(last.end)].elementsEqual($0) }
            }
        default: return false
        }
    }

    /// Reads a regular expression on one line. If it doesn't end on its line, it includes the rest of the line.
    private mutating func regularExpression(hashes: Int) {
        let start = index
        index += hashes + 1
        var isInClass = false
        while index < bytes.count, bytes[index] != 0x0a {
            switch bytes[index] {
            case UInt8(ascii: "\\"): index += 1
            case UInt8(ascii: "["): isInClass = true
            case UInt8(ascii: "]"): isInClass = false
            case UInt8(ascii: "/") where hashes > 0 ? isFollowedByHashes(hashes) : !isInClass:
                index += 1 + hashes
                return emit(.other, from: start, line: line)
            default: break
            }
            if index < bytes.count, bytes[index] != 0x0a { index += 1 }
        }
        emit(.other, from: start, line: line)
    }

    /// Returns whether at least this many `#` follow the byte. A row of signs that is too short isn't part of another
    /// delimiter.
    func isFollowedByHashes(_ count: Int) -> Bool {
        guard index + count < bytes.count else { return false }
        for distance in 0..<count where bytes[index + 1 + distance] != UInt8(ascii: "#") { return false }
        return true
    }
}

extension UInt8 {
    /// Whether the byte can start a name: a letter, `_`, `$`, or part of a non-ASCII character.
    var isNameStart: Bool {
        self >= 0x80 || (0x61...0x7a).contains(self) || (0x41...0x5a).contains(self) || self == UInt8(ascii: "_")
            || self == UInt8(ascii: "$")
    }

    var isDigit: Bool { (0x30...0x39).contains(self) }
}
