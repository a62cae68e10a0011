// SPDX-License-Identifier: Apache-2.0

/// Scans line-based text or source code for comments that accept findings (`//`, `/*`, `#`).
///
/// A comment after code covers its own line. A comment on a separate line covers the next line of code. In source code,
/// it also covers the lines up to the end of the brackets that open there.
struct LineCommentScanner {
    private let lines: [ArraySlice<UInt8>]
    /// For each line, the line where the brackets opened on it end. If the line opens no bracket, this is the line
    /// itself.
    private var ends: [Int]
    /// For each line, the index of the first line from there on that contains more than blanks and comments. If there
    /// is no such line, this is the number of lines.
    private var next: [Int]

    /// The maximum number of lines to search for closing brackets.
    private static let maximumLines = 2_000

    /// Splits text into lines.
    /// - Parameters:
    ///   - bytes: the file's contents.
    ///   - code: the same contents as source code, or nil for text where brackets have no meaning.
    init(_ bytes: [UInt8], _ code: SourceCode?) {
        lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        ends = Array(lines.indices)
        next = Array(repeating: lines.count, count: lines.count)
        var haveCode: Set<Int>?
        if let code { haveCode = readBrackets(code) }
        for index in lines.indices.reversed() {
            let isSkipped = Self.isSkipped(lines[index]) || haveCode?.contains(index) == false
            if !isSkipped {
                next[index] = index
            } else if index + 1 < lines.count {
                next[index] = next[index + 1]
            }
        }
    }

    /// Finds the ends of brackets.
    /// - Returns: the lines where a token starts.
    private mutating func readBrackets(_ code: SourceCode) -> Set<Int> {
        var haveCode: Set<Int> = []
        var unclosed: Set<Int> = []
        for (index, token) in code.tokens.enumerated() where Int(token.line) <= lines.count {
            let line = Int(token.line) - 1
            haveCode.insert(line)
            // A statement that ends inside parentheses leaves them unclosed.
            if code.isSymbol(index, ";") {
                var open = code.parent(index)
                while let bracket = open, !code.isSymbol(bracket, "{"), unclosed.insert(bracket).inserted {
                    open = code.parent(bracket)
                }
            }
            guard let open = code.partner(index), open < index, !unclosed.contains(open) else { continue }
            let first = Int(code.tokens[open].line) - 1
            ends[first] = max(ends[first], line)
        }
        return haveCode
    }

    func comments() -> [AcceptanceComment] {
        var found: [AcceptanceComment] = []
        for (index, line) in lines.enumerated() {
            guard let keyword = line.firstIndex(of: AcceptanceComment.keyword),
                let mark = Self.mark(in: line[..<keyword])
            else { continue }
            let isAlone = line[..<mark].allSatisfy { $0 <= 0x20 }
            for var comment in AcceptanceComment.read(line, line: index + 1, limit: 1) {
                comment.lines = isAlone ? covered(behind: index) : (index + 1)...(index + 1)
                found.append(comment)
            }
            if found.count > AcceptanceComment.maximumCount { break }
        }
        return found
    }

    /// Returns the start of the comment mark before the keyword.
    private static func mark(in text: ArraySlice<UInt8>) -> Int? {
        for mark in ["//", "/*", "#"] {
            if let start = text.firstIndex(of: mark) { return start }
        }
        // A continuation line of a block comment.
        return text.firstIndex { $0 > 0x20 }.flatMap { text[$0] == UInt8(ascii: "*") ? $0 : nil }
    }

    /// Returns the lines, from 1, that a comment on a separate line covers.
    private func covered(behind index: Int) -> ClosedRange<Int>? {
        guard index + 1 < lines.count else { return nil }
        let first = next[index + 1]
        guard first < lines.count, first - index <= Self.maximumLines else { return nil }
        return (first + 1)...((ends[first] - first < Self.maximumLines ? ends[first] : first) + 1)
    }

    /// Returns whether a line is blank or a comment.
    private static func isSkipped(_ line: ArraySlice<UInt8>) -> Bool {
        let text = line.drop { $0 <= 0x20 }
        return text.isEmpty || ["//", "#", "/*", "*"].contains { text.starts(with: $0.utf8) }
    }
}
