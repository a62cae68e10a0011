// SPDX-License-Identifier: Apache-2.0

/// The conditions under which a root program trusts an anchor, beyond the anchor's own certificate.
///
/// They belong to the anchor and not to its key: another path, to another certificate of the key, is judged by the conditions of that
/// path's anchor.
package struct AnchorConditions: Sendable, Hashable {
    /// The root program and the date of its list, for verdicts: `Mozilla, 2026-06-13`.
    package var source: String

    /// The sets of constraints of which a path has to meet one; an anchor without a set is trusted for nothing.
    package var alternatives: [AnchorConstraints]

    /// The policies for which the program accepts statements of extended validation under the anchor; nil if its list doesn't name any, an
    /// empty list for none. They refuse no path: they decide whether it asserts extended validation.
    package var extendedValidationPolicies: [OID]?

    /// Whether the program's list has the anchor at all. Without it nothing is trusted, whatever ``alternatives`` has.
    package var isListed: Bool

    /// The purposes for which the program distrusts the certificate, wherever it is in a path. An anchor that is merely not trusted may be an
    /// intermediate below another one; a distrusted one may not.
    package var distrustedPurposes: Set<ValidationPolicy.Purpose> = []

    /// Whether every path meets the conditions, so that they say only that the program trusts the anchor.
    package var isUnconditional: Bool {
        isListed && distrustedPurposes.isEmpty && alternatives.contains(AnchorConstraints())
    }

    /// Creates conditions.
    /// - Parameters:
    ///   - source: the root program and the date of its list.
    ///   - alternatives: the sets of constraints of which a path has to meet one.
    package init(source: String, alternatives: [AnchorConstraints]) {
        self.source = source
        self.alternatives = alternatives
        self.isListed = true
    }

    /// Returns the conditions of an anchor that a complete list doesn't have.
    package static func unlisted(source: String) -> AnchorConditions {
        var conditions = AnchorConditions(source: source, alternatives: [])
        conditions.isListed = false
        return conditions
    }

    /// Whether the program distrusts the certificate for a purpose. Without a purpose, distrust for any counts.
    func distrust(for purpose: ValidationPolicy.Purpose) -> Bool {
        purpose == .any ? !distrustedPurposes.isEmpty : distrustedPurposes.contains(purpose)
    }
}

/// Constraints on a path, all of which it has to meet.
package struct AnchorConstraints: Sendable, Hashable {
    /// The limits on the leaf's date of issuance.
    package var dates: [IssuanceLimit] = []

    /// The domains to which every DNS name of the leaf has to belong: `tr` is the domain and all below it. nil for all; an empty list
    /// permits none. Names of other forms aren't permitted either where this is set.
    package var permittedDomains: [String]?

    /// The domains to which no DNS name of the leaf may belong, in the form of ``permittedDomains``.
    package var excludedDomains: [String] = []

    /// The purposes for which the program trusts the anchor; nil for all.
    package var purposes: Set<ValidationPolicy.Purpose>?

    /// Whether the constraints can't be decided here, so that no path meets them.
    package var isUndecidable = false

    /// Creates constraints that every path meets.
    package init() {}
}

/// A limit on the date on which a leaf was issued.
package struct IssuanceLimit: Sendable, Hashable {
    /// The date that stands for that of issuance.
    package enum Clock: String, Sendable, Hashable, CaseIterable, Codable {
        /// The leaf's notBefore, which its CA may have chosen freely.
        case notBefore
        /// The later of notBefore and the earliest valid timestamp of a log. notBefore alone where timestamps can't be verified.
        case notBeforeOrTimestamp
        /// The valid timestamps of logs. notBefore, with a warning, where timestamps can't be verified.
        case timestamps
    }

    /// The side of the date on which issuance has to be.
    package enum Side: String, Sendable, Hashable, CaseIterable, Codable {
        /// At the date or before it. Of `Clock.timestamps` one suffices.
        case notAfter
        /// After the date. Of `Clock.timestamps` every one.
        case after
    }

    /// The date, itself not after itself.
    package var date: Time
    /// The side of ``date`` on which issuance has to be.
    package var side: Side
    /// The date that stands for that of issuance.
    package var clock: Clock

    /// Creates a limit.
    package init(_ side: Side, _ date: Time, clock: Clock) {
        self.date = date
        self.side = side
        self.clock = clock
    }
}

/// A limit on the date of issuance that a path has met, and the date that decided.
package struct IssuanceDecision: Sendable, Hashable {
    /// The limit.
    package let limit: IssuanceLimit
    /// The date that was compared with it; nil where no timestamp is valid.
    package let date: Time?
    /// The clock that the date is of: `IssuanceLimit.Clock.notBefore` or `IssuanceLimit.Clock.timestamps`.
    package let clock: IssuanceLimit.Clock
    /// Whether notBefore stood in for timestamps, as none can be verified.
    package let isStandIn: Bool
    /// Whether the limit is met.
    package let isMet: Bool
}

/// The origin of a path's anchor, and the conditions on it that the path has met.
package struct AnchorFacts: Sendable, Hashable {
    /// Whether the anchor is one of a root program's.
    package var isPublic = false
    /// The conditions of root programs on the anchor, those that every path meets included.
    package var conditions: [AnchorConditions] = []
    /// The limits on the date of issuance, each with the date that met it.
    package var decisions: [IssuanceDecision] = []
}
