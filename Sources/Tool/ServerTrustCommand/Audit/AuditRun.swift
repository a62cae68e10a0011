// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A description of a run for its summary. It doesn't contain the current time, so a repeated run has the same summary.
struct AuditRun: Sendable {
    /// The names of the files, or `standard input`.
    var inputs: [String]
    /// The format of the input: `requests`, `ndjson` or `csv`.
    var format: String
    /// The number of lines or records that the run read.
    var lines: Int
    /// The number of answers that the run wrote.
    var answers: Int
    /// The verify date of rows without their own date, or nil for the time of the run.
    var evaluationDate: Time?

    /// Whether each line has an answer.
    var hasAllAnswers: Bool { answers == lines }

    /// The maximum number of inputs that the JSON names. It only counts the rest.
    static let maximumInputs = 1000
    /// The maximum number of bytes of an input's name in the JSON. Longer names end with an ellipsis.
    static let maximumInputName = 1024
}
