// SPDX-License-Identifier: Apache-2.0

import AllocationCounter
import Foundation
import PKIX
import ServerTrust

/// A full filter of revoked certificates: opening its file, querying it, and its memory in addition to the mapping.
struct FilterBenchmark: Benchmark {
    let name = "filter"
    let summary = "a CRLite filter of 8.5 MB: opening, a query, memory"

    func run(_ settings: Settings) async throws -> Section {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("filter-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var contenders: [any Contender] = []
        var claims: [Section.Claim] = []
        for version in [3, 4] {
            let contents = LargeFilter(version: version)
            let path = folder.appendingPathComponent("v\(version).filter").path
            try contents.bytes.write(to: URL(fileURLWithPath: path))
            let (filter, memory) = try opened(path, contents)
            contenders.append(FilterOpening(name: "opening, format \(version)", path: path))
            contenders.append(FilterQuery(name: "query, format \(version)", filter: filter, contents: contents))
            guard let memory else { continue }
            claims.append(
                Section.Claim(
                    what: "heap beyond the mapping, format \(version)", value: memory / 1_000_000, limit: 1, unit: "MB")
            )
        }
        let timings = try await settings.race(contenders)
        var section = Section(
            benchmark: name, title: "\(summary) (\(LargeFilter.size) bytes, \(LargeFilter.issuerCount) issuers)",
            timings: timings, base: timings[0].name)
        for timing in timings {
            let isOpening = timing.name.hasPrefix("opening")
            section.claims.append(
                Section.Claim(
                    what: timing.name, value: timing.median / (isOpening ? 1_000_000 : 1_000), limit: isOpening ? 5 : 1,
                    unit: isOpening ? "ms" : "µs"))
        }
        section.claims += claims
        return section
    }

    /// Opens a filter, queries it, and returns the heap bytes in use for it, or nil if the system doesn't count them.
    private func opened(_ path: String, _ contents: LargeFilter) throws -> (filter: RevocationFilter, memory: Double?) {
        let before = heap_bytes_in_use()
        let filter = try RevocationFilter(contentsOfFile: path)
        try FilterQuery(name: "first queries", filter: filter, contents: contents).run(1_000)
        let after = heap_bytes_in_use()
        guard before > 0 else { return (filter, nil) }
        return (filter, after > before ? Double(after - before) : 0)
    }
}
