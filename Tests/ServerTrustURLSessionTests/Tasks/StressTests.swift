// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustURLSession
import Testing

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
            // A leak of a hundred bytes a request shows in 20,000 of them. The resident set says less: it grows with the memory that `malloc`
            // keeps for each thread.
            var growth = "unknown"
            if let early = heap[1], let late = heap[4] {
                let requests = total - total / 5 * 2
                #expect(late - early < requests * 16 + 1 << 20)
                growth = "\((late - early) / requests) bytes a request since the second fifth"
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

/// The resources of a process.
enum Counted {
    /// Open descriptors, the one for counting left out.
    static func descriptors() -> Int {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0) - 1
    }

    /// Bytes that `malloc` has given out and not got back, apart from the kernel's count: nil where the C library doesn't say.
    ///
    /// glibc's `malloc_info` isn't in the module that Swift has of it, and its sums come last in an XML text.
    static func heapBytes() -> Int? {
        typealias Function = @convention(c) (Int32, UnsafeMutablePointer<FILE>?) -> Int32
        guard let symbol = dlsym(nil, "malloc_info") else { return nil }
        var text: UnsafeMutablePointer<CChar>?
        var size = 0
        guard let stream = open_memstream(&text, &size) else { return nil }
        let status = unsafeBitCast(symbol, to: Function.self)(0, stream)
        fclose(stream)
        defer { free(text) }
        guard status == 0, let text else { return nil }
        let sums = String(cString: text).split(separator: "</heap>").last ?? ""
        func sum(_ element: String) -> Int? {
            sums.split(separator: "\n").first { $0.hasPrefix("<\(element)") }
                .flatMap { $0.split(separator: "size=\"").last?.prefix { $0.isNumber } }.flatMap { Int($0) }
        }
        guard let system = sum("system type=\"current\""), let mapped = sum("total type=\"mmap\""),
            let free = sum("total type=\"rest\""), let fast = sum("total type=\"fast\"")
        else { return nil }
        return system + mapped - free - fast
    }

    static func residentBytes() -> Int {
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return (fields.dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
    }

    static func comesDown(_ isDown: () -> Bool) async -> Bool {
        for _ in 0..<400 {
            // At least once: the first sleep of a process opens a descriptor for good.
            try? await Task.sleep(for: .milliseconds(25))
            if isDown() { return true }
        }
        return false
    }
}
