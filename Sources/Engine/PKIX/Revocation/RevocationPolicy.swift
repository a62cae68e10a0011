// SPDX-License-Identifier: Apache-2.0

/// The policy for revocation checks: whether a check takes place, which evidence counts, and for how long.
///
/// ```swift
/// settings.revocation = .bestEffort
/// settings.revocation = RevocationPolicy(.required, sources: .crls, scope: .leaf)
/// settings.revocation.maximumAge.leaf = .days(4)
/// ```
/// Durations count in whole seconds, rounded down. With every policy, a certificate that available evidence revokes is
/// refused.
public struct RevocationPolicy: Sendable, Hashable {
    /// The treatment of certificates whose revocation status is unknown. Future versions add no cases.
    public enum Mode: String, Sendable, Hashable, CaseIterable, Codable {
        /// The evaluator fetches nothing and requires nothing, and no evidence establishes the good status. The verdict
        /// lists revocation as not checked. A certificate is still refused if available evidence (the staple,
        /// `TrustSettings.revocationData`) says "revoked", or if checking that evidence needs more work than
        /// `RevocationBudget` permits.
        case off
        /// Certificates that can't be checked count as good, unless the check needs more work than `RevocationBudget`
        /// permits. Revoked certificates are refused.
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

        /// OCSP responses, including staples.
        public static let ocsp = Sources(rawValue: 1)
        /// CRLs.
        public static let crls = Sources(rawValue: 2)
        /// OCSP responses and CRLs.
        public static let all: Sources = [.ocsp, .crls]
    }

    /// The certificates of a path that are checked. The anchor is never checked.
    public enum Scope: String, Sendable, Hashable, CaseIterable, Codable {
        /// Only the leaf.
        case leaf
        /// All certificates except the anchor.
        case path
    }

    /// The anchors whose paths a rule applies to.
    public enum Anchors: String, Sendable, Hashable, CaseIterable, Codable {
        /// No anchors.
        case none
        /// The anchors of root programs: the system's anchors except those that the administrator has added, and other
        /// anchors that a root program's complete list names. A path that the operating system has validated counts as
        /// a path to one of these where that is the stricter rule.
        case publicAnchors
        /// All anchors.
        case all
    }

    /// The maximum age of evidence for the good status, from `thisUpdate` to the verify date. It applies to both CRLs
    /// and OCSP responses, in addition to their `nextUpdate`.
    ///
    /// Public CAs issue CRLs and responses about leaves at least every seven days, and about CAs every twelve months
    /// (CA/Browser baseline § 4.9.7 and § 4.9.10). Older evidence therefore says more about its source than about the
    /// CA.
    public struct MaximumAge: Sendable, Hashable {
        /// The maximum age of evidence about leaves. The default is 10 days.
        public var leaf: Duration
        /// The maximum age of evidence about CAs. The default is 366 days.
        public var authority: Duration
        /// The anchors whose paths the limits apply to. The default is public anchors. Private CAs may issue their
        /// lists as rarely as they like.
        public var anchors: Anchors

        /// Creates limits.
        /// - Parameters:
        ///   - leaf: the maximum age of evidence about leaves.
        ///   - authority: the maximum age of evidence about CAs.
        ///   - anchors: the anchors whose paths the limits apply to.
        public init(
            leaf: Duration = .days(10), authority: Duration = .days(366), anchors: Anchors = .publicAnchors
        ) {
            self.leaf = leaf
            self.authority = authority
            self.anchors = anchors
        }
    }

    /// The treatment of certificates whose revocation status is unknown.
    public var mode: Mode
    /// The kinds of evidence that can establish the good status and are fetched. The default is OCSP responses and
    /// CRLs. Filters can establish the good status with any value. Available evidence of another kind can still revoke.
    public var sources: Sources
    /// Whether the evaluator fetches CRLs first, and the finding names the CRL if a CRL and OCSP both establish the
    /// good status. The default is false. A revocation counts in either.
    public var prefersCRLs: Bool
    /// The certificates that are checked. The default is the whole path. If available evidence revokes a certificate
    /// outside this scope, the revocation still counts, except for the anchor.
    public var scope: Scope
    /// Whether an evaluation with a source of evidence may fetch revocation data. The default is true. If false, the
    /// evaluation uses only staples, caches and available evidence. It fetches missing issuers with either value.
    public var fetching: Bool

    /// The age beyond which evidence can only revoke. The default is 10 days for leaves and 366 days for CAs, in paths
    /// to public anchors.
    public var maximumAge = MaximumAge()
    /// The time after `thisUpdate` during which an OCSP response without `nextUpdate` counts. The default is 1 day.
    /// Without `nextUpdate`, newer information is always available, so the limit keeps an old response from being
    /// replayed forever (RFC 6960 § 4.2.2.1).
    public var maximumAgeWithoutNextUpdate = Duration.days(1)
    /// The time after the date of the newest filter during which filters can establish the good status. The default is
    /// 10 days. Older filters can only revoke.
    public var maximumFilterAge = Duration.days(10)
    /// The tolerance for evidence dated in the future, because clocks differ. The default is 5 minutes. It
    /// doesn't extend the end of the evidence.
    public var futureTolerance = Duration.seconds(300)
    /// The anchors below which short-lived leaves are exempt. The default is public anchors. The validity of a
    /// short-lived leaf, including the last second, is at most 7 days if its notBefore is 2026-03-15 or later. With an
    /// earlier notBefore, from 2024-03-15 on, it is at most 10 days. The finding is ``RevocationExemption/shortLived``.
    public var shortLivedExemption = Anchors.publicAnchors

    /// Creates a policy. Ages, tolerance and exemption have their defaults.
    /// - Parameters:
    ///   - mode: the treatment of certificates whose revocation status is unknown.
    ///   - sources: the kinds of evidence that can establish the good status and are fetched. The default is OCSP
    ///     responses and CRLs.
    ///   - prefersCRLs: whether CRLs are fetched first and named first. The default is false.
    ///   - scope: the certificates that are checked. The default is the whole path except the anchor.
    ///   - fetching: whether an evaluation with a source of evidence may fetch revocation data. The default is true.
    public init(
        _ mode: Mode, sources: Sources = .all, prefersCRLs: Bool = false, scope: Scope = .path, fetching: Bool = true
    ) {
        self.mode = mode
        self.sources = sources
        self.prefersCRLs = prefersCRLs
        self.scope = scope
        self.fetching = fetching
    }

    /// No revocation check. Available evidence that says "revoked" still refuses a certificate.
    public static let off = RevocationPolicy(.off)
    /// A check of the whole path with OCSP responses and CRLs, which the evaluator may fetch. Certificates that can't
    /// be checked count as good.
    public static let bestEffort = RevocationPolicy(.bestEffort)
    /// A check of the whole path with OCSP responses and CRLs, which the evaluator may fetch. Certificates that can't
    /// be checked are refused.
    public static let required = RevocationPolicy(.required)
}

extension RevocationPolicy.Anchors {
    /// Whether these anchors include the anchor of a path.
    func includes(_ isPublic: Bool) -> Bool {
        switch self {
        case .none: false
        case .publicAnchors: isPublic
        case .all: true
        }
    }
}

extension RevocationPolicy {
    /// Whether OCSP responses can establish the good status and are fetched.
    package var usesOCSP: Bool { sources.contains(.ocsp) }

    /// Whether CRLs can establish the good status and are fetched.
    package var usesCRLs: Bool { sources.contains(.crls) }

    /// Whether the maximum age applies to evidence about the certificates of a path.
    package func limitsAge(of path: ValidatedPath) -> Bool {
        maximumAge.anchors.includes(path.anchorFacts?.isPublic ?? true)
    }

    /// The first second when evidence with this date counts. It may be before the date, because clocks differ.
    func firstSecond(ofEvidenceFrom date: Time) -> Time { date.advanced(by: -futureTolerance.wholeSeconds) }
}

extension RevocationChecker {
    /// Returns the last second for which evidence with this date establishes the good status of a certificate, or nil
    /// if there is no limit.
    func lastSecond(ofEvidenceFrom thisUpdate: Time, _ target: RevocationTarget) -> Time? {
        guard policy.limitsAge(of: target.path) else { return nil }
        return thisUpdate.advanced(by: target.index == 0 ? policy.maximumAge.leaf : policy.maximumAge.authority)
    }
}
