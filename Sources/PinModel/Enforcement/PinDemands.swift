// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// What a rule asks of a validated path.
struct PinDemands: Sendable {
    private let rule: PinRule
    private let overriding: OverridingAnchors?
    /// What has to be met: one of each scope.
    private let scopes: [PinScope]
    private let roles: [PinRule.Demanded: Pin.Role?]
    private let hasCertificates: Bool

    /// - Parameter overriding: anchors under which none of it is asked.
    init(_ rule: PinRule, overriding: OverridingAnchors?) {
        self.rule = rule
        self.overriding = overriding
        self.scopes = rule.scopes
        self.roles = Dictionary(rule.pins.map { (PinRule.Demanded($0), $0.role) }) { first, _ in first }
        self.hasCertificates = rule.pins.contains { if case .certificate = $0.value { true } else { false } }
    }

    /// - Parameter anchors: the only anchors for the rule's hosts; nil for those that hold for all.
    func evaluator(anchors: TrustAnchors?) -> any TrustEvaluator {
        guard rule.mode != .unpinned else {
            guard let anchors else { return DefaultTrustEvaluator() }
            return ConfiguredTrustEvaluator(
                anchors: anchors, isRepeatable: true, warnings: [], compare: { _, _ in ([], nil) })
        }
        return ConfiguredTrustEvaluator(
            anchors: anchors, isRepeatable: rule.expiry == nil, warnings: [],
            compare: { path, trust in
                let matches = scopes.map { match(in: path, $0) }
                let first = matches.contains { $0 == nil } ? nil : matches.first
                return (refusals(of: path, trust, matches), first ?? nil)
            })
    }

    private func refusals(
        of path: ValidatedPath, _ trust: Trust, _ matches: [ConfiguredTrustEvaluator.Match?]
    ) -> [TrustFailure] {
        if let overriding, overriding.contain(path.anchor) { return [] }
        let now = trust.verifyDate.time
        if let expiry = rule.expiry, expiry.hasPassed(at: now) {
            switch expiry.afterwards {
            case .unpinned: return []
            case .refused: return [TrustFailure(.pinsExpired, expected: .time(expiry.time), found: .time(now))]
            }
        }
        return zip(scopes, matches).filter { $0.1 == nil }.map { scope, _ in
            let pins = rule.pins.filter { $0.scope == scope }
            let isOfCertificates = pins.allSatisfy { if case .certificate = $0.value { true } else { false } }
            return .pinNotMatched(
                isOfCertificates ? .certificateNotPinned : .pinNotMatched, isOfLeaf: scope == .leaf,
                expected: pins.map(\.value.description),
                found: path.certificates[indices(of: path, scope)].map { certificate in
                    (isOfCertificates ? Pin.Value.certificate(certificate) : .key(SPKIPin(certificate))).description
                })
        }
    }

    private func match(in path: ValidatedPath, _ scope: PinScope) -> ConfiguredTrustEvaluator.Match? {
        for index in indices(of: path, scope) {
            let certificate = path.certificates[index]
            if let role = roles[PinRule.Demanded(.key(SPKIPin(certificate)), scope)] {
                return (.key, index, role == .backup)
            }
            if hasCertificates, let role = roles[PinRule.Demanded(.certificate(certificate), scope)] {
                return (.certificate, index, role == .backup)
            }
        }
        return nil
    }

    private func indices(of path: ValidatedPath, _ scope: PinScope) -> Range<Int> {
        let count = path.certificates.count
        return switch scope {
        case .leaf: 0..<min(1, count)
        case .authority: min(1, count)..<count
        case .anywhere: 0..<count
        }
    }
}
