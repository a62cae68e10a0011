// SPDX-License-Identifier: Apache-2.0

// The names in a file that clearly refer to a string literal, defined once with `const val`, `val`, `let`, `const`,
// `final String`, `NSString *const` or `#define`. A name isn't a constant here if it has an occurrence that isn't a
// plain read (``SourceReads``), such as a parameter, a loop variable or an argument label. Such a name may have a
// different value where it is used.

extension SourceCode {
    /// The maximum length of a constant's literal in bytes. Hosts and pins are shorter.
    private static let maximumConstant = 4096

    /// Returns the texts of the constants by name.
    func constants() -> [String: String] {
        var found: [String: (at: Int, text: String?)] = [:]
        for index in tokens.indices {
            guard let name = definedName(index), let word = word(name) else { continue }
            let isOnly = found[word] == nil && !isConditional(name)
            found[word] = (name, isOnly ? literal(behind: name) : nil)
        }
        guard found.values.contains(where: { $0.text != nil }) else { return [:] }
        let reads = SourceReads(self)
        for index in tokens.indices {
            guard let word = word(index), let definition = found[word], definition.at != index else { continue }
            if !reads.isPlain(index) { found[word] = nil }
        }
        return found.compactMapValues(\.text)
    }

    /// Returns the index of the name that a definition gives a value, if its keyword or type is at an index.
    private func definedName(_ index: Int) -> Int? {
        switch language {
        case .kotlin: isWord(index, "val") ? index + 1 : nil
        case .swift: isWord(index, "let") ? index + 1 : nil
        case .javaScript: isWord(index, "const") ? index + 1 : nil
        case .java:
            // A modifier may be between `final` and the type.
            isWord(index, "String") && (isWord(index - 1, "final") || isWord(index - 2, "final")) ? index + 1 : nil
        case .objectiveC:
            if isMacro(index + 1) {
                index + 1
            } else {
                isWord(index, "NSString") && isSymbol(index + 1, "*") && isWord(index + 2, "const") ? index + 3 : nil
            }
        }
    }

    private func isMacro(_ name: Int) -> Bool { isSymbol(name - 2, "#") && isWord(name - 1, "define") }

    /// Returns the text of the literal that is the whole value of a name.
    private func literal(behind name: Int) -> String? {
        var start = name + 1
        if !isMacro(name) {
            // `HOST: String =`
            if isSymbol(start, ":") { start += 2 }
            guard isSymbol(start, "=") else { return nil }
            start += 1
        }
        let end = start + (language == .objectiveC ? 2 : 1)
        guard end <= tokens.count, tokens[end - 1].kind == .string, isEnd(end, ofMacro: isMacro(name)),
            tokens[end - 1].end - tokens[end - 1].start <= Self.maximumConstant
        else {
            return nil
        }
        return string(start..<end)
    }

    /// Returns whether a value ends before a token.
    private func isEnd(_ index: Int, ofMacro isMacro: Bool) -> Bool {
        guard index < tokens.count else { return true }
        let isOnNextLine = tokens[index].line > tokens[index - 1].line
        if isMacro { return isOnNextLine }
        if isSymbol(index, ";") || isSymbol(index, ",") || isSymbol(index, "}") { return true }
        // An operator at the start of the next line continues the expression.
        return language.endsStatementsWithLines && isOnNextLine
            && (tokens[index].kind != .symbol || isSymbol(index, "@") || isSymbol(index, ")"))
    }
}
