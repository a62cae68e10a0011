import Foundation
import FoundationNetworking
import PKIX
import ServerTrust
import ServerTrustTesting
import ServerTrustURLSession
import Testing

/// In a process of its own, in which nobody else opens or closes descriptors. `SERVERTRUST_STRESS=20000` for the whole of it.
@Suite("Many requests at once", .serialized)
struct StressTests {
    @Test("each gets its own answer, whole, and nothing is left behind")
    func many() async {
        let figures = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let total = ProcessInfo.processInfo.environment["SERVERTRUST_STRESS"].flatMap(Int.init) ?? 600
            let lanes = min(64, total)
            let text = String(repeating: "0123456789abcdef", count: 64)
            var options = LabServer.Options()
            options.answer = .text(text)
            let server = try await LabServer.start(.good, options: options)
            let lab = SessionLab(server: server)
            let descriptors: Int
            let start: ContinuousClock.Instant
            let memory: (Int, Int)
            do {
                // What stays open for good is opened now.
                let warm = try lab.session()
                #expect(try await warm.text(lab.url).text == text)
            }
            #expect(await Counted.comesDown { server.counts.openConnections == 0 })
            descriptors = Counted.descriptors()
            do {
                let session = try lab.session { $0.httpMaximumConnectionsPerHost = 64 }
                start = .now
                try await Self.run(total / 5, lanes, session, lab.url, text)
                let first = Counted.residentBytes()
                try await Self.run(total - total / 5, lanes, session, lab.url, text)
                memory = (first, Counted.residentBytes())
                #expect(server.counts.requests == total + 1)
                #expect(server.counts.connections <= lanes + 1)
            }
            let took = ContinuousClock.now - start
            // The session is gone, and its connections with it.
            #expect(
                await Counted.comesDown { server.counts.openConnections == 0 && Counted.descriptors() <= descriptors })
            let left = Counted.descriptors()
            await server.stop()
            // A leak of one kilobyte a request would show.
            #expect(memory.1 - memory.0 < (total - total / 5) * 1024 + 16 << 20)
            let line =
                "\(total) requests, \(lanes) at a time, in \(took): \(memory.0) bytes resident after the first fifth, \(memory.1) at the end; \(descriptors) descriptors before, \(left) after\n"
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

/// What a process holds.
enum Counted {
    /// Open descriptors, the one for counting left out.
    static func descriptors() -> Int {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0) - 1
    }

    static func residentBytes() -> Int {
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return (fields.dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
    }

    static func comesDown(_ isDown: () -> Bool) async -> Bool {
        for _ in 0..<400 {
            if isDown() { return true }
            try? await Task.sleep(for: .milliseconds(25))
        }
        return false
    }
}
