// SPDX-License-Identifier: Apache-2.0

extension SourceCode {
    /// Returns the text of a literal, or of a constant that is referred to by its name.
    /// - Returns: nil for any other expression.
    func string(_ range: Range<Int>) -> String? {
        guard let first = range.first else { return nil }
        let isBoxed = language == .objectiveC && isSymbol(first, "@")
        guard range.count == (isBoxed ? 2 : 1), tokens.indices.contains(range.upperBound - 1) else { return nil }
        let token = tokens[range.upperBound - 1]
        guard token.kind != .string else { return text(of: bytes[Int(token.start)..<Int(token.end)]) }
        return isBoxed ? nil : word(first).flatMap { texts[$0] }
    }

    /// Returns the text of a literal with its delimiters.
    /// - Returns: nil for invalid UTF-8, for an escape other than the common ones of a single letter, and for literals
    ///   that only Swift and Java have: text blocks, and delimiters with number signs.
    private func text(of literal: ArraySlice<UInt8>) -> String? {
        guard literal.count >= 2, literal.first != UInt8(ascii: "#") else { return nil }
        let isLong =
            literal.count >= 6 && literal.prefix(3).allSatisfy { $0 == UInt8(ascii: "\"") }
            && language != .objectiveC && language != .javaScript
        guard !isLong else {
            return language == .kotlin ? String(validating: literal.dropFirst(3).dropLast(3), as: UTF8.self) : nil
        }
        var text: [UInt8] = []
        var isEscaped = false
        for byte in literal.dropFirst().dropLast() {
            if isEscaped {
                guard let meaning = Self.escapes[byte] else { return nil }
                text.append(meaning)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else {
                text.append(byte)
            }
        }
        return isEscaped ? nil : String(validating: text, as: UTF8.self)
    }

    /// The escapes that mean the same in all languages that have them.
    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "n"): 0x0a, UInt8(ascii: "t"): 0x09, UInt8(ascii: "r"): 0x0d,
        UInt8(ascii: "\\"): UInt8(ascii: "\\"), UInt8(ascii: "\""): UInt8(ascii: "\""),
        UInt8(ascii: "'"): UInt8(ascii: "'"), UInt8(ascii: "$"): UInt8(ascii: "$"),
        UInt8(ascii: "/"): UInt8(ascii: "/"), UInt8(ascii: "`"): UInt8(ascii: "`"),
    ]

    /// Returns the elements of a list of strings: `arrayOf(…)`, `listOf(…)` or `new String[] {…}`.
    /// - Returns: nil for any other expression.
    func list(_ range: Range<Int>) -> [Range<Int>]? {
        guard let first = range.first else { return nil }
        if let name = word(first), ["arrayOf", "listOf", "setOf", "asList"].contains(name), isSymbol(first + 1, "("),
            let close = partner(first + 1)
        {
            // `listOf(…).toTypedArray()`
            let isConverted = isSymbol(close + 1, ".") && isWord(close + 2, "toTypedArray") && isSymbol(close + 3, "(")
            return (isConverted ? close + 5 : close + 1) == range.upperBound ? items(in: first + 1) : nil
        }
        let open = first + 4
        guard isWord(first, "new"), isWord(first + 1, "String"), isSymbol(first + 2, "["), isSymbol(open, "{"),
            partner(open) == range.upperBound - 1
        else {
            return nil
        }
        return items(in: open)
    }

    /// Returns the name of a named argument.
    func name(ofArgument item: Range<Int>) -> String? {
        guard item.count > 2, isSymbol(item.lowerBound + 1, "="), !isSymbol(item.lowerBound + 2, "=") else {
            return nil
        }
        return word(item.lowerBound)
    }

    /// Returns an argument without its name and without the star that spreads an array.
    func argument(_ item: Range<Int>) -> Range<Int> {
        var item = item
        if name(ofArgument: item) != nil { item.removeFirst(2) }
        if item.count > 1, isSymbol(item.lowerBound, "*") { item.removeFirst() }
        return item
    }
}
