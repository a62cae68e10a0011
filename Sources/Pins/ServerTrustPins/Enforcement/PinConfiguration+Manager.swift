// SPDX-License-Identifier: Apache-2.0

import ServerTrust

extension PinConfiguration {
    /// Returns a manager that enforces the pins with the semantics of the file's format.
    ///
    /// Each evaluation compares the expiry of the pins with its verify date, so you can keep the manager after the
    /// expiry. `TrustVerdict.reported` contains the failures of report-only rules. The manager sends no reports.
    ///
    /// It is stricter than the formats' own implementations in two ways. Days end in UTC. Settings that disable pins
    /// for anchors that a user has added to a Mac (TrustKit) are ignored.
    /// - Throws: ``PinEnforcementError`` with every reason why the pins can't be enforced.
    public func serverTrustManager(
        _ enforcement: PinEnforcement = PinEnforcement()
    ) throws(PinEnforcementError) -> ServerTrustManager {
        let configuration = try serverTrustConfiguration(enforcement)
        guard anchorSources(enforcement).isEmpty else {
            throw PinEnforcementError(problems: [.anchorsForAllHosts])
        }
        return configuration.manager
    }

    /// Returns a configuration with a manager that enforces the pins, and with the anchors for hosts whose rule has no
    /// anchors.
    /// - Throws: ``PinEnforcementError`` with every reason why the pins can't be enforced.
    public func serverTrustConfiguration(
        _ enforcement: PinEnforcement = PinEnforcement()
    ) throws(PinEnforcementError) -> ServerTrustConfiguration {
        guard !rules.contains(where: \.isForAnyHost) else { throw PinEnforcementError(problems: [.noHost]) }
        // The format's owner may pin nothing for an entry that names hosts and pins. Such pins must not be left out
        // silently. The same applies to hosts and keys with unknown values.
        let refused =
            enforcement.refusesOddities
            ? oddities : oddities.filter { Self.withoutEffect.contains($0.code) }
        guard refused.isEmpty else { throw PinEnforcementError(problems: refused.map { .odd($0) }) }
        var anchors = AnchorResolver(enforcement)
        let forAll = anchors.resolve(anchorSources(enforcement))
        let made = hostRules(enforcement, &anchors)
        guard anchors.problems.isEmpty else { throw PinEnforcementError(problems: anchors.problems) }
        do throws(ServerTrustManagerError) {
            var configuration = ServerTrustConfiguration(
                try ServerTrustManager(
                    rules: made, allHostsMustBeEvaluated: unlistedHosts == .refused,
                    exceptions: enforcement.exceptions, memory: enforcement.memory))
            if let forAll { configuration.anchors = configuration.anchors.replaced(by: forAll.anchors) }
            return configuration
        } catch {
            throw PinEnforcementError(problems: [.rules(error)])
        }
    }

    /// The codes for pins in the file that the format's owner, or this reader, doesn't apply.
    private static let withoutEffect: Set<ErrorCode> = [
        .pinFileNothingPinned, .pinFileMisplacedKey, .pinFileNotLiteral,
    ]

    /// Returns the configuration with its rule for any host bound to `host`, or the configuration itself if it has no
    /// such rule.
    public func bound(to host: Hostname) -> PinConfiguration {
        guard let rule = rules.first, rule.isForAnyHost, let bound = try? rule.with(hosts: [.only(host)]) else {
            return self
        }
        return with(rules: [bound]) ?? self
    }

    private func anchorSources(_ enforcement: PinEnforcement) -> [PinAnchorSource] {
        guard enforcement.isBeingDebugged, !debugAnchors.isEmpty else { return anchors }
        return (anchors.isEmpty ? [.system] : anchors) + debugAnchors
    }

    /// Returns a rule for each row of the table. The manager selects the most specific pattern, so it selects the same
    /// rule as the configuration does.
    private func hostRules(
        _ enforcement: PinEnforcement, _ anchors: inout AnchorResolver
    ) -> [(HostPattern, HostRule)] {
        let table = PinTable(self)
        let debug = enforcement.isBeingDebugged ? debugAnchors : []
        var rules: [(HostPattern, HostRule)] = []
        for pattern in table.rows {
            guard let rule = table.rule(for: pattern) else {
                // The domain doesn't include its own name. No pattern that covers more hosts may match that name.
                if pattern.kind == .exact {
                    rules.append(
                        (pattern, unlistedHosts == .refused ? .denied : .enforced(DefaultTrustEvaluator())))
                }
                continue
            }
            // A rule's anchors replace the anchors for all hosts. Debug anchors are added to either.
            let sources = rule.anchors.isEmpty ? [] : rule.anchors + debug
            let forRule = sources.isEmpty ? anchors.resolve(anchorSources(enforcement)) : anchors.resolve(sources)
            let demands = PinRequirements(rule, overriding: forRule?.overriding)
            let evaluator = demands.evaluator(anchors: sources.isEmpty ? nil : forRule?.anchors)
            rules.append((pattern, rule.mode == .reportOnly ? .reportOnly(evaluator) : .enforced(evaluator)))
        }
        return rules
    }
}
