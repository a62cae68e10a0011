// SPDX-License-Identifier: Apache-2.0

import PKIX

// The codes of this target: failures before the engine starts, and failures of the caller's requirements beyond the
// engine's checks. When an app's own rule refuses a server, the failure is fatal, so a user's exception can't bypass a
// pin.

extension TrustFailure.Code {
    /// The server sent no certificate.
    public static let presentedChainEmpty = Self(
        "presentedChainEmpty", rank: 94, severity: .fatal,
        message: "no certificate was presented",
        explanation:
            "The peer authenticates without certificates, or the connection doesn't use TLS. Check the peer's configuration.",
        source: "RFC 5246 § 7.4.2; RFC 8446 § 4.4.2")

    /// The leaf's bytes aren't a certificate.
    package static let certificateMalformed = Self(
        "certificateMalformed", rank: 93, severity: .undecided,
        message: "{subject} can't be parsed: {found}",
        explanation: "The bytes aren't an X.509 certificate in strict DER, or they are truncated.",
        source: "RFC 5280 § 4.1")

    /// The issuer's certificate can't be read. The server sent it, or the caller supplied it.
    package static let issuerUnreadable = Self(
        "issuerUnreadable", rank: 12, severity: .recoverable,
        message: "{subject} was issued by {expected}, whose certificate can't be read: {found}",
        explanation:
            "The issuer's certificate was sent or supplied, but isn't an X.509 certificate in strict DER. Have its CA reissue it. Adding the unreadable certificate as a root doesn't help.",
        source: "RFC 5280 § 4.1")

    /// The evaluation needs the system's anchors, but the machine has none.
    public static let systemAnchorsUnavailable = Self(
        "systemAnchorsUnavailable", rank: 92, severity: .undecided,
        message: "can't be evaluated: {found}",
        explanation:
            "The settings name no anchors, and this machine has none. Install its package of CA certificates, or name the anchors.",
        source: "configuration of this machine")

    /// The caller has no rule for the host.
    public static let hostNotListed = Self(
        "hostNotListed", rank: 97, severity: .fatal,
        message: "{found} is not among the hosts that this program may connect to",
        explanation:
            "The program has rules for the hosts that it may connect to, but none for this host. Add a rule for it, or allow hosts without one.",
        source: "configuration of the caller")

    /// A rule denies the host.
    public static let hostDenied = Self(
        "hostDenied", rank: 96, severity: .fatal,
        message: "{found} is denied by the rule for {expected}",
        explanation: "The program has a rule that refuses this host, regardless of its certificates.",
        source: "configuration of the caller")

    /// No certificate of the validated path has a pinned key.
    public static let pinNotMatched = Self(
        "pinNotMatched", rank: 91, severity: .fatal,
        message: "{subject} matches none of the pinned keys: found {found}, expected {expected}",
        explanation:
            "The certificates are valid, but have none of the keys that this program pins. Either an attacker intercepts the connection with a CA that this machine trusts, or the peer changed its keys or CA and the program still has the old pins.",
        source: "RFC 7469 § 2.6")

    /// The host's pins have expired, and the configuration refuses the host after that date.
    public static let pinsExpired = Self(
        "pinsExpired", rank: 95, severity: .fatal,
        message: "{subject} can't be compared with pins: they expired {expected}, verify date {found}",
        explanation:
            "The pins of this host have expired, and the configuration refuses the host with expired pins. The program needs newer pins.",
        source: "configuration of the caller")

    /// No certificate of the validated path is pinned.
    public static let certificateNotPinned = Self(
        "certificateNotPinned", rank: 91, severity: .fatal,
        message: "{subject} matches none of the pinned certificates: found {found}, expected {expected}",
        explanation:
            "The certificates are valid, but this program pins none of them. Either an attacker intercepts the connection with a CA that this machine trusts, or the peer renewed its certificate and the program still has the old pins.",
        source: "configuration of the caller")

    /// No CA of the validated path is one of the required CAs.
    public static let authorityNotMatched = Self(
        "authorityNotMatched", rank: 91, severity: .fatal,
        message: "{subject} matches none of the pinned certificate authorities: found {found}, expected {expected}",
        explanation:
            "The certificates are valid, but come from a CA that this program doesn't expect. Either an attacker intercepts the connection, or the peer changed its CA.",
        source: "configuration of the caller")

    /// The path does not assert extended validation.
    package static let extendedValidationMissing = Self(
        "extendedValidationMissing", rank: 52, severity: .fatal,
        message: "{subject} doesn't assert extended validation: found policies {found}, expected {expected}",
        explanation:
            "The CA issued the certificate without the organization checks that extended validation requires, or a CA in the path may not assert extended validation.",
        source: "CA/Browser Extended Validation Guidelines § 7.1.6.1")

    /// The leaf lacks a required attribute.
    public static let attributeNotMatched = Self(
        "attributeNotMatched", rank: 51, severity: .fatal,
        message: "{subject} has {found}, expected {expected}",
        explanation: "The certificates are valid, but lack an attribute that this program requires.",
        source: "configuration of the caller")

    /// The leaf is valid for longer than the operating systems of the app's users allow.
    public static let validityTooLong = Self(
        "validityTooLong", rank: 51, severity: .recoverable,
        message: "{subject} is valid for {found} days, but Apple's systems allow {expected}",
        explanation:
            "Apple's systems refuse server certificates that are valid for more than 825 days. Below the roots of root programs, the limit is 398 days. Have the certificate issued for a shorter time.",
        source: "Apple's requirements for trusted certificates (HT210176, HT211025)")

    /// A custom evaluator refused the path without its own code.
    public static let evaluatorRefused = Self(
        "evaluatorRefused", rank: 51, severity: .fatal,
        message: "{subject} was refused by an evaluator of this program: {found}",
        explanation: "The certificates are valid, but the program's own check didn't accept them.",
        source: "configuration of the caller")

    /// Revocation had to be checked, but couldn't be.
    public static let revocationUnavailable = Self(
        "revocationUnavailable", rank: 7, severity: .recoverable,
        message: "{subject} can't be checked for revocation: {found}",
        explanation:
            "If the policy requires revocation checks, a certificate that can't be checked isn't trusted. With any policy, the same is true if the check takes more work than the budget allows (budgetExceeded). Provide a stapled OCSP response, or current CRLs or OCSP responses from every CA in the path.",
        source: "policy of the caller; RFC 5280 § 6.3.3")

    /// A certificate was revoked.
    public static let certificateRevoked = Self(
        "certificateRevoked", rank: 88, severity: .fatal,
        message: "{subject} was revoked {expected}, reason: {found}",
        explanation:
            "Its CA revoked it: the key was lost or stolen, or the certificate shouldn't exist. Its owner needs a new one.",
        source: "RFC 5280 § 6.1.3 (a)(3)")

    /// The leaf requires an OCSP response in the handshake, but there was no good one.
    public static let stapleMissing = Self(
        "stapleMissing", rank: 55, severity: .fatal,
        message: "{subject} requires a good OCSP response in the handshake, found {found}",
        explanation:
            "The certificate was issued with \"must staple\", so that an attacker who stole its key can't hide its revocation. Turn on OCSP stapling.",
        source: "RFC 7633 § 4.2.3.1")

    /// The server's signature over the handshake doesn't match the leaf's key.
    package static let handshakeSignatureInvalid = Self(
        "handshakeSignatureInvalid", rank: 91, severity: .fatal,
        message: "the server's signature in the handshake ({found}) wasn't made with the key of {subject}",
        explanation:
            "The server presents a certificate whose key it doesn't have, or the connection was altered in transit. Install the private key that belongs to the certificate.",
        source: "RFC 8446 § 4.4.3; RFC 5246 § 7.4.3")

    /// The server hasn't proven that it has the leaf's key.
    package static let handshakeUnproven = Self(
        "handshakeUnproven", rank: 56, severity: .fatal,
        message: "the server didn't prove that it has the key of {subject} ({found})",
        explanation:
            "The cipher suite has no signature, or one that isn't checked here (MD5, SHA-1), and the handshake didn't finish. Have the server offer TLS 1.3, or TLS 1.2 with ECDHE and SHA-256.",
        source: "RFC 9325 § 4.1")

    /// The server speaks a deprecated version of TLS.
    package static let tlsVersionOutdated = Self(
        "tlsVersionOutdated", rank: 57, severity: .fatal,
        message: "the server speaks {found}, expected {expected} or newer",
        explanation:
            "TLS 1.0 and 1.1 were deprecated in 2021, because their signatures use MD5 and SHA-1. Have the server offer TLS 1.2 and 1.3.",
        source: "RFC 8996")

    /// The codes of this target.
    static let trust: [TrustFailure.Code] = [
        .hostNotListed, .hostDenied, .presentedChainEmpty, .certificateMalformed, .issuerUnreadable,
        .systemAnchorsUnavailable, .pinNotMatched, .pinsExpired, .certificateNotPinned, .authorityNotMatched,
        .extendedValidationMissing, .attributeNotMatched, .validityTooLong, .evaluatorRefused, .certificateRevoked,
        .stapleMissing,
        .revocationUnavailable, .handshakeSignatureInvalid, .handshakeUnproven, .tlsVersionOutdated,
    ]

    /// Every code of this package, most specific first. `servertrust explain --list` prints them in this order.
    public static let all: [TrustFailure.Code] =
        (trust + system + engine).sorted { ($1.rank, $0.name) < ($0.rank, $1.name) }

    /// Returns the package's code with a name, or nil if there isn't one.
    public static func named(_ name: String) -> TrustFailure.Code? { byName[name] }

    private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}
