// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustURLSession
import Testing
import TrustScenes

/// Runs in its own process, where no other test opens or closes descriptors. Set `SERVERTRUST_STRESS=20000` for a full
/// run.
@Suite("Many concurrent requests", .serialized)
struct StressTests {
    @Test("Each of many concurrent requests gets its own complete response, and leaves nothing behind")
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
                // Opens the descriptors that stay open for good.
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
            // Releasing the session released its connections.
            #expect(
                await Counted.comesDown { server.counts.openConnections == 0 && Counted.descriptors() <= descriptors })
            let left = Counted.descriptors()
            await server.stop()
            // A leak of a hundred bytes per request shows up after 20,000 requests, in each fifth. A one-time
            // allocation, such as the one made when all connections are first active, shows up in only one fifth. The
            // resident set is less accurate: it grows with the memory that `malloc` keeps for each thread.
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
                        // One expectation per response would count in the measured memory.
                        if answer != text { wrong.withLock { $0 += 1 } }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(wrong.withLock { $0 } == 0)
    }
}
