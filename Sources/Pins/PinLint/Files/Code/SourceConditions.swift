// SPDX-License-Identifier: Apache-2.0

import ServerTrust

// Conditional compilation in Objective-C and Swift. In Objective-C, the tokens exclude code between `#if 0` and its
// end. Any other code between `#if` and `#endif` may or may not be compiled, except for the code in a header guard.

enum SourceConditions {
    /// Returns the tokens and comments of Objective-C source without the code that `#if 0` excludes.
    static func live(
        _ bytes: [UInt8], _ tokens: [SourceToken], _ comments: [SourceComment]
    ) -> (tokens: [SourceToken], comments: [SourceComment]) {
        guard bytes.contains(text: "#if") || bytes.contains(text: "# ") else { return (tokens, comments) }
        var kept: [SourceToken] = []
        var counts: [Int32] = []
        counts.reserveCapacity(tokens.count + 1)
        // For each open directive, whether it is `#if 0`.
        var open: [Bool] = []
        // The number of open directives in excluded code, or nil outside of it.
        var depth: Int?
        var droppedLine: Int32 = 0
        for (index, token) in tokens.enumerated() {
            counts.append(Int32(kept.count))
            switch directive(bytes, tokens, index) {
            case "if"?, "ifdef"?, "ifndef"?:
                if let inner = depth {
                    depth = inner + 1
                } else {
                    let isZero = isZero(bytes, tokens, index)
                    open.append(isZero)
                    if isZero { (depth, droppedLine) = (0, token.line) }
                }
            case "else"?, "elif"?:
                guard depth == 0 else { break }
                depth = nil
                if directive(bytes, tokens, index) == "else" {
                    droppedLine = token.line
                } else if !open.isEmpty {
                    open[open.count - 1] = false
                }
            case "endif"?:
                if let inner = depth, inner > 0 {
                    depth = inner - 1
                } else if open.popLast() == true {
                    (depth, droppedLine) = (nil, token.line)
                }
            default: break
            }
            if depth == nil, token.line != droppedLine { kept.append(token) }
        }
        counts.append(Int32(kept.count))
        let moved = comments.map { comment in
            SourceComment(range: comment.range, line: comment.line, tokensBefore: counts[Int(comment.tokensBefore)])
        }
        return (kept, moved)
    }

    /// Returns, for each token, whether it is between `#if` and `#endif`. Empty for a source without such tokens.
    static func conditional(_ bytes: [UInt8], _ tokens: [SourceToken]) -> [Bool] {
        var result: [Bool] = []
        // For each open directive, whether it is a condition instead of a header guard.
        var open: [Bool] = []
        var conditions = 0
        for index in tokens.indices {
            switch directive(bytes, tokens, index) {
            case "if"?, "ifdef"?, "ifndef"?:
                let isCondition = !isGuard(bytes, tokens, index)
                open.append(isCondition)
                if isCondition { conditions += 1 }
            case "elif"?, "elseif"?, "else"?:
                if let last = open.indices.last {
                    if !open[last] { conditions += 1 }
                    open[last] = true
                } else {
                    open.append(true)
                    conditions += 1
                }
            case "endif"?: if open.popLast() == true { conditions -= 1 }
            default: break
            }
            if conditions > 0, result.isEmpty { result = [Bool](repeating: false, count: tokens.count) }
            if conditions > 0 { result[index] = true }
        }
        return result
    }

    /// Returns the name of the directive whose `#` is at an index, or nil for another token.
    private static func directive(_ bytes: [UInt8], _ tokens: [SourceToken], _ index: Int) -> String? {
        let token = tokens[index]
        guard token.kind == .symbol, bytes[Int(token.start)] == UInt8(ascii: "#"), index + 1 < tokens.count,
            index == 0 || tokens[index - 1].line < token.line, tokens[index + 1].line == token.line
        else {
            return nil
        }
        return word(bytes, tokens, index + 1)
    }

    private static func word(_ bytes: [UInt8], _ tokens: [SourceToken], _ index: Int) -> String? {
        guard index < tokens.count, tokens[index].kind == .word else { return nil }
        return String(decoding: bytes[Int(tokens[index].start)..<Int(tokens[index].end)], as: UTF8.self)
    }

    /// Returns whether a directive is `#if 0`.
    private static func isZero(_ bytes: [UInt8], _ tokens: [SourceToken], _ index: Int) -> Bool {
        guard index + 2 < tokens.count, word(bytes, tokens, index + 1) == "if" else { return false }
        let value = tokens[index + 2]
        guard value.line == tokens[index].line, value.end - value.start == 1,
            bytes[Int(value.start)] == UInt8(ascii: "0")
        else {
            return false
        }
        return index + 3 >= tokens.count || tokens[index + 3].line > value.line
    }

    /// Returns whether a directive is a header guard: `#ifndef NAME`, and `#define NAME` on the next line of code.
    private static func isGuard(_ bytes: [UInt8], _ tokens: [SourceToken], _ index: Int) -> Bool {
        guard index + 5 < tokens.count, word(bytes, tokens, index + 1) == "ifndef",
            directive(bytes, tokens, index + 3) == "define", let name = word(bytes, tokens, index + 2),
            word(bytes, tokens, index + 5) == name
        else {
            return false
        }
        return index + 6 >= tokens.count || tokens[index + 6].line > tokens[index + 5].line
    }
}
