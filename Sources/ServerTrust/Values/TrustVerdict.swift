// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The finding: whether to trust the peer, why not, what was looked at and what wasn't.
///
/// Programs decide on ``isTrusted`` and on the codes of ``failures``. A verdict that was decoded is a record of what was found
/// elsewhere, no evidence: whoever wrote the bytes may have written anything.
public struct TrustVerdict: Sendable, Hashable {
    /// What it comes down to.
    public internal(set) var result: TrustResultType

    /// The host that the connection goes to; nil if nobody said.
    public internal(set) var host: Hostname?

    /// The name that the leaf was held against; nil if names weren't checked.
    public internal(set) var referenceName: Hostname?

    /// The set of rules.
    public internal(set) var profile: ValidationPolicy.Profile

    /// What the leaf is to be used for.
    public internal(set) var purpose: ValidationPolicy.Purpose

    /// Whether the rules that practical verifiers relax were asked for.
    public internal(set) var isStrict: Bool

    /// The verify date.
    public internal(set) var evaluationDate: Time

    /// A trusted verdict is the same for every date from here…
    public internal(set) var validFrom: Time?

    /// …to here, this second included, and says nothing about any date after it. nil if the peer is not trusted, or for an
    /// exception that covers the dates and doesn't run out.
    public internal(set) var validUntil: Time?

    /// Leaf first: the validated path, anchor last, if the peer is trusted; otherwise the best candidate. Empty if there was no
    /// certificate to start from.
    public internal(set) var path: [Certificate]

    /// Whether the last certificate of ``path`` is an anchor.
    public internal(set) var reachesAnchor: Bool

    /// Everything that is wrong with the best candidate, most specific first; empty if the peer is trusted.
    public internal(set) var failures: [TrustFailure]

    /// Every path that was tried and refused, the best candidate first; empty if the peer is trusted. At most 64.
    public internal(set) var rejectedPaths: [RejectedPath]

    /// What is wrong and was let pass, because an exception covers it or an evaluator was told to.
    public internal(set) var excused: [TrustFailure] = []

    /// Whether the peer is trusted because a client's delegate has accepted it: default evaluation refuses it, for the failures in
    /// ``excused`` that no exception covers. Never true under a rule that asks for more than default evaluation.
    public internal(set) var isAcceptedByDelegate = false

    /// What a rule in report-only mode would have refused.
    public internal(set) var reported: [TrustFailure] = []

    /// What was looked at.
    public internal(set) var checked: [TrustCheck]

    /// What wasn't: a trusted verdict doesn't speak about it.
    public internal(set) var notChecked: [TrustCheck]

    /// What is known about each certificate of ``path`` but the anchor having been withdrawn, in order; empty if it wasn't asked for,
    /// and for a path that was refused before it came to that.
    public package(set) var revocation: [RevocationFinding] = []

    /// The pin that the validated path holds; nil if none was asked for.
    public internal(set) var matchedPin: MatchedPin?

    /// What was asked of the network or its caches on the way, in order; empty for an evaluation without network.
    public package(set) var fetched: [TrustFetchRecord] = []

    /// What isn't wrong with the peer and should be known: presented certificates that can't be read, a set of pins without a
    /// backup. Whoever evaluates may add to them.
    public var warnings: [String] = []

    /// Whether to go on.
    public var isTrusted: Bool { result.isTrusted }

    /// The most specific of ``failures``; nil if the peer is trusted.
    public var headline: TrustFailure? { failures.first }

    /// What is wrong with one certificate of ``path``, 0 for the leaf.
    public func failures(ofCertificateAt index: Int) -> [TrustFailure] { failures.filter { $0.certificate == index } }

    /// - Throws: the headline unless the peer is trusted.
    public func requireTrusted() throws(TrustFailure) {
        guard !isTrusted else { return }
        // Nothing refuses without saying why; if something did, it would still be refused.
        throw headline ?? TrustFailure(.evaluatorRefused, found: .text(result.rawValue))
    }

    /// What the certificate at `index` of ``path`` is.
    public func role(at index: Int) -> TrustFailure.Role {
        index == 0 ? .leaf : reachesAnchor && index == path.count - 1 ? .anchor : .intermediate
    }

    /// The organisation that the leaf's subject names (`O`), the first of several; nil if it names none.
    ///
    /// Who vouches for it: the CA, if the peer is trusted; nobody otherwise.
    public var organization: String? { path.first?.subject.values(of: .organizationName).first }

    /// Whether the path asserts extended validation: the peer is trusted, the leaf states the CA/Browser Forum's policy
    /// 2.23.140.1.1, and every CA up to the anchor allows it (RFC 5280 § 6.1).
    ///
    /// Not checked: whether the anchor's owner was audited for it, which browsers keep lists of.
    public var assertsExtendedValidation: Bool {
        guard isTrusted, checked.contains(.path), let leaf = path.first,
            leaf.certificatePolicies?.contains(where: { $0.identifier == .extendedValidation }) == true,
            let path = ValidatedPath(validatedBySystem: path)
        else { return false }
        return path.isValid(for: .extendedValidation)
    }
}

/// One thing that an evaluation looks at or leaves out. The set grows.
public struct TrustCheck: Sendable, Hashable, CustomStringConvertible {
    public let name: String

    init(name: String) { self.name = name }

    /// Signatures, dates, algorithms, CA rights, constraints and policies along the path (RFC 5280 § 6).
    public static let path = TrustCheck(name: "path")
    /// Whether the leaf is valid for the name that was asked for (RFC 9525).
    public static let identity = TrustCheck(name: "identity")
    /// Extended key usage.
    public static let purpose = TrustCheck(name: "purpose")
    /// Keys or certificates that the caller pins.
    public static let pins = TrustCheck(name: "pins")
    /// Keys that the caller denies.
    public static let deniedKeys = TrustCheck(name: "deniedKeys")
    /// Certificate authorities that the caller names.
    public static let authorities = TrustCheck(name: "authorities")
    /// What the caller asks of the leaf.
    public static let attributes = TrustCheck(name: "attributes")
    /// An evaluator of the caller's own.
    public static let custom = TrustCheck(name: "custom")
    /// Whether certificates were withdrawn: checked if every one that was asked about was answered for.
    public static let revocation = TrustCheck(name: "revocation")
    /// Whether a leaf that demands an OCSP response in the handshake (RFC 7633) came with one. Named only where one does.
    public static let staple = TrustCheck(name: "staple")
    /// Whether the certificate was published in logs (RFC 6962).
    public static let certificateTransparency = TrustCheck(name: "certificateTransparency")

    public var description: String { name }
}

/// Which pin the validated path holds, and where.
public struct MatchedPin: Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Hashable, Codable {
        /// SHA-256 over a SubjectPublicKeyInfo.
        case key
        /// SHA-256 over a whole certificate.
        case certificate
    }
    public let kind: Kind
    /// `sha256/BASE64`
    public let pin: String
    /// Index in the validated path, 0 for the leaf.
    public let certificate: Int
    /// Whether it is one of the pins that are held in reserve: the server has changed its key, so think of the next backup.
    public let isBackup: Bool

    init(_ kind: Kind, sha256: [UInt8], certificate: Int, isBackup: Bool = false) {
        self.kind = kind
        self.pin = "sha256/" + Base64.encode(sha256)
        self.certificate = certificate
        self.isBackup = isBackup
    }
}

extension TrustVerdict: CustomStringConvertible {
    /// Several lines: who is trusted or not, each failure with what to do about it, and what wasn't checked.
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
        var allowance = ReportAllowance()
        let shown = allowance.first(of: failures, part: 3, size: \.writtenSize)
        for (index, failure) in shown.kept.enumerated() {
            lines.append("  error: \(failure.message) [\(failure.code)]")
            // Several certificates may fail for the same reason; what to do about it is said once.
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
