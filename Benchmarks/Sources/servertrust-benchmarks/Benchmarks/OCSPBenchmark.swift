// SPDX-License-Identifier: Apache-2.0

/// One OCSP response, signed by the issuer with P-256: from bytes to a verified answer.
struct OCSPBenchmark: Benchmark {
    let name = "ocsp"
    let summary = "an OCSP response from bytes to a verified answer, P-256"

    func run(_ settings: Settings) async throws -> Section {
        let stapled = try StapledLeaf()
        let timings = try await settings.race([EngineOCSP(stapled: stapled), OpenSSLOCSP(stapled)])
        var section = Section(benchmark: name, title: summary, timings: timings, base: ContenderName.openSSL)
        section.claim(ContenderName.ours, over: ContenderName.openSSL, limit: 1, timings)
        return section
    }
}
