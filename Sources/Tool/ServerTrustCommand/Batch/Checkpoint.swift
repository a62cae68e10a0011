// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import TrustSupport

/// The state of a run of `verify --batch` between two rows, from which another process can go on.
struct Checkpoint: Codable {
    /// The form of the file. A file of another form is refused.
    static let schema = 4
    /// The maximum size of a file, in bytes; a summary with all its tables takes less.
    static let maximumSize = 64 << 20

    /// A file or folder of the input, as it was when the run began.
    struct Input: Codable, Equatable {
        var name: String
        /// In bytes, or the number of files of a folder.
        var size: Int
        /// The time of the last change in seconds since 1970; of a folder 0.
        var modified: Int64
        /// The nanoseconds of that time.
        var nanoseconds: Int64 = 0
        /// SHA-256 of the names, sizes and times of a folder's files in hexadecimal; empty for a file.
        var names = ""
    }

    var schema = Self.schema
    /// The name of the run, of random digits: a part of the name of its unfinished answers, so that no other run writes there.
    var run = Self.randomName()
    /// The version of the program: another one may evaluate otherwise.
    var version = ToolVersion.current
    /// The size and time of the program's file, as a version may have several builds; empty where the file isn't known.
    var program = Self.programFile()
    /// The words of the command, without `--jobs`, which changes no answer.
    var command: [String]
    /// The options on which answers depend, with the digests of the files that they name.
    var options: [String: String]
    var inputs: [Input]
    /// The verify date of rows without a date of their own, RFC 3339.
    var evaluationDate: String
    var position = InputPosition()
    /// The bytes of the answers before ``position``.
    var outputSize = 0
    /// The number of the file of the answers in its file system; nil before it is made.
    var output: UInt64?
    var counts = BatchCounts()
    /// The counts for the summary; nil if none is asked for.
    var summary: AuditSummary?
    /// Whether all answers are written, and the file of answers has its name.
    var isComplete = false

    /// Returns eight random digits.
    static func randomName() -> String { Hex.encode((0..<4).map { _ in UInt8.random(in: 0...255) }) }

    /// Returns the reason why this run can't go on as another one began; nil if it can.
    func difference(from begun: Checkpoint) -> String? {
        if begun.version != version { return "it was written by version \(begun.version), this is \(version)" }
        if begun.program != program { return "it was written by another build of the program" }
        for (name, value) in options.sorted(by: { $0.key < $1.key }) where begun.options[name] != value {
            return "\(name) differs from that of the run that wrote it"
        }
        if let name = begun.options.keys.sorted().first(where: { options[$0] == nil }) {
            return "\(name) differs from that of the run that wrote it"
        }
        if let index = zip(inputs, begun.inputs).enumerated().first(where: { $0.element.0 != $0.element.1 })?.offset {
            return "the input \(inputs[index].name) has changed, or is another one"
        }
        if inputs.count != begun.inputs.count { return "it is about \(counted(begun.inputs.count, "file")) of input" }
        // The last one, as the others say more.
        return begun.command == command ? nil : "the command differs from that of the run that wrote it"
    }

    /// The maximum of offsets and sizes in bytes, as of an input of one pebibyte. Sums of two are far from overflow.
    private static let maximumOffset = 1 << 50
    /// The maximum of each count, as in a summary.
    private static let maximumCount = AuditCount.maximum

    /// Returns the name of the first value that no run writes, with what was expected; nil if there is none.
    ///
    /// The digest of the file finds changes. This finds values that a program can't go on from, whoever wrote them.
    var invalidValue: String? {
        func outside(_ name: String, _ value: Int, _ range: ClosedRange<Int>) -> String? {
            range.contains(value) ? nil : "\(name) is \(value), expected \(range.lowerBound) to \(range.upperBound)"
        }
        let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) }
        guard run.utf8.count == 8, run.utf8.allSatisfy(isDigit) else { return "run isn't eight hexadecimal digits" }
        guard !inputs.isEmpty else { return "inputs is empty" }
        if let problem = outside("position.file", position.file, 0...(inputs.count - 1)) { return problem }
        let input = inputs[position.file]
        let isFolder = !input.names.isEmpty
        let last = isFolder ? max(0, min(input.size, Self.maximumOffset)) : Self.maximumOffset
        if let problem = outside("position.offset", position.offset, 0...last)
            ?? outside("position.line", position.line, 0...position.offset)
            ?? outside("outputSize", outputSize, 0...Self.maximumOffset)
            ?? outside("counts.lines", counts.lines, 0...Self.maximumCount)
            ?? outside("counts.trusted", counts.trusted, 0...Self.maximumCount)
            ?? outside("counts.rejected", counts.rejected, 0...Self.maximumCount)
            ?? outside("counts.unreadable", counts.unreadable, 0...Self.maximumCount)
        {
            return problem
        }
        guard outputSize >= counts.answers else {
            return "outputSize is \(outputSize), expected at least one byte for each of \(counts.answers) answers"
        }
        // Rows before the first byte of the input would be answered again.
        guard position != InputPosition() || isComplete || (counts == BatchCounts() && outputSize == 0) else {
            return "position is the beginning of the input, expected one behind \(counts.answers) answers"
        }
        return nil
    }

    private static func programFile() -> String {
        #if os(Linux)
            let file = "/proc/self/exe"
        #else
            let file = Bundle.main.executablePath ?? ""
        #endif
        guard let status = try? FileStatus(following: file) else { return "" }
        return "\(status.size) \(status.modified).\(status.modifiedNanoseconds)"
    }
}
