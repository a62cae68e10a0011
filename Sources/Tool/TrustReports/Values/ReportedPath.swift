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
        /// The failures, most specific first, at most 16; empty for a valid path. Of the path of a trusted peer, those that were excused:
        /// an exception, an evaluator or a delegate has accepted them.
        public let failures: [Failure]
    }

    /// A failure of a check.
    public struct Failure: Sendable, Hashable, Codable {
        /// The stable code.
        public let code: String
        /// The message; its wording may change.
        public let message: String
        /// The place of the certificate in its path, 0 for the leaf; nil if it is about the whole path.
        package let place: Int?
        /// The value that would have been accepted.
        public let expected: String?
        /// The value found instead.
        public let found: String?

        init(_ failure: TrustFailure) {
            code = ReportText.shown(failure.code.name, to: 64)
            message = ReportText.shown(failure.message)
            place = failure.certificate
            expected = failure.expected.map { ReportText.shown($0.description) }
            found = failure.found.map { ReportText.shown($0.description) }
        }
    }
}

extension TrustReport.Path {
    /// The maximum number of failures of a path in a report.
    static let maximumFailures = 16
}
