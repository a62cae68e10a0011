// SPDX-License-Identifier: Apache-2.0

import ServerTrust

extension SourceCode {
    /// The maximum number of bytes in a combined string, of tokens in an expression, and of levels of names that refer
    /// to other names.
    private static let maximumText = 8192
    private static let maximumTokens = 256
    private static let maximumNames = 8

    /// Returns the text of a plain expression: literals and constants joined with `+`. In Objective-C, adjacent
    /// literals count, too.
    /// - Returns: nil for any other expression.
    func string(_ range: Range<Int>) -> String? {
        guard !range.isEmpty, range.count <= Self.maximumTokens else { return nil }
        var range = range
        while isSymbol(range.lowerBound, "("), partner(range.lowerBound) == range.upperBound - 1 {
            range = (range.lowerBound + 1)..<(range.upperBound - 1)
            guard !range.isEmpty else { return nil }
        }
        var text = ""
        var index = range.lowerBound
        while index < range.upperBound {
            guard let (operand, end) = operand(index, in: range.upperBound), work.charge(16 + operand.utf8.count) else {
                return nil
            }
            if index == range.lowerBound {
                text = operand
            } else {
                guard text.utf8.count + operand.utf8.count <= Self.maximumText else { return nil }
                text += operand
            }
            index = end
            guard index < range.upperBound else { return CombiningRun.isTooLong(in: text) ? nil : text }
            if isSymbol(index, "+") {
                index += 1
            } else if language != .objectiveC {
                return nil
            }
        }
        return nil
    }

    /// Returns the text of a literal or constant, and the index after it.
    private func operand(_ index: Int, in end: Int) -> (text: String, end: Int)? {
        let start = isSymbol(index, "@") && language == .objectiveC ? index + 1 : index
        guard start < end else { return nil }
        switch tokens[start].kind {
        case .string:
            let literal = bytes[Int(tokens[start].start)..<Int(tokens[start].end)]
            guard work.charge(literal.count) else { return nil }
            return SourceStrings.text(of: literal, language).map { ($0, start + 1) }
        case .word:
            guard let (name, last) = constantName(start, in: end) else { return nil }
            return texts[name].map { ($0, last) }
        default: return nil
        }
    }

    /// Returns the range of the literal that a name refers to, and the index after the name.
    func constant(_ index: Int, in end: Int) -> (range: Range<Int>, end: Int)? {
        guard let (name, last) = constantName(index, in: end), let range = constants[name], !range.contains(index),
            work.charge(byteCount(of: range))
        else {
            return nil
        }
        return (range, last)
    }

    /// Returns the name of a constant at an index, and the index after it. The qualifier of a qualified name
    /// (`Pins.HOST`) has to be declared in this file, or be `this` or `self`.
    private func constantName(_ index: Int, in end: Int) -> (name: String, end: Int)? {
        var last = index
        while last + 2 < end, isSymbol(last + 1, "."), tokens[last + 2].kind == .word { last += 2 }
        guard let name = word(last), constants[name] != nil else { return nil }
        if last > index {
            guard let qualifier = word(last - 2), isDeclared(qualifier) else { return nil }
        }
        return (name, last + 1)
    }

    private func isDeclared(_ type: String) -> Bool {
        ["this", "self", "Self", "Companion"].contains(type) || types.contains(type)
    }

    /// Returns the elements of a list of strings: `arrayOf(…)`, `listOf(…)`, `new String[] {…}` or a constant that
    /// refers to such a list.
    /// - Returns: nil for any other expression.
    func list(_ range: Range<Int>, depth: Int = 0) -> [Range<Int>]? {
        guard !range.isEmpty, depth < Self.maximumNames else { return nil }
        let first = range.lowerBound
        if let name = word(first), range.count > 1,
            ["arrayOf", "listOf", "mutableListOf", "setOf", "asList"].contains(name)
        {
            guard isSymbol(first + 1, "("), let close = partner(first + 1) else { return nil }
            let isWhole = close == range.upperBound - 1
            // `listOf(…).toTypedArray()`
            let isConverted =
                close + 5 == range.upperBound && isSymbol(close + 1, ".") && isWord(close + 2, "toTypedArray")
                && isSymbol(close + 3, "(") && isSymbol(close + 4, ")")
            return isWhole || isConverted ? items(in: first + 1) : nil
        }
        if isWord(first, "new"), isWord(first + 1, "String"), isSymbol(first + 2, "["), isSymbol(first + 3, "]"),
            isSymbol(first + 4, "{"), partner(first + 4) == range.upperBound - 1
        {
            return items(in: first + 4)
        }
        if isSymbol(first, "[") || isSymbol(first, "{"), language != .objectiveC, depth > 0,
            partner(first) == range.upperBound - 1
        {
            return items(in: first)
        }
        if tokens[first].kind == .word, let (definition, end) = constant(first, in: range.upperBound),
            end == range.upperBound
        {
            return list(definition, depth: depth + 1)
        }
        return nil
    }
}
