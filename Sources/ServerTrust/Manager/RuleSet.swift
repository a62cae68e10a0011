// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The rules of a manager at one time.
struct RuleSet: Sendable {
    let table: HostTable<HostRule>
    let allHostsMustBeEvaluated: Bool
    /// nil if no key is denied.
    let denied: DeniedKeysTrustEvaluator?
    /// By which remembered verdicts are told apart: another one for every change.
    let number = VerdictMemory.Scope.nextManager()

    init(_ table: HostTable<HostRule>, allHostsMustBeEvaluated: Bool, deniedKeys: Set<SPKIPin> = []) {
        self.table = table
        self.allHostsMustBeEvaluated = allHostsMustBeEvaluated
        self.denied = deniedKeys.isEmpty ? nil : DeniedKeysTrustEvaluator(deniedKeys)
    }
}

extension RuleSet {
    /// The refusal of a host whatever it presents: its rule denies it, it has no rule and needs one, or it has no name; nil for a
    /// host whose server is evaluated.
    func denial(of trust: Trust) -> TrustVerdict? {
        guard let host = trust.host else { return trust.denied(.hostNotListed, by: nil, "a peer without a name") }
        guard let (index, rule) = table.lookup(host) else {
            return allHostsMustBeEvaluated ? trust.denied(.hostNotListed, by: nil, host.description) : nil
        }
        guard case .denied = rule.kind else { return nil }
        return trust.denied(.hostDenied, by: table[index].pattern, host.description)
    }

    /// Whether ``denial(of:)`` refuses the host.
    func denies(_ host: Hostname) -> Bool {
        guard let (_, rule) = table.lookup(host) else { return allHostsMustBeEvaluated }
        guard case .denied = rule.kind else { return false }
        return true
    }
}

extension PresentedChain {
    func firstKey(of keys: Set<SPKIPin>) -> SPKIPin? {
        ((leaf.map { [$0] } ?? []) + others).lazy.map { SPKIPin($0) }.first { keys.contains($0) }
    }
}

extension Trust {
    /// A refusal by the rules for the host alone: nothing that the server presents was checked.
    func denied(_ code: TrustFailure.Code, by pattern: HostPattern?, _ name: String) -> TrustVerdict {
        let failure = TrustFailure(code, expected: pattern.map { .text($0.description) }, found: .text(name))
        return TrustVerdict(
            result: .deny, host: host, referenceName: nil, profile: settings.policy.profile,
            purpose: settings.policy.purpose,
            isStrict: settings.policy.isStrict, evaluationDate: settings.verifyDate.time,
            path: presentedChain.leaf.map { [$0] } ?? [],
            reachesAnchor: false, failures: [failure], rejectedPaths: [], checked: [],
            notChecked: [.path, .identity, .purpose, .revocation, .certificateTransparency])
    }
}
