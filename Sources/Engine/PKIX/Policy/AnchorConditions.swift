// SPDX-License-Identifier: Apache-2.0

/// The conditions under which a root program trusts an anchor, beyond the anchor's own certificate.
///
/// They belong to the anchor, not to its key. A path to another certificate with the same key has to meet the
/// conditions of that path's anchor.
package struct AnchorConditions: Sendable, Hashable {
    /// The root program and the date of its list, for use in verdicts: `Mozilla, 2026-06-13`.
    package var source: String

    /// The alternative sets of constraints. A path has to meet at least one set. An anchor without a set is trusted for
    /// nothing.
    package var alternatives: [AnchorConstraints]

    /// The policies that the program accepts as extended validation under the anchor. nil if the program's list doesn't
    /// name policies for any anchor. Empty if it names none for this one. They refuse no path: they only decide whether
    /// the path asserts extended validation.
    package var extendedValidationPolicies: [OID]?

    /// Whether the program's list contains the anchor. If not, nothing is trusted, regardless of ``alternatives``.
    package var isListed: Bool

    /// The purposes for which the program distrusts the certificate, wherever it is in a path. An anchor that is merely
    /// not trusted may be an intermediate below another anchor. A distrusted one may not.
    package var distrustedPurposes: Set<ValidationPolicy.Purpose> = []

    /// Whether every path meets the conditions. They then say only that the program trusts the anchor.
    package var isUnconditional: Bool {
        isListed && distrustedPurposes.isEmpty && alternatives.contains(AnchorConstraints())
    }

    /// Creates conditions.
    /// - Parameters:
    ///   - source: the root program and the date of its list.
    ///   - alternatives: the sets of constraints. A path has to meet at least one.
    package init(source: String, alternatives: [AnchorConstraints]) {
        self.source = source
        self.alternatives = alternatives
        self.isListed = true
    }

    /// Returns the conditions of an anchor that isn't in a complete list.
    package static func unlisted(source: String) -> AnchorConditions {
        var conditions = AnchorConditions(source: source, alternatives: [])
        conditions.isListed = false
        return conditions
    }

    /// Whether the program distrusts the certificate for a purpose. For ``ValidationPolicy/Purpose/any``, distrust for
    /// any purpose counts.
    func distrust(for purpose: ValidationPolicy.Purpose) -> Bool {
        purpose == .any ? !distrustedPurposes.isEmpty : distrustedPurposes.contains(purpose)
    }
}

/// A set of constraints on a path, which has to meet all of them.
package struct AnchorConstraints: Sendable, Hashable {
    /// The limits on the date of the leaf's issuance.
    package var dates: [IssuanceLimit] = []

    /// The permitted domains. Every DNS name of the leaf must be in one of them: `tr` means the domain and everything
    /// below it. nil permits all domains, and an empty list permits none. If the property is set, names of other forms
    /// aren't permitted either.
    package var permittedDomains: [String]?

    /// The excluded domains, in the form of ``permittedDomains``. No DNS name of the leaf may be in one of them.
    package var excludedDomains: [String] = []

    /// The purposes for which the program trusts the anchor, or nil for all.
    package var purposes: Set<ValidationPolicy.Purpose>?

    /// Whether this package can't decide the constraints, so that no path meets them.
    package var isUndecidable = false

    /// Creates constraints that every path meets.
    package init() {}
}

/// A limit on the date of a leaf's issuance.
package struct IssuanceLimit: Sendable, Hashable {
    /// The date that counts as the date of issuance.
    package enum Clock: String, Sendable, Hashable, CaseIterable, Codable {
        /// The leaf's notBefore, which the CA may have chosen freely.
        case notBefore
        /// The later of notBefore and the earliest valid log timestamp. If timestamps can't be verified, only notBefore
        /// counts.
        case notBeforeOrTimestamp
        /// The valid log timestamps. If timestamps can't be verified, notBefore with a warning.
        case timestamps
    }

    /// The side of the date that issuance must be on.
    package enum Side: String, Sendable, Hashable, CaseIterable, Codable {
        /// On or before the date. With `Clock.timestamps`, one timestamp suffices.
        case notAfter
        /// After the date. With `Clock.timestamps`, every timestamp must be after the date.
        case after
    }

    /// The date. It doesn't count as after itself.
    package var date: Time
    /// The side of ``date`` that issuance must be on.
    package var side: Side
    /// The date that counts as the date of issuance.
    package var clock: Clock

    /// Creates a limit.
    package init(_ side: Side, _ date: Time, clock: Clock) {
        self.date = date
        self.side = side
        self.clock = clock
    }
}

/// A limit on the date of issuance, and the date that decided whether a path meets it.
package struct IssuanceDecision: Sendable, Hashable {
    /// The limit on the date of issuance.
    package let limit: IssuanceLimit
    /// The date that was compared with the limit, or nil if no timestamp is valid.
    package let date: Time?
    /// The clock that the date comes from: `IssuanceLimit.Clock.notBefore` or `IssuanceLimit.Clock.timestamps`.
    package let clock: IssuanceLimit.Clock
    /// Whether notBefore replaced the timestamps, because none could be verified.
    package let isStandIn: Bool
    /// Whether the path meets the limit.
    let isMet: Bool
}

/// The origin of a path's anchor, and the conditions on it that the path has met.
package struct AnchorFacts: Sendable, Hashable {
    /// Whether the anchor belongs to a root program.
    package var isPublic = false
    /// The conditions of root programs on the anchor, including those that every path meets.
    package var conditions: [AnchorConditions] = []
    /// The limits on the date of issuance, each with the date that met it.
    package var decisions: [IssuanceDecision] = []
}
