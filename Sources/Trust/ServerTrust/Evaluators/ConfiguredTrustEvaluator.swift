// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The requirements of a configuration file for a host: requirements on the path, and anchors.
///
/// A `PinConfiguration` creates it for rules that no other evaluator of this package expresses.
package struct ConfiguredTrustEvaluator: BuiltInTrustEvaluator {
    /// The anchors that replace the trust object's, or nil to keep the trust object's.
    let anchors: TrustAnchors?
    package let isRepeatable: Bool
    /// The requirements as a record contains them, or the name of one that a record can't contain.
    let keys: Keys
    /// Compares pins with a path.
    private let compare: @Sendable (ValidatedPath, Trust) -> EvaluatorOutcome

    /// Requirements on the path as keys.
    package enum Keys: Sendable {
        /// The path must meet all of these. Empty if no key is required.
        case required([KeyRequirement])
        /// The path must meet another requirement, with this name.
        case other(String)
    }

    package init(
        anchors: TrustAnchors?, isRepeatable: Bool, keys: Keys,
        compare: @escaping @Sendable (ValidatedPath, Trust) -> EvaluatorOutcome
    ) {
        self.anchors = anchors
        self.isRepeatable = isRepeatable
        self.keys = keys
        self.compare = compare
    }

    package func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) { try require(path, for: trust) }

    var performedChecks: [TrustCheck] { [.pins] }

    func variants(of trust: Trust) -> [Trust]? { anchors.map { [trust.anchored(by: $0)] } }

    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome { compare(path, trust) }
}
