// SPDX-License-Identifier: Apache-2.0

/// The system's roots, from the text of their bundle in memory to a store.
struct RootsBenchmark: Benchmark {
    let name = "roots"
    let summary = "the system's roots from PEM to a store"
    var countsInstructions: Bool { false }

    func run(_ settings: Settings) async throws -> Section {
        let roots = settings.roots
        let certificates = try CertificatesRoots(pem: roots.pem)
        let openSSL = OpenSSLRoots(pem: roots.pem)
        let timings = try await settings.race([
            EngineRoots(pem: roots.pem, count: roots.anchors.count), certificates, openSSL,
        ])
        var section = Section(
            benchmark: name,
            title: """
                \(summary) (\(roots.pem.count) bytes; anchors without repetitions \(roots.anchors.count), certificates \
                read by swift-certificates \(certificates.count), by OpenSSL \(openSSL.count))
                """,
            timings: timings, base: ContenderName.certificates)
        section.claim(ContenderName.ours, over: ContenderName.certificates, limit: 1.0 / 3, timings)
        return section
    }
}
