// SPDX-License-Identifier: Apache-2.0

/// What a path is asked for, apart from the host name and the date.
public struct ValidationPolicy: Sendable, Hashable {
    /// Which set of rules.
    public enum Profile: String, Sendable, Hashable, CaseIterable, Codable {
        /// What browsers and Apple ask of a public TLS server: on top of RFC 5280 a v3 leaf and v3 issuers.
        ///
        /// Both profiles take the host name from the subject alternative name alone, refuse RSA below 2048 bits, SHA-1, MD5, DSA
        /// and curves other than P-256, P-384 and P-521, and hold anchors to their own dates, names, path length and extended
        /// key usage (not to policy constraints, RFC 5280 § 6.1.1).
        case webPKI
        /// Plain path validation, for private PKIs and for purposes other than TLS: v1 anchors, and leaf keys of algorithms that
        /// aren't verified here, are accepted; key usage of the leaf is not looked at.
        case rfc5280
    }

    /// What the leaf is to be used for: asked of its extended key usage and of that of every issuer, the anchor among them,
    /// that has one.
    public enum Purpose: String, Sendable, Hashable, CaseIterable, Codable {
        case serverAuth
        case clientAuth
        /// Extended key usage is not looked at.
        case any
    }

    /// The inputs of RFC 5280 § 6.1.1 (c) to (g) that concern certificate policies.
    public struct CertificatePolicies: Sendable, Hashable {
        /// `user-initial-policy-set`: nil for any policy.
        public var acceptable: Set<OID>?
        /// `initial-explicit-policy`: the path must be valid for at least one of ``acceptable``.
        public var requireExplicit: Bool
        /// `initial-policy-mapping-inhibit`: mappings don't count.
        public var inhibitMapping: Bool
        /// `initial-any-policy-inhibit`: anyPolicy in a certificate does not count.
        public var inhibitAny: Bool

        public init(
            acceptable: Set<OID>? = nil, requireExplicit: Bool = false, inhibitMapping: Bool = false,
            inhibitAny: Bool = false
        ) {
            self.acceptable = acceptable
            self.requireExplicit = requireExplicit
            self.inhibitMapping = inhibitMapping
            self.inhibitAny = inhibitAny
        }
    }

    public var profile: Profile
    public var purpose: Purpose
    /// Adds the rules of RFC 5280, and with ``Profile/webPKI`` those of the CA/Browser baseline, that bind CAs and that practical
    /// verifiers relax. Each has a code that starts with `strict`.
    public var isStrict: Bool
    /// How many intermediates that aren't self-issued may stand between leaf and anchor; nil for the budget's depth alone.
    public var maximumIntermediates: Int?
    public var certificatePolicies: CertificatePolicies
    public var budget: ValidationBudget

    /// Unless told otherwise: web PKI, server authentication, not strict, any certificate policy.
    public init(
        profile: Profile = .webPKI, purpose: Purpose = .serverAuth, isStrict: Bool = false,
        maximumIntermediates: Int? = nil, certificatePolicies: CertificatePolicies = CertificatePolicies(),
        budget: ValidationBudget = ValidationBudget()
    ) {
        self.profile = profile
        self.purpose = purpose
        self.isStrict = isStrict
        self.maximumIntermediates = maximumIntermediates
        self.certificatePolicies = certificatePolicies
        self.budget = budget
    }
}

/// How much work one validation may cause. Running out is a failure of its own code: never a hang, never an acceptance.
///
/// The defaults together keep the worst input under 50 ms; the chains of the public web need less than a twentieth of each.
public struct ValidationBudget: Sendable, Hashable {
    /// Signature checks, in units of one with P-256 or RSA-2048 (some 30 µs): P-384 costs 10, P-521 20, RSA-4096 4, ML-DSA 4 to 6.
    ///
    /// 200 covers a path of eight P-521 CAs. (rustls-webpki allows 100 checks of any kind, Go 100.)
    public var signatures: Int
    /// Issuers listed and issuers tried, on all paths together. BetterTLS' worst valid path needs under 100; a clique of
    /// eight has 10⁵ paths.
    public var steps: Int
    /// Names held against name constraints, each constraint looked at counting one. 250,000 as in rustls-webpki: 500 names
    /// against 500 constraints, or some 10 ms.
    public var comparisons: Int
    /// Certificates in a path, leaf and anchor included. The longest in use have six; 32 leaves room for private bridges;
    /// more than 64 count as 64.
    public var depth: Int
    /// Bytes of presented certificates and extra intermediates together. A TLS 1.3 message holds at most 16 MiB, and
    /// clients cut off at 100 KB or less; 4 MiB also fits a bundle of all public intermediates.
    public var bytes: Int
    /// Bytes read, counted once for each time that they are read: parsing, normalising names, walking through lists. Folding
    /// a character beyond ASCII counts 32. 20 million take some 20 to 40 ms; the longest chain of the public web needs under
    /// 100,000.
    public var work: Int

    public init(
        signatures: Int = 200, steps: Int = 4_000, comparisons: Int = 250_000, depth: Int = 32, bytes: Int = 4 << 20,
        work: Int = 20_000_000
    ) {
        self.signatures = signatures
        self.steps = steps
        self.comparisons = comparisons
        self.depth = depth
        self.bytes = bytes
        self.work = work
    }
}
