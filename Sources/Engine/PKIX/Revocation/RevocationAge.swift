// SPDX-License-Identifier: Apache-2.0

/// The anchors to whose paths a rule applies.
public enum RevocationAnchors: String, Sendable, Hashable, CaseIterable, Codable {
    /// None.
    case none
    /// Those of root programs: of the system's anchors those that aren't the administrator's own, and others that a root program's
    /// complete list names. A path that the operating system has validated counts as one of these where that is the stricter rule.
    case publicAnchors
    /// All.
    case all

    /// Whether a path to an anchor is one of them.
    func includes(_ isPublic: Bool) -> Bool {
        switch self {
        case .none: false
        case .publicAnchors: isPublic
        case .all: true
        }
    }
}

/// The age of evidence beyond which it doesn't establish the status good, counted from `thisUpdate` to the verify date, of CRLs and OCSP
/// responses alike. The `nextUpdate` of evidence counts as well.
///
/// Public CAs issue CRLs and responses about leaves at least every seven days, and about CAs every twelve months (CA/Browser baseline
/// § 4.9.7 and § 4.9.10), so that older evidence says more about who delivers it.
public struct RevocationAge: Sendable, Hashable {
    /// Seconds about leaves; 864,000 by default, 10 days.
    public var leaf: Int64
    /// Seconds about CAs; 31,622,400 by default, 366 days.
    public var authority: Int64
    /// The anchors to whose paths the limits apply; public ones by default. Private CAs may issue their lists as seldom as they like.
    public var anchors: RevocationAnchors

    /// Creates limits.
    /// - Parameters:
    ///   - leaf: seconds about leaves.
    ///   - authority: seconds about CAs.
    ///   - anchors: the anchors to whose paths the limits apply.
    public init(
        leaf: Int64 = 864_000, authority: Int64 = 31_622_400, anchors: RevocationAnchors = .publicAnchors
    ) {
        self.leaf = leaf
        self.authority = authority
        self.anchors = anchors
    }
}

extension RevocationRules {
    /// Whether the maximum age applies to evidence about the certificates of a path.
    package func limitsAge(of path: ValidatedPath) -> Bool {
        maximumAge.anchors.includes(path.anchorFacts?.isPublic ?? true)
    }
}

extension RevocationChecker {
    /// Returns the last second at which evidence of a date establishes the status good of a certificate; nil for no limit.
    func lastSecond(ofEvidenceFrom thisUpdate: Time, _ target: RevocationTarget) -> Time? {
        guard rules.limitsAge(of: target.path) else { return nil }
        return thisUpdate.advanced(by: target.index == 0 ? rules.maximumAge.leaf : rules.maximumAge.authority)
    }
}
