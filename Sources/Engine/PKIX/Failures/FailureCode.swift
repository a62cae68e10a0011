// SPDX-License-Identifier: Apache-2.0

extension TrustFailure {
    /// The kind of a failure, as a name that stays the same from version to version. The set grows.
    ///
    /// A code has its rank and its texts with it, so that the layers above the engine can have codes of their own.
    /// Equality and hash use the name alone.
    public struct Code: Sendable {
        /// The properties of a code: for messages, for `servertrust explain`, for the documentation.
        final class Information: Sendable {
            let name: String
            let rank: Int
            let severity: Severity
            let message: String
            let explanation: String
            let source: String

            init(name: String, rank: Int, severity: Severity, message: String, explanation: String, source: String) {
                self.name = name
                self.rank = rank
                self.severity = severity
                self.message = message
                self.explanation = explanation
                self.source = source
            }
        }

        private let information: Information

        /// Whether a user or an app may agree to a failure.
        public enum Severity: String, Sendable, Hashable, Codable {
            /// The certificate is authentic, or the same one can at least be recognized again; an exception can cover it.
            case recoverable
            /// The signature is wrong or could not be checked, or the certificate was revoked: none of its contents are
            /// reliable.
            case fatal
            /// No decision was reached.
            case undecided
        }

        /// Creates a code of a layer above the engine.
        /// - Parameters:
        ///   - name: lower camel case, unique, for ever.
        ///   - rank: the order among failures, higher is more specific; the engine's go from 1 to 90, but for ``certificateDenied``.
        ///   - severity: whether an exception can cover the failure.
        ///   - message: one line with `{subject}` (the certificate), `{expected}` and `{found}`.
        ///   - explanation: the meaning and the remedy, for people.
        ///   - source: the rule's source.
        public init(
            _ name: String, rank: Int, severity: Severity, message: String, explanation: String, source: String
        ) {
            self.information = Information(
                name: name, rank: rank, severity: severity, message: message, explanation: explanation, source: source)
        }

        /// The name.
        public var name: String { information.name }
        /// The order among failures: of several failures of a path the one with the highest rank is the headline.
        package var rank: Int { information.rank }
        /// Whether an exception can cover the failure.
        public var severity: Severity { information.severity }
        /// The template of the message: one line with `{subject}` for the certificate, `{expected}` and `{found}`. For people.
        public var message: String { information.message }
        /// The meaning and the remedy, for people.
        package var explanation: String { information.explanation }
        /// The rule's source: an RFC's section, the CA/Browser baseline, or this package.
        package var source: String { information.source }
        /// Whether the rule applies with a strict policy alone.
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
    /// The signature does not verify with the issuer's key (RFC 5280 § 6.1.3 (a)(1)).
    public static let signatureInvalid = Self(
        "signatureInvalid", rank: 90, severity: .fatal,
        message: "{subject} is not signed by its issuer {expected}",
        explanation:
            "The signature does not verify with the issuer's key: the certificate was altered, or another CA with the same name signed it.",
        source: "RFC 5280 § 6.1.3 (a)(1)")

    /// The signature algorithms inside and outside the signed part differ (RFC 5280 § 4.1.1.2).
    package static let signatureAlgorithmMismatch = Self(
        "signatureAlgorithmMismatch", rank: 89, severity: .fatal,
        message: "{subject} names two signature algorithms: {expected} inside the signed part, {found} outside",
        explanation:
            "The algorithm beside the signature is not itself signed, so it has to agree with the one that is. The certificate was altered or its CA is faulty.",
        source: "RFC 5280 § 4.1.1.2")

    /// The signature uses MD2, MD4 or MD5.
    package static let signatureUsesMD5 = Self(
        "signatureUsesMD5", rank: 86, severity: .fatal,
        message: "{subject} is signed with MD2, MD4 or MD5, expected SHA-256 or better",
        explanation:
            "Attackers can forge such signatures. Have the certificate reissued with another algorithm.",
        source: "RFC 6151")

    /// The signature uses SHA-1 (RFC 9155).
    public static let signatureUsesSHA1 = Self(
        "signatureUsesSHA1", rank: 85, severity: .fatal,
        message: "{subject} is signed with SHA-1, expected SHA-256 or better",
        explanation:
            "Attackers can forge such signatures. Have the certificate reissued with another algorithm.",
        source: "RFC 9155; CA/Browser Baseline Requirements § 7.1.3.2")

    /// The signature uses DSA.
    package static let signatureUsesDSA = Self(
        "signatureUsesDSA", rank: 84, severity: .fatal,
        message: "{subject} is signed with DSA, expected RSA, ECDSA, Ed25519 or ML-DSA",
        explanation:
            "TLS certificates don't use DSA, and this package doesn't verify it.",
        source: "CA/Browser Baseline Requirements § 7.1.3.2")

    /// The signature uses an algorithm that is not verified here.
    package static let signatureAlgorithmUnsupported = Self(
        "signatureAlgorithmUnsupported", rank: 83, severity: .fatal,
        message: "{subject} is signed with an algorithm that is not known: {found}",
        explanation:
            "Known are RSA (PKCS #1 v1.5, PSS) and ECDSA on P-256, P-384, P-521 with SHA-2, Ed25519, ML-DSA-65 and ML-DSA-87.",
        source: "RFC 5280 § 4.1.1.2")

    /// The signature algorithm has parameters that are not accepted (RFC 4055 § 3.1).
    package static let signatureParametersUnsupported = Self(
        "signatureParametersUnsupported", rank: 82, severity: .fatal,
        message: "{subject} is signed with an algorithm whose parameters are not allowed: {found}",
        explanation:
            "RSASSA-PSS is accepted with SHA-2, MGF1 with the same hash and a salt as long as the hash; the other algorithms have no parameters. Old versions of Java write NULL for ECDSA: have the certificate reissued, or use the profile rfc5280 under a private root.",
        source: "RFC 4055 § 3.1; RFC 8446 § 4.2.3")

    /// The key is on a curve that is written out as numbers (RFC 5480 § 2.1.1).
    package static let keyUsesExplicitCurve = Self(
        "keyUsesExplicitCurve", rank: 80, severity: .fatal,
        message: "{subject} has a key on a curve that is written out as numbers, expected a named curve",
        explanation:
            "Curves given by numbers can be chosen so that signatures can be forged (CVE-2020-0601).",
        source: "RFC 5480 § 2.1.1")

    /// The key is on a curve other than P-256, P-384 and P-521.
    package static let keyUsesUnsupportedCurve = Self(
        "keyUsesUnsupportedCurve", rank: 79, severity: .fatal,
        message: "{subject} has a key on curve {found}, expected P-256, P-384 or P-521",
        explanation:
            "No other curve is allowed for TLS certificates.",
        source: "CA/Browser Baseline Requirements § 6.1.5")

    /// The key is a DSA key.
    package static let keyUsesDSA = Self(
        "keyUsesDSA", rank: 78, severity: .fatal,
        message: "{subject} has a DSA key, expected RSA, an elliptic curve, Ed25519 or ML-DSA",
        explanation:
            "TLS certificates don't use DSA, and this package doesn't verify it.",
        source: "CA/Browser Baseline Requirements § 6.1.5")

    /// The RSA modulus is shorter than 2048 bits.
    public static let rsaKeyTooSmall = Self(
        "rsaKeyTooSmall", rank: 77, severity: .fatal,
        message: "{subject} has an RSA key of {found} bits, expected at least {expected}",
        explanation:
            "Attackers can factor short RSA keys. The certificate's owner needs a new key and a new certificate.",
        source: "CA/Browser Baseline Requirements § 6.1.5")

    /// The RSA modulus is longer than 8192 bits.
    package static let rsaKeyTooLarge = Self(
        "rsaKeyTooLarge", rank: 76, severity: .fatal,
        message: "{subject} has an RSA key of {found} bits, expected at most {expected}",
        explanation:
            "Verifying with such a key takes too much time.",
        source: "budget of this package")

    /// The key's bytes are no key of its algorithm.
    package static let keyMalformed = Self(
        "keyMalformed", rank: 75, severity: .fatal,
        message: "{subject} has a malformed {expected} key: {found}",
        explanation:
            "Its parameters or its numbers do not conform to the algorithm's standard.",
        source: "RFC 3279 § 2.3; RFC 5480; RFC 8410; RFC 9881")

    /// The key is of an algorithm that is not verified here.
    package static let keyAlgorithmUnsupported = Self(
        "keyAlgorithmUnsupported", rank: 74, severity: .fatal,
        message: "{subject} has a key of an algorithm that is not known: {found}",
        explanation:
            "Known are RSA, P-256, P-384, P-521, Ed25519, ML-DSA-65 and ML-DSA-87.",
        source: "RFC 5280 § 4.1.2.7")
}

// MARK: - Certificate

extension TrustFailure.Code {
    /// A critical extension is not processed here (RFC 5280 § 4.2).
    package static let criticalExtensionUnhandled = Self(
        "criticalExtensionUnhandled", rank: 70, severity: .fatal,
        message: "{subject} has a critical extension that is not understood: {found}",
        explanation:
            "The CA demands that software that does not process this extension refuse the certificate.",
        source: "RFC 5280 § 4.2")

    /// The X.509 version is not allowed in this role.
    package static let certificateVersionNotAllowed = Self(
        "certificateVersionNotAllowed", rank: 69, severity: .recoverable,
        message: "{subject} is an X.509 v{found} certificate, expected v{expected}",
        explanation:
            "Older versions can not say whether they are a CA.",
        source: "RFC 5280 § 6.1.4 (k); CA/Browser Baseline Requirements § 7.1.1")

    /// The issuer name is empty (RFC 5280 § 4.1.2.4).
    package static let issuerNameEmpty = Self(
        "issuerNameEmpty", rank: 68, severity: .recoverable,
        message: "{subject} names no issuer",
        explanation:
            "The issuer field must not be empty.",
        source: "RFC 5280 § 4.1.2.4")

    /// An issuer states that it is no certificate authority (RFC 5280 § 6.1.4 (k)).
    package static let notCertificateAuthority = Self(
        "notCertificateAuthority", rank: 66, severity: .recoverable,
        message: "{subject} is used as an issuer and says that it is no certificate authority",
        explanation:
            "A certificate that may not issue others has issued one. Either a file has the wrong root or intermediate, or this is an attack.",
        source: "RFC 5280 § 6.1.4 (k)")

    /// An issuer has no basic constraints (RFC 5280 § 6.1.4 (k)).
    package static let basicConstraintsMissing = Self(
        "basicConstraintsMissing", rank: 65, severity: .recoverable,
        message: "{subject} is used as an issuer and has no basic constraints",
        explanation:
            "A v3 certificate without basic constraints is no certificate authority.",
        source: "RFC 5280 § 6.1.4 (k)")

    /// An issuer's key usage lacks keyCertSign (RFC 5280 § 6.1.4 (n)).
    package static let keyUsageLacksCertSign = Self(
        "keyUsageLacksCertSign", rank: 64, severity: .recoverable,
        message: "{subject} is used as an issuer and its key usage lacks keyCertSign: {found}",
        explanation:
            "The CA's certificate does not allow its key to sign certificates.",
        source: "RFC 5280 § 6.1.4 (n)")

    /// More intermediates follow than a CA's path length constraint allows (RFC 5280 § 6.1.4 (l), (m)).
    package static let pathLengthExceeded = Self(
        "pathLengthExceeded", rank: 63, severity: .recoverable,
        message: "{subject} allows {expected} intermediates below it, found {found}",
        explanation:
            "A CA further up has limited how many CAs may stand below it.",
        source: "RFC 5280 § 6.1.4 (l), (m)")

    /// The extended key usage lacks the purpose (RFC 5280 § 4.2.1.12).
    package static let extendedKeyUsageNotAllowed = Self(
        "extendedKeyUsageNotAllowed", rank: 62, severity: .recoverable,
        message: "{subject} is for {found}, expected {expected}",
        explanation:
            "The certificate, or a CA above it, was not issued for this purpose.",
        source: "RFC 5280 § 4.2.1.12; CA/Browser Baseline Requirements § 7.1.2")

    /// The key usage allows no operation of TLS, or not the one that the handshake needs (RFC 8446 § 4.4.2.2).
    package static let keyUsageNotForTLS = Self(
        "keyUsageNotForTLS", rank: 61, severity: .recoverable,
        message: "{subject} has key usage {found}, expected one of {expected}",
        explanation:
            "The certificate's key may not be used for this TLS handshake. TLS 1.3 and all suites with forward secrecy need digitalSignature. Have the certificate reissued with it.",
        source: "RFC 5246 § 7.4.2; RFC 8446 § 4.4.2.2")

    /// A name is within a CA's excluded subtrees (RFC 5280 § 6.1.3 (c)).
    public static let nameExcluded = Self(
        "nameExcluded", rank: 60, severity: .recoverable,
        message: "{subject} has the name {found}, which a CA above it excludes: {expected}",
        explanation:
            "The CA was forbidden to issue for this name.",
        source: "RFC 5280 § 6.1.3 (c)")

    /// A name is outside a CA's permitted subtrees (RFC 5280 § 6.1.3 (b)).
    public static let nameNotPermitted = Self(
        "nameNotPermitted", rank: 59, severity: .recoverable,
        message: "{subject} has the name {found}, expected one within {expected}",
        explanation:
            "The CA was allowed to issue for other names only.",
        source: "RFC 5280 § 6.1.3 (b)")

    /// A name and a name constraint of its form can not be compared (RFC 5280 § 4.2.1.10).
    package static let nameConstraintUndecidable = Self(
        "nameConstraintUndecidable", rank: 58, severity: .recoverable,
        message: "{subject} has the name {found}, which can not be compared with the constraint {expected}",
        explanation:
            "The name or the constraint is malformed, or of a form that is not compared here; a constraint that can not be compared is not met.",
        source: "RFC 5280 § 4.2.1.10")

    /// A policy mapping is to or from anyPolicy (RFC 5280 § 6.1.4 (a)).
    package static let policyMappingOfAnyPolicy = Self(
        "policyMappingOfAnyPolicy", rank: 57, severity: .recoverable,
        message: "{subject} maps to or from anyPolicy",
        explanation:
            "anyPolicy must not be mapped.",
        source: "RFC 5280 § 6.1.4 (a)")

    /// A policy is required, and no acceptable one holds along the path (RFC 5280 § 6.1.5 (g)).
    package static let policyNotAcceptable = Self(
        "policyNotAcceptable", rank: 56, severity: .recoverable,
        message: "{subject} has no acceptable certificate policy: found {found}, expected {expected}",
        explanation:
            "A policy was required, by the caller or by a CA of the path, and none holds along the whole path.",
        source: "RFC 5280 § 6.1.5 (g); RFC 9618 § 5")

    /// A certificate doesn't require a TLS feature that its issuer's certificate requires (RFC 7633 § 4.2.2).
    package static let tlsFeatureMissing = Self(
        "tlsFeatureMissing", rank: 54, severity: .recoverable,
        message: "{subject} requires the TLS features {found}, and the CA above it requires {expected} as well",
        explanation:
            "The CA may issue only certificates that require the same TLS features, such as an OCSP staple. Have the certificate reissued with them.",
        source: "RFC 7633 § 4.2.2")

    /// The verify date is after the validity period (RFC 5280 § 6.1.3 (a)(2)).
    public static let certificateExpired = Self(
        "certificateExpired", rank: 50, severity: .recoverable,
        message: "{subject} expired {expected}, verify date {found}",
        explanation:
            "Its validity period is over. If the date looks wrong, check this machine's clock.",
        source: "RFC 5280 § 6.1.3 (a)(2)")

    /// The verify date is before the validity period (RFC 5280 § 6.1.3 (a)(2)).
    public static let certificateNotYetValid = Self(
        "certificateNotYetValid", rank: 49, severity: .recoverable,
        message: "{subject} is valid from {expected}, verify date {found}",
        explanation:
            "It will be valid later. If the date looks wrong, check this machine's clock.",
        source: "RFC 5280 § 6.1.3 (a)(2)")
}

// MARK: - Names

extension TrustFailure.Code {
    /// The leaf has no subject alternative name (RFC 9525 § 6.3).
    public static let subjectAlternativeNameMissing = Self(
        "subjectAlternativeNameMissing", rank: 45, severity: .recoverable,
        message: "{subject} has no subject alternative name, expected {expected}",
        explanation:
            "Names belong in the subject alternative name. Clients have ignored the common name since 2017.",
        source: "RFC 9525 § 6.3")

    /// No alternative name of the leaf is the host name (RFC 9525 § 6).
    public static let hostMismatch = Self(
        "hostMismatch", rank: 44, severity: .recoverable,
        message: "{subject} is valid for {found}, not {expected}",
        explanation:
            "The peer is another one than expected, or presents a certificate for another name.",
        source: "RFC 9525 § 6")
}

// MARK: - Strict rules

extension TrustFailure.Code {
    /// The serial number is not positive, or longer than 20 bytes (RFC 5280 § 4.1.2.2).
    package static let strictSerialNumber = Self(
        "strictSerialNumber", rank: 40, severity: .recoverable,
        message: "{subject} has serial number {found}, expected {expected}",
        explanation:
            "Strict rule: serial numbers are positive and at most 20 bytes long.",
        source: "RFC 5280 § 4.1.2.2")

    /// The authority key identifier is missing or has the wrong form (RFC 5280 § 4.2.1.1).
    package static let strictAuthorityKeyIdentifier = Self(
        "strictAuthorityKeyIdentifier", rank: 39, severity: .recoverable,
        message: "{subject} has authority key identifier {found}, expected {expected}",
        explanation:
            "Strict rule: every certificate but a root names its issuer's key, in the form that its section gives.",
        source: "RFC 5280 § 4.2.1.1; CA/Browser Baseline Requirements § 7.1.2")

    /// The subject key identifier of a CA is missing (RFC 5280 § 4.2.1.2).
    package static let strictSubjectKeyIdentifier = Self(
        "strictSubjectKeyIdentifier", rank: 38, severity: .recoverable,
        message: "{subject} has subject key identifier {found}, expected {expected}",
        explanation:
            "Strict rule: every CA names its own key.",
        source: "RFC 5280 § 4.2.1.2")

    /// An extension is critical, or not critical, against its section (RFC 5280 § 4.2).
    package static let strictExtensionCriticality = Self(
        "strictExtensionCriticality", rank: 37, severity: .recoverable,
        message: "{subject} has {found}, expected {expected}",
        explanation:
            "Strict rule: extensions are critical exactly where their section says so.",
        source: "RFC 5280 § 4.2; CA/Browser Baseline Requirements § 7.1.2")

    /// An extension for CA certificates is in another certificate.
    package static let strictExtensionNotAllowed = Self(
        "strictExtensionNotAllowed", rank: 36, severity: .recoverable,
        message: "{subject} has {found}, which is allowed in CA certificates only",
        explanation:
            "Strict rule: some extensions are not allowed in a leaf.",
        source: "RFC 5280 §§ 4.2.1.5, 4.2.1.10, 4.2.1.11")

    /// Key usage and basic constraints contradict each other (RFC 5280 § 4.2.1.3).
    package static let strictKeyUsage = Self(
        "strictKeyUsage", rank: 35, severity: .recoverable,
        message: "{subject} has key usage {found}, expected {expected}",
        explanation:
            "Strict rule: key usage and basic constraints agree, and CAs state both.",
        source: "RFC 5280 §§ 4.2.1.3, 4.2.1.9")

    /// The extended key usage is not the one that the CA/Browser baseline requires.
    package static let strictExtendedKeyUsage = Self(
        "strictExtendedKeyUsage", rank: 34, severity: .recoverable,
        message: "{subject} has extended key usage {found}, expected {expected}",
        explanation:
            "Strict rule: servers and intermediates list serverAuth and not anyExtendedKeyUsage. Servers don't list OCSPSigning, and roots list nothing.",
        source: "CA/Browser Baseline Requirements § 7.1.2; Mozilla Root Store Policy § 5.3")

    /// The subject of a CA is empty, or a common name is none of the alternative names.
    package static let strictSubjectName = Self(
        "strictSubjectName", rank: 33, severity: .recoverable,
        message: "{subject} has subject {found}, expected {expected}",
        explanation:
            "Strict rule: a CA has a name, and a common name repeats one of the alternative names as it is written there.",
        source: "RFC 5280 § 4.1.2.6; CA/Browser Baseline Requirements § 7.1.4.3")

    /// An alternative name is not in preferred form (RFC 5280 § 4.2.1.6).
    package static let strictAlternativeName = Self(
        "strictAlternativeName", rank: 32, severity: .recoverable,
        message: "{subject} has alternative name {found}, expected {expected}",
        explanation:
            "Strict rule: alternative names are in preferred form, and critical exactly if the subject is empty.",
        source: "RFC 5280 § 4.2.1.6; CA/Browser Baseline Requirements § 7.1.2.7.12")

    /// Name constraints are in a form that their section does not have (RFC 5280 § 4.2.1.10).
    package static let strictNameConstraints = Self(
        "strictNameConstraints", rank: 31, severity: .recoverable,
        message: "{subject} has the name constraint {found}, expected {expected}",
        explanation:
            "Strict rule: name constraints are in the form that their section gives.",
        source: "RFC 5280 § 4.2.1.10")

    /// The leaf is the certificate of a certificate authority.
    package static let strictLeafIsAuthority = Self(
        "strictLeafIsAuthority", rank: 30, severity: .recoverable,
        message: "{subject} is a certificate authority, expected the certificate of a server",
        explanation:
            "Strict rule: a CA's certificate is not a server's.",
        source: "CA/Browser Baseline Requirements § 7.1.2.7.8")

    /// The length of an RSA modulus is not a multiple of 8 bits.
    package static let strictKeySize = Self(
        "strictKeySize", rank: 29, severity: .recoverable,
        message: "{subject} has an RSA modulus of {found} bits, expected a multiple of {expected}",
        explanation:
            "Strict rule: the size of an RSA key is a whole number of bytes.",
        source: "CA/Browser Baseline Requirements § 6.1.5")

    /// A default value or trailing zero bits are written out (X.690 §§ 11.2.2, 11.5).
    package static let strictEncoding = Self(
        "strictEncoding", rank: 27, severity: .recoverable,
        message: "{subject} has {found}, expected strict DER",
        explanation:
            "Strict rule: a default value is left out, a list of bits ends with the last one that is set, and every extension is well-formed. The web PKI demands the last of the authority information access in any case.",
        source: "X.690 §§ 11.2.2, 11.5")

    /// A leaf of a root program's CA is valid for longer than the CA/Browser baseline allows at its date of issuance.
    package static let strictValidityPeriod = Self(
        "strictValidityPeriod", rank: 25, severity: .recoverable,
        message: "{subject} is valid for {found} days, expected at most {expected}",
        explanation:
            "Strict rule: certificates of public CAs are valid for 398 days at most, from March 2026 on for 200, from March 2027 on for 100, and from March 2029 on for 47.",
        source: "CA/Browser Baseline Requirements § 6.3.2")

    /// A date is of the wrong type for its year (RFC 5280 § 4.1.2.5).
    package static let strictTimeEncoding = Self(
        "strictTimeEncoding", rank: 28, severity: .recoverable,
        message: "{subject} writes {found} as {expected}",
        explanation:
            "Strict rule: dates through 2049 are UTCTime, later ones GeneralizedTime.",
        source: "RFC 5280 § 4.1.2.5")
}

// MARK: - Search

extension TrustFailure.Code {
    /// The path has more intermediates than the caller's policy allows.
    package static let maximumIntermediatesExceeded = Self(
        "maximumIntermediatesExceeded", rank: 20, severity: .recoverable,
        message: "{subject} has {found} intermediates, expected at most {expected}",
        explanation:
            "The path is longer than the caller allows.",
        source: "policy of the caller")

    /// The leaf is self-signed and no anchor.
    public static let selfSignedLeaf = Self(
        "selfSignedLeaf", rank: 13, severity: .recoverable,
        message: "{subject} is signed by itself and not among the anchors: {found}",
        explanation:
            "No CA issued it. Use a certificate from a CA that this program trusts, or make this certificate an anchor.",
        source: "RFC 5280 § 6.1")

    /// The chain ends in a root that is no anchor.
    public static let untrustedRoot = Self(
        "untrustedRoot", rank: 12, severity: .recoverable,
        message: "{subject} is a root that is not among the anchors: {found}",
        explanation:
            "The chain ends in a CA that is not trusted here. If it is a private CA, add its root to the anchors.",
        source: "RFC 5280 § 6.1")

    /// A list denies or distrusts a certificate of the path, its key, or its issuer and serial number: ``TrustFailure/deniedEntry``.
    public static let certificateDenied = Self(
        "certificateDenied", rank: 94, severity: .fatal,
        message: "{subject} is on a list of denied certificates: {found}",
        explanation:
            "This program has a list of certificates that it must not trust. Such lists are its own list of stolen keys, Mozilla's OneCRL, a Chrome CRLSet, or a root program's distrusted certificates. Use a certificate, a key, and a CA that are not on the list.",
        source: "configuration of the caller")

    /// The root program trusts the anchor for leaves of another date.
    public static let anchorDistrustedAfter = Self(
        "anchorDistrustedAfter", rank: 16, severity: .recoverable,
        message: "{subject} is trusted for certificates issued {expected}, and this one was issued {found}",
        explanation:
            "The root program no longer trusts certificates that this CA issued after a certain date. Use a certificate from another CA.",
        source: "policy of the root program")

    /// The root program trusts the anchor for other names.
    package static let anchorNameNotPermitted = Self(
        "anchorNameNotPermitted", rank: 15, severity: .recoverable,
        message: "{subject} is trusted for names in {expected}, and the certificate has {found}",
        explanation:
            "The root program trusts this CA only for certain domains. Use a certificate from another CA.",
        source: "policy of the root program")

    /// The root program trusts the anchor for other purposes.
    package static let anchorPurposeNotPermitted = Self(
        "anchorPurposeNotPermitted", rank: 14, severity: .recoverable,
        message: "{subject} is trusted for {expected}, found {found}",
        explanation:
            "The root program trusts this CA only for other purposes, such as email. Use a certificate from another CA.",
        source: "policy of the root program")

    /// The root program's list doesn't have the anchor.
    package static let anchorNotInProgram = Self(
        "anchorNotInProgram", rank: 13, severity: .recoverable,
        message: "{subject} is not among the roots of {expected}",
        explanation:
            "This machine has the root, but the root program doesn't trust it. Use a certificate from another CA. If the root is your own, install it as the administrator's.",
        source: "policy of the root program")

    /// The leaf's timestamps don't comply with the transparency policy.
    public static let transparencyNotMet = Self(
        "transparencyNotMet", rank: 9, severity: .recoverable,
        message: "{subject} was not published as required: expected {expected}, found {found}",
        explanation:
            "Browsers ask that certificates of public CAs are published in logs, and this one doesn't prove it. A CA's mistake, a private certificate under a public root, or a certificate that was made to stay unseen. Have the CA issue another one.",
        source: "RFC 6962 § 3.3, policy of the browser")

    /// A transparency check is required, and there is no list of logs.
    package static let transparencyLogListMissing = Self(
        "transparencyLogListMissing", rank: 9, severity: .recoverable,
        message:
            "the publication of {subject} can not be checked by the policy {expected}: there is no list of logs",
        explanation: "Required transparency needs a list of logs. Give one, or report only.",
        source: "policy of the browser")

    /// The issuer is neither among the anchors nor among the intermediates.
    public static let unknownIssuer = Self(
        "unknownIssuer", rank: 11, severity: .recoverable,
        message: "{subject} was issued by {found}, which is neither among the anchors nor among the intermediates",
        explanation:
            "Usually the leaf was sent without an intermediate certificate.",
        source: "RFC 5280 § 6.1")
}

// MARK: - Budgets

extension TrustFailure.Code {
    /// Every path found is longer than the budget allows: 32 certificates, leaf and anchor included.
    public static let depthBudgetExceeded = Self(
        "depthBudgetExceeded", rank: 5, severity: .undecided,
        message: "{subject} is longer than {expected} certificates",
        explanation:
            "No path of allowed length was found.",
        source: "budget of this package")

    /// The search was stopped by the budget of signature checks: 200 units of one with P-256 or RSA-2048.
    public static let signatureBudgetExceeded = Self(
        "signatureBudgetExceeded", rank: 4, severity: .undecided,
        message: "{subject} search stopped: more than {expected} units of signature checks",
        explanation:
            "The certificates offered lead to more signature checks than any honest chain needs.",
        source: "budget of this package")

    /// The search was stopped by the budget of comparisons of names with name constraints: 250,000.
    public static let comparisonBudgetExceeded = Self(
        "comparisonBudgetExceeded", rank: 3, severity: .undecided,
        message: "{subject} search stopped: more than {expected} comparisons of names with constraints",
        explanation:
            "The certificates offered have more names and constraints than any honest chain has.",
        source: "budget of this package")

    /// The search was stopped by the budget of steps: 4,000 issuers listed or tried.
    public static let stepBudgetExceeded = Self(
        "stepBudgetExceeded", rank: 2, severity: .undecided,
        message: "{subject} search stopped: more than {expected} steps",
        explanation:
            "The certificates offered can be combined in more ways than any honest chain can.",
        source: "budget of this package")

    /// The search was stopped by the budget of bytes that are read, each time that they are: 20 million.
    public static let workBudgetExceeded = Self(
        "workBudgetExceeded", rank: 1, severity: .undecided,
        message: "{subject} search stopped: more than {expected} units of work",
        explanation:
            "The certificates offered take longer to read and to compare than those of any honest chain.",
        source: "budget of this package")

    /// The certificates are larger than the budget allows: 4 MiB together.
    public static let byteBudgetExceeded = Self(
        "byteBudgetExceeded", rank: 1, severity: .undecided,
        message: "{subject} search not started: {found} bytes of certificates, expected at most {expected}",
        explanation:
            "The certificates offered are larger than any honest chain.",
        source: "budget of this package")
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
