// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The requirements of a configuration file for a host: requirements on the path, and anchors. For rules that no other evaluator of
/// this package expresses; created from a `PinConfiguration`.
package struct ConfiguredTrustEvaluator: BuiltInTrustEvaluator {
    /// A pin that a path holds.
    package typealias Match = (kind: MatchedPin.Kind, certificate: Int, isBackup: Bool)

    /// The anchors in place of the trust object's; nil to keep those.
    private let anchors: TrustAnchors?
    package let isRepeatable: Bool
    private let warnings: [String]
    private let compare: @Sendable (ValidatedPath, Trust) -> Comparison

    /// The comparison of pins with a path: failures, and the first pin that matched.
    package typealias Comparison = (failures: [TrustFailure], match: Match?)

    package init(
        anchors: TrustAnchors?, isRepeatable: Bool, warnings: [String],
        compare: @escaping @Sendable (ValidatedPath, Trust) -> Comparison
    ) {
        self.anchors = anchors
        self.isRepeatable = isRepeatable
        self.warnings = warnings
        self.compare = compare
    }

    package func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) { try require(path, for: trust) }

    var performedChecks: [TrustCheck] { [.pins] }
    var configurationWarnings: [String] { warnings }

    func variants(of trust: Trust) -> [Trust]? {
        guard let anchors else { return nil }
        var trust = trust
        trust.settings.anchors = trust.settings.anchors.replaced(by: anchors)
        return [trust]
    }

    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome {
        let (failures, match) = compare(path, trust)
        guard let match, path.certificates.indices.contains(match.certificate) else {
            return EvaluatorOutcome(failures: failures)
        }
        let certificate = path.certificates[match.certificate]
        let sha256 =
            switch match.kind {
            case .key: certificate.subjectPublicKeyInfoSHA256
            case .certificate: certificate.sha256
            }
        return EvaluatorOutcome(
            failures: failures,
            matchedPin: MatchedPin(
                match.kind, sha256: sha256, certificate: match.certificate, isBackup: match.isBackup))
    }
}
