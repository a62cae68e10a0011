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
}

extension TrustReport.Path {
    /// The maximum number of failures per path in a report.
    static let maximumFailures = 16
}
