// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// A rule's requirements for a validated path.
struct PinRequirements: Sendable {
    private let rule: PinRule
    private let overriding: OverridingAnchors?
    /// The rule's scopes. The path has to match one pin in each.
    private let scopes: [PinScope]
    private let roles: [PinRule.Requirement: Pin.Role?]
    private let hasCertificates: Bool

    /// - Parameter overriding: the anchors that make the rule's pins irrelevant.
    init(_ rule: PinRule, overriding: OverridingAnchors?) {
        self.rule = rule
        self.overriding = overriding
        self.scopes = rule.scopes
        self.roles = Dictionary(rule.pins.map { (PinRule.Requirement($0), $0.role) }) { first, _ in first }
        self.hasCertificates = rule.pins.contains { if case .certificate = $0.value { true } else { false } }
    }

    /// Returns the rule's evaluator.
    /// - Parameter anchors: the only anchors for the rule's hosts, or nil for the evaluation's anchors.
    func evaluator(anchors: TrustAnchors?) -> any TrustEvaluator {
        guard rule.mode != .unpinned else {
            guard let anchors else { return DefaultTrustEvaluator() }
            return ConfiguredTrustEvaluator(
                anchors: anchors, isRepeatable: true, keys: .required([]), compare: { _, _ in EvaluatorOutcome() })
        }
        return ConfiguredTrustEvaluator(
            anchors: anchors, isRepeatable: rule.expiry == nil, keys: keys,
            compare: { path, trust in
                let matches = scopes.map { match(in: path, $0) }
                let first = matches.contains { $0 == nil } ? nil : matches.first
                return EvaluatorOutcome(failures: refusals(of: path, trust, matches), matchedPin: first ?? nil)
            })
    }

    /// The requirements for a record, which contains neither certificates as pins nor the origin of anchors.
    private var keys: ConfiguredTrustEvaluator.Keys {
        if let overriding { return overriding.areAll ? .required([]) : .other("anchors that override pins") }
        guard !hasCertificates else { return .other("pinned certificates") }
        let expiry = rule.expiry.map {
            KeyRequirement.Expiry($0.time, refusesAfterwards: $0.onExpiry == .failClosed)
        }
        return .required(
            scopes.map { scope in
                KeyRequirement(rule.pins.filter { $0.scope == scope }.map(\.key), scope: scope, expiry: expiry)
            })
    }

    private func refusals(
        of path: ValidatedPath, _ trust: Trust, _ matches: [MatchedPin?]
    ) -> [TrustFailure] {
        if let overriding, overriding.contain(path.anchor) { return [] }
        let now = trust.settings.verifyDate.time
        if let expiry = rule.expiry, expiry.hasPassed(at: now) {
            switch expiry.onExpiry {
            case .failOpen: return []
            case .failClosed: return [TrustFailure(.pinsExpired, expected: .time(expiry.time), found: .time(now))]
            }
        }
        return zip(scopes, matches).filter { $0.1 == nil }.map { scope, _ in
            let pins = rule.pins.filter { $0.scope == scope }
            let isOfCertificates = pins.allSatisfy { if case .certificate = $0.value { true } else { false } }
            return .pinNotMatched(
                isOfCertificates ? .certificateNotPinned : .pinNotMatched, isOfLeaf: scope == .leaf,
                expected: pins.map(\.value.description),
                found: path.certificates[scope.indices(count: path.certificates.count)].map { certificate in
                    (isOfCertificates ? Pin.Value.certificate(certificate) : .key(SPKIPin(certificate))).description
                })
        }
    }

    private func match(in path: ValidatedPath, _ scope: PinScope) -> MatchedPin? {
        for index in scope.indices(count: path.certificates.count) {
            let certificate = path.certificates[index]
            let key = SPKIPin(certificate)
            if let role = roles[PinRule.Requirement(.key(key), scope)] {
                return MatchedPin(.key, sha256: key.sha256, certificate: index, isBackup: role == .backup)
            }
            if hasCertificates, let role = roles[PinRule.Requirement(.certificate(certificate), scope)] {
                return MatchedPin(
                    .certificate, sha256: certificate.sha256, certificate: index, isBackup: role == .backup)
            }
        }
        return nil
    }
}
