// SPDX-License-Identifier: Apache-2.0

import ServerTrust

extension PinConfiguration {
    /// Returns a manager that enforces the pins with the semantics of the file's format.
    ///
    /// The expiry of pins is compared with the verify date of each evaluation, so the manager can be kept beyond it. Failures of
    /// report-only rules are in `TrustVerdict.reported`; no report is sent.
    ///
    /// Differences from the formats' own implementations, all of them stricter: days end in UTC, and settings that disable pins for
    /// anchors that a user has added to a Mac (TrustKit) are ignored.
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

    /// Returns a manager that enforces the pins, with the anchors for hosts whose rule has none of its own.
    /// - Throws: ``PinEnforcementError`` with every reason why the pins can't be enforced.
    public func serverTrustConfiguration(
        _ enforcement: PinEnforcement = PinEnforcement()
    ) throws(PinEnforcementError) -> ServerTrustConfiguration {
        guard !rules.contains(where: \.isForAnyHost) else { throw PinEnforcementError(problems: [.noHost]) }
        // Where the owner pins nothing by an entry that names hosts and pins, the pins are not left out silently; nor are hosts and keys
        // whose values are not known here.
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

    /// The codes of pins that the file has and that the owner, or this reader, doesn't apply.
    private static let withoutEffect: Set<ErrorCode> = [
        .pinFileNothingPinned, .pinFileMisplacedKey, .pinFileNotLiteral,
    ]

    /// Returns the configuration with a rule for any host bound to `host`; the configuration itself if it has no such rule.
    public func bound(to host: Hostname) -> PinConfiguration {
        guard let rule = rules.first, rule.isForAnyHost, let bound = try? rule.with(hosts: [.only(host)]),
            let configuration = try? PinConfiguration(
                rules: [bound], selection: selection, unlistedHosts: unlistedHosts, anchors: anchors,
                debugAnchors: debugAnchors, comment: comment, settings: settings)
        else { return self }
        return configuration.adding(oddities: oddities)
    }

    private func anchorSources(_ enforcement: PinEnforcement) -> [PinAnchorSource] {
        guard enforcement.isBeingDebugged, !debugAnchors.isEmpty else { return anchors }
        return (anchors.isEmpty ? [.system] : anchors) + debugAnchors
    }

    /// Returns a rule for each row of the table, so that the manager, which selects the most specific pattern, selects as the
    /// configuration does.
    private func hostRules(
        _ enforcement: PinEnforcement, _ anchors: inout AnchorResolver
    ) -> [(HostPattern, HostRule)] {
        let table = PinTable(self)
        let debug = enforcement.isBeingDebugged ? debugAnchors : []
        var rules: [(HostPattern, HostRule)] = []
        for pattern in table.rows {
            guard let rule = table.rule(for: pattern) else {
                // A domain without its own name: no pattern that covers more may match the name.
                if pattern.kind == .exact {
                    rules.append(
                        (pattern, unlistedHosts == .refused ? .denied : .enforced(DefaultTrustEvaluator())))
                }
                continue
            }
            // A rule's anchors replace those for all hosts; debugging adds to either.
            let sources = rule.anchors.isEmpty ? [] : rule.anchors + debug
            let forRule = sources.isEmpty ? anchors.resolve(anchorSources(enforcement)) : anchors.resolve(sources)
            let demands = PinRequirements(rule, overriding: forRule?.overriding)
            let evaluator = demands.evaluator(anchors: sources.isEmpty ? nil : forRule?.anchors)
            rules.append((pattern, rule.mode == .reportOnly ? .reportOnly(evaluator) : .enforced(evaluator)))
        }
        return rules
    }
}
