// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A chain whose intermediate is remembered: the cost of every connection after the first if the leaves differ.
struct RememberedBenchmark: Benchmark {
    let kind: KeyKind

    init(_ kind: KeyKind) { self.kind = kind }

    var name: String { "remembered-\(kind.rawValue)" }
    var summary: String { "the same, the intermediate's signature remembered, beside the leaf's signature alone" }

    func run(_ settings: Settings) async throws -> Section {
        let chain = try ServerChain(kind)
        let path = PresentedPath(chain, settings.roots)
        let memory = SignatureMemory(includesLeaves: false)
        let engine = try EnginePath(path, memory: memory)
        try engine.run(1)
        guard memory.count == 1 else {
            throw WrongAnswer(contender: engine.name, what: "\(memory.count) signatures remembered, not 1")
        }
        let timings = try await settings.race([
            try RawSignatures([path.pairs[0]], kind), engine, try EngineParsedPath(path, memory: memory),
            // Verifies no signature. Parsing, path and checks remain.
            try EnginePath(path, memory: SignatureMemory(), name: "\(ContenderName.ours), leaf remembered too"),
        ])
        var section = Section(
            benchmark: name,
            title: "\(kind.label), \(summary) (\(chain.sizes); \(path.anchors.count) anchors)",
            timings: timings, base: ContenderName.raw)
        section.claim(ContenderName.ours, over: ContenderName.raw, limit: 1.25, timings)
        return section
    }
}
