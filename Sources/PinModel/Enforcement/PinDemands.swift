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
                anchors: anchors, isRepeatable: true, warnings: [], match: { _ in nil }, refusals: { _, _ in [] })
        }
        return ConfiguredTrustEvaluator(
            anchors: anchors, isRepeatable: rule.expiry == nil, warnings: [],
            match: { path in matches(in: path)?.first }, refusals: { path, trust in refusals(of: path, trust) })
    }

    private func refusals(of path: ValidatedPath, _ trust: Trust) -> [TrustFailure] {
        if let overriding, overriding.contain(path.anchor) { return [] }
        let now = trust.verifyDate.time
        if let expiry = rule.expiry, expiry.hasPassed(at: now) {
            switch expiry.afterwards {
            case .unpinned: return []
            case .refused: return [TrustFailure(.pinsExpired, expected: .time(expiry.time), found: .time(now))]
            }
        }
        return scopes.filter { match(in: path, $0) == nil }.map { scope in
            let pins = rule.pins.filter { $0.scope == scope }
            let isOfCertificates = pins.allSatisfy { if case .certificate = $0.value { true } else { false } }
            return TrustFailure(
                isOfCertificates ? .certificateNotPinned : .pinNotMatched,
                certificate: scope == .leaf ? 0 : nil, role: scope == .leaf ? .leaf : nil,
                expected: .list(pins.map(\.value.description)),
                found: .list(
                    path.certificates[indices(of: path, scope)].map { certificate in
                        (isOfCertificates ? Pin.Value.certificate(certificate) : .key(SPKIPin(certificate))).description
                    }))
        }
    }

    /// One pin for each scope; nil if one of them isn't met.
    private func matches(in path: ValidatedPath) -> [ConfiguredTrustEvaluator.Match]? {
        var matches: [ConfiguredTrustEvaluator.Match] = []
        for scope in scopes {
            guard let match = match(in: path, scope) else { return nil }
            matches.append(match)
        }
        return matches
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
