// SPDX-License-Identifier: Apache-2.0

/// The conditions that apply to calls: blocks of `if`, `else`, `when`, `while`, `switch` and `catch`, and statements
/// after `if (…)`.
struct OkHttpConditions {
    private let code: SourceCode
    /// For each opening bracket, the index of the innermost condition block that it opens or is inside of, or -1.
    private var blocks: [Int32]

    init(_ code: SourceCode) {
        self.code = code
        blocks = [Int32](repeating: -1, count: code.tokens.count)
        for index in code.tokens.indices where code.partner(index) ?? -1 > index {
            if code.isSymbol(index, "{"), isCondition(index) {
                blocks[index] = Int32(index)
            } else if let parent = code.parent(index) {
                blocks[index] = blocks[parent]
            }
        }
    }

    private func isCondition(_ open: Int) -> Bool {
        if let word = code.word(open - 1) { return word == "else" || word == "when" }
        guard code.isSymbol(open - 1, ")"), let start = code.partner(open - 1) else { return false }
        return ["if", "when", "while", "switch", "catch"].contains(code.word(start - 1))
    }

    /// Returns whether a condition that begins after `start` applies to a call.
    func contain(_ call: Int, after start: Int) -> Bool {
        if let parent = code.parent(call), blocks[parent] > start { return true }
        // The first token of the statement, where its receiver begins.
        var first = call
        while call - first < 32, code.isSymbol(first - 1, ".") {
            first -= 2
            if code.isSymbol(first, "?") || code.isSymbol(first, "!") { first -= 1 }
            if code.isSymbol(first, ")"), let open = code.partner(first), code.word(open - 1) != nil {
                first = open - 1
            }
        }
        guard first > start else { return false }
        if code.isWord(first - 1, "else") { return true }
        guard code.isSymbol(first - 1, ")"), let open = code.partner(first - 1) else { return false }
        return code.isWord(open - 1, "if") && open > start
    }
}
