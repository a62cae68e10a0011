// SPDX-License-Identifier: Apache-2.0

/// Leaf, intermediate and root, with everything verified every time, compared with only the two signatures.
struct PathBenchmark: Benchmark {
    let kind: KeyKind

    init(_ kind: KeyKind) { self.kind = kind }

    var name: String { kind.rawValue }
    var summary: String { "leaf + intermediate + root, \(kind.label): parsing, path, signatures, host name" }

    private var limit: Double { kind == .p256 ? 1.12 : 1.5 }

    func run(_ settings: Settings) async throws -> Section {
        let chain = try ServerChain(kind)
        let contenders: [any Contender] = [
            try RawSignatures([(chain.leaf, chain.intermediate), (chain.intermediate, chain.root)], kind),
            try EnginePath(chain, settings.roots, memory: nil),
            try EngineParsedPath(chain, settings.roots, memory: nil),
            try CertificatesPath(chain, settings.roots),
            try OpenSSLPath(chain, settings.roots),
        ]
        let timings = try await settings.race(contenders)
        var section = Section(
            benchmark: name,
            title: "\(summary) (\(chain.sizes); \(settings.roots.anchors.count + 1) anchors; \(openSSLVersion))",
            timings: timings, base: ContenderName.raw)
        section.claim(ContenderName.ours, over: ContenderName.raw, limit: limit, timings)
        return section
    }
}
