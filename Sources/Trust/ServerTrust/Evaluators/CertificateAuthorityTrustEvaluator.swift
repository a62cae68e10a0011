// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An evaluator that requires certain CAs, for CA pinning and private CAs.
///
/// ```swift
/// // The public server's certificate must come from this CA, through any of the CA's certificates.
/// try CertificateAuthorityTrustEvaluator(authorities: [issuer])
/// // The internal server is trusted only through the organization's own CA.
/// try CertificateAuthorityTrustEvaluator(onlyAnchors: [ourRoot])
/// ```
public struct CertificateAuthorityTrustEvaluator: BuiltInTrustEvaluator {
    /// The CAs, at least one and without duplicates.
    let authorities: [Certificate]

    /// The anchors that replace the trust object's, or nil to keep the trust object's.
    let anchors: TrustAnchors?
    private let duplicates: [String]

    /// Creates an evaluator that requires one of these CAs in the validated path, above the leaf.
    ///
    /// A CA is identified by its name and its key. Another certificate of the same CA, cross-signed or renewed with the
    /// same key, matches, too.
    /// - Parameter authorities: intermediates or roots.
    /// - Throws: ``TrustEvaluatorError`` for an empty list. A certificate that occurs twice counts once, and verdicts
    ///   contain a warning.
    public init(authorities: [Certificate]) throws(TrustEvaluatorError) {
        let list = try UniqueList(required: authorities)
        self.authorities = list.elements
        self.duplicates = list.warnings
        self.anchors = nil
    }

    /// Creates an evaluator that replaces the trust object's anchors for the host.
    /// - Parameter anchors: the anchors, such as the roots of a private CA.
    /// - Throws: ``TrustEvaluatorError`` for an empty list. A certificate that occurs twice counts once, and verdicts
    ///   contain a warning.
    public init(onlyAnchors anchors: [Certificate]) throws(TrustEvaluatorError) {
        let list = try UniqueList(required: anchors)
        self.authorities = list.elements
        self.duplicates = list.warnings
        self.anchors = .only(list.elements)
    }

    /// Refuses a path without one of the CAs.
    public func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) { try require(path, for: trust) }

    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome {
        // If the leaf itself is an anchor, the caller named it as one.
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

    /// True: the result depends only on the path.
    public var isRepeatable: Bool { true }
    var performedChecks: [TrustCheck] { [.authorities] }
    var configurationWarnings: [String] { duplicates }

    func variants(of trust: Trust) -> [Trust]? { anchors.map { [trust.anchored(by: $0)] } }
}

extension Certificate {
    fileprivate func isSameAuthority(as other: Certificate) -> Bool {
        subjectPublicKeyInfo == other.subjectPublicKeyInfo && subject == other.subject
    }
}
