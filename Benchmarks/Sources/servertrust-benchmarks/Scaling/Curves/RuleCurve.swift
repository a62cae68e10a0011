// SPDX-License-Identifier: Apache-2.0

import AllocationCounter
import PKIX
import ServerTrust

/// The curve of a manager's rules.
struct RuleCurve {
    let roots: SystemRoots
    let rounds: Int

    private static let found = "rule found"
    private static let missing = "no rule"
    private static let remembered = "verdict remembered"
    private static let seen = "chain seen before"

    func measure() async throws -> Curve {
        let chain = try ServerChain(.p256)
        let evaluator = try chain.pinningEvaluator()
        var lines = CurveLines([
            (Self.found, .ours), (Self.missing, .raw), (Self.remembered, .oursSecond), (Self.seen, .oursThird),
        ])
        var allocations: [UInt64] = []
        for count in [10, 100, 1_000, 10_000, 100_000, 1_000_000] {
            let others = count - 1
            func manager(_ memory: VerdictMemory?) throws -> ServerTrustManager {
                try ManyHosts.manager(evaluator, host: ServerChain.hostname, count: others, memory: memory)
            }
            let forgetful = try manager(nil)
            // The hosts are spread over all rules, and there are more than caches hold.
            let places = (0..<min(50_000, others)).map { $0 &* 7919 % others }
            let seen = try ManagerVerdict(Self.seen, chain, roots, forgetful, signatures: SignatureMemory())
            let contenders: [any Contender] = [
                RuleLookup(name: Self.found, manager: forgetful, hosts: try places.map(ManyHosts.hit), isHit: true),
                RuleLookup(name: Self.missing, manager: forgetful, hosts: try places.map(ManyHosts.miss), isHit: false),
                try ManagerVerdict(
                    Self.remembered, chain, roots, manager(VerdictMemory()), signatures: SignatureMemory()),
                seen,
            ]
            lines.add(size: Double(count), try await Race(rounds: rounds).run(contenders))
            allocations.append(try await seen.allocations().allocations)
        }
        var curve = Curve(
            file: "rules", title: "Rules of a manager", size: .init(label: "rules", quantity: .count),
            cost: .init(label: "time for one lookup or verdict", quantity: .time), lines: lines.lines, finding: "",
            growth: """
                **constant**. A lookup searches hash tables for the host and the names above it, however many rules \
                there are. No counter of the engine counts these searches, so no test checks this curve. Time grows \
                where each lookup is for another host, because the entries of a larger table aren't in the \
                processor's caches. A verdict looks up the same host again.
                """,
            peers: "Neither swift-certificates nor OpenSSL has rules for hosts.")
        if let line = curve.line(Self.found), let verdict = curve.line(Self.seen) {
            curve.finding = """
                With 1,000,000 rules instead of 10, finding a host's rule takes \(Curve.times(line.factor)) as long, \
                and a verdict on a chain seen before \(Curve.times(verdict.factor)).
                """
        }
        if let first = allocations.first, let last = allocations.last, allocation_counter_is_available() {
            curve.remark = """
                A verdict on a chain seen before calls `malloc` and its relatives \(first) times with 10 rules and \
                \(last) times with 1,000,000.
                """
        }
        return curve
    }
}
