// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An evaluator that requires one of these certificates, byte for byte, in the validated path.
///
/// A pinned leaf has to be replaced in the app before the server renews it, a pinned CA certificate before the CA renews it. Pins of
/// keys last longer: ``SPKIPinsTrustEvaluator``.
public struct PinnedCertificatesTrustEvaluator: BuiltInTrustEvaluator {
    /// The pinned certificates; never empty, none twice.
    package let certificates: [Certificate]
    /// Whether the certificates are the only anchors.
    package let acceptSelfSigned: Bool
    /// Whether a path has to be valid apart from the pin.
    package let performDefaultValidation: Bool
    /// Whether the leaf has to be valid for the reference name.
    package let validateHost: Bool

    private let pinned: Set<Certificate>
    private let anchors: TrustAnchors

    /// Creates an evaluator.
    /// - Parameters:
    ///   - certificates: leaf, intermediates or roots.
    ///   - acceptSelfSigned: makes these certificates the only anchors for the host, in place of the system's. A self-signed
    ///     certificate or one of a private CA is then accepted; dates, names and purpose are still checked.
    ///   - performDefaultValidation: false excuses failures of a leaf that is itself pinned: it has expired, its issuer is unknown, or it is
    ///     for another purpose. Not excused: fatal failures of the leaf, such as its signature algorithm or key; its name, if
    ///     `validateHost` is true; and refusals by other evaluators, for a denied key or for revocation. The verdict lists the excused
    ///     failures and is ``TrustResultType/proceed``. For a leaf below a pinned CA, only the anchors change: they are the pinned
    ///     certificates.
    ///   - validateHost: false accepts the pinned certificate under any name.
    /// - Throws: ``PinnedCertificatesError`` for an empty list or a duplicate.
    public init(
        certificates: [Certificate], acceptSelfSigned: Bool = false, performDefaultValidation: Bool = true,
        validateHost: Bool = true
    ) throws(PinnedCertificatesError) {
        self.pinned = try PinnedCertificatesError.check(certificates)
        self.certificates = certificates
        self.acceptSelfSigned = acceptSelfSigned
        self.performDefaultValidation = performDefaultValidation
        self.validateHost = validateHost
        self.anchors = .only(certificates)
    }

    /// Refuses a path without a pinned certificate.
    public func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) { try require(path, for: trust) }

    /// True: the result depends on the path alone.
    public var isRepeatable: Bool { true }
    var performedChecks: [TrustCheck] { [.pins] }

    func variants(of trust: Trust) -> [Trust]? {
        var trust = validateHost ? trust : trust.withoutIdentity
        if acceptSelfSigned { trust.settings.anchors = anchors }
        guard !performDefaultValidation else { return [trust] }
        if let leaf = trust.presentedChain.leaf, pinned.contains(leaf) {
            trust.exemption = validateHost ? .allButIdentity : .all
        } else {
            trust.settings.anchors = anchors
        }
        return [trust]
    }

    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome {
        for (index, certificate) in path.certificates.enumerated() where pinned.contains(certificate) {
            return EvaluatorOutcome(
                matchedPin: MatchedPin(.certificate, sha256: certificate.sha256, certificate: index))
        }
        return EvaluatorOutcome(failures: [
            .pinNotMatched(
                .certificateNotPinned, expected: certificates.map(\.fingerprint),
                found: path.certificates.map(\.fingerprint))
        ])
    }
}

extension Certificate {
    /// The certificate's SHA-256 as text, for a failure: `sha256/BASE64`.
    var fingerprint: String { "sha256/" + Base64.encode(sha256) }
}

/// An error in a list of certificates to pin.
public enum PinnedCertificatesError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The list is empty, which would pin nothing or everything.
    case empty
    /// The certificates at these indices are equal.
    case duplicate(Int, Int)

    /// One line for people; its wording may change.
    public var description: String {
        switch self {
        case .empty: "no certificate to pin, expected at least one"
        case .duplicate(let first, let second): "certificates \(first) and \(second) of the list are equal"
        }
    }

    static func check(_ certificates: [Certificate]) throws(PinnedCertificatesError) -> Set<Certificate> {
        guard !certificates.isEmpty else { throw .empty }
        var places: [Certificate: Int] = [:]
        for (index, certificate) in certificates.enumerated() {
            if let first = places.updateValue(index, forKey: certificate) { throw .duplicate(first, index) }
        }
        return Set(certificates)
    }
}
