// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustLists

/// An evaluator that refuses every path with a certificate that a list denies, anchor included.
///
/// ```swift
/// DeniedListTrustEvaluator(DeniedList(keys: [stolenKey], reason: "stolen in May"))
/// ```
/// If there are two paths over a cross-signed CA, the one without such a certificate still counts, because servers continue to send
/// cross-signed certificates of a denied CA. A leaf that is trusted without a valid path, because a rule exempts it or a user agreed
/// to it, is refused if the list denies a certificate of a path that was tried for it, or of the presented chain.
///
/// For every host, set ``TrustSettings/denied``, or give the list to ``ServerTrustManager/replaceRules(by:denied:)``.
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
            let role: TrustFailure.Role =
                index == 0 ? .leaf : index == certificates.count - 1 ? .anchor : .intermediate
            return TrustFailure(.certificateDenied, certificate: index, role: role, found: entry.value)
        }
        return EvaluatorOutcome(failures: failures)
    }

    /// True: the result depends on the path and the list alone.
    public var isRepeatable: Bool { true }
    var performedChecks: [TrustCheck] { [.deniedCertificates] }
    var denied: DeniedList? { list }
}
