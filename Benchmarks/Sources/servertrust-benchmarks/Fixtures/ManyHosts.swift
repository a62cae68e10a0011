// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// Many hosts with their rules, a million by default: six tenths are exact names, and two tenths are of each other kind.
struct ManyHosts {
    /// Fewer while instructions are counted, because valgrind would take minutes to build the rules of a million hosts.
    static let count = Instructions.isCounting ? 10_000 : 1_000_000

    /// - Parameter evaluator: the evaluator of every rule.
    /// - Parameter host: a host with its own rule, in addition to the others.
    static func manager(
        _ evaluator: any TrustEvaluator, host: String, count: Int = ManyHosts.count, memory: VerdictMemory?
    ) throws -> ServerTrustManager {
        var rules: [(HostPattern, HostRule)] = [(try HostPattern(host), .enforced(evaluator))]
        rules.reserveCapacity(count + 1)
        for index in 0..<count { rules.append((try HostPattern(pattern(index)), .enforced(evaluator))) }
        return try ServerTrustManager(rules: rules, memory: memory)
    }

    private static func pattern(_ index: Int) -> String {
        switch index % 10 {
        case 0..<6: "host\(index).example.com"
        case 6, 7: "*.zone\(index).example.net"
        default: "**.tree\(index).example.org"
        }
    }

    /// Returns a host that has a rule.
    static func hit(_ index: Int) throws -> Hostname {
        switch index % 10 {
        case 0..<6: try Hostname("host\(index).example.com")
        case 6, 7: try Hostname("www.zone\(index).example.net")
        default: try Hostname("a.b.tree\(index).example.org")
        }
    }

    /// Returns a host that has no rule.
    static func miss(_ index: Int) throws -> Hostname { try Hostname("www.other\(index).example.com") }
}
