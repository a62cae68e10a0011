// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The result of an evaluation, with the names and meaning of Apple's `SecTrustResultType`. Only ``proceed`` and
/// ``unspecified`` permit the connection.
public enum TrustResultType: String, Sendable, Hashable, CaseIterable, Codable {
    /// Trusted because of an explicit decision: an exception covers the failures.
    case proceed
    /// Trusted without an explicit decision: the usual result.
    case unspecified
    /// Refused because of an explicit decision.
    case deny
    /// Not trusted, for failures that an exception could cover.
    case recoverableFailure
    /// Not trusted, for failures that no exception can cover, such as a signature that is wrong or can't be checked, or
    /// a missed pin.
    case fatalFailure
    /// The evaluation reached no decision, for example because it exhausted a budget.
    case otherError

    /// Creates the result of a rejection from its best candidate.
    init(_ rejection: PathRejection) { self.init(failures: rejection.failures) }

    /// Creates the result for the failures of the best candidate.
    init(failures: [TrustFailure]) {
        let severities = Set(failures.map(\.code.severity))
        self =
            severities.contains(.fatal)
            ? .fatalFailure : severities.contains(.undecided) ? .otherError : .recoverableFailure
    }

    /// Whether the peer is trusted, so that you may use the connection.
    public var isTrusted: Bool { self == .proceed || self == .unspecified }
}
