// SPDX-License-Identifier: Apache-2.0

import AllocationCounter
import Foundation
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking

/// Many requests of one `URLSession` over many connections. Compares every response and measures leaks.
struct SessionBenchmark: Benchmark {
    let name = "session"
    let summary =
        "20,000 requests of a URLSession over 64 connections, every byte compared, and what is left behind"
    var countsInstructions: Bool { false }

    private static let requests = 20_000
    private static let lanes = 64
    private static let text = String(repeating: "0123456789abcdef", count: 64)

    func run(_ settings: Settings) async throws -> Section {
        let server = try await LocalServer.start(answering: Self.text)
        var trust = ServerTrustConfiguration(server.certificates.manager)
        trust.anchors = .only(server.certificates.anchors)
        guard let url = URL(string: server.url + "/") else { throw WrongAnswer(contender: name, what: server.url) }
        // Opens the connections and fills the memory that pools and arenas keep.
        try await Self.batch(Self.requests, trust, url)
        try await Self.settle(server)
        let descriptors = Self.descriptors()
        let before = Double(heap_bytes_in_use())
        let resident = StressBenchmark.residentKilobytes()
        let start = ContinuousClock.now
        try await Self.batch(Self.requests, trust, url)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        try await Self.settle(server)
        let left = Self.descriptors()
        let bytes = (Double(heap_bytes_in_use()) - before) / Double(Self.requests)
        let counts = server.counts
        await server.stop()
        return Section(
            benchmark: name, title: summary, columns: ["value"],
            rows: [
                Section.Row(name: "requests that arrived", cells: [.number(Double(counts.requests), decimals: 0)]),
                Section.Row(name: "connections", cells: [.number(Double(counts.connections), decimals: 0)]),
                Section.Row(
                    name: "requests a second", cells: [.number(Double(Self.requests) / seconds, decimals: 0)]),
                Section.Row(name: "heap left, bytes a request", cells: [.number(bytes, decimals: 1)]),
                Section.Row(name: "resident before, KB", cells: [.number(resident, decimals: 0)]),
                Section.Row(
                    name: "resident after, KB", cells: [.number(StressBenchmark.residentKilobytes(), decimals: 0)]),
            ],
            claims: [
                Section.Claim(
                    what: "descriptors left over", value: Double(left - descriptors), limit: 0, unit: ""),
                Section.Claim(what: "heap left, bytes a request", value: bytes, limit: 16, unit: "bytes"),
            ])
    }

    /// Runs requests in a separate session, which is released afterwards.
    private static func batch(_ count: Int, _ trust: ServerTrustConfiguration, _ url: URL) async throws {
        let configuration = URLSessionConfiguration.ephemeral.withServerTrust(trust)
        configuration.httpMaximumConnectionsPerHost = lanes
        configuration.urlCache = nil
        let session = URLSession(configuration: configuration)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<lanes {
                group.addTask {
                    for _ in stride(from: lane, to: count, by: lanes) {
                        let (data, _) = try await session.data(from: url)
                        guard data.elementsEqual(text.utf8) else {
                            throw WrongAnswer(contender: "session", what: "\(data.count) bytes")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        session.finishTasksAndInvalidate()
    }

    /// Waits until no connection is open and the pools have released the connections that they keep for a minute.
    private static func settle(_ server: LabServer) async throws {
        for _ in 0..<200 where server.counts.openConnections > 0 { try await Task.sleep(for: .milliseconds(25)) }
        try await Task.sleep(for: .seconds(65))
    }

    /// Returns the number of open descriptors, without the one used for counting.
    private static func descriptors() -> Int {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0) - 1
    }
}
#endif
