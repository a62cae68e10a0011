// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An evaluator that refuses every path with a certificate that a list denies, including the anchor.
///
/// ```swift
/// DeniedListTrustEvaluator(DeniedList(keys: [stolenKey], reason: "stolen in May"))
/// ```
/// If a cross-signed CA allows two paths, a path without a denied certificate is still accepted, because servers
/// continue to send cross-signed certificates of a denied CA. The engine may also trust a leaf without a valid path,
/// because a rule exempts it or a user agreed to it. Such a leaf is refused if the list denies a certificate of the
/// presented chain or of a path that the engine tried.
///
/// To apply a list to every host, set ``TrustSettings/denied``, or pass the list to
/// ``ServerTrustManager/replaceRules(by:denied:)``.
public struct DeniedListTrustEvaluator: BuiltInTrustEvaluator {
    /// The denied certificates and keys.
    public let list: DeniedList

    /// Creates an evaluator that denies certificates and keys.
    public init(_ list: DeniedList) { self.list = list }

    /// Refuses a path with a denied certificate.
    public func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) { try require(path, for: trust) }

    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome {
        let certificates = path.certificates
        let failures = certificates.indices.compactMap { index -> TrustFailure? in
            let issuers = index + 1 < certificates.count ? [certificates[index + 1]] : []
            guard let entry = list.entry(denying: certificates[index], issuers: issuers) else { return nil }
            return TrustFailure(
                .certificateDenied, certificate: index, role: .init(at: index, of: certificates.count),
                found: entry.value)
        }
        return EvaluatorOutcome(failures: failures)
    }

    /// True: the result depends only on the path and the list.
    public var isRepeatable: Bool { true }
    var performedChecks: [TrustCheck] { [.deniedCertificates] }
    var denied: DeniedList? { list }
}
