// SPDX-License-Identifier: Apache-2.0

import PinTestSupport
import ServerTrust
import Testing

@testable import ServerTrustPins

/// Checks that no domain in a file ever matches a host outside it.
@Suite struct PinnedHostsTests {
    @Test("A domain matches only its own hosts") func nothingMatchesOutsideOfItsName() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<5000 {
            let hosts = try RandomPins.hosts(&random)
            let host = try RandomPins.host(&random)
            guard hosts.matches(host) else { continue }
            let name = hosts.name.description
            #expect(host.description == name || host.description.hasSuffix("." + name))
            #expect(
                host.registrableDomain == nil || hosts.name.isPublicSuffix
                    || host.registrableDomain == hosts.name.registrableDomain)
        }
    }

    /// OkHttp's bug of 2019: `*.foo.com` matched `bar.foo.com.notfoo.com`.
    @Test(
        "A host that merely contains a domain's name doesn't match it",
        arguments: [
            "bar.foo.com.notfoo.com", "foo.com.evil.test", "notfoo.com", "barfoo.com", "com", "foo.com.", "bar.foo.org",
        ])
    func containingNames(_ text: String) throws {
        let name = try Hostname("foo.com")
        let host = try Hostname(text)
        for hosts in [PinnedHosts.below(name, .oneLabel), .below(name, .anyDepth), .host(name, andBelow: .anyDepth)] {
            let hosts = try #require(hosts)
            #expect(hosts.matches(host) == (host == name && hosts.includesName))
        }
    }

    /// Compares the table's lookup with a search through all domains.
    @Test("The table finds the rules whose hosts match") func tableFindsMatchingRules() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            let configuration = try RandomPins.configuration(&random)
            let table = PinTable(configuration)
            for _ in 0..<20 {
                let host = try RandomPins.host(&random)
                let matching = configuration.rules.filter { $0.hosts.contains { $0.matches(host) } }
                let found = table.rule(for: host)
                #expect((found == nil) == matching.isEmpty)
                guard let found else { continue }
                switch configuration.selection {
                case .union:
                    #expect(Set(found.pins.map(\.value)) == Set(matching.flatMap(\.pins).map(\.value)))
                case .mostSpecific:
                    let best = matching.max { left, right in
                        let (one, other) = (left.hosts[0], right.hosts[0])
                        return (one.name.description.utf8.count, -one.below.rawValue)
                            < (other.name.description.utf8.count, -other.below.rawValue)
                    }
                    #expect(found == best)
                }
            }
        }
    }

    /// Compares the rules of the manager that enforces a configuration with the configuration, for every host.
    @Test("The manager selects the same rule as the table") func theManagerChoosesAsTheTable() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<100 {
            let configuration = try RandomPins.configuration(&random)
            let table = PinTable(configuration)
            let manager = try configuration.serverTrustManager()
            for _ in 0..<20 {
                let host = try RandomPins.host(&random)
                let isPinned = table.rule(for: host).map { $0.mode != .unpinned } ?? false
                let evaluator = manager.rule(for: host)?.evaluator
                #expect((evaluator is ConfiguredTrustEvaluator) == isPinned, "\(host)")
            }
        }
    }
}
