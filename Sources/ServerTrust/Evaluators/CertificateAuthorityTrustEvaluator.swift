// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Asks for a certain CA: CA pinning, and private CAs.
///
/// ```swift
/// // The public server has to have its certificate from this CA, by whichever of its certificates.
/// try CertificateAuthorityTrustEvaluator(authorities: [issuer])
/// // The internal server is trusted by our own CA and by nobody else.
/// try CertificateAuthorityTrustEvaluator(onlyAnchors: [ourRoot])
/// ```
public struct CertificateAuthorityTrustEvaluator: BuiltInTrustEvaluator {
    /// The CAs; never empty, none twice.
    public let authorities: [Certificate]

    /// The anchors that are put in the place of the trust object's; nil if those stay.
    private let anchors: TrustAnchors?

    /// CAs of which one has to be in the validated path, above the leaf.
    ///
    /// A CA is its name and its key: another certificate of the same CA, cross-signed or renewed with the same key, is as good.
    /// - Parameter authorities: intermediates or roots.
    /// - Throws: ``PinnedCertificatesError`` for an empty list and for a certificate that is listed twice.
    public init(authorities: [Certificate]) throws(PinnedCertificatesError) {
        _ = try PinnedCertificatesError.check(authorities)
        self.authorities = authorities
        self.anchors = nil
    }

    /// The only anchors that count for the host, in the place of the trust object's.
    /// - Parameter anchors: the roots of a private CA, say.
    /// - Throws: ``PinnedCertificatesError`` for an empty list and for a certificate that is listed twice.
    public init(onlyAnchors anchors: [Certificate]) throws(PinnedCertificatesError) {
        _ = try PinnedCertificatesError.check(anchors)
        self.authorities = anchors
        self.anchors = .only(anchors)
    }

    public func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) { try require(path, for: trust) }

    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome {
        // A leaf that is itself an anchor was named as one.
        let candidates = anchors == nil ? path.certificates.dropFirst() : path.certificates[...]
        let isMatched = candidates.contains { certificate in
            authorities.contains { certificate == $0 || certificate.isSameAuthority(as: $0) }
        }
        guard !isMatched else { return EvaluatorOutcome() }
        return EvaluatorOutcome(failures: [
            TrustFailure(
                .authorityNotMatched, expected: .list(authorities.map(\.description)),
                found: .list(candidates.map(\.description)))
        ])
    }

    public var isRepeatable: Bool { true }
    var performedChecks: [TrustCheck] { [.authorities] }

    func variants(of trust: Trust) -> [Trust]? {
        guard let anchors else { return nil }
        var trust = trust
        trust.settings.anchors = anchors
        return [trust]
    }
}

extension Certificate {
    fileprivate func isSameAuthority(as other: Certificate) -> Bool {
        subjectPublicKeyInfo == other.subjectPublicKeyInfo && subject == other.subject
    }
}
