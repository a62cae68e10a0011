// SPDX-License-Identifier: Apache-2.0

/// The requirements on a path, apart from the host name and the date.
public struct ValidationPolicy: Sendable, Hashable {
    /// A set of rules.
    public enum Profile: String, Sendable, Hashable, CaseIterable, Codable {
        /// The rules of browsers and Apple for public TLS servers: in addition to RFC 5280 a v3 leaf and v3 issuers.
        ///
        /// Both profiles take the host name from the subject alternative name alone, refuse RSA below 2048 bits, SHA-1,
        /// MD5, DSA and curves other than P-256, P-384 and P-521, and apply to anchors their own dates, names, path
        /// length and extended key usage (not policy constraints, RFC 5280 § 6.1.1).
        case webPKI
        /// Plain path validation, for private PKIs and for purposes other than TLS: v1 anchors, and leaf keys of
        /// algorithms that aren't verified here, are accepted; key usage of the leaf is not checked.
        case rfc5280
    }

    /// The purpose of the leaf, required of its extended key usage and of that of every issuer that has one, the anchor
    /// included.
    public enum Purpose: String, Sendable, Hashable, CaseIterable, Codable {
        /// Authentication of TLS servers.
        case serverAuth
        /// Authentication of TLS clients.
        case clientAuth
        /// Any purpose: extended key usage is not checked.
        case any
    }

    /// The inputs of RFC 5280 § 6.1.1 (c) to (g) that concern certificate policies.
    public struct CertificatePolicies: Sendable, Hashable {
        /// The `user-initial-policy-set`; nil for any policy.
        public var acceptable: Set<OID>?
        /// The `initial-explicit-policy`: the path must be valid for at least one of ``acceptable``. False by default.
        package var requireExplicit: Bool
        /// The `initial-policy-mapping-inhibit`: mappings don't count. False by default.
        package var inhibitMapping: Bool
        /// The `initial-any-policy-inhibit`: anyPolicy in a certificate does not count. False by default.
        package var inhibitAny: Bool

        /// Creates the inputs; by default any policy is acceptable and none is required.
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

    /// The set of rules.
    public var profile: Profile
    /// The purpose of the leaf.
    public var purpose: Purpose
    /// Whether the strict rules apply: those of RFC 5280, and with ``Profile/webPKI`` those of the CA/Browser baseline,
    /// that bind CAs and that practical verifiers relax. Each has a code that starts with `strict`.
    public var isStrict: Bool
    /// The largest number of intermediates between leaf and anchor that aren't self-issued; nil for the budget's depth
    /// alone.
    public var maximumIntermediates: Int?
    /// The inputs that concern certificate policies.
    public var certificatePolicies: CertificatePolicies
    /// The bound on the work of one validation.
    package var budget: ValidationBudget

    /// Creates a policy; by default web PKI, server authentication, not strict, any certificate policy.
    public init(
        profile: Profile = .webPKI, purpose: Purpose = .serverAuth, isStrict: Bool = false,
        maximumIntermediates: Int? = nil, certificatePolicies: CertificatePolicies = CertificatePolicies()
    ) {
        self.init(
            profile: profile, purpose: purpose, isStrict: isStrict, maximumIntermediates: maximumIntermediates,
            certificatePolicies: certificatePolicies, budget: ValidationBudget())
    }

    /// Creates a policy with a budget of its own.
    package init(
        profile: Profile = .webPKI, purpose: Purpose = .serverAuth, isStrict: Bool = false,
        maximumIntermediates: Int? = nil, certificatePolicies: CertificatePolicies = CertificatePolicies(),
        budget: ValidationBudget
    ) {
        self.profile = profile
        self.purpose = purpose
        self.isStrict = isStrict
        self.maximumIntermediates = maximumIntermediates
        self.certificatePolicies = certificatePolicies
        self.budget = budget
    }
}

/// The bound on the work of one validation. An exhausted budget is a failure with a code of its own: never a hang,
/// never an acceptance.
///
/// The defaults together keep the worst input under 50 ms; the chains of the public web need less than a twentieth of
/// each.
package struct ValidationBudget: Sendable, Hashable {
    /// Signature checks, in units of one with P-256 or RSA-2048 (some 30 µs): P-384 costs 10, P-521 20, RSA-4096 4, ML-DSA 4 to 6.
    ///
    /// 200 covers a path of eight P-521 CAs. (rustls-webpki allows 100 checks of any kind, Go 100.)
    package var signatures: Int
    /// Issuers listed and issuers tried, on all paths together. BetterTLS' worst valid path needs under 100; a clique
    /// of eight has 10⁵ paths.
    package var steps: Int
    /// Comparisons of names with name constraints, one for each constraint that is read. 250,000 as in rustls-webpki:
    /// 500 names against 500 constraints, or some 10 ms.
    package var comparisons: Int
    /// Certificates in a path, leaf and anchor included. The longest in use have six; 32 leaves room for private
    /// bridges; more than 64 count as 64.
    package var depth: Int
    /// Bytes of presented certificates and extra intermediates together. A TLS 1.3 message holds at most 16 MiB, and
    /// clients cut off at 100 KB or less; 4 MiB also fits a bundle of all public intermediates.
    package var bytes: Int
    /// Bytes read, counted each time that they are read: parsing, normalizing names, reading lists, the additional checks of
    /// a path. A byte of a name beyond ASCII counts 256. 20 million take some 20 to 40 ms; the longest chain of the public
    /// web needs under 100,000.
    package var work: Int

    /// Creates a budget; each default is explained at its property.
    package init(
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
