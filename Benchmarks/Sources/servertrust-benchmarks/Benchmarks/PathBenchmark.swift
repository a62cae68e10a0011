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
        let path = PresentedPath(chain, settings.roots)
        let timings = try await settings.race([
            try RawSignatures(path.pairs, kind), try EnginePath(path, memory: nil),
            try EngineParsedPath(path, memory: nil), CertificatesPath(path), try OpenSSLPath(path),
        ])
        var section = Section(
            benchmark: name,
            title: "\(summary) (\(chain.sizes); \(path.anchors.count) anchors; \(openSSLVersion))",
            timings: timings, base: ContenderName.raw)
        section.claim(ContenderName.ours, over: ContenderName.raw, limit: limit, timings)
        return section
    }
}
