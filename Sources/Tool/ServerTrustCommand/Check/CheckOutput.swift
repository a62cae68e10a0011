// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust

/// An output of `servertrust check` in one format.
protocol CheckOutput {
    /// Adds the result for a server as soon as it is available.
    /// - Parameter index: the index of the server in the list of servers to check.
    /// - Throws: the errors of ``StandardStream``.
    mutating func add(_ result: CheckResult, at index: Int) throws

    /// Writes what remains at the end.
    mutating func finish(_ tally: CheckTally) throws
}

/// A report in the order of the servers: text, PEM, JSON or JUnit. It stores every result until the end.
struct CheckReportOutput: CheckOutput {
    let write: @Sendable (CheckReport) throws -> [UInt8]
    /// Whether the report itself contains connection errors, so that standard error doesn't repeat them.
    let hasErrors: Bool
    private var results: [Int: CheckResult] = [:]

    init(hasErrors: Bool = false, _ write: @escaping @Sendable (CheckReport) throws -> [UInt8]) {
        self.hasErrors = hasErrors
        self.write = write
    }

    mutating func add(_ result: CheckResult, at index: Int) { results[index] = result }

    mutating func finish(_ tally: CheckTally) throws {
        let results = results.sorted { $0.key < $1.key }.map(\.value)
        try StandardStream.output.write(write(CheckReport(results: results)))
        guard !hasErrors else { return }
        for step in results.flatMap(\.steps) {
            if let error = step.error { Diagnostics.error(error.text(at: step.endpoint)) }
        }
    }
}

/// Writes one JSON object per line, as soon as each server is done. The objects are the elements of `--format json`. It
/// stores no results.
struct CheckLinesOutput: CheckOutput {
    /// The round of `--watch`, or nil without that option.
    var round: Int?
    private let encoder = JSONEncoder()

    init(round: Int? = nil) {
        self.round = round
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    mutating func add(_ result: CheckResult, at index: Int) throws {
        let json = JSONWriter.escaping(try encoder.encode(CheckRecord(result, round: round)))
        try StandardStream.output.write(json + [0x0a])
    }

    mutating func finish(_ tally: CheckTally) {}
}

/// Writes one line per server, as soon as it is done, and the totals at the end. It stores no results.
struct CheckSummaryOutput: CheckOutput {
    let palette: Palette
    let nameWidth: Int

    mutating func add(_ result: CheckResult, at index: Int) throws {
        try StandardStream.output.writeLine(CheckRow(result).text(palette, nameWidth: nameWidth))
    }

    mutating func finish(_ tally: CheckTally) throws { try StandardStream.output.writeLine(tally.text) }
}
