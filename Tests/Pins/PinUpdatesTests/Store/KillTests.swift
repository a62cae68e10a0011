// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import PinTestSupport
import ServerTrust
import Testing

@testable import ServerTrustPins

/// Two processes update one store as fast as they can and are killed at random moments, again and again.
///
/// Set `SERVERTRUST_KILLS=1000` for 1000 kills. The default is 24.
@Suite("Killed processes during store updates", .serialized)
struct KillTests {
    private static let kills = ProcessInfo.processInfo.environment["SERVERTRUST_KILLS"].flatMap(Int.init) ?? 24

    @Test("A process that is killed at any moment leaves a complete list that is no older than before")
    func kills() async throws {
        try await withFolder { folder in
            let fixture = try ListFixture()
            let path = folder.path
            try Data(fixture.office.pem.utf8).write(to: folder.appendingPathComponent("office.key"))
            try Data(fixture.safe.publicKey.pem.utf8).write(to: folder.appendingPathComponent("safe.pub"))
            var before = 1
            var updates = 0
            var leftovers = 0
            for _ in 0..<(Self.kills + 1) / 2 {
                // A task can only wait for one process at a time, so each process has its own task.
                async let first: Void = Self.runAndKill(path, 0)
                async let second: Void = Self.runAndKill(path, 1)
                _ = await (first, second)
                let acknowledged = try (0...1).map { try Self.acknowledged(folder, $0) }.max() ?? 1
                if FileManager.default.fileExists(atPath: path + "/pins.json.new") { leftovers += 1 }
                let store = try PinStore(file: path + "/pins.json", builtIn: try Self.builtIn(folder))
                #expect(store.fileProblem == nil)
                #expect(store.sequence >= acknowledged, "an accepted list was lost")
                // Each process may have written a list without reporting it.
                #expect(store.sequence <= acknowledged + 2)
                #expect(store.sequence >= before, "an older list")
                #expect(store.pin == TestPins.pin(store.sequence))
                updates += store.sequence - before
                before = store.sequence
            }
            // Makes sure that the test actually tested something.
            #expect(updates >= Self.kills / 4)
            if Self.kills > 24 {
                print("\(Self.kills) kills, \(updates) updates, \(leftovers) times in the middle of a write")
            }
            // Remaining files don't cause problems.
            let store = try PinStore(file: path + "/pins.json", builtIn: try Self.builtIn(folder))
            try store.accept(try fixture.list(before + 10).bytes, at: ListFixture.now)
            #expect(!FileManager.default.fileExists(atPath: path + "/pins.json.new"))
        }
    }

    private static func runAndKill(_ path: String, _ number: Int) async {
        let pidFile = "\(path)/pid.\(number)"
        try? FileManager.default.removeItem(atPath: pidFile)
        // A separate thread: the test library blocks the pool's threads while it waits for the children.
        let isOver = Locked(false)
        Thread.detachNewThread {
            // The child writes its process ID when it begins to update.
            var pid: pid_t?
            while pid == nil, !isOver.withLock({ $0 }) {
                pid = (try? String(contentsOfFile: pidFile, encoding: .utf8)).flatMap { pid_t($0) }
                if pid == nil { usleep(1000) }
            }
            // Waits for some updates, however fast the machine is, and then kills the child at a random moment.
            let log = "\(path)/log.\(number)"
            func size() -> Int { (try? Data(contentsOf: URL(fileURLWithPath: log)))?.count ?? 0 }
            let enough = size() + .random(in: 0...8)
            while size() < enough, !isOver.withLock({ $0 }) { usleep(500) }
            usleep(.random(in: 0..<5000))
            if let pid, !isOver.withLock({ $0 }) { kill(pid, SIGKILL) }
        }
        await #expect(processExitsWith: .signal(SIGKILL)) { [path, number] in
            try KillTests.updateForever(path, number)
        }
        isOver.withLock { $0 = true }
    }

    /// Runs in the child process.
    private static func updateForever(_ path: String, _ number: Int) throws {
        let folder = URL(fileURLWithPath: path)
        let office = try PinSigningPrivateKey(
            pem: String(contentsOf: folder.appendingPathComponent("office.key"), encoding: .utf8))
        let store = try PinStore(file: path + "/pins.json", builtIn: try builtIn(folder))
        let signers = try PinSigners([office.publicKey])
        let log = open("\(path)/log.\(number)", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let pid = Data("\(getpid())".utf8)
        try pid.write(to: URL(fileURLWithPath: "\(path)/pid.\(number)"), options: .atomic)
        while true {
            let sequence = store.sequence + 1
            let payload = try PinListPayload(
                audience: ListFixture.audience, sequence: sequence, issued: ListFixture.now,
                expires: ListFixture.now.advanced(by: ListFixture.day), pins: ListFixture.pins(sequence),
                signers: signers
            ).bytes()
            // The other process may have been faster. Its list with this number almost certainly has other bytes.
            guard (try? store.accept(try SignedPinList.signed(payload, by: [office]).bytes, at: ListFixture.now)) != nil
            else { continue }
            let line = Array("\(sequence)\n".utf8)
            guard write(log, line, line.count) == line.count else { exit(3) }
        }
    }

    private static func builtIn(_ folder: URL) throws -> BuiltInPinList {
        let office = try PinSigningPrivateKey(
            pem: String(contentsOf: folder.appendingPathComponent("office.key"), encoding: .utf8))
        let safe = try PinSigningKey(
            pem: String(contentsOf: folder.appendingPathComponent("safe.pub"), encoding: .utf8))
        return BuiltInPinList(
            audience: ListFixture.audience, configuration: try ListFixture.configuration(1),
            signers: try PinSigners([office.publicKey, safe]), sequence: 1, issued: ListFixture.now)
    }

    private static func acknowledged(_ folder: URL, _ number: Int) throws -> Int {
        let url = folder.appendingPathComponent("log.\(number)")
        guard FileManager.default.fileExists(atPath: url.path) else { return 1 }
        let text = try String(contentsOf: url, encoding: .utf8)
        // A truncated line doesn't count.
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().compactMap { Int($0) }.max()
            ?? 1
    }
}
