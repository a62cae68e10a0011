// SPDX-License-Identifier: Apache-2.0

/// Scans a text of lines, or source code, for comments that accept findings (`//`, `/*`, `#`).
///
/// A comment behind code covers its own line. One alone on its line covers the next line of code, up to the end of the brackets that
/// are opened there.
struct LineCommentScanner {
    private let lines: [ArraySlice<UInt8>]
    /// The number of open brackets behind each line.
    private let depths: [Int]

    /// The number of lines that brackets are followed over.
    private static let maximumLines = 2_000

    init(_ bytes: [UInt8]) {
        lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var depths: [Int] = []
        depths.reserveCapacity(lines.count)
        var depth = 0
        for line in lines {
            var isQuoted = false
            for byte in line {
                switch byte {
                case UInt8(ascii: "\""): isQuoted.toggle()
                case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): if !isQuoted { depth += 1 }
                case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): if !isQuoted { depth -= 1 }
                default: break
                }
            }
            depths.append(depth)
        }
        self.depths = depths
    }

    func comments() -> [AcceptanceComment] {
        var found: [AcceptanceComment] = []
        for (index, line) in lines.enumerated() {
            guard let keyword = line.firstIndex(of: AcceptanceComment.keyword),
                let mark = Self.mark(in: line[..<keyword])
            else { continue }
            let isAlone = line[..<mark].allSatisfy { $0 <= 0x20 }
            for var comment in AcceptanceComment.read(line, line: index + 1) {
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
        // A further line of a block comment.
        return text.firstIndex { $0 > 0x20 }.flatMap { text[$0] == UInt8(ascii: "*") ? $0 : nil }
    }

    /// Returns the lines, from 1, that a comment covers which is alone on its line.
    private func covered(behind index: Int) -> ClosedRange<Int>? {
        let rest = lines[(index + 1)...].prefix(Self.maximumLines)
        guard let first = rest.firstIndex(where: { !Self.isSkipped($0) }) else { return nil }
        let depth = first > 0 ? depths[first - 1] : 0
        let end = depths[first...].prefix(Self.maximumLines).firstIndex { $0 <= depth } ?? first
        return (first + 1)...(end + 1)
    }

    /// Returns whether a line is blank or a comment.
    private static func isSkipped(_ line: ArraySlice<UInt8>) -> Bool {
        let text = line.drop { $0 <= 0x20 }
        return text.isEmpty || ["//", "#", "/*", "*"].contains { text.starts(with: $0.utf8) }
    }
}
