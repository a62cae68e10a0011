// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The rules of a manager at one point in time. A class, because each evaluation takes them out of a lock.
final class RuleSet: Sendable {
    let table: HostTable<HostRule>
    let allHostsMustBeEvaluated: Bool
    /// The denied certificates and keys in addition to a trust object's, or nil for no additions.
    let denied: DeniedList?
    /// The Certificate Transparency check for every host, or nil for no check. If a trust object has its own check,
    /// both apply.
    let transparency: TransparencySettings?
    /// The filters of revoked certificates that replace a trust object's. If empty, the trust object keeps its own.
    let filters: [RevocationFilter]
    /// A number that separates remembered verdicts of different rules. Every change of the rules uses a new number.
    let number = VerdictMemory.Scope.nextManager()
    /// The rules that ask for revocation checks.
    let revocation: RevocationDemands

    init(
        _ table: HostTable<HostRule>, allHostsMustBeEvaluated: Bool, denied: DeniedList? = nil,
        transparency: TransparencySettings? = nil,
        filters: [RevocationFilter] = []
    ) {
        self.filters = filters
        self.denied = denied?.isEmpty == true ? nil : denied
        self.transparency = transparency
        self.table = table
        self.allHostsMustBeEvaluated = allHostsMustBeEvaluated
        self.revocation = RevocationDemands(table)
    }
}

extension RuleSet {
    /// Returns the refusal of a host, whatever its certificates: its rule denies it, it has no rule and needs one, or
    /// the peer has no name. Returns nil for a host whose server must be evaluated.
    func denial(of trust: Trust) -> TrustVerdict? {
        guard let host = trust.host else { return trust.denial(.hostNotListed, by: nil, "a peer without a name") }
        guard let (index, rule) = table.lookup(host) else {
            return allHostsMustBeEvaluated ? trust.denial(.hostNotListed, by: nil, host.description) : nil
        }
        guard case .denied = rule.kind else { return nil }
        return trust.denial(.hostDenied, by: table[index].pattern, host.description)
    }

    /// Whether ``denial(of:)`` refuses the host.
    func denies(_ host: Hostname) -> Bool {
        guard let (_, rule) = table.lookup(host) else { return allHostsMustBeEvaluated }
        guard case .denied = rule.kind else { return false }
        return true
    }
}

extension RuleSet {
    /// Whether the rules change the settings of a trust object.
    var changeSettings: Bool { denied != nil || transparency != nil || !filters.isEmpty }

    /// Sets a trust object's filters to those of the rules, if the rules have any.
    func addFilters(to trust: inout Trust) {
        if !filters.isEmpty { trust.settings.revocationData.filters = filters }
    }
}

extension PresentedChain {
    /// Returns the entry of a list that denies the key of one of the certificates, or nil if no entry does.
    func entry(ofKeysDeniedBy list: DeniedList) -> TrustFailure.DeniedEntry? {
        for certificate in (leaf.map { [$0] } ?? []) + others {
            if let entry = list.entry(denyingKey: certificate.subjectPublicKeyInfoSHA256) { return entry }
        }
        return nil
    }
}
