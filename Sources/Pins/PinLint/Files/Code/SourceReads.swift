// SPDX-License-Identifier: Apache-2.0

// Finds the occurrences of a constant's name that only read it: an argument, an element, an operand. Any other
// occurrence may rebind the name (a parameter, a variable, a pattern, a label):
//     for ((host, pin) in pins) …     pins.forEach { (host, pin) -> … }     { host, pin in … }     const { host } = …
// The lists below contain the known reads. An uncertain occurrence doesn't count as a read.

/// The plain reads of names in a source.
struct SourceReads {
    private let code: SourceCode
    /// For each token, whether it is a bracket of a pattern or parameter list, or is inside one.
    private var patterns: [Bool]

    init(_ code: SourceCode) {
        self.code = code
        patterns = [Bool](repeating: false, count: code.tokens.count)
        for index in code.tokens.indices {
            guard let close = code.partner(index), close > index else { continue }
            let isInside = code.parent(index).map { patterns[$0] } ?? false
            patterns[index] = isInside || isPattern(index, close)
        }
    }

    /// Returns whether an occurrence of a name only reads it, or names a member of another value.
    func isPlain(_ index: Int) -> Bool {
        var start = index
        while index - start < 32, code.isSymbol(start - 1, "."), code.word(start - 2) != nil { start -= 2 }
        // An import may give the name another value.
        if code.isWord(start - 1, "import") || code.isWord(start - 2, "import") { return false }
        // The name after the dots of a rest parameter (`String... names`) is a parameter.
        if code.isSymbol(index - 1, ".") { return !code.isSymbol(index - 2, ".") }
        let parent = code.parent(index)
        if let parent, patterns[parent] { return false }
        return isReadBefore(index) && isReadBehind(index, parent) && !isInBareList(index, parent)
    }

    /// Returns whether a pair of brackets may belong to a pattern or parameter list.
    private func isPattern(_ open: Int, _ close: Int) -> Bool {
        let next = close + 1
        if code.isSymbol(next, "="), !code.isSymbol(next + 1, "=") { return true }
        if code.isSymbol(next, "-"), code.isSymbol(next + 1, ">") { return true }
        if ["in", "of", "where"].contains(code.word(next)) { return true }
        guard code.isSymbol(open, "("), code.language != .java, code.language != .objectiveC else { return false }
        // `case let .pair(host, pin):`, `(name): string`, `function f(name) {`, `set(name) {`.
        if code.isSymbol(next, ":") { return true }
        return code.isSymbol(next, "{") && !["if", "while", "when", "switch", "for"].contains(code.word(open - 1))
    }

    private func isReadBefore(_ index: Int) -> Bool {
        guard index > 0 else { return true }
        let before = code.tokens[index - 1]
        guard before.kind == .symbol else { return ["return", "else", "to"].contains(code.word(index - 1)) }
        if code.isSymbol(index - 1, ">") { return code.isSymbol(index - 2, "-") || code.isSymbol(index - 2, "=") }
        return ",([{=+:!?".utf8.contains(code.bytes[Int(before.start)])
    }

    private func isReadBehind(_ index: Int, _ parent: Int?) -> Bool {
        let next = index + 1
        guard next < code.tokens.count else { return true }
        let isEnded = code.language.endsStatementsWithLines && code.tokens[next].line > code.tokens[index].line
        guard code.tokens[next].kind == .symbol else {
            return code.isWord(next, "to") || code.isWord(next, "else") || isEnded && !code.isWord(next, "in")
        }
        switch code.bytes[Int(code.tokens[next].start)] {
        case UInt8(ascii: ","), UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ";"),
            UInt8(ascii: "."):
            return true
        case UInt8(ascii: "="), UInt8(ascii: "!"): return code.isSymbol(next + 1, "=")
        case UInt8(ascii: "+"), UInt8(ascii: "&"), UInt8(ascii: "|"):
            return !code.isSymbol(next + 1, "=") && !code.isSymbol(next + 2, "=")
        case UInt8(ascii: ":"): return parent.map(isDictionary) ?? false
        default: return isEnded
        }
    }

    /// Returns whether a bracket opens a literal whose keys precede a colon.
    private func isDictionary(_ open: Int) -> Bool {
        switch code.language {
        case .swift: code.isSymbol(open, "[")
        case .objectiveC: code.isSymbol(open - 1, "@")
        case .javaScript: code.isSymbol(open, "{")
        case .kotlin, .java: false
        }
    }

    /// Returns whether a name is in a comma-separated list directly inside braces: `{ host, pin -> … }`, or `{ host }`
    /// in JavaScript. In a template (`${HOST}`), it is an expression.
    private func isInBareList(_ index: Int, _ parent: Int?) -> Bool {
        guard let parent, code.isSymbol(parent, "{"), code.language != .java, code.language != .objectiveC else {
            return false
        }
        let brace = Int(code.tokens[parent].start)
        if brace > 0, code.bytes[brace - 1] == UInt8(ascii: "$") { return false }
        let (isBehindComma, isBeforeComma) = (code.isSymbol(index - 1, ","), code.isSymbol(index + 1, ","))
        guard code.language == .javaScript else { return isBehindComma || isBeforeComma }
        return (isBehindComma || code.isSymbol(index - 1, "{")) && (isBeforeComma || code.isSymbol(index + 1, "}"))
    }
}
