// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins
import ServerTrustTesting

package enum RandomPins {
    static let labels = ["a", "b", "ab"]

    package static func host(_ random: inout SystemRandomNumberGenerator) throws -> Hostname {
        let count = Int.random(in: 1...4, using: &random)
        return try Hostname(
            (0..<count).map { _ in labels.randomElement(using: &random) ?? "a" }.joined(separator: ".") + ".test")
    }

    package static func hosts(_ random: inout SystemRandomNumberGenerator) throws -> PinnedHosts {
        let name = try host(&random)
        let below = PinnedHosts.Below.allCases.randomElement(using: &random) ?? .nothing
        if Bool.random(using: &random), let hosts = PinnedHosts.below(name, below) { return hosts }
        return PinnedHosts.host(name, andBelow: below) ?? .only(name)
    }

    package static func configuration(_ random: inout SystemRandomNumberGenerator) throws -> PinConfiguration {
        let selection = PinConfiguration.Selection.allCases.randomElement(using: &random) ?? .union
        var rules: [PinRule] = []
        var names: Set<String> = []
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let hosts = try hosts(&random)
            guard names.insert("\(hosts.name) \(hosts.below)").inserted else { continue }
            let scope = PinScope.allCases.randomElement(using: &random) ?? .leaf
            let first = Int.random(in: 0..<5, using: &random)
            let pins = (first...first + 1).map { number in
                Pin(
                    .key(TestPins.pin(number)), scope: scope, role: number.isMultiple(of: 2) ? .backup : nil,
                    comment: number == 3 ? "three \"quoted\" & <tagged>" : nil,
                    added: number == 4 ? TestAuthority.now : nil)
            }
            let mode =
                selection == .union ? .enforced : PinRule.Mode.allCases.randomElement(using: &random) ?? .enforced
            let expiry =
                selection == .mostSpecific && mode != .unpinned && Bool.random(using: &random)
                ? PinExpiry(TestAuthority.now, onExpiry: .failClosed) : nil
            rules.append(try PinRule(hosts: [hosts], mode: mode, pins: mode == .unpinned ? [] : pins, expiry: expiry))
        }
        return try PinConfiguration(rules: rules, selection: selection, unlistedHosts: .evaluatedByDefault)
    }
}
