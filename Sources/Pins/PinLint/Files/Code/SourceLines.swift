// SPDX-License-Identifier: Apache-2.0

/// The lines of a source that contain code, and the lines where the brackets opened on them end.
///
/// Brackets in comments, strings and characters don't count.
struct SourceLines: Sendable {
    /// For each line, whether a token starts on it.
    private var haveCode: [Bool]
    /// For each line, the line where the brackets opened on it end. If the line opens no bracket, this is the line
    /// itself.
    private var ends: [Int32]

    /// Reads a source, in time proportional to its size.
    /// - Parameters:
    ///   - bytes: the source.
    ///   - file: the file's name. Its extension determines the language. If the extension is unknown, the contents do.
    init(_ bytes: [UInt8], file: String) {
        var lexer = SourceLexer(bytes, SourceLanguage(file: file) ?? SourceLanguage(guessing: bytes))
        lexer.run()
        let count = bytes.count { $0 == 0x0a } + 1
        haveCode = Array(repeating: false, count: count)
        ends = (0..<Int32(count)).map { $0 }
        var brackets = Brackets()
        for token in lexer.tokens {
            haveCode[Int(token.line) - 1] = true
            if token.kind == .symbol { brackets.read(bytes[Int(token.start)], token.line - 1, &ends) }
        }
    }

    /// Returns whether a line, from 0, contains code. A string over several lines counts as code only on the line where
    /// it starts.
    func hasCode(_ line: Int) -> Bool { haveCode.indices.contains(line) && haveCode[line] }

    /// Returns the line, from 0, where the brackets opened on a line end. Returns the line itself if it opens no
    /// bracket, or if the end is missing.
    func end(of line: Int) -> Int { ends.indices.contains(line) ? Int(ends[line]) : line }

    /// The brackets open at the current token.
    private struct Brackets {
        /// The open brackets, outermost first. The line is nil if a statement ends inside the bracket.
        private var open: [(closer: UInt8, line: Int32?)] = []

        mutating func read(_ byte: UInt8, _ line: Int32, _ ends: inout [Int32]) {
            switch byte {
            case UInt8(ascii: "("): open.append((UInt8(ascii: ")"), line))
            case UInt8(ascii: "["): open.append((UInt8(ascii: "]"), line))
            case UInt8(ascii: "{"): open.append((UInt8(ascii: "}"), line))
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): close(byte, line, &ends)
            case UInt8(ascii: ";"): endStatement()
            default: break
            }
        }

        private mutating func close(_ byte: UInt8, _ line: Int32, _ ends: inout [Int32]) {
            guard let last = open.last else { return }
            // Mismatched brackets end nothing.
            guard last.closer == byte else { return open.removeAll() }
            open.removeLast()
            // The outermost bracket of a line closes last.
            if let first = last.line { ends[Int(first)] = line }
        }

        /// Marks open parentheses as unclosed, because a statement ends inside them.
        private mutating func endStatement() {
            for index in open.indices.reversed() {
                guard open[index].closer != UInt8(ascii: "}"), open[index].line != nil else { return }
                open[index].line = nil
            }
        }
    }
}
