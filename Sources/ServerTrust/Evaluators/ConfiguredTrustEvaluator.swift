// SPDX-License-Identifier: Apache-2.0

import PKIX

/// What a configuration file says about a host: demands on the path, and anchors of its own. For rules that no single evaluator
/// of this package has words for; made of a `PinConfiguration`.
package struct ConfiguredTrustEvaluator: BuiltInTrustEvaluator {
    /// A pin that a path holds.
    package typealias Match = (kind: MatchedPin.Kind, certificate: Int, isBackup: Bool)

    /// Takes the place of the trust object's anchors; nil if those stay.
    private let anchors: TrustAnchors?
    package let isRepeatable: Bool
    private let warnings: [String]
    private let match: @Sendable (ValidatedPath) -> Match?
    private let refusals: @Sendable (ValidatedPath, Trust) -> [TrustFailure]

    /// - Parameters:
    ///   - anchors: the only anchors for the host; nil for those of the trust object.
    ///   - isRepeatable: see ``TrustEvaluator/isRepeatable``.
    ///   - warnings: what the verdict should warn of.
    ///   - match: which pin a path that has passed holds.
    ///   - refusals: everything there is against a path that has passed all other checks.
    package init(
        anchors: TrustAnchors?, isRepeatable: Bool, warnings: [String],
        match: @escaping @Sendable (ValidatedPath) -> Match?,
        refusals: @escaping @Sendable (ValidatedPath, Trust) -> [TrustFailure]
    ) {
        self.anchors = anchors
        self.isRepeatable = isRepeatable
        self.warnings = warnings
        self.match = match
        self.refusals = refusals
    }

    package func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {
        if let failures = TrustFailures(refusals(path, trust)) { throw failures }
    }

    var performedChecks: [TrustCheck] { [.pins] }
    var configurationWarnings: [String] { warnings }

    func variants(of trust: Trust) -> [Trust]? {
        guard let anchors else { return nil }
        var trust = trust
        trust.settings.anchors = anchors
        return [trust]
    }

    func pin(in path: ValidatedPath) -> MatchedPin? {
        guard let match = match(path), path.certificates.indices.contains(match.certificate) else { return nil }
        let certificate = path.certificates[match.certificate]
        let sha256 =
            switch match.kind {
            case .key: certificate.subjectPublicKeyInfoSHA256
            case .certificate: certificate.sha256
            }
        return MatchedPin(match.kind, sha256: sha256, certificate: match.certificate, isBackup: match.isBackup)
    }
}
