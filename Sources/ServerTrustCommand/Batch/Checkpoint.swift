// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import TrustSupport

/// The state of a run of `verify --batch` between two rows, from which another process can go on.
struct Checkpoint: Codable {
    /// The form of the file. A file of another form is refused.
    static let schema = 3
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
        if inputs.count != begun.inputs.count { return "it is about \(begun.inputs.count) files of input" }
        // The last one, as the others say more.
        return begun.command == command ? nil : "the command differs from that of the run that wrote it"
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
