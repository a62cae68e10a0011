// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An evaluator that refuses every path with one of these keys, anchor included: keys that are known to be compromised.
///
/// If there are two paths over a cross-signed CA, the one without such a key still counts, because servers continue to send
/// cross-signed certificates of a denied CA. A leaf that is trusted without a valid path, because a rule exempts it or a user agreed
/// to it, is refused if a path that was tried for it, or the presented chain, has such a key. A ``ServerTrustManager`` applies the
/// denied keys of ``ServerTrustManager/replaceRules(by:deniedKeys:)`` in this way to every host, pinned or not.
public struct DeniedKeysTrustEvaluator: BuiltInTrustEvaluator {
    /// The denied keys. An empty set denies none.
    package let keys: Set<SPKIPin>

    /// Creates an evaluator that denies keys.
    public init(_ keys: Set<SPKIPin>) { self.keys = keys }

    /// Refuses a path with a denied key.
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

    /// True: the result depends on the path alone.
    public var isRepeatable: Bool { true }
    var performedChecks: [TrustCheck] { [.deniedKeys] }
    func denies(_ key: SPKIPin) -> Bool { keys.contains(key) }
}
