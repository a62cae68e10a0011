// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Asks that the validated path hold one of these certificates, byte for byte.
///
/// A pinned leaf has to be replaced in the app before the server renews it, a pinned CA's certificate when the CA does. Pins on
/// keys last longer: ``SPKIPinsTrustEvaluator``.
public struct PinnedCertificatesTrustEvaluator: BuiltInTrustEvaluator {
    /// The pinned certificates; never empty, none twice.
    public let certificates: [Certificate]
    /// Whether they are the only anchors.
    public let acceptSelfSigned: Bool
    /// Whether a path has to be valid apart from the pin.
    public let performDefaultValidation: Bool
    /// Whether the leaf has to be valid for the name that was asked for.
    public let validateHost: Bool

    private let pinned: Set<Certificate>
    private let anchors: TrustAnchors

    /// - Parameters:
    ///   - certificates: leaf, intermediates or roots.
    ///   - acceptSelfSigned: makes these certificates the only anchors for the host, the system's don't count. A self-signed
    ///     certificate is accepted then, and so is a private CA; dates, names and purpose are still checked.
    ///   - performDefaultValidation: false lets pass what is wrong with a leaf that is itself pinned: it has expired, its issuer is
    ///     unknown, its purpose is another. Not what is fatal about it, as its signature algorithm or its key, nor its name
    ///     while `validateHost` is true, nor what other evaluators refuse, a denied key or a revocation. What was let pass stands in the verdict, which is ``TrustResultType/proceed``. For a
    ///     leaf below a pinned CA nothing changes but the anchors, which are the pinned certificates.
    ///   - validateHost: false accepts the pinned certificate under any name.
    /// - Throws: ``PinnedCertificatesError`` for an empty list and for a certificate that is listed twice.
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

    public func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) { try require(path, for: trust) }

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
    /// Subject and SHA-256 for a failure.
    var fingerprint: String { "sha256/" + Base64.encode(sha256) }
}

/// Why a list of certificates can't be pinned.
public enum PinnedCertificatesError: Error, Sendable, Hashable, CustomStringConvertible {
    /// An empty list would pin nothing or everything.
    case empty
    /// The certificates at these places, from 0, are the same.
    case duplicate(Int, Int)

    public var description: String {
        switch self {
        case .empty: "no certificate to pin, expected at least one"
        case .duplicate(let first, let second): "certificates \(first) and \(second) of the list are the same"
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
