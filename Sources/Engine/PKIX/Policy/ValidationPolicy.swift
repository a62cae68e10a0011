// SPDX-License-Identifier: Apache-2.0

/// The requirements on a path, except for the host name and the date.
public struct ValidationPolicy: Sendable, Hashable {
    /// A set of rules for paths.
    public enum Profile: String, Sendable, Hashable, CaseIterable, Codable {
        /// The rules of browsers and Apple for public TLS servers. In addition to RFC 5280, the leaf and its issuers
        /// must be v3 certificates.
        ///
        /// Both profiles use only the subject alternative name for the host name. They refuse RSA keys below 2048 bits,
        /// SHA-1, MD5, DSA and curves other than P-256, P-384 and P-521. They also enforce an anchor's own dates,
        /// name constraints, path length and extended key usage, but not its policy constraints (RFC 5280 § 6.1.1).
        case webPKI
        /// Plain path validation, for private PKIs and for purposes other than TLS. It accepts v1 anchors, and leaf
        /// keys with algorithms that the engine doesn't verify. It doesn't check the leaf's key usage.
        case rfc5280
    }

    /// The purpose of the leaf. The extended key usage of the leaf must allow it, and so must that of every issuer that
    /// has one, including the anchor.
    public enum Purpose: String, Sendable, Hashable, CaseIterable, Codable {
        /// Authentication of a TLS server.
        case serverAuth
        /// Authentication of a TLS client.
        case clientAuth
        /// Any purpose. Extended key usage isn't checked.
        case any
    }

    /// The inputs of RFC 5280 § 6.1.1 (c) to (g) about certificate policies.
    public struct CertificatePolicies: Sendable, Hashable {
        /// The `user-initial-policy-set`, or nil for any policy.
        public var acceptable: Set<OID>?
        /// The `initial-explicit-policy`: whether the path must be valid for at least one of ``acceptable``. False by
        /// default.
        package var requireExplicit: Bool
        /// The `initial-policy-mapping-inhibit`: whether to ignore policy mappings. False by default.
        package var inhibitMapping: Bool
        /// The `initial-any-policy-inhibit`: whether to ignore anyPolicy in certificates. False by default.
        package var inhibitAny: Bool

        /// Creates the inputs. By default any policy is acceptable and none is required.
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

    /// The set of rules that the path must meet.
    public var profile: Profile
    /// The required purpose of the leaf.
    public var purpose: Purpose
    /// Whether the strict rules apply. These are rules that bind CAs but that practical verifiers relax: rules of RFC
    /// 5280, and with ``Profile/webPKI`` also of the CA/Browser baseline. They also apply to the anchor. Each has a code
    /// that starts with `strict`.
    public var isStrict: Bool
    /// The largest number of intermediates between leaf and anchor that aren't self-issued, or nil to apply only the
    /// budget's depth.
    public var maximumIntermediates: Int?
    /// The inputs about certificate policies.
    public var certificatePolicies: CertificatePolicies
    /// The bound on the work of one validation.
    package var budget: ValidationBudget

    /// Creates a policy. By default it uses the web PKI profile and server authentication, isn't strict, and accepts
    /// any certificate policy.
    public init(
        profile: Profile = .webPKI, purpose: Purpose = .serverAuth, isStrict: Bool = false,
        maximumIntermediates: Int? = nil, certificatePolicies: CertificatePolicies = CertificatePolicies()
    ) {
        self.init(
            profile: profile, purpose: purpose, isStrict: isStrict, maximumIntermediates: maximumIntermediates,
            certificatePolicies: certificatePolicies, budget: ValidationBudget())
    }

    /// Creates a policy with a custom budget.
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

/// The bound on the work of one validation. An exhausted budget is a failure with its own code: never a hang, never an
/// acceptance.
///
/// Together, the defaults keep the worst input under 50 ms. The chains of the public web need less than a twentieth of
/// each.
package struct ValidationBudget: Sendable, Hashable {
    /// The number of signature checks, in units of one with P-256 or RSA-2048 (about 30 µs). P-384 costs 10, P-521 20,
    /// RSA-4096 4, and ML-DSA 4 to 6.
    ///
    /// 200 covers a path of eight P-521 CAs. (rustls-webpki allows 100 checks of any kind, Go 100.)
    var signatures: Int
    /// The number of issuers listed and tried, on all paths together. BetterTLS' worst valid path needs under 100. A
    /// clique of eight has 10⁵ paths.
    package var steps: Int
    /// The number of comparisons of names with name constraints, one for each constraint that is read. The default is
    /// 250,000, as in rustls-webpki. That is 500 names against 500 constraints, or about 10 ms.
    var comparisons: Int
    /// The number of certificates in a path, including leaf and anchor. The longest paths in use have six. 32 leaves
    /// room for private bridges. More than 64 counts as 64.
    var depth: Int
    /// The total number of bytes in presented certificates and extra intermediates. A TLS 1.3 message can have up to 16
    /// MiB, and clients cut off at 100 KB or less. The default of 4 MiB also fits a bundle of all public intermediates.
    package var bytes: Int
    /// The number of bytes read, counting a byte each time it is read: for parsing, normalizing names, reading lists,
    /// and the additional checks of a path. A non-ASCII byte of a name counts as 256. 20 million take about 20 to 40
    /// ms. The longest chain of the public web needs under 100,000.
    var work: Int

    /// Creates a budget. Each property documents its default.
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
