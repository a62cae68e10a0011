// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The rules that ask for revocation checks, in any mode, grouped by whether they allow fetching. A configuration
/// without CRLs, OCSP responses and filters warns about them.
struct RevocationDemands: Sendable {
    /// A number of hosts, with the first of them.
    struct Hosts: Sendable {
        private(set) var count = 0
        private(set) var first: [HostPattern] = []

        fileprivate mutating func add(_ pattern: HostPattern) {
            count += 1
            if first.count < 3 { first.append(pattern) }
        }
    }

    /// The hosts whose rules allow fetching CRLs and OCSP responses.
    private(set) var fetching = Hosts()
    /// The hosts whose rules don't allow fetching.
    private(set) var withoutNetwork = Hosts()

    init(_ table: HostTable<HostRule>) {
        for (pattern, rule) in table {
            guard let evaluator = rule.evaluator else { continue }
            let demands = evaluator.revocationDemands
            if demands.contains(where: \.fetching) { fetching.add(pattern) }
            if demands.contains(where: { !$0.fetching }) { withoutNetwork.add(pattern) }
        }
    }
}

extension TrustEvaluator {
    /// The policies of the revocation checks that this evaluator asks for, or an empty array if it asks for none.
    fileprivate var revocationDemands: [RevocationPolicy] {
        parts.compactMap { ($0 as? RevocationTrustEvaluator)?.policy }.filter { $0.mode != .off }
    }
}

extension ServerTrustConfiguration {
    /// Dangers of the configuration that are permitted but that you should know. Adapters emit
    /// each as ``TrustEvent/configurationWarning(_:)`` when you create a client.
    ///
    /// | code | danger |
    /// |---|---|
    /// | `revocationWithoutSource` | Revocation checks are on, but there is no evidence (``TrustSettings/revocationData``) and no way to fetch it (``TrustSettings/fetching``). Except for leaves with an OCSP staple, best effort checks nothing. A required check refuses every server whose staple doesn't cover all certificates to check. |
    /// | `revocationFetchingNotAllowed` | The same, because a policy doesn't allow fetching. |
    /// | `transparencyWithoutList` | Certificate Transparency checks are on, but there is no list of logs. A required check refuses every public server, and a report checks nothing. |
    /// | `transparencyListOutOfDate` | At the verify date, the list of logs is older than its policy allows, so nothing is checked. |
    ///
    /// Clients also emit `sessionWithoutPolicy`, which isn't included here: a `URLSession` without a policy has a
    /// delegate for server trust.
    ///
    /// Not checked: whether the supplied evidence is from the servers' CAs, and custom evaluators. Every verdict
    /// without an answer has ``TrustVerdict/revocationGaps``.
    public var warnings: [ServerTrustConfigurationWarning] { revocationWarnings + transparencyWarnings }

    private var revocationWarnings: [ServerTrustConfigurationWarning] {
        guard settings.revocationData.isEmpty else { return [] }
        let demands = manager.currentRules.revocation
        let isForAll = settings.revocation.mode != .off
        var warnings: [ServerTrustConfigurationWarning] = []
        if settings.revocation.fetching {
            if settings.fetching == nil, isForAll || demands.fetching.count > 0 {
                warnings.append(.revocationWithoutSource(isForAll ? "every host" : demands.fetching.text))
            }
            if demands.withoutNetwork.count > 0 {
                warnings.append(.revocationFetchingNotAllowed(demands.withoutNetwork.text))
            }
        } else if isForAll {
            warnings.append(.revocationFetchingNotAllowed("every host"))
        } else if let hosts = [demands.fetching, demands.withoutNetwork].first(where: { $0.count > 0 }) {
            warnings.append(.revocationFetchingNotAllowed(hosts.text))
        }
        return warnings
    }

    /// Emits the warnings as events, each once per manager. Adapters call this when you create a client.
    package func emitWarnings() {
        let warnings = warnings
        guard !warnings.isEmpty else { return }
        manager.emitConfigurationWarnings(warnings)
    }
}

extension RevocationDemands.Hosts {
    fileprivate var text: String {
        let more = count - first.count
        return first.map(\.description).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }
}
