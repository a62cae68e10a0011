// SPDX-License-Identifier: Apache-2.0

/// The form of the answers of `verify --batch`.
enum AnswerForm: String, Codable, Sendable {
    /// A JSON object a line: the contract's.
    case lines
    /// Comma-separated values with a header.
    case columns
    /// Name, verdict, first code and expiry, separated by tabs.
    case short
}
