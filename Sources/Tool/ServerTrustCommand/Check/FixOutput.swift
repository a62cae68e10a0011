// SPDX-License-Identifier: Apache-2.0

/// The output of `check --fix`: the chain on standard output, the report on standard error.
struct FixOutput: CheckOutput {
    private var result: CheckResult?

    mutating func add(_ result: CheckResult, at index: Int) { self.result = result }

    mutating func finish(_ tally: CheckTally) throws {
        guard let result, let step = result.steps.first else { return }
        try StandardStream.error.write(Array(CheckReport(results: [result]).text(.forStandardError()).utf8))
        guard let report = step.report else {
            return Diagnostics.error("no chain was written: the server presented none")
        }
        try FixedChain.write(report.verdict, presented: report.presentedChain.certificates)
    }
}
