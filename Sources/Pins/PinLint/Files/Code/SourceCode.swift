// SPDX-License-Identifier: Apache-2.0

import ServerTrustPins

/// A source file as tokens, with the partner of each bracket.
///
/// ```swift
/// let code = SourceCode(bytes, .kotlin)
/// for index in code.words("add") { … code.items(in: index + 1) … code.string(range) … }
/// ```
///
/// A name counts as a literal if it is a constant that the same file defines once, with a literal (``constants()``).
/// Anything else isn't a literal, so its value is nil: joined literals, members of types, names from other files.
struct SourceCode {
    let bytes: [UInt8]
    let language: SourceLanguage
    let tokens: [SourceToken]
    let comments: [SourceComment]
    /// The line of an unterminated comment, or the last line of an unterminated string. Nil if neither exists.
    let unendedLine: Int?
    /// For each bracket, the index of its partner, or -1.
    private let partners: [Int32]
    /// For each token, the index of the bracket around it, or -1.
    private let parents: [Int32]
    /// For each token, whether it is between `#if` and `#endif`. Empty in languages without these directives.
    private let conditional: [Bool]
    /// The strings that names refer to.
    private(set) var texts: [String: String] = [:]

    init(_ bytes: [UInt8], _ language: SourceLanguage) {
        let bytes = language == .java ? Self.withoutUnicodeEscapes(bytes) : bytes
        var lexer = SourceLexer(bytes, language)
        lexer.run()
        self.bytes = bytes
        self.language = language
        tokens = lexer.tokens
        comments = lexer.comments
        conditional = language == .objectiveC || language == .swift ? Self.conditional(bytes, tokens) : []
        unendedLine = lexer.unendedLine.map(Int.init)
        (partners, parents) = Self.brackets(bytes, tokens)
        texts = constants()
    }

    /// Returns whether conditional compilation may leave out a token.
    func isConditional(_ index: Int) -> Bool { conditional.indices.contains(index) && conditional[index] }

    // MARK: Tokens

    /// Returns whether a token is a symbol.
    func isSymbol(_ index: Int, _ symbol: Unicode.Scalar) -> Bool {
        guard tokens.indices.contains(index), tokens[index].kind == .symbol else { return false }
        return bytes[Int(tokens[index].start)] == UInt8(ascii: symbol)
    }

    /// Returns whether a token is a word.
    func isWord(_ index: Int, _ word: StaticString) -> Bool {
        guard tokens.indices.contains(index), tokens[index].kind == .word else { return false }
        let token = tokens[index]
        guard Int(token.end - token.start) == word.utf8CodeUnitCount else { return false }
        return word.withUTF8Buffer { bytes[Int(token.start)..<Int(token.end)].elementsEqual($0) }
    }

    /// Returns the text of a word, or nil for another token.
    func word(_ index: Int) -> String? {
        guard tokens.indices.contains(index), tokens[index].kind == .word else { return nil }
        return String(decoding: bytes[Int(tokens[index].start)..<Int(tokens[index].end)], as: UTF8.self)
    }

    /// Returns the line of a token, from 1.
    func line(_ index: Int) -> Int { tokens.indices.contains(index) ? Int(tokens[index].line) : 1 }

    /// Returns the index of a bracket's partner, or nil if it has none.
    func partner(_ index: Int) -> Int? {
        guard partners.indices.contains(index), partners[index] >= 0 else { return nil }
        return Int(partners[index])
    }

    /// Returns the index of the opening bracket around a token.
    func parent(_ index: Int) -> Int? {
        guard parents.indices.contains(index), parents[index] >= 0 else { return nil }
        return Int(parents[index])
    }

    /// Returns the token ranges between the commas inside a bracket. The result leaves out an empty range after a
    /// trailing comma.
    func items(in open: Int) -> [Range<Int>] {
        guard let close = partner(open), close > open else { return [] }
        var items: [Range<Int>] = []
        var start = open + 1
        var index = start
        while index < close {
            if isSymbol(index, ",") {
                items.append(start..<index)
                start = index + 1
            }
            index = next(index, in: close)
        }
        if start < close { items.append(start..<close) }
        return items
    }

    /// Returns the index of the next token on the same bracket level.
    func next(_ index: Int, in end: Int) -> Int {
        guard let close = partner(index), close > index else { return index + 1 }
        return min(close + 1, end)
    }

    /// Returns the index of the first occurrence of a symbol on the top level of a range.
    func first(_ symbol: Unicode.Scalar, in range: Range<Int>) -> Int? {
        var index = range.lowerBound
        while index < range.upperBound {
            if isSymbol(index, symbol) { return index }
            index = next(index, in: range.upperBound)
        }
        return nil
    }

    /// Returns the start of a token range as written, on one line.
    func excerpt(_ range: Range<Int>) -> String {
        guard let first = range.first, let last = range.last, tokens.indices.contains(last) else { return "" }
        let (start, end) = (Int(tokens[first].start), Int(tokens[last].end))
        return String(decoding: bytes[start..<min(max(start, end), start + 80)], as: UTF8.self)
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Returns the comment after a token on the same line. A comma or semicolon may precede the comment.
    func comment(behind index: Int) -> String? {
        guard tokens.indices.contains(index) else { return nil }
        var count = index + 1
        if isSymbol(count, ",") || isSymbol(count, ";") { count += 1 }
        var (low, high) = (0, comments.count)
        while low < high {
            let middle = (low + high) / 2
            if Int(comments[middle].tokensBefore) < index + 1 { low = middle + 1 } else { high = middle }
        }
        while low < comments.count, Int(comments[low].tokensBefore) <= count {
            let comment = comments[low]
            if comment.line == tokens[min(count, tokens.count) - 1].line { return text(of: comment) }
            if comment.line > tokens[index].line { return nil }
            low += 1
        }
        return nil
    }

    private func text(of comment: SourceComment) -> String? {
        let range = Int(comment.range.lowerBound)..<Int(comment.range.upperBound)
        let text = String(decoding: bytes[range], as: UTF8.self).trimmed
        return text.isEmpty ? nil : text
    }

    // MARK: Making

    /// Returns, for each token, whether it is between `#if` and `#endif`. No condition is evaluated.
    private static func conditional(_ bytes: [UInt8], _ tokens: [SourceToken]) -> [Bool] {
        var depth = 0
        return tokens.indices.map { index in
            if index + 1 < tokens.count, tokens[index].kind == .symbol,
                bytes[Int(tokens[index].start)] == UInt8(ascii: "#")
            {
                let directive = bytes[Int(tokens[index + 1].start)..<Int(tokens[index + 1].end)]
                if ["if", "ifdef", "ifndef"].contains(where: { directive.elementsEqual($0.utf8) }) { depth += 1 }
                if directive.elementsEqual("endif".utf8) { depth = max(0, depth - 1) }
            }
            return depth > 0
        }
    }

    /// Returns the partner of each bracket, and the opening bracket around each token. A closing bracket also ends
    /// brackets of other kinds opened inside its pair. It has no partner if no bracket of its kind is open.
    private static func brackets(_ bytes: [UInt8], _ tokens: [SourceToken]) -> (partners: [Int32], parents: [Int32]) {
        var partners = [Int32](repeating: -1, count: tokens.count)
        var parents = partners
        var open: [(index: Int32, kind: Int)] = []
        var counts = [0, 0, 0]
        for (index, token) in tokens.enumerated() {
            parents[index] = open.last?.index ?? -1
            guard token.kind == .symbol else { continue }
            switch bytes[Int(token.start)] {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
                let kind = kind(bytes[Int(token.start)])
                open.append((Int32(index), kind))
                counts[kind] += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                let kind = kind(bytes[Int(token.start)])
                guard counts[kind] > 0 else { continue }
                while let last = open.popLast() {
                    counts[last.kind] -= 1
                    guard last.kind == kind else { continue }
                    partners[Int(last.index)] = Int32(index)
                    partners[index] = last.index
                    parents[index] = open.last?.index ?? -1
                    break
                }
            default: break
            }
        }
        return (partners, parents)
    }

    private static func kind(_ bracket: UInt8) -> Int {
        switch bracket {
        case UInt8(ascii: "("), UInt8(ascii: ")"): 0
        case UInt8(ascii: "["), UInt8(ascii: "]"): 1
        default: 2
        }
    }

    /// Returns Java source with Unicode escapes replaced by their characters, anywhere in the file (JLS § 3.3).
    private static func withoutUnicodeEscapes(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(text: "\\u") else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else {
                result.append(bytes[index])
                index += 1
                continue
            }
            var digits = index + 1
            while digits < bytes.count, bytes[digits] == UInt8(ascii: "u") { digits += 1 }
            let isEscape = digits > index + 1 && digits + 4 <= bytes.count
            let code = isEscape ? UInt32(String(decoding: bytes[digits..<digits + 4], as: UTF8.self), radix: 16) : nil
            if let scalar = code.flatMap(Unicode.Scalar.init) {
                result += Array(String(scalar).utf8)
                index = digits + 4
            } else {
                // An escaped backslash doesn't escape the next character.
                result += bytes[index...index + 1]
                index += 2
            }
        }
        return result
    }
}
