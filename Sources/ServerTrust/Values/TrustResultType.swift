// SPDX-License-Identifier: Apache-2.0

import PKIX

/// What it comes down to, with the names and meaning of Apple's `SecTrustResultType`. Go on with ``proceed`` and ``unspecified`` alone.
public enum TrustResultType: String, Sendable, Hashable, CaseIterable, Codable {
    /// Trusted because somebody said so: an exception covers what is wrong.
    case proceed
    /// Trusted, and nobody had to say so: the usual outcome.
    case unspecified
    /// Refused because somebody said so.
    case deny
    /// Not trusted, for reasons that an exception could cover.
    case recoverableFailure
    /// Not trusted, and nothing can change that: the signature is wrong or can't be checked, a pin is missed.
    case fatalFailure
    /// No decision was reached: a budget ran out.
    case otherError

    /// The result of a rejection, by its best candidate.
    public init(_ rejection: PathRejection) { self.init(failures: rejection.failures) }

    /// The result if these are what is wrong with the best candidate.
    init(failures: [TrustFailure]) {
        let severities = Set(failures.map(\.code.severity))
        self =
            severities.contains(.fatal)
            ? .fatalFailure : severities.contains(.undecided) ? .otherError : .recoverableFailure
    }

    /// Whether to go on.
    public var isTrusted: Bool { self == .proceed || self == .unspecified }
}
