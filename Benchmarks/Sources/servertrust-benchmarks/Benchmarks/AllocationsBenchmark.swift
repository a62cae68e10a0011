// SPDX-License-Identifier: Apache-2.0

import AllocationCounter
import PKIX

/// Counts allocations and their bytes, without subtracting anything.
struct AllocationsBenchmark: Benchmark {
    let name = "allocations"
    let summary = "heap allocations and bytes, each parse and each evaluation"
    var countsInstructions: Bool { false }

    private static let iterations = 100

    func run(_ settings: Settings) async throws -> Section {
        guard allocation_counter_is_available() else {
            return Section(benchmark: name, title: "not counted: needs glibc and no sanitizer", columns: [])
        }
        var section = Section(benchmark: name, title: summary, columns: ["allocations", "bytes"])
        for kind in [KeyKind.p256, .rsa2048] {
            let chain = try ServerChain(kind)
            let path = PresentedPath(chain, settings.roots)
            let remembering = try EnginePath(path, memory: SignatureMemory(includesLeaves: false))
            let subjects: [(String, any Contender)] = [
                ("parse leaf", EngineParse(der: chain.leaf.der)),
                ("parse leaf", CertificatesParse(der: chain.leaf.der)),
                ("parse leaf", OpenSSLParse(der: chain.leaf.der)),
                ("evaluate", try EnginePath(path, memory: nil)),
                ("evaluate, intermediate remembered", remembering),
                ("evaluate, leaf remembered too", try EnginePath(path, memory: SignatureMemory())),
                ("evaluate", CertificatesPath(path)),
                ("evaluate", try OpenSSLPath(path)),
                ("two signatures", try RawSignatures(path.pairs, kind)),
            ]
            for (what, contender) in subjects where settings.includes(contender.name) {
                try await contender.run(10)
                let count = try await contender.allocations(iterations: Self.iterations)
                section.rows.append(
                    Section.Row(
                        name: "\(kind.label) \(what), \(contender.name)",
                        cells: [
                            .number(Double(count.allocations) / Double(Self.iterations), decimals: 1),
                            .number(Double(count.bytes) / Double(Self.iterations), decimals: 0),
                        ]))
            }
        }
        return section
    }
}
