// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

// Checks the hosts that a rule covers, and hosts that its author may have meant.

extension PinLintContext {
    /// The top-level domains without registrations: RFC 2606, RFC 6761, RFC 6762, RFC 9476, ICANN's `internal`
    /// (2024-07-29), and the domains that ICANN has deferred indefinitely because networks use them (2018-02-04).
    private static let reserved: Set<String> = [
        "test", "example", "invalid", "localhost", "local", "alt", "onion", "internal", "corp", "home", "mail",
    ]

    /// The setting that makes TrustKit-Android only report failures, which is its default.
    private static let reportsOnly = PinSetting(.android, "trustkit-config@enforcePinning", "false")

    mutating func checkReach(_ rule: PinRule) {
        if rule.mode == .reportOnly {
            add(.notEnforced, on: rule, "failures are only reported, so any valid path is accepted")
        }
        if rule.mode == .enforced, rule.settings.contains(Self.reportsOnly) {
            add(.enforcedAnyway, on: rule, "trustkit-config doesn't enforce the pins, but Android does")
        }
        checkLastDomain(rule)
        guard rule.mode != .unpinned else { return }
        for hosts in rule.hosts {
            if hosts.below != .nothing {
                checkBelow(hosts, rule)
            }
            checkOneLabel(hosts, rule)
            checkWWW(hosts, rule)
        }
    }

    /// Reports domains that TrustKit-Android ignores. Each `<domain>` of an element replaces the one before it
    /// (TrustKitConfigurationParser.java, readDomainConfig).
    private mutating func checkLastDomain(_ rule: PinRule) {
        guard rule.isForTrustKitAndroid, rule.hosts.count > 1, let last = rule.hosts.last else { return }
        let others = rule.hosts.dropLast().map(\.description).joined(separator: ", ")
        add(
            .lastDomainOnly, at: rule.location, subject: rule.subject,
            "\(others): with trustkit-config, TrustKit uses only the last <domain>, which is \(last)")
    }

    private mutating func checkBelow(_ hosts: PinnedHosts, _ rule: PinRule) {
        let name = hosts.name
        if name.isPublicSuffix {
            guard !Self.reserved.contains(name.description) else { return }
            add(
                .publicSuffix, at: rule.location, subject: "\(hosts)",
                "\(hosts): \(name) is a public suffix (list dated \(Hostname.publicSuffixListDate)), so the names below it belong to other owners"
            )
            return
        }
        if rule.scopes.contains(.leaf) {
            // One certificate for *.example.com can serve all names one label below it.
            add(
                .leafPinsBelow, hosts.below == .oneLabel ? .note : nil, at: rule.location, subject: "\(hosts)",
                "\(hosts): the names below \(name) need one of \(rule.pins.count { $0.scope == .leaf }) keys")
        }
        // ATS covers one label, and also the name itself: NSIncludesSubdomains.
        if hosts.below == .anyDepth || hosts.includesName, name.registrableDomain == name.description {
            add(
                .wholeDomain, at: rule.location, subject: "\(hosts)",
                "\(hosts): every name \(hosts.below == .oneLabel ? "one label " : "")below the registered domain \(name) needs one of the pins"
            )
        }
    }

    /// Reports a pattern such as `*.example.com` if no rule is for `example.com`, because its author may have meant
    /// both.
    private mutating func checkOneLabel(_ hosts: PinnedHosts, _ rule: PinRule) {
        let name = hosts.name
        guard hosts.below == .oneLabel, !hosts.includesName, !name.isPublicSuffix, !table.hasRule(for: name) else {
            return
        }
        add(
            .oneLabel, at: rule.location, subject: "\(hosts)",
            "\(hosts): covers neither \(name) itself nor names more than one label below it, such as a.b.\(name)",
            fix: "write **.\(name) if the app connects to them, or add a rule")
    }

    private mutating func checkWWW(_ hosts: PinnedHosts, _ rule: PinRule) {
        guard hosts.includesName, hosts.below == .nothing, hosts.name.registrableDomain == hosts.name.description,
            let www = try? Hostname("www." + hosts.name.description), !table.hasRule(for: www)
        else { return }
        add(.missingWWW, at: rule.location, subject: "\(www)", "\(hosts.name) is pinned, but no rule covers \(www)")
    }
}
