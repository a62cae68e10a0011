// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension TrustReport {
    /// A path of certificates.
    public struct Path: Sendable, Hashable, Codable {
        /// The certificates, leaf first, as indices into ``TrustReport/certificates``.
        public let certificates: [Int]
        /// Whether the last certificate is an anchor.
        public let reachesAnchor: Bool
        /// The failures, the most specific first, at most 16. Empty for a valid path. For a trusted peer, these are the
        /// excused failures that an exception, an evaluator or a delegate accepted.
        public let failures: [Failure]

        /// The maximum number of failures per path in a report.
        static let maximumFailures = 16
    }

    /// A failure of a check.
    public struct Failure: Sendable, Hashable, Codable {
        /// The stable code.
        public let code: String
        /// The message. Its wording may change.
        public let message: String
        /// The index of the certificate in its path, with 0 for the leaf, or nil if the failure concerns the whole
        /// path.
        let place: Int?
        /// The value that the check would have accepted.
        public let expected: String?
        /// The value found instead.
        public let found: String?

        init(_ failure: TrustFailure, on path: [Certificate], sentIn presented: PresentedChain) {
            code = ReportText.shown(failure.code.name, to: 64)
            message = ReportText.shown(failure.message(on: path, sentIn: presented))
            place = failure.certificate
            expected = failure.expected.map { ReportText.shown($0.description) }
            found = failure.found.map { ReportText.shown($0.description) }
        }
    }

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
