// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The result of an evaluation, with the names and meaning of Apple's `SecTrustResultType`. Only ``proceed`` and ``unspecified`` permit the
/// connection.
public enum TrustResultType: String, Sendable, Hashable, CaseIterable, Codable {
    /// Trusted because of an explicit decision: an exception covers the failures.
    case proceed
    /// Trusted without an explicit decision: the usual result.
    case unspecified
    /// Refused because of an explicit decision.
    case deny
    /// Not trusted, for failures that an exception could cover.
    case recoverableFailure
    /// Not trusted, for failures that no exception covers: a wrong signature or one that can't be checked, a missed pin.
    case fatalFailure
    /// No decision was reached, for example because a budget was exhausted.
    case otherError

    /// Creates the result of a rejection, by its best candidate.
    package init(_ rejection: PathRejection) { self.init(failures: rejection.failures) }

    /// Creates the result for the failures of the best candidate.
    init(failures: [TrustFailure]) {
        let severities = Set(failures.map(\.code.severity))
        self =
            severities.contains(.fatal)
            ? .fatalFailure : severities.contains(.undecided) ? .otherError : .recoverableFailure
    }

    /// Whether the peer is trusted, so that the connection may be used.
    public var isTrusted: Bool { self == .proceed || self == .unspecified }
}
