// SPDX-License-Identifier: Apache-2.0

// The names in a file that clearly refer to a literal, defined once with `const val`, `val`, `let`, `const`, `static
// final String`, `NSString *const` or `#define`. A name isn't a constant here if it has an occurrence that isn't a
// plain read (``SourceReads``), such as an assignment, a parameter, a loop variable or an argument label. Such a name
// may have a different value where it is used. A list that can grow isn't a constant either.

/// The constants of a source.
struct SourceConstants {
    /// The token ranges of the literals, keyed by name.
    private(set) var ranges: [String: Range<Int>] = [:]
    /// The names in the order of their definitions.
    private(set) var names: [String] = []
    private let code: SourceCode

    init(_ code: SourceCode) {
        self.code = code
        var definitions: [String: Int] = [:]
        var ambiguous: Set<String> = []
        for index in code.tokens.indices {
            guard let (name, at, value) = definition(index) else { continue }
            if ranges.updateValue(value, forKey: name) == nil { names.append(name) } else { ambiguous.insert(name) }
            definitions[name] = at
            if code.isConditional(index) { ambiguous.insert(name) }
        }
        guard !ranges.isEmpty else { return }
        let reads = SourceReads(code)
        let containers = Set(names.filter { ranges[$0].map(isContainer) ?? false })
        for index in code.tokens.indices where code.tokens[index].kind == .word {
            guard let name = code.word(index), let at = definitions[name], at != index, !ambiguous.contains(name)
            else { continue }
            if !reads.isPlain(index, ofList: containers.contains(name)) { ambiguous.insert(name) }
        }
        for name in ambiguous { ranges[name] = nil }
        names = names.filter { ranges[$0] != nil }
    }

    /// Returns whether a value is, or may be, a list or dictionary, whose elements can change.
    private func isContainer(_ value: Range<Int>) -> Bool {
        value.contains { code.partner($0) != nil }
    }

    // MARK: Definitions

    /// Returns the name, its token and the literal of a definition whose keyword, type or directive is at an index.
    private func definition(_ index: Int) -> (name: String, at: Int, value: Range<Int>)? {
        guard code.tokens[index].kind == .word else { return nil }
        let name: Int
        switch code.language {
        case .kotlin where code.isWord(index, "val"), .swift where code.isWord(index, "let"),
            .javaScript where code.isWord(index, "const"):
            name = index + 1
        case .java where code.isWord(index, "String"):
            guard isConstantInJava(index) else { return nil }
            name = code.isSymbol(index + 1, "[") && code.isSymbol(index + 2, "]") ? index + 3 : index + 1
        case .objectiveC where code.isWord(index, "define") && code.isSymbol(index - 1, "#"): return macro(index + 1)
        case .objectiveC
        where code.isWord(index, "NSString") || code.isWord(index, "NSDictionary") || code.isWord(index, "NSArray"):
            var next = index + 1
            while code.isSymbol(next, "*") || code.isWord(next, "const") { next += 1 }
            name = next
        default: return nil
        }
        guard let word = code.word(name), let start = start(behind: name), let end = literalEnd(start) else {
            return nil
        }
        guard !["mutableListOf", "mutableSetOf", "arrayListOf"].contains(code.word(start)) else { return nil }
        return (word, name, start..<end)
    }

    /// Returns the index after the equals sign of a definition. A type may precede the sign.
    private func start(behind name: Int) -> Int? {
        var index = name + 1
        if code.isSymbol(index, ":") {
            // A type contains no other symbols, and has few tokens.
            for _ in 0..<32 where !code.isSymbol(index, "=") {
                guard !code.isSymbol(index, "{"), !code.isSymbol(index, "("), !code.isSymbol(index, ";") else {
                    return nil
                }
                index += 1
            }
        }
        guard code.isSymbol(index, "="), !code.isSymbol(index + 1, "=") else { return nil }
        return index + 1
    }

    /// Returns whether a `String` starts the definition of a final value or of a value without modifiers (a local
    /// variable). A local variable counts unless it is assigned again.
    private func isConstantInJava(_ index: Int) -> Bool {
        var (isFinal, hasModifiers) = (false, false)
        var before = index - 1
        while before >= 0, index - before < 8, code.tokens[before].kind == .word {
            if code.isWord(before, "final") { isFinal = true }
            if ["public", "protected", "static", "private"].contains(code.word(before)) { hasModifiers = true }
            before -= 1
        }
        return isFinal || !hasModifiers
    }

    private func macro(_ name: Int) -> (name: String, at: Int, value: Range<Int>)? {
        guard let word = code.word(name), !code.isSymbol(name + 1, "(") else { return nil }
        let line = code.tokens[name].line
        var end = name + 1
        while end < code.tokens.count, end - name < 64, code.tokens[end].line == line { end += 1 }
        return end > name + 1 ? (word, name, (name + 1)..<end) : nil
    }

    /// Returns the end of a possible literal: strings joined with `+`, a list or a dictionary. Returns nil for any
    /// other value.
    private func literalEnd(_ start: Int) -> Int? {
        var index = start
        var isOperand = true
        while index < code.tokens.count, index - start < 256 {
            if isOperand {
                guard let end = operandEnd(index) else { return nil }
                index = end
                isOperand = false
            } else if code.isSymbol(index, "+") {
                index += 1
                isOperand = true
            } else if code.language == .objectiveC, code.isSymbol(index, "@") || code.tokens[index].kind == .string {
                isOperand = true
            } else {
                return isEnd(index) ? index : nil
            }
        }
        return isOperand || index < code.tokens.count ? nil : index
    }

    private func operandEnd(_ index: Int) -> Int? {
        var index = index
        if code.isSymbol(index, "@") { index += 1 }
        guard code.tokens.indices.contains(index) else { return nil }
        switch code.tokens[index].kind {
        case .string: return index + 1
        case .word:
            // `A.B`, `listOf(…)`, `new String[] {…}`.
            var end = index + 1
            while code.isSymbol(end, "."), code.word(end + 1) != nil { end += 2 }
            if code.isWord(index, "new") { end += 1 }
            while code.isSymbol(end, "[") || code.isSymbol(end, "(") || code.isSymbol(end, "{"),
                let close = code.partner(end)
            {
                guard code.language == .java || code.language == .kotlin,
                    code.tokens[end].line == code.tokens[end - 1].line
                else {
                    break
                }
                end = close + 1
            }
            return end
        case .symbol:
            guard code.isSymbol(index, "[") || code.isSymbol(index, "{"), let close = code.partner(index), close > index
            else {
                return nil
            }
            return close + 1
        default: return nil
        }
    }

    /// Returns whether a value ends before a token.
    private func isEnd(_ index: Int) -> Bool {
        if code.isSymbol(index, ";") || code.isSymbol(index, ",") || code.isSymbol(index, "}") { return true }
        guard code.language.endsStatementsWithLines, code.tokens[index].line > code.tokens[index - 1].line else {
            return false
        }
        // An operator at the start of the next line continues the expression.
        return code.tokens[index].kind != .symbol
            || ["}", "@", "]", ")"].contains { code.isSymbol(index, $0) }
    }
}
