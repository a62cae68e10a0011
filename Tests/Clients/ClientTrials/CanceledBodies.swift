// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustLab
import ServerTrustTesting
import TrustScenes

/// Cancels many large responses at random moments, and measures the memory of the process.
struct CanceledBodies {
    private static let size = 20 << 20
    private static let lanes = 4
    private static let parts = 10

    private let way: Soak.Way
    private let count: Int

    init(_ way: Soak.Way, count: Int) {
        self.way = way
        self.count = count
    }

    /// - Returns: the figures, in one line.
    /// - Throws: `Soak.Finding` if the memory grows.
    func run() async throws -> String {
        let site = try Site()
        let server = try await SoakServer.start(
            site, answering: String(repeating: "0123456789abcdef", count: Self.size / 16))
        var setup = Setup(anchors: [site.root.certificate])
        setup.timeout = 60
        setup.allowsHTTP2 = way.isHTTP2
        setup.connections = Self.lanes
        let sender = try LastingClient(way.client, setup, delegate: way == .sessionDelegate ? AskedDelegate() : nil)
        var random = SystemRandomNumberGenerator()
        var resident: [Int] = []
        var heap: [Int] = []
        for _ in 0..<Self.parts {
            let pauses = (0..<(count / Self.parts)).map { _ in Int.random(in: 0..<20_000, using: &random) }
            await withTaskGroup(of: Void.self) { group in
                for lane in 0..<Self.lanes {
                    group.addTask {
                        for number in stride(from: lane, to: pauses.count, by: Self.lanes) {
                            let task = Task { try await sender.send(LastingClient.Request(server.url)) }
                            try? await Task.sleep(for: .microseconds(pauses[number]))
                            task.cancel()
                            _ = try? await task.value
                        }
                    }
                }
            }
            // Connections that have been closed are still in memory for a moment.
            var smallest = Int.max
            for _ in 0..<20 {
                try await Task.sleep(for: .milliseconds(100))
                smallest = min(smallest, Counted.heapBytes() ?? 0)
            }
            resident.append(Self.residentBytes() >> 20)
            heap.append(smallest >> 20)
        }
        // A client keeps a connection for a minute if a canceled response may still be on its way to its request.
        try await Task.sleep(for: .seconds(65))
        let rest = (Counted.heapBytes() ?? 0) >> 20
        await sender.shutdown()
        let line =
            "\(way.rawValue): \(count) bodies of 20 MiB canceled; MiB after each tenth: resident \(resident), heap \(heap), after a minute \(rest)"
        let (early, late) = (heap[2..<5], heap[7...])
        guard (late.min() ?? 0) <= (early.max() ?? 0) + 8 else {
            throw Soak.Finding(description: "the heap grew: \(line)")
        }
        return line
    }

    private static func residentBytes() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * 4096
    }
}
