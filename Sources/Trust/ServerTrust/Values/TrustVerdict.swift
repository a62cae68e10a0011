// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The result of an evaluation: whether the peer is trusted, its failures, and the checks that were and weren't performed.
///
/// Programs decide by ``isTrusted`` and the codes of ``failures``. A decoded verdict is a record of an evaluation elsewhere and no
/// evidence: its bytes may have been written by an attacker.
public struct TrustVerdict: Sendable, Hashable {
    /// The result, as in Apple's `SecTrustResultType`.
    public internal(set) var result: TrustResultType

    /// The host that the connection goes to; nil for a peer without a host.
    public internal(set) var host: Hostname?

    /// The name that the leaf was compared with; nil if names weren't checked.
    public internal(set) var referenceName: Hostname?

    /// The profile of rules.
    public internal(set) var profile: ValidationPolicy.Profile

    /// The purpose that the leaf has to be valid for.
    public internal(set) var purpose: ValidationPolicy.Purpose

    /// Whether the strict rules applied, which many verifiers relax.
    public internal(set) var isStrict: Bool

    /// The verify date.
    public internal(set) var evaluationDate: Time

    /// The first second of the interval in which a trusted verdict stays the same; nil if the peer is not trusted.
    public internal(set) var validFrom: Time?

    /// The last second of the interval in which a trusted verdict stays the same; it says nothing about later dates. nil if the peer is
    /// not trusted, or for an exception without expiry that covers the dates.
    public internal(set) var validUntil: Time?

    /// The validated path, leaf first and anchor last, if the peer is trusted; otherwise the best candidate. Empty if there was no
    /// leaf to start from.
    public internal(set) var path: [Certificate]

    /// Whether the last certificate of ``path`` is an anchor.
    public internal(set) var reachesAnchor: Bool

    /// The failures of the best candidate, most specific first; empty if the peer is trusted.
    public internal(set) var failures: [TrustFailure]

    /// Every path that was tried and refused, the best candidate first; empty if the peer is trusted. At most 64.
    public internal(set) var rejectedPaths: [RejectedPath]

    /// The failures that were accepted, because an exception or an evaluator covers them.
    public internal(set) var excused: [TrustFailure] = []

    /// Whether the peer is trusted because a client's delegate has accepted it: default evaluation refuses it, for the failures in
    /// ``excused`` that no exception covers. Never true under a rule that asks for more than default evaluation.
    public internal(set) var isAcceptedByDelegate = false

    /// The failures that a rule in report-only mode would have refused.
    public internal(set) var reported: [TrustFailure] = []

    /// The checks that were performed.
    public internal(set) var checked: [TrustCheck]

    /// The checks that were not performed: a trusted verdict makes no statement about them.
    public internal(set) var notChecked: [TrustCheck]

    /// The revocation findings for each certificate of ``path`` but the anchor, in order; empty if revocation was not checked, or the path
    /// was refused before.
    public package(set) var revocation: [RevocationFinding] = []

    /// The reasons why certificates of a trusted path have no revocation answer although one was asked for, in the order of
    /// ``RevocationGap``'s cases, each once; empty if every answer is there, and for a refused peer. ``warnings`` has a line for each.
    public internal(set) var revocationGaps: [RevocationGap] = []

    /// The result of comparing the leaf's timestamps with a policy; nil if that wasn't asked for, and if no leaf could be read.
    public package(set) var transparency: TransparencyFinding?

    /// The origin of the path's anchor and the conditions on it; nil if the path doesn't end in an anchor, and for one that the operating
    /// system's own evaluator has checked.
    public package(set) var anchor: AnchorFinding?

    /// The pin that the validated path has; nil if no pin was required.
    public internal(set) var matchedPin: MatchedPin?

    /// The requests to the network or its caches, in order; empty for an evaluation without network.
    public package(set) var fetched: [TrustFetchRecord] = []

    /// Warnings that are no failures of the peer: unreadable presented certificates, a set of pins without a backup. Callers may add
    /// to them.
    public var warnings: [String] = []

    /// Whether the peer is trusted, so that the connection may be used.
    public var isTrusted: Bool { result.isTrusted }

    /// The most specific of ``failures``; nil if the peer is trusted.
    public var headline: TrustFailure? { failures.first }

    /// Returns the failures of one certificate of ``path``, 0 for the leaf.
    package func failures(ofCertificateAt index: Int) -> [TrustFailure] { failures.filter { $0.certificate == index } }

    /// Throws unless the peer is trusted.
    /// - Throws: ``TrustRefusal`` with this verdict.
    public func requireTrust() throws(TrustRefusal) {
        guard isTrusted else { throw TrustRefusal(self) }
    }

    /// Returns the role of the certificate at `index` of ``path``.
    package func role(at index: Int) -> TrustFailure.Role {
        index == 0 ? .leaf : reachesAnchor && index == path.count - 1 ? .anchor : .intermediate
    }

    /// The organization in the leaf's subject (`O`), the first of several; nil if it has none.
    ///
    /// The CA vouches for it if the peer is trusted; otherwise it is unauthenticated.
    public var organization: String? { path.first?.subject.values(of: .organizationName).first }

    /// Whether the path asserts extended validation: the peer is trusted, the leaf states the CA/Browser Forum's policy
    /// 2.23.140.1.1, every CA up to the anchor allows it (RFC 5280 § 6.1), and the lists of roots that name policies of the anchor accept it.
    ///
    /// Not checked without such a list: whether the anchor is audited for it.
    public var assertsExtendedValidation: Bool {
        guard isTrusted, checked.contains(.path), anchor?.permitsExtendedValidation != false else { return false }
        return ValidatedPath(validatedBySystem: path)?.assertsExtendedValidation ?? false
    }
}

/// A check that an evaluation performs or omits. The set grows.
public struct TrustCheck: Sendable, Hashable, CustomStringConvertible {
    /// The stable name.
    public let name: String

    init(name: String) { self.name = name }

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
    /// The checks of an evaluator of the caller's own.
    package static let custom = TrustCheck(name: "custom")
    /// Revocation: performed if every certificate that was checked has an answer.
    public static let revocation = TrustCheck(name: "revocation")
    /// Whether a leaf that requires an OCSP response in the handshake (RFC 7633) came with one. Listed for such leaves only.
    public static let staple = TrustCheck(name: "staple")
    /// Whether the certificate was published in logs (RFC 6962).
    public static let certificateTransparency = TrustCheck(name: "certificateTransparency")

    /// The name.
    public var description: String { name }
}

/// The pin that the validated path has, and its place.
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
    /// The pin as text: `sha256/BASE64`.
    public let pin: String
    /// The certificate's index in the validated path, 0 for the leaf.
    public let certificate: Int
    /// Whether it is a backup pin: the server has changed its key, so the set of pins needs a new backup.
    public let isBackup: Bool

    package init(_ kind: Kind, sha256: [UInt8], certificate: Int, isBackup: Bool = false) {
        self.kind = kind
        self.pin = "sha256/" + Base64.encode(sha256)
        self.certificate = certificate
        self.isBackup = isBackup
    }
}

extension TrustVerdict: CustomStringConvertible {
    /// Several lines for people: the result, each failure with a hint, and the checks that were not performed.
    public var description: String {
        let name = (referenceName ?? host)?.description ?? "the peer"
        var lines = ["\(name) is \(isTrusted ? "" : "not ")trusted at \(evaluationDate) (\(result.rawValue))"]
        if isTrusted {
            let names = path.map { $0.abridgedDescription(toBytes: ReportAllowance.nameSize(path.count)) }
            lines.append("  path: " + names.joined(separator: " < "))
            if let validUntil { lines.append("  until: \(validUntil)") }
            if let matchedPin {
                lines.append("  pin: \(matchedPin.pin)\(matchedPin.isBackup ? " (backup)" : "")")
            }
        }
        lines += revocation.map { "  revocation: \($0)" }
        if let anchor, !anchor.lists.isEmpty { lines.append("  anchor: \(anchor)") }
        if let transparency { lines.append("  transparency: \(transparency)") }
        var allowance = ReportAllowance()
        let shown = allowance.first(of: failures, part: 3, size: \.writtenSize)
        for (index, failure) in shown.kept.enumerated() {
            lines.append("  error: \(failure.message) [\(failure.code)]")
            // Several certificates may fail for the same reason; the hint is printed once.
            if shown.kept.dropFirst(index + 1).first?.code != failure.code {
                lines.append("  hint: \(failure.code.explanation)")
            }
        }
        if shown.omitted > 0 { lines.append("  and \(shown.omitted) more errors") }
        if isAcceptedByDelegate { lines.append("  accepted by the client's delegate") }
        for (label, failures) in [("excused", excused), ("report only", reported)] {
            let shown = allowance.first(of: failures, part: 3, size: \.writtenSize)
            lines += shown.kept.map { "  \(label): \($0.message) [\($0.code)]" }
            if shown.omitted > 0 { lines.append("  \(label): \(shown.omitted) more") }
        }
        if !notChecked.isEmpty { lines.append("  not checked: " + notChecked.map(\.name).joined(separator: ", ")) }
        for (label, texts) in [("fetched", fetched.map(\.description)), ("warning", warnings)] {
            let shown = allowance.first(of: texts.map { $0.abridged(toBytes: 1024) }, part: 3, size: \.writtenSize)
            lines += shown.kept.map { "  \(label): \($0)" }
            if shown.omitted > 0 { lines.append("  \(label): \(shown.omitted) more") }
        }
        return lines.joined(separator: "\n")
    }
}
