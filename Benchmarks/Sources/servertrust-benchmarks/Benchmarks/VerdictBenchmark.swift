// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The cost of a connection to a known server: finding its rule among a million, path, host name, pin, and the verdict.
struct VerdictBenchmark: Benchmark {
    let kind: KeyKind

    init(_ kind: KeyKind) { self.kind = kind }

    var name: String { "verdict-\(kind.rawValue)" }
    var summary: String {
        "a manager's verdict from bytes, with pins and a million hosts, beside the leaf's signature alone"
    }

    func run(_ settings: Settings) async throws -> Section {
        let chain = try ServerChain(kind)
        let evaluator = try chain.pinningEvaluator()
        let roots = settings.roots
        let forgetful = try ManyHosts.manager(evaluator, host: ServerChain.hostname, memory: nil)
        let remembering = try ManyHosts.manager(evaluator, host: ServerChain.hostname, memory: VerdictMemory())
        let leafless = SignatureMemory(includesLeaves: false)
        let warm = "warm, chain seen before"
        let remembered = "verdict remembered"
        let contenders: [any Contender] = [
            try RawSignatures([(chain.leaf, chain.intermediate)], kind),
            try ManagerVerdict(warm, chain, roots, forgetful, signatures: SignatureMemory()),
            try ManagerVerdict("leaf verified anew", chain, roots, forgetful, signatures: leafless),
            try ManagerVerdict(remembered, chain, roots, remembering, signatures: SignatureMemory()),
        ]
        let timings = try await settings.race(contenders)
        var section = Section(
            benchmark: name,
            title: "\(kind.label), \(summary) (\(chain.sizes); \(roots.anchors.count + 1) anchors)", timings: timings,
            base: ContenderName.raw)
        section.claim(warm, over: ContenderName.raw, limit: 1.3, timings)
        if let timing = timings.first(where: { $0.name == remembered }) {
            section.claim(remembered, timing, microseconds: 3)
        }
        return section
    }
}

/// Finding a host's rule among a million.
struct HostsBenchmark: Benchmark {
    var name: String { "hosts" }
    var summary: String { "look-up of a host's rule among a million, other hosts each time" }

    func run(_ settings: Settings) async throws -> Section {
        let manager = try ManyHosts.manager(DefaultTrustEvaluator(), host: ServerChain.hostname, memory: nil)
        // The indexes are spread over all hosts, and there are more than caches hold.
        let places = (0..<50_000).map { $0 &* 7919 % ManyHosts.count }
        let hit = "rule found"
        let miss = "no rule"
        let timings = try await settings.race([
            RuleLookup(name: hit, manager: manager, hosts: try places.map(ManyHosts.hit), isHit: true),
            RuleLookup(name: miss, manager: manager, hosts: try places.map(ManyHosts.miss), isHit: false),
        ])
        var section = Section(
            benchmark: name, title: "\(summary) (\(ManyHosts.count) rules)", timings: timings, base: hit)
        for timing in timings { section.claim(timing.name, timing, microseconds: 1) }
        return section
    }
}
