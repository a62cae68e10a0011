// SPDX-License-Identifier: Apache-2.0

/// The policy of a revocation check: whether it takes place, which evidence counts, and for how long.
///
/// ```swift
/// settings.revocation = .bestEffort
/// settings.revocation = RevocationPolicy(.required, sources: .crls, scope: .leaf)
/// settings.revocation.maximumAge.leaf = .days(4)
/// ```
/// Durations count in whole seconds, rounded down. A revocation by evidence at hand refuses with every policy.
public struct RevocationPolicy: Sendable, Hashable {
    /// The consequence of a missing answer. The set is complete.
    public enum Mode: String, Sendable, Hashable, CaseIterable, Codable {
        /// Nothing is fetched, nothing vouches and nothing is required: the verdict lists revocation as not checked. Evidence at hand (the
        /// staple, `TrustSettings.revocationData`) that says "revoked" refuses all the same, and so does evidence whose check needs more
        /// work than `RevocationBudget` permits.
        case off
        /// Certificates that can't be checked count as good, unless the check needs more work than `RevocationBudget` permits. Revoked
        /// certificates are refused.
        case bestEffort
        /// Certificates that can't be checked are refused.
        case required
    }

    /// Kinds of evidence.
    public struct Sources: OptionSet, Sendable, Hashable {
        /// The kinds as bits.
        public let rawValue: UInt8
        /// Creates kinds from bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// OCSP responses, staples among them.
        public static let ocsp = Sources(rawValue: 1)
        /// CRLs.
        public static let crls = Sources(rawValue: 2)
        /// OCSP responses and CRLs.
        public static let all: Sources = [.ocsp, .crls]
    }

    /// The certificates of a path that are checked. The anchor never is.
    public enum Scope: String, Sendable, Hashable, CaseIterable, Codable {
        /// Only the leaf.
        case leaf
        /// All certificates except the anchor.
        case path
    }

    /// The anchors to whose paths a rule applies.
    public enum Anchors: String, Sendable, Hashable, CaseIterable, Codable {
        /// None.
        case none
        /// Those of root programs: of the system's anchors those that aren't the administrator's own, and others that a root program's
        /// complete list names. A path that the operating system has validated counts as one of these where that is the stricter rule.
        case publicAnchors
        /// All.
        case all
    }

    /// The age of evidence beyond which it doesn't establish the status good, counted from `thisUpdate` to the verify date, of CRLs and
    /// OCSP responses alike. The `nextUpdate` of evidence counts as well.
    ///
    /// Public CAs issue CRLs and responses about leaves at least every seven days, and about CAs every twelve months (CA/Browser baseline
    /// § 4.9.7 and § 4.9.10), so that older evidence says more about who delivers it.
    public struct MaximumAge: Sendable, Hashable {
        /// The age of evidence about leaves; 10 days by default.
        public var leaf: Duration
        /// The age of evidence about CAs; 366 days by default.
        public var authority: Duration
        /// The anchors to whose paths the limits apply; public ones by default. Private CAs may issue their lists as seldom as they like.
        public var anchors: Anchors

        /// Creates limits.
        /// - Parameters:
        ///   - leaf: the age of evidence about leaves.
        ///   - authority: the age of evidence about CAs.
        ///   - anchors: the anchors to whose paths the limits apply.
        public init(
            leaf: Duration = .days(10), authority: Duration = .days(366), anchors: Anchors = .publicAnchors
        ) {
            self.leaf = leaf
            self.authority = authority
            self.anchors = anchors
        }
    }

    /// The consequence of a missing answer.
    public var mode: Mode
    /// The kinds of evidence that vouch and are fetched; OCSP responses and CRLs by default. Filters vouch with each. Evidence at hand of
    /// another kind that revokes counts in any case.
    public var sources: Sources
    /// Whether CRLs are fetched first, and the finding names the CRL if CRLs and OCSP both have the status good; false by default. A
    /// revocation counts in either.
    public var prefersCRLs: Bool
    /// The certificates that are checked; the whole path by default. A revocation by evidence at hand counts for each certificate of a
    /// path except the anchor.
    public var scope: Scope
    /// Whether an evaluation with a source of evidence may fetch revocation data; true by default. If false, staples, caches and evidence
    /// at hand are used. Missing issuers are fetched with either.
    public var fetching: Bool

    /// The age beyond which evidence vouches for nothing, and still revokes; by default 10 days about leaves and 366 days about CAs,
    /// below public anchors.
    public var maximumAge = MaximumAge()
    /// The time for which an OCSP response without `nextUpdate` counts after its `thisUpdate`; 1 day by default. Newer information is
    /// always available then, so an old response must not be replayed for ever (RFC 6960 § 4.2.2.1).
    public var maximumAgeWithoutNextUpdate = Duration.days(1)
    /// The time for which filters vouch for a certificate after the date of the newest; 10 days by default. An older filter still revokes.
    public var maximumFilterAge = Duration.days(10)
    /// The time by which evidence may be dated into the future, as clocks differ; 5 minutes by default. Its end is not extended.
    public var futureTolerance = Duration.seconds(300)
    /// The anchors whose certificates are exempt if they are short-lived: leaves whose validity, the last second included, is at most 7 days
    /// if notBefore is 2026-03-15 or later, and 10 days from 2024-03-15; public ones by default. The finding is
    /// ``RevocationExemption/shortLived``.
    public var shortLivedExemption = Anchors.publicAnchors

    /// Creates a policy. Ages, tolerance and exemption have their defaults.
    /// - Parameters:
    ///   - mode: the consequence of a missing answer.
    ///   - sources: the kinds of evidence that vouch and are fetched; OCSP responses and CRLs by default.
    ///   - prefersCRLs: whether CRLs are fetched first and named first; false by default.
    ///   - scope: the certificates that are checked; the whole path except the anchor by default.
    ///   - fetching: whether an evaluation with a source of evidence may fetch revocation data; true by default.
    public init(
        _ mode: Mode, sources: Sources = .all, prefersCRLs: Bool = false, scope: Scope = .path, fetching: Bool = true
    ) {
        self.mode = mode
        self.sources = sources
        self.prefersCRLs = prefersCRLs
        self.scope = scope
        self.fetching = fetching
    }

    /// No check. Only evidence at hand that says "revoked" refuses.
    public static let off = RevocationPolicy(.off)
    /// A check of the whole path with OCSP responses and CRLs, which may be fetched. Certificates that can't be checked count as good.
    public static let bestEffort = RevocationPolicy(.bestEffort)
    /// A check of the whole path with OCSP responses and CRLs, which may be fetched. Certificates that can't be checked are refused.
    public static let required = RevocationPolicy(.required)
}

extension RevocationPolicy.Anchors {
    /// Whether a path to an anchor is one of them.
    func includes(_ isPublic: Bool) -> Bool {
        switch self {
        case .none: false
        case .publicAnchors: isPublic
        case .all: true
        }
    }
}

extension RevocationPolicy {
    /// Whether OCSP responses vouch and are fetched.
    package var usesOCSP: Bool { sources.contains(.ocsp) }

    /// Whether CRLs vouch and are fetched.
    package var usesCRLs: Bool { sources.contains(.crls) }

    /// Whether the maximum age applies to evidence about the certificates of a path.
    package func limitsAge(of path: ValidatedPath) -> Bool {
        maximumAge.anchors.includes(path.anchorFacts?.isPublic ?? true)
    }

    /// The first second at which evidence of a date counts, which may lie before the date as clocks differ.
    func firstSecond(ofEvidenceFrom date: Time) -> Time { date.advanced(by: -futureTolerance.wholeSeconds) }
}

extension RevocationChecker {
    /// Returns the last second at which evidence of a date establishes the status good of a certificate; nil for no limit.
    func lastSecond(ofEvidenceFrom thisUpdate: Time, _ target: RevocationTarget) -> Time? {
        guard policy.limitsAge(of: target.path) else { return nil }
        return thisUpdate.advanced(by: target.index == 0 ? policy.maximumAge.leaf : policy.maximumAge.authority)
    }
}
