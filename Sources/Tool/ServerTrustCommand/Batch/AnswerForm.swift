// SPDX-License-Identifier: Apache-2.0

/// The form of the answers of `verify --batch`.
enum AnswerForm: String, Codable, Sendable {
    /// One JSON object per line, as documented in the contract.
    case lines
    /// Comma-separated values with a header.
    case columns
    /// Name, verdict, code of the first failure and expiry date, separated by tabs.
    case short
}
