// SPDX-License-Identifier: Apache-2.0

import ServerTrust

extension PinConfiguration {
    /// The manager that does what the format's owner would do with this file.
    ///
    /// A pin's expiry is held against the verify date of each evaluation, so the manager can be kept past it. Report-only rules are
    /// evaluated and told (`TrustVerdict.reported`); sending reports is for others.
    ///
    /// Differences from the owners, all of them on the strict side: days end in UTC, and settings that switch pins off for anchors
    /// that a user has added to a Mac (TrustKit) are not followed.
    /// - Throws: ``PinEnforcementError`` with everything that is missing.
    public func serverTrustManager(
        _ enforcement: PinEnforcement = PinEnforcement()
    ) throws(PinEnforcementError) -> ServerTrustManager {
        let configuration = try serverTrustConfiguration(enforcement)
        guard anchorSources(enforcement).isEmpty else {
            throw PinEnforcementError(problems: [.anchorsForAllHosts])
        }
        return configuration.manager
    }

    /// The manager, and the anchors for hosts that have none of their own.
    /// - Throws: ``PinEnforcementError`` with everything that is missing.
    public func serverTrustConfiguration(
        _ enforcement: PinEnforcement = PinEnforcement()
    ) throws(PinEnforcementError) -> ServerTrustConfiguration {
        guard !rules.contains(where: \.isForAnyHost) else { throw PinEnforcementError(problems: [.noHost]) }
        var anchors = AnchorResolver(enforcement)
        let forAll = anchors.resolve(anchorSources(enforcement))
        let made = hostRules(enforcement, &anchors)
        guard anchors.problems.isEmpty else { throw PinEnforcementError(problems: anchors.problems) }
        do throws(ServerTrustManagerError) {
            var configuration = ServerTrustConfiguration(
                try ServerTrustManager(
                    rules: made, allHostsMustBeEvaluated: unlistedHosts == .refused,
                    exceptions: enforcement.exceptions, memory: enforcement.memory))
            if let forAll { configuration.anchors = forAll.anchors }
            return configuration
        } catch {
            throw PinEnforcementError(problems: [.rules(error)])
        }
    }

    /// The same pins for this host, where they are for whatever host is asked for; itself otherwise.
    public func bound(to host: Hostname) -> PinConfiguration {
        guard let rule = rules.first, rule.isForAnyHost, let bound = try? rule.with(hosts: [.only(host)]),
            let configuration = try? PinConfiguration(
                rules: [bound], selection: selection, unlistedHosts: unlistedHosts, anchors: anchors,
                debugAnchors: debugAnchors, comment: comment, settings: settings)
        else { return self }
        return configuration
    }

    private func anchorSources(_ enforcement: PinEnforcement) -> [PinAnchorSource] {
        guard enforcement.isBeingDebugged, !debugAnchors.isEmpty else { return anchors }
        return (anchors.isEmpty ? [.system] : anchors) + debugAnchors
    }

    /// A rule for every class of hosts that the table tells apart, so that the manager's own choice, the most specific pattern, comes to
    /// the configuration's.
    private func hostRules(
        _ enforcement: PinEnforcement, _ anchors: inout AnchorResolver
    ) -> [(HostPattern, HostRule)] {
        let table = PinTable(self)
        let debug = enforcement.isBeingDebugged ? debugAnchors : []
        var rules: [(HostPattern, HostRule)] = []
        for hosts in table.classes {
            guard let pattern = hosts.pattern else { continue }
            guard let rule = table.rule(for: hosts) else {
                // Of a domain whose name isn't one of its hosts: no pattern that reaches further may catch it.
                if hosts.distance == .none {
                    rules.append(
                        (pattern, unlistedHosts == .refused ? .denied : .enforced(DefaultTrustEvaluator())))
                }
                continue
            }
            // With anchors for all hosts, those of a rule still take their place; debugging adds to either.
            let sources = rule.anchors.isEmpty ? [] : rule.anchors + debug
            let forRule = sources.isEmpty ? anchors.resolve(anchorSources(enforcement)) : anchors.resolve(sources)
            let demands = PinDemands(rule, overriding: forRule?.overriding)
            let evaluator = demands.evaluator(anchors: sources.isEmpty ? nil : forRule?.anchors)
            rules.append((pattern, rule.mode == .reportOnly ? .reportOnly(evaluator) : .enforced(evaluator)))
        }
        return rules
    }
}

extension PinHostClass {
    /// The pattern that is the most specific one for these hosts if all classes have theirs.
    fileprivate var pattern: HostPattern? {
        switch distance {
        case .none: HostPattern(name)
        case .oneLabel: try? HostPattern("*.\(name)")
        case .further: try? HostPattern("**.\(name)")
        }
    }
}
