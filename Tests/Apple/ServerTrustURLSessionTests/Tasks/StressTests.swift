// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustURLSession
import Testing
import TrustScenes

/// In a process of its own, in which no other test opens or closes descriptors. `SERVERTRUST_STRESS=20000` for the whole of it.
@Suite("Many requests at once", .serialized)
struct StressTests {
    @Test("Each of many requests at once gets its own whole answer, and nothing is left behind")
    func many() async {
        let figures = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let total = ProcessInfo.processInfo.environment["SERVERTRUST_STRESS"].flatMap(Int.init) ?? 600
            let lanes = min(64, total)
            let text = String(repeating: "0123456789abcdef", count: 64)
            var options = LabServer.Options()
            options.response = .text(text)
            let server = try await LabServer.start(.good, options: options)
            let lab = SessionLab(server: server)
            let descriptors: Int
            let start: ContinuousClock.Instant
            var heap: [Int?] = []
            do {
                // Descriptors that stay open for good are opened now.
                let warm = try lab.session()
                #expect(try await warm.text(lab.url).text == text)
            }
            #expect(await Counted.comesDown { server.counts.openConnections == 0 })
            descriptors = Counted.descriptors()
            do {
                let session = try lab.session { $0.httpMaximumConnectionsPerHost = 64 }
                start = .now
                for part in 0..<5 {
                    let count = part < 4 ? total / 5 : total - total / 5 * 4
                    try await Self.run(count, lanes, session, lab.url, text)
                    heap.append(Counted.heapBytes())
                }
                #expect(server.counts.requests == total + 1)
                #expect(server.counts.connections <= lanes + 1)
            }
            let took = ContinuousClock.now - start
            // The session is gone, and its connections with it.
            #expect(
                await Counted.comesDown { server.counts.openConnections == 0 && Counted.descriptors() <= descriptors })
            let left = Counted.descriptors()
            await server.stop()
            // A leak of a hundred bytes a request shows in 20,000 of them, in each fifth. Memory that is allocated once, as by the first moment with
            // all connections at work, shows in one. The resident set says less: it grows with the memory that `malloc` keeps for each thread.
            var growth = "unknown"
            let sizes = heap.compactMap(\.self)
            if let least = zip(sizes.dropFirst(2), sizes.dropFirst()).map({ $0 - $1 }).min() {
                let requests = total / 5
                #expect(least < requests * 16 + 1 << 18)
                growth = "at least \(least / requests) bytes a request in each fifth after the second"
            }
            let line =
                "\(total) requests, \(lanes) at a time, in \(took): heap after each fifth \(heap.map { $0 ?? 0 }), \(growth); \(Counted.residentBytes()) bytes resident; \(descriptors) descriptors before, \(left) after\n"
            FileHandle.standardError.write(Data(line.utf8))
        }
        if ProcessInfo.processInfo.environment["SERVERTRUST_TIMES"] != nil {
            FileHandle.standardError.write(Data(figures?.standardErrorContent ?? []))
        }
    }

    private static func run(_ count: Int, _ lanes: Int, _ session: URLSession, _ url: URL, _ text: String) async throws
    {
        let wrong = Locked(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<lanes {
                group.addTask {
                    for index in stride(from: lane, to: count, by: lanes) {
                        let answer: String?
                        if index % 2 == 0 {
                            answer = try await session.text(url).text
                        } else {
                            answer = await withCheckedContinuation { continuation in
                                session.dataTask(with: url) { data, _, _ in
                                    continuation.resume(returning: data.map { String(decoding: $0, as: UTF8.self) })
                                }.resume()
                            }
                        }
                        // An expectation each would count in the memory that is measured.
                        if answer != text { wrong.withLock { $0 += 1 } }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(wrong.withLock { $0 } == 0)
    }
}
