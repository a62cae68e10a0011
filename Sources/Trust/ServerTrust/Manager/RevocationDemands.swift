// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The rules that ask for revocation checks, by the network that they allow. A configuration without evidence warns of them.
struct RevocationDemands: Sendable {
    /// A number of hosts, and the first of them.
    struct Hosts: Sendable {
        private(set) var count = 0
        private(set) var first: [HostPattern] = []

        fileprivate mutating func add(_ pattern: HostPattern) {
            count += 1
            if first.count < 3 { first.append(pattern) }
        }
    }

    /// The hosts whose evidence may be fetched.
    private(set) var fetching = Hosts()
    /// The hosts whose evidence has to be at hand.
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
    /// The policies of the revocation checks that this evaluator asks for; empty for none.
    fileprivate var revocationDemands: [RevocationPolicy] {
        if let revocation = self as? RevocationTrustEvaluator {
            return revocation.policy.mode == .off ? [] : [revocation.policy]
        }
        guard let composite = self as? CompositeTrustEvaluator else { return [] }
        return composite.evaluators.flatMap(\.revocationDemands)
    }
}

extension ServerTrustConfiguration {
    /// The dangers of the configuration, which are permitted and should be known to its author; empty for none. The adapters emit
    /// each as ``TrustEvent/configurationWarning(_:)`` when a client is made.
    ///
    /// | code | danger |
    /// |---|---|
    /// | `revocationWithoutSource` | revocation is to be checked, and there is neither evidence (``TrustSettings/revocationData``) nor a source of it (``TrustSettings/fetching``): beside leaves with an OCSP staple, best effort checks nothing, and a required check refuses every server whose staple doesn't answer for all certificates that are checked |
    /// | `revocationFetchingNotAllowed` | the same, because evidence may not be fetched |
    /// | `transparencyWithoutList` | transparency is to be checked, and there is no list of logs: a required check refuses every public server, and a report checks nothing |
    /// | `transparencyListOutOfDate` | the list of logs is older than its policy allows at the verify date, so that nothing is checked |
    ///
    /// Clients emit `sessionWithoutPolicy` as well, which isn't among these: a `URLSession` without a policy has a delegate for server trust.
    ///
    /// Not checked: whether evidence at hand is for the servers' CAs, and evaluators of the app's own. Every verdict without an answer
    /// has ``TrustVerdict/revocationGaps``.
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

    /// Emits the warnings as events, each once for the manager. To be called by an adapter when a client is made.
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
