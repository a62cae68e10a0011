// SPDX-License-Identifier: Apache-2.0

extension TrustFailure {
    /// The kind of a failure. Its name never changes, but new versions may add codes.
    ///
    /// A code contains its rank and its message, so layers above the engine can define their own codes. Equality and
    /// hashing use only the name. `ServerTrust` has the explanations, and `Diagnosis` the guides.
    public struct Code: Sendable {
        /// The properties of a code.
        final class Information: Sendable {
            let name: String
            let rank: Int
            let severity: Severity
            let message: String

            init(name: String, rank: Int, severity: Severity, message: String) {
                self.name = name
                self.rank = rank
                self.severity = severity
                self.message = message
            }
        }

        private let information: Information

        /// Whether a user or an app may accept a failure.
        public enum Severity: String, Sendable, Hashable, Codable {
            /// The certificate is authentic, or at least recognizable when the server sends it again. An exception can
            /// cover the failure.
            case recoverable
            /// The signature is wrong or couldn't be checked, or the certificate is revoked. Don't rely on any of its
            /// contents.
            case fatal
            /// The engine reached no decision.
            case undecided
        }

        /// Creates a code for a layer above the engine.
        /// - Parameters:
        ///   - name: a unique name in lower camel case that never changes.
        ///   - rank: the order among failures. A higher rank is more specific. The engine's codes use 1 to 90, except
        ///     ``certificateDenied``.
        ///   - severity: whether an exception can cover the failure.
        ///   - message: a one-line template with `{subject}` (the certificate), `{expected}` and `{found}`.
        public init(_ name: String, rank: Int, severity: Severity, message: String) {
            self.information = Information(name: name, rank: rank, severity: severity, message: message)
        }

        /// The name.
        public var name: String { information.name }
        /// The order among failures. The failure with the highest rank is the headline of its path.
        package var rank: Int { information.rank }
        /// Whether an exception can cover the failure.
        public var severity: Severity { information.severity }
        /// The message for people: a one-line template with `{subject}` for the certificate, `{expected}` and
        /// `{found}`.
        public var message: String { information.message }
        /// Whether the rule applies only with a strict policy.
        package var isStrictOnly: Bool { name.hasPrefix("strict") }
    }
}

extension TrustFailure.Code: TrustErrorCode {
    public static func == (left: Self, right: Self) -> Bool {
        left.information === right.information || left.name == right.name
    }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    public var description: String { name }
}

// MARK: - Signatures and keys

extension TrustFailure.Code {
    /// The signature doesn't verify with the issuer's key (RFC 5280 § 6.1.3 (a)(1)).
    public static let signatureInvalid = Self(
        "signatureInvalid", rank: 90, severity: .fatal,
        message: "{subject} is not signed by its issuer {expected}")

    /// The signature algorithms inside and outside the signed part differ (RFC 5280 § 4.1.1.2).
    package static let signatureAlgorithmMismatch = Self(
        "signatureAlgorithmMismatch", rank: 89, severity: .fatal,
        message: "{subject} names two signature algorithms: {expected} inside the signed part, {found} outside")

    /// The signature uses MD2, MD4 or MD5.
    package static let signatureUsesMD5 = Self(
        "signatureUsesMD5", rank: 86, severity: .fatal,
        message: "{subject} is signed with MD2, MD4 or MD5, expected SHA-256 or better")

    /// The signature uses SHA-1 (RFC 9155).
    public static let signatureUsesSHA1 = Self(
        "signatureUsesSHA1", rank: 85, severity: .fatal,
        message: "{subject} is signed with SHA-1, expected SHA-256 or better")

    /// The signature uses DSA.
    package static let signatureUsesDSA = Self(
        "signatureUsesDSA", rank: 84, severity: .fatal,
        message: "{subject} is signed with DSA, expected RSA, ECDSA, Ed25519 or ML-DSA")

    /// The engine doesn't support the signature's algorithm.
    package static let signatureAlgorithmUnsupported = Self(
        "signatureAlgorithmUnsupported", rank: 83, severity: .fatal,
        message: "{subject} is signed with an unsupported algorithm: {found}, expected {expected}")

    /// The engine doesn't accept the parameters of the signature algorithm (RFC 4055 § 3.1).
    package static let signatureParametersUnsupported = Self(
        "signatureParametersUnsupported", rank: 82, severity: .fatal,
        message: "{subject} is signed with an algorithm whose parameters are not allowed: {found}")

    /// The key uses explicit curve parameters instead of a named curve (RFC 5480 § 2.1.1).
    package static let keyUsesExplicitCurve = Self(
        "keyUsesExplicitCurve", rank: 80, severity: .fatal,
        message: "{subject} has a key with explicit curve parameters, expected a named curve")

    /// The key is on a curve other than P-256, P-384 and P-521.
    package static let keyUsesUnsupportedCurve = Self(
        "keyUsesUnsupportedCurve", rank: 79, severity: .fatal,
        message: "{subject} has a key on curve {found}, expected P-256, P-384 or P-521")

    /// The key is a DSA key.
    package static let keyUsesDSA = Self(
        "keyUsesDSA", rank: 78, severity: .fatal,
        message: "{subject} has a DSA key, expected RSA, an elliptic curve, Ed25519 or ML-DSA")

    /// The RSA modulus is shorter than 2048 bits.
    public static let rsaKeyTooSmall = Self(
        "rsaKeyTooSmall", rank: 77, severity: .fatal,
        message: "{subject} has an RSA key of {found} bits, expected at least {expected}")

    /// The RSA modulus is longer than 8192 bits.
    package static let rsaKeyTooLarge = Self(
        "rsaKeyTooLarge", rank: 76, severity: .fatal,
        message: "{subject} has an RSA key of {found} bits, expected at most {expected}")

    /// The key's bytes aren't a valid key of its algorithm.
    package static let keyMalformed = Self(
        "keyMalformed", rank: 75, severity: .fatal,
        message: "{subject} has a malformed {expected} key: {found}")

    /// The engine doesn't support the key's algorithm.
    package static let keyAlgorithmUnsupported = Self(
        "keyAlgorithmUnsupported", rank: 74, severity: .fatal,
        message: "{subject} has a key of an unsupported algorithm: {found}, expected {expected}")
}

// MARK: - Certificate

extension TrustFailure.Code {
    /// The certificate has a critical extension that the engine doesn't process (RFC 5280 § 4.2).
    package static let criticalExtensionUnhandled = Self(
        "criticalExtensionUnhandled", rank: 70, severity: .fatal,
        message: "{subject} has an unsupported critical extension: {found}")

    /// The role doesn't allow this X.509 version.
    package static let certificateVersionNotAllowed = Self(
        "certificateVersionNotAllowed", rank: 69, severity: .recoverable,
        message: "{subject} is an X.509 v{found} certificate, expected v{expected}")

    /// The issuer name is empty (RFC 5280 § 4.1.2.4).
    package static let issuerNameEmpty = Self(
        "issuerNameEmpty", rank: 68, severity: .recoverable,
        message: "{subject} names no issuer")

    /// An issuer states that it isn't a certificate authority (RFC 5280 § 6.1.4 (k)).
    package static let notCertificateAuthority = Self(
        "notCertificateAuthority", rank: 66, severity: .recoverable,
        message: "{subject} is used as an issuer but states that it isn't a certificate authority")

    /// An issuer has no basic constraints (RFC 5280 § 6.1.4 (k)).
    package static let basicConstraintsMissing = Self(
        "basicConstraintsMissing", rank: 65, severity: .recoverable,
        message: "{subject} is used as an issuer but has no basic constraints")

    /// An issuer's key usage lacks keyCertSign (RFC 5280 § 6.1.4 (n)).
    package static let keyUsageLacksCertSign = Self(
        "keyUsageLacksCertSign", rank: 64, severity: .recoverable,
        message: "{subject} is used as an issuer but its key usage lacks keyCertSign: {found}")

    /// The path has more intermediates below a CA than its path length constraint allows (RFC 5280 § 6.1.4 (l), (m)).
    package static let pathLengthExceeded = Self(
        "pathLengthExceeded", rank: 63, severity: .recoverable,
        message: "{subject} allows {expected} intermediates below it, found {found}")

    /// The extended key usage doesn't include the required purpose (RFC 5280 § 4.2.1.12).
    package static let extendedKeyUsageNotAllowed = Self(
        "extendedKeyUsageNotAllowed", rank: 62, severity: .recoverable,
        message: "{subject} is for {found}, expected {expected}")

    /// The key usage allows no TLS operation, or not the operation that the handshake needs (RFC 8446 § 4.4.2.2).
    package static let keyUsageNotForTLS = Self(
        "keyUsageNotForTLS", rank: 61, severity: .recoverable,
        message: "{subject} has key usage {found}, expected one of {expected}")

    /// A name is within a CA's excluded subtrees (RFC 5280 § 6.1.3 (c)).
    public static let nameExcluded = Self(
        "nameExcluded", rank: 60, severity: .recoverable,
        message: "{subject} has the name {found}, which a CA above it excludes: {expected}")

    /// A name is outside a CA's permitted subtrees (RFC 5280 § 6.1.3 (b)).
    public static let nameNotPermitted = Self(
        "nameNotPermitted", rank: 59, severity: .recoverable,
        message: "{subject} has the name {found}, expected one within {expected}")

    /// The engine can't compare a name with a name constraint of the same form (RFC 5280 § 4.2.1.10).
    package static let nameConstraintUndecidable = Self(
        "nameConstraintUndecidable", rank: 58, severity: .recoverable,
        message: "{subject} has the name {found}, which can't be compared with the constraint {expected}")

    /// A policy mapping maps to or from anyPolicy (RFC 5280 § 6.1.4 (a)).
    package static let policyMappingOfAnyPolicy = Self(
        "policyMappingOfAnyPolicy", rank: 57, severity: .recoverable,
        message: "{subject} maps to or from anyPolicy")

    /// The caller or a CA of the path requires a policy, but no acceptable policy is valid for the whole path (RFC 5280
    /// § 6.1.5 (g)).
    package static let policyNotAcceptable = Self(
        "policyNotAcceptable", rank: 56, severity: .recoverable,
        message: "{subject} has no acceptable certificate policy: found {found}, expected {expected}")

    /// A certificate doesn't require a TLS feature that its issuer's certificate requires (RFC 7633 § 4.2.2).
    package static let tlsFeatureMissing = Self(
        "tlsFeatureMissing", rank: 54, severity: .recoverable,
        message: "{subject} requires the TLS features {found}, but the CA above it also requires {expected}")

    /// The verify date is after the validity period (RFC 5280 § 6.1.3 (a)(2)).
    public static let certificateExpired = Self(
        "certificateExpired", rank: 50, severity: .recoverable,
        message: "{subject} expired {expected}, verify date {found}")

    /// The verify date is before the validity period (RFC 5280 § 6.1.3 (a)(2)).
    public static let certificateNotYetValid = Self(
        "certificateNotYetValid", rank: 49, severity: .recoverable,
        message: "{subject} is valid from {expected}, verify date {found}")
}

// MARK: - Names

extension TrustFailure.Code {
    /// The leaf has no subject alternative name (RFC 9525 § 6.3).
    public static let subjectAlternativeNameMissing = Self(
        "subjectAlternativeNameMissing", rank: 45, severity: .recoverable,
        message: "{subject} has no subject alternative name, expected {expected}")

    /// No alternative name of the leaf matches the host (RFC 9525 § 6).
    public static let hostMismatch = Self(
        "hostMismatch", rank: 44, severity: .recoverable,
        message: "{subject} is valid for {found}, not {expected}")
}

// MARK: - Strict rules

extension TrustFailure.Code {
    /// The serial number isn't positive, or is longer than 20 bytes (RFC 5280 § 4.1.2.2).
    package static let strictSerialNumber = Self(
        "strictSerialNumber", rank: 40, severity: .recoverable,
        message: "{subject} has serial number {found}, expected {expected}")

    /// The authority key identifier is missing or has the wrong form (RFC 5280 § 4.2.1.1).
    package static let strictAuthorityKeyIdentifier = Self(
        "strictAuthorityKeyIdentifier", rank: 39, severity: .recoverable,
        message: "{subject} has authority key identifier {found}, expected {expected}")

    /// A CA has no subject key identifier (RFC 5280 § 4.2.1.2).
    package static let strictSubjectKeyIdentifier = Self(
        "strictSubjectKeyIdentifier", rank: 38, severity: .recoverable,
        message: "{subject} has subject key identifier {found}, expected {expected}")

    /// An extension's criticality contradicts its section (RFC 5280 § 4.2).
    package static let strictExtensionCriticality = Self(
        "strictExtensionCriticality", rank: 37, severity: .recoverable,
        message: "{subject} has {found}, expected {expected}")

    /// A certificate that isn't a CA has an extension for CAs.
    package static let strictExtensionNotAllowed = Self(
        "strictExtensionNotAllowed", rank: 36, severity: .recoverable,
        message: "{subject} has {found}, which is allowed only in CA certificates")

    /// Key usage and basic constraints contradict each other, or a CA has no key usage (RFC 5280 § 4.2.1.3).
    package static let strictKeyUsage = Self(
        "strictKeyUsage", rank: 35, severity: .recoverable,
        message: "{subject} has key usage {found}, expected {expected}")

    /// The extended key usage isn't what the CA/Browser baseline requires.
    package static let strictExtendedKeyUsage = Self(
        "strictExtendedKeyUsage", rank: 34, severity: .recoverable,
        message: "{subject} has extended key usage {found}, expected {expected}")

    /// A CA has an empty subject, or a common name isn't one of the alternative names.
    package static let strictSubjectName = Self(
        "strictSubjectName", rank: 33, severity: .recoverable,
        message: "{subject} has subject {found}, expected {expected}")

    /// An alternative name isn't in preferred form (RFC 5280 § 4.2.1.6).
    package static let strictAlternativeName = Self(
        "strictAlternativeName", rank: 32, severity: .recoverable,
        message: "{subject} has alternative name {found}, expected {expected}")

    /// The form of a name constraint isn't allowed (RFC 5280 § 4.2.1.10).
    package static let strictNameConstraints = Self(
        "strictNameConstraints", rank: 31, severity: .recoverable,
        message: "{subject} has the name constraint {found}, expected {expected}")

    /// The leaf is a CA certificate.
    package static let strictLeafIsAuthority = Self(
        "strictLeafIsAuthority", rank: 30, severity: .recoverable,
        message: "{subject} is a certificate authority, expected a server certificate")

    /// The length of the RSA modulus isn't a multiple of 8 bits.
    package static let strictKeySize = Self(
        "strictKeySize", rank: 29, severity: .recoverable,
        message: "{subject} has an RSA modulus of {found} bits, expected a multiple of {expected}")

    /// The certificate encodes a default value or trailing zero bits (X.690 §§ 11.2.2, 11.5).
    package static let strictEncoding = Self(
        "strictEncoding", rank: 27, severity: .recoverable,
        message: "{subject} has {found}, expected strict DER")

    /// The leaf of a CA in a root program is valid for longer than the CA/Browser baseline allows at its date of
    /// issuance.
    package static let strictValidityPeriod = Self(
        "strictValidityPeriod", rank: 25, severity: .recoverable,
        message: "{subject} is valid for {found} days, expected at most {expected}")

    /// A date has the wrong type for its year (RFC 5280 § 4.1.2.5).
    package static let strictTimeEncoding = Self(
        "strictTimeEncoding", rank: 28, severity: .recoverable,
        message: "{subject} writes {found} as GeneralizedTime, expected {expected}")
}

// MARK: - Search

extension TrustFailure.Code {
    /// The path has more intermediates than the caller's policy allows.
    package static let maximumIntermediatesExceeded = Self(
        "maximumIntermediatesExceeded", rank: 20, severity: .recoverable,
        message: "{subject} has {found} intermediates, expected at most {expected}")

    /// The leaf is self-signed and isn't an anchor.
    public static let selfSignedLeaf = Self(
        "selfSignedLeaf", rank: 13, severity: .recoverable,
        message: "{subject} is self-signed and not among the anchors: {found}")

    /// The chain ends in a root that isn't an anchor.
    public static let untrustedRoot = Self(
        "untrustedRoot", rank: 12, severity: .recoverable,
        message: "{subject} is a root that is not among the anchors: {found}")

    /// A list denies or distrusts a certificate of the path, its key, or its issuer and serial number. See
    /// ``TrustFailure/deniedEntry``.
    public static let certificateDenied = Self(
        "certificateDenied", rank: 94, severity: .fatal,
        message: "{subject} is on a list of denied certificates: {found}")

    /// The root program trusts the anchor only for leaves issued at other dates.
    public static let anchorDistrustedAfter = Self(
        "anchorDistrustedAfter", rank: 16, severity: .recoverable,
        message: "{subject} is trusted for certificates issued {expected}, but this certificate was issued {found}")

    /// The root program trusts the anchor only for other names.
    package static let anchorNameNotPermitted = Self(
        "anchorNameNotPermitted", rank: 15, severity: .recoverable,
        message: "{subject} is trusted for names in {expected}, but the certificate has {found}")

    /// The root program trusts the anchor only for other purposes.
    package static let anchorPurposeNotPermitted = Self(
        "anchorPurposeNotPermitted", rank: 14, severity: .recoverable,
        message: "{subject} is trusted for {expected}, found {found}")

    /// The root program's list doesn't contain the anchor.
    package static let anchorNotInProgram = Self(
        "anchorNotInProgram", rank: 13, severity: .recoverable,
        message: "{subject} is not among the roots of {expected}")

    /// The leaf's timestamps don't comply with the transparency policy.
    public static let transparencyNotMet = Self(
        "transparencyNotMet", rank: 9, severity: .recoverable,
        message: "{subject} wasn't published as required: expected {expected}, found {found}")

    /// The caller requires a transparency check but supplies no list of logs.
    package static let transparencyLogListMissing = Self(
        "transparencyLogListMissing", rank: 9, severity: .recoverable,
        message:
            "can't check whether {subject} was published as the {expected} policy requires: there is no list of logs")

    /// The issuer is neither an anchor nor one of the intermediates.
    public static let unknownIssuer = Self(
        "unknownIssuer", rank: 11, severity: .recoverable,
        message: "{subject} was issued by {found}, which is neither among the anchors nor among the intermediates")
}

// MARK: - Budgets

extension TrustFailure.Code {
    /// Every path found is longer than the budget allows: 32 certificates, including leaf and anchor.
    public static let depthBudgetExceeded = Self(
        "depthBudgetExceeded", rank: 5, severity: .undecided,
        message: "{subject} is longer than {expected} certificates")

    /// The search exceeded its budget of signature checks: 200 units. One check with P-256 or RSA-2048 costs one unit.
    public static let signatureBudgetExceeded = Self(
        "signatureBudgetExceeded", rank: 4, severity: .undecided,
        message: "{subject} search stopped: more than {expected} units of signature checks")

    /// The search exceeded its budget of comparisons between names and name constraints: 250,000.
    public static let comparisonBudgetExceeded = Self(
        "comparisonBudgetExceeded", rank: 3, severity: .undecided,
        message: "{subject} search stopped: more than {expected} comparisons of names with constraints")

    /// The search exceeded its budget of steps: 4,000 issuers listed or tried.
    public static let stepBudgetExceeded = Self(
        "stepBudgetExceeded", rank: 2, severity: .undecided,
        message: "{subject} search stopped: more than {expected} steps")

    /// The search exceeded its budget of bytes read: 20 million. Bytes that it reads again count again.
    public static let workBudgetExceeded = Self(
        "workBudgetExceeded", rank: 1, severity: .undecided,
        message: "{subject} search stopped: more than {expected} units of work")

    /// The certificates exceed the size budget: 4 MiB in total.
    public static let byteBudgetExceeded = Self(
        "byteBudgetExceeded", rank: 1, severity: .undecided,
        message: "{subject} search not started: {found} bytes of certificates, expected at most {expected}")
}

extension TrustFailure.Code {
    /// Every code of the engine, most specific first.
    package static let engine: [TrustFailure.Code] = [
        .certificateDenied,
        .signatureInvalid,
        .signatureAlgorithmMismatch,
        .signatureUsesMD5,
        .signatureUsesSHA1,
        .signatureUsesDSA,
        .signatureAlgorithmUnsupported,
        .signatureParametersUnsupported,
        .keyUsesExplicitCurve,
        .keyUsesUnsupportedCurve,
        .keyUsesDSA,
        .rsaKeyTooSmall,
        .rsaKeyTooLarge,
        .keyMalformed,
        .keyAlgorithmUnsupported,
        .criticalExtensionUnhandled,
        .certificateVersionNotAllowed,
        .issuerNameEmpty,
        .notCertificateAuthority,
        .basicConstraintsMissing,
        .keyUsageLacksCertSign,
        .pathLengthExceeded,
        .extendedKeyUsageNotAllowed,
        .keyUsageNotForTLS,
        .nameExcluded,
        .nameNotPermitted,
        .nameConstraintUndecidable,
        .policyMappingOfAnyPolicy,
        .policyNotAcceptable,
        .tlsFeatureMissing,
        .certificateExpired,
        .certificateNotYetValid,
        .subjectAlternativeNameMissing,
        .hostMismatch,
        .strictSerialNumber,
        .strictAuthorityKeyIdentifier,
        .strictSubjectKeyIdentifier,
        .strictExtensionCriticality,
        .strictExtensionNotAllowed,
        .strictKeyUsage,
        .strictExtendedKeyUsage,
        .strictSubjectName,
        .strictAlternativeName,
        .strictNameConstraints,
        .strictLeafIsAuthority,
        .strictKeySize,
        .strictTimeEncoding,
        .strictEncoding,
        .strictValidityPeriod,
        .maximumIntermediatesExceeded,
        .anchorDistrustedAfter,
        .anchorNameNotPermitted,
        .anchorPurposeNotPermitted,
        .selfSignedLeaf,
        .anchorNotInProgram,
        .untrustedRoot,
        .unknownIssuer,
        .transparencyNotMet,
        .transparencyLogListMissing,
        .depthBudgetExceeded,
        .signatureBudgetExceeded,
        .comparisonBudgetExceeded,
        .stepBudgetExceeded,
        .workBudgetExceeded,
        .byteBudgetExceeded,
    ]
}
