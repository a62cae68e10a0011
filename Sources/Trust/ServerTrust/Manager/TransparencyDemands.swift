// SPDX-License-Identifier: Apache-2.0

import PKIX

extension ServerTrustConfiguration {
    /// The dangers of the Certificate Transparency checks in the settings and the rules.
    var transparencyWarnings: [ServerTrustConfigurationWarning] {
        var warnings: [ServerTrustConfigurationWarning] = []
        let time = settings.verifyDate.time
        func add(_ check: TransparencySettings, _ hosts: String) {
            guard let logs = check.logs, !check.ignoresListAge, check.policy.isOutOfDate(logs, at: time) else { return }
            warnings.append(.transparencyListOutOfDate(hosts, logs.date))
        }
        if let check = settings.transparency {
            if check.logs == nil { warnings.append(.transparencyWithoutList(isRequired: check.mode == .require)) }
            add(check, "every host")
        }
        let table = manager.currentRules.table
        for (pattern, rule) in table where warnings.count < Self.maximumWarnings {
            for check in rule.evaluator?.transparencyChecks ?? [] {
                add(check, pattern.description)
            }
        }
        return warnings
    }

    /// The maximum number of warnings about rules. More warnings add no information.
    private static var maximumWarnings: Int { 4 }
}

extension TrustEvaluator {
    /// The Certificate Transparency checks that this evaluator asks for, or an empty array if it asks for none.
    fileprivate var transparencyChecks: [TransparencySettings] {
        parts.compactMap { ($0 as? TransparencyTrustEvaluator)?.settings }
    }
}
