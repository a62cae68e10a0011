// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustLists

/// The rules of a manager at a point in time.
struct RuleSet: Sendable {
    let table: HostTable<HostRule>
    let allHostsMustBeEvaluated: Bool
    /// The denied certificates and keys beside those of a trust object; nil for none.
    let denied: DeniedList?
    /// The check of transparency for hosts whose trust object has none; nil for none.
    let transparency: TransparencySettings?
    /// The filters of revoked certificates in the place of a trust object's; empty for its own.
    let filters: [RevocationFilter]
    /// The number that distinguishes remembered verdicts of different rules; every change of the rules has another.
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
    /// Returns the refusal of a host regardless of its certificates, because its rule denies it, because it has no rule and needs one, or
    /// because it has no name; nil for a host whose server is evaluated.
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
    /// Gives a trust object the filters of the rules, if they have some.
    func addFilters(to trust: inout Trust) {
        if !filters.isEmpty { trust.settings.revocationData.filters = filters }
    }
}

extension PresentedChain {
    /// Returns the entry of a list that denies the key of a certificate; nil if none does.
    func entry(ofKeysDeniedBy list: DeniedList) -> TrustFailure.DeniedEntry? {
        for certificate in (leaf.map { [$0] } ?? []) + others {
            if let entry = list.entry(denyingKey: certificate.subjectPublicKeyInfoSHA256) { return entry }
        }
        return nil
    }
}
