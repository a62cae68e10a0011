// SPDX-License-Identifier: Apache-2.0

import ServerTrustPins

// The calls that create a `CertificatePinner`, in complete Kotlin and Java sources:
//     CertificatePinner.Builder().add(…).build()          a chain
//     CertificatePinner.Builder().apply { add(…) }        a block, also with(CertificatePinner.Builder()) { … }
//     certificatePinner { add(…) }                        a block
//     val builder = CertificatePinner.Builder()           a variable, also a parameter of that type
//     builder.add(…)
//     CertificatePinner.Pin("pattern", "sha256/…")        a pin in a list
// Any other `add(…)` also counts if it has a string that starts with `sha256/` or `sha1/`, or a receiver with `pinner`
// in its name. The reader skips all other code.

/// A call that pins keys for a pattern.
struct OkHttpCall {
    /// The index of the token before the arguments.
    let open: Int
    /// The number of the pinner in the file. Calls for the same pinner have the same number.
    let pinner: Int
    /// Whether a condition applies to the call but not to its builder.
    let isConditional: Bool
}

/// Finds a source's calls.
struct OkHttpCalls {
    private let code: SourceCode
    /// The calls in file order.
    private(set) var calls: [OkHttpCall] = []
    /// The number of pinners.
    private(set) var pinners = 0
    /// The pinners of chained methods, keyed by the index of the method's name.
    private var chained: [Int: Int] = [:]
    private var variables: [String: Int] = [:]
    /// The index where the creation of each pinner begins.
    private var starts: [Int] = []
    private let conditions: OkHttpConditions
    /// The blocks around the current token, with the index of their end and their pinner.
    private var blocks: [(end: Int, pinner: Int)] = []

    init(_ code: SourceCode) {
        self.code = code
        conditions = OkHttpConditions(code)
        for index in code.tokens.indices {
            while let last = blocks.last, last.end <= index { blocks.removeLast() }
            if let pinner = chained[index], code.tokens[index].kind == .symbol { enter(index, pinner) }
            guard code.tokens[index].kind == .word else { continue }
            if code.isWord(index, "CertificatePinner") {
                pinner(index)
            } else if code.isWord(index, "certificatePinner"), code.isSymbol(index + 1, "{") {
                enter(index + 1, number(at: index))
            } else if code.isWord(index, "add"), code.isSymbol(index + 1, "(") {
                add(index)
            }
        }
    }

    private mutating func number(at index: Int) -> Int {
        pinners += 1
        starts.append(index)
        return pinners
    }

    private mutating func enter(_ open: Int, _ pinner: Int) {
        guard let close = code.partner(open), close > open else { return }
        blocks.append((close, pinner))
    }

    /// Reads what follows the class name.
    private mutating func pinner(_ index: Int) {
        guard code.isSymbol(index + 1, ".") else { return }
        if code.isWord(index + 2, "Pin"), code.isSymbol(index + 3, "(") {
            if pinners == 0 { _ = number(at: 0) }
            calls.append(
                OkHttpCall(
                    open: index + 3, pinner: pinners, isConditional: conditions.contain(index, after: 0)))
            return
        }
        guard code.isWord(index + 2, "Builder") else { return }
        guard code.isSymbol(index + 3, "("), let close = code.partner(index + 3) else {
            // `builder: CertificatePinner.Builder`, `CertificatePinner.Builder builder`.
            var start = index
            while start > index - 16, code.isSymbol(start - 1, "."), code.word(start - 2) != nil { start -= 2 }
            let name = code.word(index + 3) ?? (code.isSymbol(start - 1, ":") ? code.word(start - 2) : nil)
            if let name { variables[name] = number(at: index) }
            return
        }
        let variable = variable(before: index)
        // `val builder: CertificatePinner.Builder = CertificatePinner.Builder()` creates one pinner.
        let pinner = variable.flatMap { variables[$0] } ?? number(at: index)
        let isBuilt = chain(behind: close, pinner)
        // `with(CertificatePinner.Builder()) {`
        if !isBuilt, let open = code.parent(index), code.isWord(open - 1, "with"), let end = code.partner(open),
            code.isSymbol(end + 1, "{")
        {
            chained[end + 1] = pinner
        }
        if let variable, !isBuilt { variables[variable] = pinner }
    }

    /// Returns the name of the variable that the expression is assigned to.
    private func variable(before index: Int) -> String? {
        var start = index
        while start > index - 16, code.isSymbol(start - 1, "."), code.word(start - 2) != nil { start -= 2 }
        if code.isWord(start - 1, "new") { start -= 1 }
        guard code.isSymbol(start - 1, "=") else { return nil }
        var name = start - 2
        // Skips the variable's type, which follows its name.
        while name > start - 16, code.isSymbol(name - 1, "."), code.word(name - 2) != nil { name -= 2 }
        if code.isSymbol(name - 1, ":") { name -= 2 }
        return code.word(name)
    }

    /// Marks the methods of a chain.
    /// - Returns: whether the chain ends with the pinner, so that the variable doesn't contain its builder.
    private mutating func chain(behind close: Int, _ pinner: Int) -> Bool {
        var index = close + 1
        while true {
            if code.isSymbol(index, "?") || code.isSymbol(index, "!") { index += 1 }
            guard code.isSymbol(index, "."), code.word(index + 1) != nil else { return false }
            if code.isWord(index + 1, "build") { return true }
            let open = index + 2
            guard code.isSymbol(open, "(") || code.isSymbol(open, "{"), let close = code.partner(open) else {
                return false
            }
            chained[index + 1] = pinner
            if code.isSymbol(open, "{") { chained[open] = pinner }
            index = close + 1
        }
    }

    private mutating func add(_ index: Int) {
        if let pinner = chained[index] { return append(index, pinner) }
        if code.isSymbol(index - 1, ".") || code.isSymbol(index - 1, "?") {
            let receiver = code.isSymbol(index - 1, ".") && code.isSymbol(index - 2, "?") ? index - 3 : index - 2
            if let name = code.word(receiver) {
                if let pinner = variables[name] {
                    return append(index, pinner, withChain: true)
                }
                if let block = blocks.last,
                    ["it", "this"].contains(name) || code.isSymbol(receiver + 1, ".") && isParameter(name, block.end)
                {
                    return append(index, block.pinner, withChain: true)
                }
            } else if index == 1 {
                return start(index)
            }
        } else if let block = blocks.last {
            return append(index, block.pinner, withChain: true)
        } else if index == 0 {
            return start(index)
        }
        if hasPin(index + 1) || isOnPinner(index) { start(index) }
    }

    /// Returns whether a call has two or more arguments and a receiver with `pinner` in its name:
    /// `pinnerBuilder().add(…)`.
    private func isOnPinner(_ index: Int) -> Bool {
        guard code.isSymbol(index - 1, ".") else { return false }
        var receiver = index - 2
        if code.isSymbol(receiver, "?") || code.isSymbol(receiver, "!") { receiver -= 1 }
        if code.isSymbol(receiver, ")"), let open = code.partner(receiver) { receiver = open - 1 }
        guard let name = code.word(receiver), name.lowercased().contains("pinner"),
            let close = code.partner(index + 1), let comma = code.first(",", in: (index + 2)..<close)
        else {
            return false
        }
        return comma + 1 < close
    }

    /// Returns whether a name is the parameter of the block that ends at an index: `{ builder -> … }`.
    private func isParameter(_ name: String, _ end: Int) -> Bool {
        guard let open = code.partner(end) else { return false }
        return code.word(open + 1) == name && code.isSymbol(open + 2, "-") && code.isSymbol(open + 3, ">")
    }

    /// Handles a call without a pinner before it. The call begins a fragment, or continues a chain that starts
    /// elsewhere.
    private mutating func start(_ index: Int) {
        if pinners == 0 { _ = number(at: 0) }
        append(index, pinners, withChain: true, after: 0)
    }

    private mutating func append(
        _ index: Int, _ pinner: Int, withChain startsChain: Bool = false, after start: Int? = nil
    ) {
        let isConditional = conditions.contain(index, after: start ?? starts[pinner - 1])
        calls.append(OkHttpCall(open: index + 1, pinner: pinner, isConditional: isConditional))
        if startsChain, let close = code.partner(index + 1) { _ = chain(behind: close, pinner) }
    }

    /// Returns whether an argument is a pin, a text that begins like one, or a list that begins with such a text.
    private func hasPin(_ open: Int) -> Bool {
        code.items(in: open).contains { item in
            let argument = code.argument(item)
            guard let first = (code.list(argument)?.first ?? argument).first else { return false }
            if let text = code.word(first).flatMap({ code.texts[$0] }) { return Self.isPin(text.utf8) }
            return code.tokens[first].isString && Self.isPin(code.bytes[(Int(code.tokens[first].start) + 1)...])
        }
    }

    private static func isPin(_ text: some Sequence<UInt8>) -> Bool {
        text.starts(with: "sha256/".utf8) || text.starts(with: "sha1/".utf8)
    }
}
