// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// An output of `servertrust check` in one format.
struct CheckOutput {
    private enum Form {
        /// Writes each result as soon as it is available. It stores nothing.
        case lines((CheckResult) throws -> Void, totals: (CheckTally) throws -> Void)
        /// Writes a report in the order of the servers. It stores every result until the end.
        case report((CheckReport) throws -> Void)
        /// Writes the rows of the servers in their order. It stores a row of a few hundred bytes for each server.
        case rows(([CheckRow], CheckTally) throws -> Void)
    }

    private let form: Form
    private var results: [Int: CheckResult] = [:]
    private var rows: [Int: CheckRow] = [:]

    /// Returns an output with one JSON object per line. The objects are the elements of `--format json`.
    /// - Parameter round: the round of `--watch`, or nil without that option.
    static func jsonLines(round: Int? = nil) -> CheckOutput {
        CheckOutput(
            form: .lines(
                { try StandardStream.output.write(ReportFields.json($0.fields(round: round), isIndented: false)) },
                totals: { _ in }))
    }

    /// Returns an output with one line per server, and the totals at the end.
    static func summary(_ palette: Palette, nameWidth: Int) -> CheckOutput {
        CheckOutput(
            form: .lines(
                { try StandardStream.output.writeLine(CheckRow($0).text(palette, nameWidth: nameWidth)) },
                totals: { try StandardStream.output.writeLine($0.text) }))
    }

    static func rows(_ text: @escaping ([CheckRow], CheckTally) -> String) -> CheckOutput {
        CheckOutput(form: .rows { try StandardStream.output.write(Array(text($0, $1).utf8)) })
    }

    /// - Parameter hasErrors: whether the report itself contains connection errors. Otherwise they are written to
    ///   standard error.
    static func report(hasErrors: Bool = false, _ bytes: @escaping (CheckReport) throws -> [UInt8]) -> CheckOutput {
        CheckOutput(
            form: .report { report in
                try StandardStream.output.write(bytes(report))
                for step in hasErrors ? [] : report.results.flatMap(\.steps) {
                    if let error = step.error { Diagnostics.error(error.text(at: step.endpoint)) }
                }
            })
    }

    /// The output of `check --fix`: the chain on standard output, the report on standard error.
    static var fix: CheckOutput {
        CheckOutput(
            form: .report { report in
                guard let step = report.results.first?.steps.first else { return }
                try StandardStream.error.write(Array(report.text(.forStandardError()).utf8))
                guard let server = step.report else {
                    return Diagnostics.error("no chain was written: the server presented none")
                }
                try FixedChain.write(server.verdict, presented: server.presentedChain.certificates)
            })
    }

    private init(form: Form) { self.form = form }

    /// Adds the result for a server as soon as it is available.
    /// - Parameter index: the index of the server in the list of servers to check.
    /// - Throws: the errors of ``StandardStream``.
    mutating func add(_ result: CheckResult, at index: Int) throws {
        switch form {
        case .lines(let write, _): try write(result)
        case .report: results[index] = result
        case .rows: rows[index] = CheckRow(result)
        }
    }

    /// Writes what remains at the end.
    func finish(_ tally: CheckTally) throws {
        switch form {
        case .lines(_, let write): try write(tally)
        case .report(let write): try write(CheckReport(results: results.sorted { $0.key < $1.key }.map(\.value)))
        case .rows(let write): try write(rows.sorted { $0.key < $1.key }.map(\.value), tally)
        }
    }
}
