// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Refuses every path that holds one of these keys, anchor included: keys that are known to be in wrong hands.
///
/// Of two paths over a cross-signed CA the one without such a key still counts, because servers go on sending cross-signed certificates
/// of a denied CA. A leaf that is trusted without a valid path, because a rule exempts it or a user agreed to it, is refused if any
/// path that was tried for it, or the presented chain, has such a key. A ``ServerTrustManager`` asks this of every host
/// (``ServerTrustManager/deniedKeys``), pinned or not.
public struct DeniedKeysTrustEvaluator: BuiltInTrustEvaluator {
    /// Whose holders are refused. An empty set refuses nobody.
    public let keys: Set<SPKIPin>

    public init(_ keys: Set<SPKIPin>) { self.keys = keys }

    public func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) { try require(path, for: trust) }

    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome {
        let certificates = path.certificates
        let failures = certificates.indices.compactMap { index -> TrustFailure? in
            let pin = SPKIPin(certificates[index])
            guard keys.contains(pin) else { return nil }
            let role: TrustFailure.Role =
                index == 0 ? .leaf : index == certificates.count - 1 ? .anchor : .intermediate
            return TrustFailure(.keyDenied, certificate: index, role: role, found: .text(pin.description))
        }
        return EvaluatorOutcome(failures: failures)
    }

    public var isRepeatable: Bool { true }
    var performedChecks: [TrustCheck] { [.deniedKeys] }
    func denies(_ key: SPKIPin) -> Bool { keys.contains(key) }
}
