// SPDX-License-Identifier: Apache-2.0

import PinLint

/// The regions of lines in files, from the first character that isn't white space to the end of the line. Columns count
/// code points and start at 1.
struct SARIFRegions {
    /// The columns of a line. The end is the column after its last character.
    struct Columns: Equatable {
        var start: Int
        var end: Int
    }

    private var columns: [String: [Int: Columns]] = [:]

    /// Determines the columns of the lines that contain findings. Each file is read once.
    init(_ sources: [PinLintSource], _ findings: [PinFinding]) {
        var lines: [String: Set<Int>] = [:]
        for finding in findings { lines[finding.location.file, default: []].insert(finding.location.line ?? 1) }
        for source in sources where columns[source.file] == nil && !source.bytes.starts(with: "bplist".utf8) {
            columns[source.file] = Self.columns(of: lines[source.file] ?? [], in: source.bytes)
        }
    }

    /// Returns the columns of a line. For a file without lines, returns those of an empty line.
    func columns(_ file: String, _ line: Int) -> Columns { columns[file]?[line] ?? Columns(start: 1, end: 1) }

    private static func columns(of lines: Set<Int>, in bytes: [UInt8]) -> [Int: Columns] {
        guard let last = lines.max() else { return [:] }
        var found: [Int: Columns] = [:]
        var line = 1
        var start = bytes.startIndex
        while line <= last, start < bytes.endIndex {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
            if lines.contains(line) { found[line] = columns(of: bytes[start..<end]) }
            line += 1
            start = end + 1
        }
        return found
    }

    private static func columns(of line: ArraySlice<UInt8>) -> Columns {
        var line = line
        while let last = line.last, last <= 0x20 { line.removeLast() }
        let blanks = line.prefix { $0 <= 0x20 }.count
        // UTF-8 continuation bytes don't start a code point.
        return Columns(start: blanks + 1, end: line.count { $0 & 0xc0 != 0x80 } + 1)
    }
}
