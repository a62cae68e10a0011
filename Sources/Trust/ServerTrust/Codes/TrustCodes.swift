// SPDX-License-Identifier: Apache-2.0

import PKIX

// The codes of this target: failures before the engine starts, failures of the caller's requirements beyond the
// engine's checks, and failures of a handshake that a probe observes. When an app's own rule refuses a server, the
// failure is fatal, so a user's exception can't bypass a pin. An exception may cover `validityTooLong` and
// `revocationUnavailable`, because neither says that the certificate isn't the host's.

extension TrustFailure.Code {
    /// The server sent no certificate.
    public static let presentedChainEmpty = Self(
        "presentedChainEmpty", rank: 94, severity: .fatal,
        message: "no certificate was presented")

    /// The bytes of a certificate can't be parsed.
    package static let certificateMalformed = Self(
        "certificateMalformed", rank: 93, severity: .undecided,
        message: "{subject} can't be parsed: {found}")

    /// The issuer's certificate can't be read. The server sent it, or the caller supplied it.
    package static let issuerUnreadable = Self(
        "issuerUnreadable", rank: 12, severity: .recoverable,
        message: "{subject} was issued by {expected}, whose certificate can't be read: {found}")

    /// The evaluation needs the system's anchors, but the machine has none.
    public static let systemAnchorsUnavailable = Self(
        "systemAnchorsUnavailable", rank: 92, severity: .undecided,
        message: "can't be evaluated: {found}")

    /// The caller has no rule for the host.
    public static let hostNotListed = Self(
        "hostNotListed", rank: 97, severity: .fatal,
        message: "{found} is not among the hosts that this program may connect to")

    /// A rule denies the host.
    public static let hostDenied = Self(
        "hostDenied", rank: 96, severity: .fatal,
        message: "{found} is denied by the rule for {expected}")

    /// No certificate of the validated path has a pinned key.
    public static let pinNotMatched = Self(
        "pinNotMatched", rank: 91, severity: .fatal,
        message: "{subject} matches none of the pinned keys: found {found}, expected {expected}")

    /// The host's pins have expired, and the configuration refuses the host after that date.
    public static let pinsExpired = Self(
        "pinsExpired", rank: 95, severity: .fatal,
        message: "{subject} can't be compared with pins: they expired {expected}, verify date {found}")

    /// No certificate of the validated path is pinned.
    public static let certificateNotPinned = Self(
        "certificateNotPinned", rank: 91, severity: .fatal,
        message: "{subject} matches none of the pinned certificates: found {found}, expected {expected}")

    /// No CA of the validated path is one of the required CAs.
    public static let authorityNotMatched = Self(
        "authorityNotMatched", rank: 91, severity: .fatal,
        message: "{subject} matches none of the pinned certificate authorities: found {found}, expected {expected}")

    /// The path does not assert extended validation.
    package static let extendedValidationMissing = Self(
        "extendedValidationMissing", rank: 52, severity: .fatal,
        message: "{subject} doesn't assert extended validation: found policies {found}, expected {expected}")

    /// The leaf lacks a required attribute.
    public static let attributeNotMatched = Self(
        "attributeNotMatched", rank: 51, severity: .fatal,
        message: "{subject} has {found}, expected {expected}")

    /// The leaf is valid for longer than the operating systems of the app's users allow.
    public static let validityTooLong = Self(
        "validityTooLong", rank: 51, severity: .recoverable,
        message: "{subject} is valid for {found} days, but Apple's systems allow {expected}")

    /// A custom evaluator refused the path without its own code.
    public static let evaluatorRefused = Self(
        "evaluatorRefused", rank: 51, severity: .fatal,
        message: "{subject} was refused by an evaluator of this program: {found}")

    /// Revocation had to be checked, but couldn't be.
    public static let revocationUnavailable = Self(
        "revocationUnavailable", rank: 7, severity: .recoverable,
        message: "{subject} can't be checked for revocation: {found}")

    /// A certificate was revoked.
    public static let certificateRevoked = Self(
        "certificateRevoked", rank: 88, severity: .fatal,
        message: "{subject} was revoked {expected}, reason: {found}")

    /// The leaf requires an OCSP response in the handshake, but there was no good one.
    public static let stapleMissing = Self(
        "stapleMissing", rank: 55, severity: .fatal,
        message: "{subject} requires a good OCSP response in the handshake, found {found}")

    /// The server's signature over the handshake doesn't match the leaf's key.
    package static let handshakeSignatureInvalid = Self(
        "handshakeSignatureInvalid", rank: 91, severity: .fatal,
        message: "the server's signature in the handshake ({found}) wasn't made with the key of {subject}")

    /// The server hasn't proven that it has the leaf's key.
    package static let handshakeUnproven = Self(
        "handshakeUnproven", rank: 56, severity: .fatal,
        message: "the server didn't prove that it has the key of {subject} ({found})")

    /// The server speaks a deprecated version of TLS.
    package static let tlsVersionOutdated = Self(
        "tlsVersionOutdated", rank: 57, severity: .fatal,
        message: "the server speaks {found}, expected {expected} or newer")

    /// The operating system refused the certificates for a reason that no exception of this package covers. If the same
    /// refusal has a more specific failure, that failure comes first.
    package static let systemRefused = Self(
        "systemRefused", rank: 10, severity: .fatal,
        message: "{subject} was refused by the operating system: {found}")

    /// The operating system should have evaluated, but returned no usable response.
    package static let systemEvaluationUnavailable = Self(
        "systemEvaluationUnavailable", rank: 9, severity: .undecided,
        message: "the operating system can't evaluate {subject}: {found}")

    /// The codes of this target.
    static let trust: [TrustFailure.Code] = [
        .hostNotListed, .hostDenied, .presentedChainEmpty, .certificateMalformed, .issuerUnreadable,
        .systemAnchorsUnavailable, .pinNotMatched, .pinsExpired, .certificateNotPinned, .authorityNotMatched,
        .extendedValidationMissing, .attributeNotMatched, .validityTooLong, .evaluatorRefused, .certificateRevoked,
        .stapleMissing, .revocationUnavailable, .handshakeSignatureInvalid, .handshakeUnproven, .tlsVersionOutdated,
        .systemRefused, .systemEvaluationUnavailable,
    ]

    /// Every code of this package, most specific first. `servertrust explain --list` prints them in this order.
    public static let all: [TrustFailure.Code] =
        (trust + engine).sorted { ($1.rank, $0.name) < ($0.rank, $1.name) }

    /// Returns the package's code with a name, or nil if there isn't one.
    public static func named(_ name: String) -> TrustFailure.Code? { byName[name] }

    private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}
