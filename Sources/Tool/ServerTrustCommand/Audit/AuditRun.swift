// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Description of a run for its summary. It has no time of the clock, so that a run that is repeated has the same summary.
struct AuditRun: Sendable {
    /// The names of the files, or `standard input`.
    var inputs: [String]
    /// The format of the input: `requests`, `zgrab2`.
    var format: String
    /// The number of lines, records or files that were read.
    var lines: Int
    /// The number of answers that were written.
    var answers: Int
    /// The date that rows without one of their own are evaluated for; nil for the time of the run.
    var evaluationDate: Time?

    /// Whether each line has an answer. A line of zgrab2 may have several.
    var hasAllAnswers: Bool { format == InputFormat.zgrab2.rawValue ? answers >= lines : answers == lines }

    /// The number of inputs that JSON names; the rest is counted.
    static let maximumInputs = 1000
    /// The bytes of an input's name in JSON; longer ones end with an ellipsis.
    static let maximumInputName = 1024
}
