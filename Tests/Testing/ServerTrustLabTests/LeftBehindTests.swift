// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import ServerTrustLab
import Testing

/// Each test runs in its own process, where no other test opens or closes descriptors.
@Suite("Descriptors, ports and memory", .serialized)
struct LeftBehindTests {
    @Test("A hundred concurrent servers leave no descriptor open")
    func manyServers() async {
        await #expect(processExitsWith: .success) {
            try await Leftovers.warmUp()
            let before = Leftovers.descriptors()
            let scenarios = LabScenario.all.filter { !$0.isForProbes }
            let servers = try await withThrowingTaskGroup(of: LabServer.self) { group in
                for index in 0..<100 {
                    group.addTask { try await LabServer.start(scenarios[index % scenarios.count]) }
                }
                return try await group.reduce(into: [LabServer]()) { $0.append($1) }
            }
            #expect(servers.count == 100)
            #expect(Set(servers.map(\.port)).count == 100)
            #expect(Leftovers.descriptors() >= before + 100)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for server in servers {
                    group.addTask {
                        let report = try await LabClient().get(server)
                        #expect(report.outcome == server.expected, "\(server.scenario)")
                        if !server.expected.isTrusted { #expect(server.counts.requestBytes == 0) }
                    }
                }
                try await group.waitForAll()
            }
            for server in servers { await server.stop() }
            #expect(servers.allSatisfy { $0.counts.openConnections == 0 })
            #expect(await Leftovers.descriptorsComeDown(to: before))
        }
    }

    @Test("Thousands of handshakes leave no memory allocated")
    func manyHandshakes() async {
        let figures = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            try await Leftovers.warmUp()
            let before = Leftovers.descriptors()
            try await Leftovers.handshakes(Leftovers.batch)
            let memory = Leftovers.residentBytes()
            for _ in 0..<4 { try await Leftovers.handshakes(Leftovers.batch) }
            #expect(await Leftovers.descriptorsComeDown(to: before))
            // The limit allows a leak of one kilobyte per handshake in the last four batches, plus the variation in an
            // allocator's caches.
            let growth = Leftovers.residentBytes() - memory
            #expect(growth < 4 * Leftovers.batch * 1024 + 8 << 20)
            let figures = [
                "\(5 * Leftovers.batch) handshakes",
                "\(before) descriptors before, \(Leftovers.descriptors()) after",
                "\(memory) bytes resident after the first fifth, \(growth) more at the end",
            ]
            FileHandle.standardError.write(Data((figures.joined(separator: "; ") + "\n").utf8))
        }
        if ProcessInfo.processInfo.environment["SERVERTRUST_TIMES"] != nil {
            FileHandle.standardError.write(Data(figures?.standardErrorContent ?? []))
        }
    }

    @Test("A client that connects and sends nothing doesn't keep its server open")
    func silentClient() async {
        await #expect(processExitsWith: .success) {
            try await Leftovers.warmUp()
            let before = Leftovers.descriptors()
            let server = try await LabServer.start(.good)
            let client = try SilentClient(port: server.port)
            while server.counts.connections == 0 { try await Task.sleep(for: .milliseconds(5)) }
            #expect(server.counts.openConnections == 1)
            await server.stop()
            #expect(server.counts.openConnections == 0)
            client.close()
            #expect(await Leftovers.descriptorsComeDown(to: before))
        }
    }

    @Test("A server that is released without stop() leaves no descriptor open")
    func forgotten() async {
        await #expect(processExitsWith: .success) {
            try await Leftovers.warmUp()
            let before = Leftovers.descriptors()
            weak var forgotten: LabServer?
            do {
                let server = try await LabServer.start(.good)
                _ = try await LabClient().get(server)
                forgotten = server
            }
            #expect(forgotten == nil)
            #expect(await Leftovers.descriptorsComeDown(to: before))
        }
    }
}

/// Counts the process's descriptors and memory.
enum Leftovers {
    #if DEBUG
    static let batch = 60
    #else
    static let batch = 1_000
    #endif

    /// Opens the descriptors that stay open for good: event loops, the random source, the task timer.
    static func warmUp() async throws {
        try await handshakes(8)
        try await Task.sleep(for: .milliseconds(1))
    }

    /// Returns the number of open sockets. The process keeps its other descriptors for good: event loops, timers, the
    /// random source. The process opens them on first use, which on a busy machine can be after the count.
    static func descriptors() -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.count { name in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name))?.hasPrefix("socket:")
                == true
        }
    }

    /// Waits until the number of descriptors drops to `count`, and returns whether it did. The client's side closes a
    /// moment after the server's side. A leaked descriptor would never close.
    static func descriptorsComeDown(to count: Int) async -> Bool {
        for _ in 0..<400 {
            if descriptors() <= count { return true }
            try? await Task.sleep(for: .milliseconds(25))
        }
        return false
    }

    static func residentBytes() -> Int {
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return (fields.dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
    }

    /// Performs handshakes, half of them with a trusted server and half with an untrusted server, sixteen at a time.
    static func handshakes(_ count: Int) async throws {
        let good = try await LabServer.start(.good)
        let bad = try await LabServer.start(.expired)
        let lanes = min(16, count)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<lanes {
                group.addTask {
                    for index in stride(from: lane, to: count, by: lanes) {
                        let server = index % 2 == 0 ? good : bad
                        let versions: LabServer.TLSVersions = index % 4 < 2 ? .tls12 : .tls13
                        let report = try await LabClient(versions: versions).get(server)
                        #expect(report.outcome == server.expected)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(good.counts.handshakes == count / 2)
        #expect(bad.counts.connections == count / 2)
        #expect(bad.counts.requestBytes == 0)
        await good.stop()
        await bad.stop()
    }
}

/// A TCP connection that sends nothing.
private struct SilentClient {
    private let descriptor: Int32

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw POSIXError(.ECONNREFUSED) }
    }

    func close() { _ = Foundation.close(descriptor) }
}
