// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust

/// The state of a run of `verify --batch` between two rows. Another process can resume from it.
struct Checkpoint: Codable {
    /// The schema version of the file. A file with another version is rejected.
    static let schema = 6
    /// The maximum size of a file in bytes. A summary with full tables takes less.
    static let maximumSize = 64 << 20

    /// A file of the input, as it was when the run started.
    struct Input: Codable, Equatable {
        var name: String
        /// The size in bytes.
        var size: Int
        /// The time of the last change in seconds since 1970.
        var modified: Int64
        /// The nanoseconds of that time.
        var nanoseconds: Int64
    }

    var schema = Self.schema
    /// The name of the run, made of random digits. The name of its unfinished answers contains it, so that no other run
    /// writes there.
    var run = Self.randomName()
    /// The version of the program. Another version may evaluate differently.
    var version = ToolVersion.current
    /// The size and time of the program's file, because a version may have several builds. Empty if the file is
    /// unknown.
    var program = Self.programFile()
    /// The words of the command, without ``BatchOptions/resumable``, which don't affect answers.
    var command: [String]
    /// The digests of the files that the options name, and of the system's root store if its anchors count.
    var digests: [String: String]
    var inputs: [Input]
    /// The verify date of rows without their own date (RFC 3339).
    var evaluationDate: String
    var position = InputPosition()
    /// The number of bytes of the answers before ``position``.
    var outputSize = 0
    /// The inode number of the answers' file, or nil before the file exists.
    var output: UInt64?
    var counts = BatchCounts()
    /// The counts for the summary, or nil if the run writes none.
    var summary: AuditSummary?
    /// The counts of a replay, or nil for other runs.
    var replay: ReplaySummary?
    /// Whether all answers are written and their file has its final name.
    var isComplete = false

    /// Records the answers so far, with the counts of their rows.
    mutating func record(_ answers: AnswerOutput, _ counts: BatchCounts, _ summary: AuditSummary?) {
        outputSize = answers.size
        self.counts = counts
        self.summary = summary
    }

    /// Returns eight random hexadecimal digits.
    static func randomName() -> String { Hex.encode((0..<4).map { _ in UInt8.random(in: 0...255) }) }

    /// Returns the reason why this run can't resume an earlier one, or nil if it can.
    func difference(from begun: Checkpoint) -> String? {
        if begun.version != version { return "it was written by version \(begun.version), this is \(version)" }
        if begun.program != program { return "it was written by another build of the program" }
        if begun.command != command {
            let place = zip(command, begun.command).prefix { $0 == $1 }.count
            func word(_ words: [String]) -> String { words.count > place ? "\"\(words[place])\"" : "its end" }
            return "the command differs: found \(word(command)), expected \(word(begun.command))"
        }
        // A file may have changed under the same name, and the environment may name another list of roots.
        let files = Set(digests.keys).union(begun.digests.keys).sorted()
        if let file = files.first(where: { digests[$0] != begun.digests[$0] }) {
            return "\(file) has changed, or is a different one"
        }
        if let index = zip(inputs, begun.inputs).enumerated().first(where: { $0.element.0 != $0.element.1 })?.offset {
            return "the input \(inputs[index].name) has changed, or is a different one"
        }
        if inputs.count != begun.inputs.count {
            return "it belongs to a run with \(counted(begun.inputs.count, "input file"))"
        }
        return nil
    }

    /// The maximum of offsets and sizes in bytes: the size of a pebibyte of input. The sum of two can't overflow.
    private static let maximumOffset = 1 << 50

    /// The name of the first value that no run writes, with what was expected, or nil if all values are valid.
    ///
    /// The digest of the file detects changes. This check finds values that the program can't resume from, whatever
    /// wrote them.
    var invalidValue: String? {
        func outside(_ name: String, _ value: Int, _ range: ClosedRange<Int>) -> String? {
            range.contains(value) ? nil : "\(name) is \(value), expected \(range.lowerBound) to \(range.upperBound)"
        }
        let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) }
        guard run.utf8.count == 8, run.utf8.allSatisfy(isDigit) else { return "run isn't eight hexadecimal digits" }
        guard !inputs.isEmpty else { return "inputs is empty" }
        if let problem = outside("position.file", position.file, 0...(inputs.count - 1)) { return problem }
        if let problem = outside("position.offset", position.offset, 0...Self.maximumOffset)
            ?? outside("position.line", position.line, 0...position.offset)
            ?? outside("outputSize", outputSize, 0...Self.maximumOffset)
            ?? outside("counts.lines", counts.lines, 0...AuditCount.maximum)
        {
            return problem
        }
        guard outputSize >= counts.answers else {
            return "outputSize is \(outputSize), expected at least one byte for each of \(counts.answers) answers"
        }
        // Otherwise the rows from the first byte of the input would be answered again.
        guard position != InputPosition() || isComplete || (counts == BatchCounts() && outputSize == 0) else {
            return "position is the beginning of the input, expected a later one, after \(counts.answers) answers"
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
