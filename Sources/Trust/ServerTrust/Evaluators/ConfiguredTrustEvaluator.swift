// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The requirements of a configuration file for a host: requirements on the path, and anchors.
///
/// A `PinConfiguration` creates it for rules that no other evaluator of this package expresses.
package struct ConfiguredTrustEvaluator: BuiltInTrustEvaluator {
    /// The anchors that replace the trust object's, or nil to keep the trust object's.
    private let anchors: TrustAnchors?
    package let isRepeatable: Bool
    /// Returns the keys if one of them in the path is all that the evaluator requires at a date. The array is empty if
    /// no key is required. nil means another requirement.
    let keys: @Sendable (Time) -> [SPKIPin]?
    /// Compares pins with a path.
    private let compare: @Sendable (ValidatedPath, Trust) -> EvaluatorOutcome

    package init(
        anchors: TrustAnchors?, isRepeatable: Bool, keys: @escaping @Sendable (Time) -> [SPKIPin]?,
        compare: @escaping @Sendable (ValidatedPath, Trust) -> EvaluatorOutcome
    ) {
        self.anchors = anchors
        self.isRepeatable = isRepeatable
        self.keys = keys
        self.compare = compare
    }

    package func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) { try require(path, for: trust) }

    var performedChecks: [TrustCheck] { [.pins] }

    func variants(of trust: Trust) -> [Trust]? {
        guard let anchors else { return nil }
        var trust = trust
        trust.settings.anchors = trust.settings.anchors.replaced(by: anchors)
        return [trust]
    }

    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome { compare(path, trust) }
}
