// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The result of an evaluation: whether the peer is trusted, its failures, and which checks were performed and which
/// weren't.
///
/// Let your program decide by ``isTrusted`` and the codes of ``failures``. A decoded verdict is a record of an
/// evaluation elsewhere. It proves nothing, because an attacker may have written its bytes.
public struct TrustVerdict: Sendable, Hashable {
    /// The result, as in Apple's `SecTrustResultType`.
    public internal(set) var result: TrustResultType

    /// The host that the connection goes to, or nil for a peer without a host.
    public internal(set) var host: Hostname?

    /// The name that the leaf was compared with, or nil if names weren't checked.
    public internal(set) var referenceName: Hostname?

    /// The profile of rules.
    public internal(set) var profile: ValidationPolicy.Profile

    /// The purpose that the leaf has to be valid for.
    public internal(set) var purpose: ValidationPolicy.Purpose

    /// Whether the strict rules applied. Many verifiers relax them.
    public internal(set) var isStrict: Bool

    /// The verify date.
    public internal(set) var evaluationDate: Time

    /// The first second of the interval in which another evaluation would give the same trusted verdict. nil if the peer
    /// isn't trusted.
    public internal(set) var unchangedFrom: Time?

    /// The last second of the interval in which another evaluation would give the same trusted verdict. nil if the peer
    /// isn't trusted, or if an exception that doesn't expire covers the dates.
    ///
    /// Use it to limit how long you remember the verdict. It isn't an end: all evidence shortens it, even evidence that
    /// no one has authenticated, because such evidence may count later. For the end of the certificates, use
    /// ``firstNotAfter``.
    public internal(set) var unchangedUntil: Time?

    /// The validated path, leaf first and anchor last, if the peer is trusted. Otherwise the best candidate. Empty if
    /// there was no leaf to start from.
    public internal(set) var path: [Certificate]

    /// Whether the last certificate of ``path`` is an anchor.
    public internal(set) var reachesAnchor: Bool

    /// The first date on which a certificate of ``path`` expires, or nil without a path. Show it to people as the end of
    /// the server's validity. If the peer isn't trusted, the date isn't authenticated.
    public var firstNotAfter: Time? { path.map(\.notAfter).min() }

    /// The failures of the best candidate, most specific first. Empty if the peer is trusted.
    public internal(set) var failures: [TrustFailure]

    /// Every path that was tried and refused, the best candidate first. Empty if the peer is trusted. At most 64.
    public internal(set) var rejectedPaths: [RejectedPath]

    /// The failures that were accepted because an exception or an evaluator covers them.
    public internal(set) var excused: [TrustFailure] = []

    /// Whether the peer is trusted because a client's delegate accepted it. Default evaluation refuses the peer, for
    /// the failures in ``excused`` that no exception covers. Never true if the host's rule requires more than default
    /// evaluation.
    public internal(set) var isAcceptedByDelegate = false

    /// The failures for which a rule in report-only mode would have refused the server.
    public internal(set) var reported: [TrustFailure] = []

    /// The checks that were performed.
    public internal(set) var checked: [TrustCheck]

    /// The checks that weren't performed. A trusted verdict makes no statement about them.
    public internal(set) var notChecked: [TrustCheck]

    /// The revocation findings for each certificate of ``path`` except the anchor, in order. Empty if revocation wasn't
    /// checked, or if another check had refused the path before.
    public package(set) var revocation: [RevocationFinding] = []

    /// The OCSP response of the handshake and whether the evaluation verified it. nil if the server sent none, the
    /// transport doesn't report it, or no leaf could be read.
    package internal(set) var staple: StapleFinding?

    /// The reasons why certificates of a trusted path lack a revocation answer that the settings or the rule ask for.
    /// Each reason appears once, in the order of ``RevocationGap``'s cases. Empty if every answer is there, and for a
    /// refused peer. ``warnings`` has a line for each reason.
    public internal(set) var revocationGaps: [RevocationGap] = []

    /// The result of comparing the leaf's timestamps with a policy. nil if neither the settings nor the rule asks for
    /// it, or if no leaf could be read.
    public package(set) var transparency: TransparencyFinding?

    /// Where the path's anchor comes from, and the conditions on it. nil if the path doesn't end in an anchor, or if
    /// the operating system's evaluator checked the path.
    public package(set) var anchor: AnchorFinding?

    /// The pin that the validated path matches, or nil if no pin was required.
    public internal(set) var matchedPin: MatchedPin?

    /// The requests to the network or its caches, in order. Empty for an evaluation without network.
    public package(set) var fetched: [TrustFetchRecord] = []

    /// Warnings that aren't failures of the peer, such as unreadable presented certificates, or a set of pins without a
    /// backup. Callers may add more.
    public var warnings: [String] = []

    /// Whether the peer is trusted, so that you may use the connection.
    public var isTrusted: Bool { result.isTrusted }

    /// The most specific of ``failures``, or nil if the peer is trusted.
    public var headline: TrustFailure? { failures.first }

    /// Returns the failures of one certificate of ``path``. The leaf has the index 0.
    func failures(ofCertificateAt index: Int) -> [TrustFailure] { failures.filter { $0.certificate == index } }

    /// Throws unless the peer is trusted.
    /// - Throws: ``TrustRefusal`` with this verdict.
    public func requireTrust() throws(TrustRefusal) {
        guard isTrusted else { throw TrustRefusal(self) }
    }

    /// Returns the role of the certificate at `index` of ``path``.
    package func role(at index: Int) -> TrustFailure.Role {
        TrustFailure.Role(at: index, of: path.count, reachesAnchor: reachesAnchor)
    }

    /// The first organization (`O`) in the leaf's subject, or nil if it has none.
    ///
    /// If the peer is trusted, the CA vouches for the organization. Otherwise it is unauthenticated.
    public var organization: String? { path.first?.subject.values(of: .organizationName).first }

    /// Whether the path asserts extended validation.
    ///
    /// True if all of this applies:
    /// - The peer is trusted.
    /// - The leaf states the CA/Browser Forum's policy 2.23.140.1.1.
    /// - Every CA up to the anchor allows the policy (RFC 5280 § 6.1).
    /// - The root lists that name policies of the anchor accept it.
    ///
    /// Without such a list, this property doesn't check whether the anchor is audited for extended validation.
    public var assertsExtendedValidation: Bool {
        guard isTrusted, checked.contains(.path), anchor?.permitsExtendedValidation != false else { return false }
        return ValidatedPath(validatedBySystem: path)?.assertsExtendedValidation ?? false
    }
}

/// A check that an evaluation performs or omits. The set may grow.
public struct TrustCheck: Sendable, Hashable, CustomStringConvertible {
    /// The stable name.
    public let name: String

    /// Signatures, dates, algorithms, CA rights, constraints and policies along the path (RFC 5280 § 6).
    package static let path = TrustCheck(name: "path")
    /// Whether the leaf is valid for the reference name (RFC 9525).
    public static let identity = TrustCheck(name: "identity")
    /// Whether the leaf is valid for the purpose (extended key usage).
    package static let purpose = TrustCheck(name: "purpose")
    /// Keys or certificates that the caller pins.
    public static let pins = TrustCheck(name: "pins")
    /// Certificates and keys that the caller denies (``TrustSettings/denied``, ``DeniedListTrustEvaluator``).
    package static let deniedCertificates = TrustCheck(name: "deniedCertificates")
    /// Certificate authorities that the caller names.
    package static let authorities = TrustCheck(name: "authorities")
    /// Attributes of the leaf that the caller requires.
    package static let attributes = TrustCheck(name: "attributes")
    /// The checks of the caller's own evaluator.
    package static let custom = TrustCheck(name: "custom")
    /// Revocation. Performed if every certificate that was checked has an answer.
    public static let revocation = TrustCheck(name: "revocation")
    /// Whether a leaf that requires an OCSP response in the handshake (RFC 7633) came with one. Listed only for such
    /// leaves.
    public static let staple = TrustCheck(name: "staple")
    /// Whether the certificate was published in logs (RFC 6962).
    public static let certificateTransparency = TrustCheck(name: "certificateTransparency")

    /// The name.
    public var description: String { name }
}

/// The pin that the validated path matches, and where.
public struct MatchedPin: Sendable, Hashable, Codable {
    /// The kind of a pin.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// The SHA-256 of a SubjectPublicKeyInfo.
        case key
        /// The SHA-256 of a whole certificate.
        case certificate
    }
    /// The kind of the pin.
    public let kind: Kind
    /// The pin as text, in the form `sha256/BASE64`.
    public let pin: String
    /// The certificate's index in the validated path. The leaf has the index 0.
    public let certificate: Int
    /// Whether it's a backup pin. If so, the server has changed its key, and the set of pins needs a new backup.
    public let isBackup: Bool

    package init(_ kind: Kind, sha256: [UInt8], certificate: Int, isBackup: Bool = false) {
        self.kind = kind
        self.pin = "sha256/" + Base64.encode(sha256)
        self.certificate = certificate
        self.isBackup = isBackup
    }
}
