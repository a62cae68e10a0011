// SPDX-License-Identifier: Apache-2.0

// Finds the occurrences of a constant's name that only read it: an argument, an element, an operand. Any other
// occurrence may rebind the name (a parameter, a variable, a pattern, a label) or change its value (an assignment, a
// list that grows):
//     for ((host, pin) in pins) …     pins.forEach { (host, pin) -> … }     { host, pin in … }     const { host } = …
//     host += ".org"                  PINS[0] = …                           pins.addAll(…)
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

    /// Returns whether an occurrence of a name only reads it.
    /// - Parameter isList: whether the name refers to a list or dictionary, whose elements may change.
    func isPlain(_ index: Int, ofList isList: Bool) -> Bool {
        var start = index
        while index - start < 8, code.isSymbol(start - 1, "."), isName(start - 2) { start -= 2 }
        let isMember = code.isSymbol(start - 1, ".") && !code.isSymbol(start - 2, ".") || start < index
        // A method with this name, or a function of another value.
        if isMember, code.isSymbol(index + 1, "(") { return !code.isWord(start - 1, "import") }
        let parent = code.parent(index)
        if let parent, patterns[parent] { return false }
        if isList, let parent, code.isSymbol(parent, "("), let function = code.word(parent - 1),
            Self.changing.contains(function)
        {
            return false
        }
        return isReadBefore(start) && isReadBehind(index, isList, parent)
            && !isInBareList(start, index, parent)
    }

    private func isName(_ index: Int) -> Bool {
        code.tokens.indices.contains(index) && code.tokens[index].kind == .word
    }

    /// The functions that change a list passed to them.
    private static let changing: Set<String> = [
        "addAll", "fill", "assign", "arraycopy", "setAll", "sort", "shuffle", "reverse", "defineProperty", "swap",
    ]

    // MARK: Patterns

    /// Returns whether a pair of brackets may belong to a pattern or parameter list.
    private func isPattern(_ open: Int, _ close: Int) -> Bool {
        let isSubscript =
            code.isSymbol(open, "[") && isName(open - 1)
            && !["const", "let", "var", "val"].contains(code.word(open - 1))
        if !isSubscript, code.isSymbol(close + 1, "="), !code.isSymbol(close + 2, "=") { return true }
        if code.isSymbol(close + 1, "-"), code.isSymbol(close + 2, ">") { return true }
        if code.isWord(close + 1, "in") || code.isWord(close + 1, "of") { return true }
        guard code.isSymbol(open, "(") else { return false }
        let before = code.word(open - 1)
        switch code.language {
        case .kotlin: return before == "set"
        case .swift:
            if ["set", "willSet", "didSet"].contains(before) { return true }
            // `case let .pair(host, pin)`
            var index = open - 1
            while open - index < 16, index >= 0 {
                if ["let", "var", "case", "catch"].contains(code.word(index)) { return true }
                guard isName(index) || code.isSymbol(index, ".") else { return false }
                index -= 1
            }
            return false
        case .javaScript:
            // `function f(name)`, `f(name) {`, `(name): string`.
            return before == "function" || before == "catch" || code.isWord(open - 2, "function")
                || code.isSymbol(close + 1, "{") || code.isSymbol(close + 1, ":")
        case .java, .objectiveC: return false
        }
    }

    /// Returns whether a name is in a comma-separated list directly inside braces: `{ host, pin -> … }`, or `{ host }`
    /// in JavaScript.
    private func isInBareList(_ start: Int, _ index: Int, _ parent: Int?) -> Bool {
        guard let parent, code.isSymbol(parent, "{"), [.kotlin, .swift, .javaScript].contains(code.language) else {
            return false
        }
        if code.language == .javaScript, code.isWord(parent - 1, "export") { return false }
        let isTemplate =
            code.language == .javaScript && code.tokens[parent].start > 0
            && code.bytes[Int(code.tokens[parent].start) - 1] == UInt8(ascii: "$")
        if isTemplate { return false }
        guard code.language == .javaScript else {
            return code.isSymbol(start - 1, ",") || code.isSymbol(index + 1, ",")
        }
        return (code.isSymbol(start - 1, "{") || code.isSymbol(start - 1, ","))
            && (code.isSymbol(index + 1, ",") || code.isSymbol(index + 1, "}"))
    }

    // MARK: Before

    /// The words that may precede a name that is read.
    private static let wordsBefore: Set<String> = [
        "return", "else", "throw", "new", "assert", "to", "in", "await", "try", "and", "or", "yield", "case",
    ]

    private func isReadBefore(_ start: Int) -> Bool {
        guard start > 0 else { return true }
        let before = start - 1
        switch code.tokens[before].kind {
        case .word:
            if let word = code.word(before), Self.wordsBefore.contains(word) {
                return !(word == "case" && code.language == .swift)
            }
            // The statement starts on a new line.
            return code.language.endsStatementsWithLines && code.tokens[before].line < code.tokens[start].line
        case .symbol: return isReadBehindSymbol(before)
        case .string, .dynamicString, .number, .other:
            return code.language == .objectiveC || code.tokens[before].line < code.tokens[start].line
        }
    }

    private func isReadBehindSymbol(_ before: Int) -> Bool {
        switch code.bytes[Int(code.tokens[before].start)] {
        case UInt8(ascii: ","), UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "="),
            UInt8(ascii: "+"), UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: "}"), UInt8(ascii: "!"),
            UInt8(ascii: "?"), UInt8(ascii: "|"):
            return true
        case UInt8(ascii: "&"): return code.isSymbol(before - 1, "&")
        case UInt8(ascii: "*"): return code.language == .kotlin
        case UInt8(ascii: ">"): return code.isSymbol(before - 1, "-") || code.isSymbol(before - 1, "=")
        case UInt8(ascii: ")"): return code.language != .objectiveC
        case UInt8(ascii: "]"):
            return code.language.endsStatementsWithLines
        case UInt8(ascii: "."):
            // Rest parameters (`String... names`) aren't reads, but JavaScript's spread elements and members of an
            // expression are.
            return !code.isSymbol(before - 1, ".") || code.language == .javaScript
        default: return false
        }
    }

    // MARK: Behind

    private func isReadBehind(_ index: Int, _ isList: Bool, _ parent: Int?) -> Bool {
        let next = index + 1
        guard next < code.tokens.count else { return true }
        let isOnNextLine = code.tokens[next].line > code.tokens[index].line
        switch code.tokens[next].kind {
        case .word:
            if code.isWord(next, "in") || code.isWord(next, "of") { return false }
            if isOnNextLine { return code.language != .java }
            // `[host length]`, `HOST to PIN`
            return ["to", "else", "as"].contains(code.word(next))
                || code.language == .objectiveC && parent.map { code.isSymbol($0, "[") } ?? false
        case .string, .dynamicString, .number, .other: return isOnNextLine || code.language == .objectiveC
        case .symbol: return isReadBeforeSymbol(next, isList, isOnNextLine, parent)
        }
    }

    private func isReadBeforeSymbol(_ next: Int, _ isList: Bool, _ isOnNextLine: Bool, _ parent: Int?) -> Bool {
        let assigns = code.isSymbol(next + 1, "=") || code.isSymbol(next + 2, "=")
        switch code.bytes[Int(code.tokens[next].start)] {
        case UInt8(ascii: ","), UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ";"): return true
        case UInt8(ascii: "@"), UInt8(ascii: "#"): return isOnNextLine || code.language == .objectiveC
        case UInt8(ascii: "+"): return !assigns && !code.isSymbol(next + 1, "+")
        case UInt8(ascii: "="), UInt8(ascii: "!"): return code.isSymbol(next + 1, "=")
        case UInt8(ascii: "&"): return code.isSymbol(next + 1, "&") && !assigns
        case UInt8(ascii: "|"): return code.isSymbol(next + 1, "|") && !assigns
        case UInt8(ascii: "."):
            return !isList || code.word(next + 1).map { Self.reading.contains($0) } ?? false
        case UInt8(ascii: ":"):
            guard let parent else { return false }
            switch code.language {
            case .swift: return code.isSymbol(parent, "[")
            case .objectiveC: return code.isSymbol(parent, "[") || code.isSymbol(parent - 1, "@")
            case .javaScript: return code.isSymbol(parent, "{")
            case .kotlin, .java: return false
            }
        default: return false
        }
    }

    /// The members of a list that don't change it.
    private static let reading: Set<String> = [
        "toTypedArray", "size", "count", "length", "first", "last", "map", "forEach", "contains", "includes", "isEmpty",
        "joinToString", "joined", "join", "stream", "toList", "toSet", "clone", "filter", "indices",
    ]
}
