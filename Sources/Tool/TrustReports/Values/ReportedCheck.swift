// SPDX-License-Identifier: Apache-2.0

extension TrustReport {
    /// A check of the evaluation, with its result.
    public struct Check: Sendable, Hashable, Codable {
        /// The results; raw values are stable.
        public enum Status: String, Sendable, Hashable, CaseIterable, Codable {
            /// Performed, without a failure.
            case passed
            /// Performed, with the failures of ``TrustReport/Check/failures``.
            case failed
            /// Failed, and accepted because an exception or an evaluator covers it.
            case excused
            /// Not performed.
            case notChecked
        }

        /// The stable name, such as `validity`. The set grows.
        public let name: String
        /// The name in words.
        public let title: String
        /// The result.
        public let status: Status
        /// The evidence of a passed check, or the reason why it wasn't performed, in a sentence.
        public let detail: String
        /// The failures, most specific first; empty unless it failed or is excused.
        public let failures: [Failure]
    }
}
