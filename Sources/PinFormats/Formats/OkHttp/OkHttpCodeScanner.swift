// SPDX-License-Identifier: Apache-2.0

import PinModel

/// Scans the call that makes a `CertificatePinner`: comments, the start and the end of the call, `.add(…)` with string literals.
struct OkHttpCodeScanner {
    /// An element of the call.
    enum Step {
        /// A call of `add` with its arguments, its line, and the comment behind it on the same line.
        case add([String], line: Int, comment: String?)
        /// Any other code.
        case unknown(String, line: Int)
    }

    private let characters: [Character]
    private var index = 0
    private var line = 1

    init(_ text: String) { characters = Array(text) }

    /// The code that may surround the calls, without white space.
    private static let frame: Set<String> = [
        "CertificatePinner.Builder()", "newCertificatePinner.Builder()", "CertificatePinner.Builder().apply{", "}",
        ".build()", ".build();", ";",
    ]

    private var hasBuilder = false

    mutating func next() -> Step? {
        while true {
            _ = skipBlanks(acrossLines: true)
            guard index < characters.count else { return nil }
            let start = line
            if take(".add(") || take("add(") {
                guard let arguments = arguments() else { return .unknown(restOfLine(), line: start) }
                _ = take(";")
                return .add(arguments, line: start, comment: skipBlanks(acrossLines: false))
            }
            let text = statement()
            let packed = text.filter { !$0.isWhitespace }
            // `val pinner = …`, `CertificatePinner pinner = …`: the name of the variable doesn't matter.
            let value = packed.firstIndex(of: "=").map { String(packed[packed.index(after: $0)...]) } ?? packed
            if Self.frame.contains(packed) || Self.frame.contains(value) {
                guard value.contains("Builder()") else { continue }
                // Pins of two pinners are independent, and one configuration can't represent that.
                guard !hasBuilder else { return .unknown(text, line: start) }
                hasBuilder = true
                continue
            }
            return .unknown(text, line: start)
        }
    }

    /// Reads up to the end of the line, a comment or the next call of the chain.
    private mutating func statement() -> String {
        var text = ""
        while index < characters.count, !characters[index].isNewline, !isAt("//"), !isAt("/*") {
            if isAt(".add("), !text.isEmpty { break }
            if isAt(".build()"), !text.isEmpty { break }
            text.append(characters[index])
            index += 1
        }
        return text.trimmed
    }

    private mutating func restOfLine() -> String {
        var text = ""
        while index < characters.count, !characters[index].isNewline {
            text.append(characters[index])
            index += 1
        }
        return text
    }

    private func isAt(_ text: String) -> Bool { characters[index...].starts(with: text) }

    private mutating func take(_ text: String) -> Bool {
        guard isAt(text) else { return false }
        index += text.count
        return true
    }

    /// Skips white space and comments.
    /// - Returns: the last comment.
    private mutating func skipBlanks(acrossLines: Bool) -> String? {
        var comment: String?
        while index < characters.count {
            if isAt("//") {
                comment = String(restOfLine().dropFirst(2)).trimmed
            } else if isAt("/*") {
                var text = ""
                index += 2
                while index < characters.count, !isAt("*/") {
                    if characters[index].isNewline { line += 1 }
                    text.append(characters[index])
                    index += 1
                }
                index = min(characters.count, index + 2)
                comment = text.trimmed
            } else if characters[index].isNewline {
                guard acrossLines else { return comment }
                line += 1
                index += 1
            } else if characters[index].isWhitespace {
                index += 1
            } else {
                return comment
            }
        }
        return comment
    }

    /// Reads string literals with commas between them, and the closing parenthesis.
    private mutating func arguments() -> [String]? {
        var arguments: [String] = []
        while true {
            _ = skipBlanks(acrossLines: true)
            guard index < characters.count else { return nil }
            if take(")") { return arguments }
            if !arguments.isEmpty {
                guard take(",") else { return nil }
                _ = skipBlanks(acrossLines: true)
                if take(")") { return arguments }
            }
            guard take("\"") else { return nil }
            var text = ""
            while index < characters.count, characters[index] != "\"" {
                // Neither patterns nor pins have an escape or `$`.
                guard !characters[index].isNewline, characters[index] != "\\", characters[index] != "$" else {
                    return nil
                }
                text.append(characters[index])
                index += 1
            }
            guard take("\"") else { return nil }
            arguments.append(text)
        }
    }
}
