// SPDX-License-Identifier: Apache-2.0

extension TrustReport {
    /// A check of the evaluation, with its result.
    public struct Check: Sendable, Hashable, Codable {
        /// The results of a check. Raw values are stable.
        public enum Status: String, Sendable, Hashable, CaseIterable, Codable {
            /// The check was performed and passed.
            case passed
            /// The check was performed and failed. See ``TrustReport/Check/failures``.
            case failed
            /// The check failed, but an exception or an evaluator accepts the failures.
            case excused
            /// The check wasn't performed.
            case notChecked
        }

        /// The stable name, such as `validity`. Future versions may add names.
        public let name: String
        /// The title in words.
        public let title: String
        /// The result.
        public let status: Status
        /// One sentence: why the check passed, or why it wasn't performed.
        public let detail: String
        /// The failures, the most specific first. Empty unless the check failed or is excused.
        public let failures: [Failure]
    }
}
