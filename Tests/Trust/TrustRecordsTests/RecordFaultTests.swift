// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

/// Folders that others have changed, and rules that change.
@Suite("Faults of recording")
struct RecordFaultTests {
    private static let usual = HostRule.enforced(DefaultTrustEvaluator())
    private static let name = "verdicts-20200101T000000Z-1-0.ndjson"

    private static func manager(_ recorder: TrustRecorder) throws -> ServerTrustManager {
        let manager = try ServerTrustManager(rules: [(HostPattern("**.example.com"), usual)])
        manager.events.add(recorder)
        return manager
    }

    /// A CRL above the size of values in lines.
    private static func largeCRL(_ scene: TrustScene, _ number: Int = 0) throws -> [UInt8] {
        try scene.intermediate.crl { crl in
            for entry in 0..<(1000 + number) {
                crl.entries.append(.init(serialNumber: [1, UInt8(entry >> 8), UInt8(entry & 255)]))
            }
        }.der
    }

    @Test("A pipe, a link, a folder and a huge empty file don't stop a recorder, and nothing outside is deleted")
    func strangeFiles() async throws {
        let (scratch, outside) = (Scratch(), Scratch())
        for path in [scratch.path, outside.path] {
            try FileManager.default.createDirectory(atPath: path + "/blobs", withIntermediateDirectories: true)
        }
        let kept = outside.path + "/" + Self.name
        try Data("kept".utf8).write(to: URL(fileURLWithPath: kept))
        let digest = String(repeating: "a", count: 64)
        for (index, folder) in ["", "/blobs"].enumerated() {
            let name = { (number: Int) in
                folder.isEmpty
                    ? "\(scratch.path)/verdicts-20200101T00000\(number)Z-1-0.ndjson"
                    : "\(scratch.path)/blobs/\(digest.dropLast())\(number)"
            }
            #expect(mkfifo(name(1), 0o600) == 0)
            #expect(symlink(kept, name(2)) == 0)
            try FileManager.default.createDirectory(atPath: name(3), withIntermediateDirectories: false)
            try Data().write(to: URL(fileURLWithPath: name(4)))
            #expect(truncate(name(4), 1 << 42) == 0, "\(index)")
        }
        let scene = try TrustScene()
        let recorder = TrustRecorder(folder: scratch.path, recording: .all)
        _ = try Self.manager(recorder).evaluate(scene.trust())
        await recorder.flush()
        #expect(recorder.counts.written == 1)
        let files = try scratch.folder.files()
        // The recorder has deleted the file beyond its limits.
        #expect(files.count == 1)
        #expect(try scratch.folder.prune(maximumSize: 0, oldest: .max).isEmpty)
        #expect(try Data(contentsOf: URL(fileURLWithPath: kept)) == Data("kept".utf8))
    }

    @Test("Values don't go to another folder through a link")
    func linkedBlobs() async throws {
        let (scratch, outside) = (Scratch(), Scratch())
        for path in [scratch.path, outside.path] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        #expect(symlink(outside.path, scratch.path + "/blobs") == 0)
        let scene = try TrustScene()
        let recorder = TrustRecorder(folder: scratch.path, recording: .all)
        var trust = scene.trust()
        trust.revocationData = RevocationData(crls: [try Self.largeCRL(scene)])
        #expect(try Self.manager(recorder).evaluate(trust).isTrusted)
        await recorder.flush()
        #expect(recorder.counts.failed == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path).isEmpty)
    }

    @Test("While another process keeps the folder locked, evaluations don't wait")
    func locked() async throws {
        let scratch = Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path, withIntermediateDirectories: true)
        let lock = try LockFile.lock(scratch.path + "/records.lock")
        defer { try? lock.close() }
        let scene = try TrustScene()
        let recorder = TrustRecorder(folder: scratch.path, recording: .all)
        let manager = try Self.manager(recorder)
        var trust = scene.trust()
        trust.revocationData = RevocationData(crls: [try Self.largeCRL(scene)])
        // Only the second one needs the lock, for its large value.
        #expect(!manager.evaluate(scene.trust(host: try Hostname("a.example.com"))).isTrusted)
        #expect(manager.evaluate(trust).isTrusted)
        #expect(recorder.counts.written + recorder.counts.failed == 0)
        await recorder.flush()
        #expect(recorder.counts.written == 1)
        #expect(recorder.counts.failed == 1)
    }

    @Test("Two recorders that delete the oldest files of one folder leave whole records with their values")
    func competing() async throws {
        let scratch = Scratch()
        let scene = try TrustScene()
        let crls = try (0..<8).map { try Self.largeCRL(scene, $0) }
        var settings = TrustRecorder.Settings()
        (settings.maximumFileSize, settings.maximumSize) = (8_000, 200_000)
        let recorders = [settings, settings].map { TrustRecorder(folder: scratch.path, recording: .all, settings: $0) }
        await withThrowingTaskGroup(of: Void.self) { group in
            for (index, recorder) in recorders.enumerated() {
                group.addTask {
                    let manager = try Self.manager(recorder)
                    for number in 0..<60 {
                        var trust = scene.trust(host: try Hostname("h\(number).r\(index).example.com"))
                        trust.revocationData = RevocationData(crls: [crls[number % crls.count]])
                        _ = manager.evaluate(trust)
                        if number % 5 == 4 { await recorder.flush() }
                    }
                }
            }
        }
        #expect(recorders.map(\.counts.written) == [60, 60])
        let records = try scratch.records()
        #expect((1..<120).contains(records.count))
        #expect(records.allSatisfy { $0.crls.count == 1 })
    }

    @Test("After the rules changed, an equal verdict has a new record")
    func changedRules() async throws {
        let scene = try TrustScene()
        let (records, counts) = try await records(TrustRecorder.Settings()) { recorder in
            let manager = try ServerTrustManager(scene.host, Self.usual, recorder)
            _ = (manager.evaluate(scene.trust()), manager.evaluate(scene.trust()))
            let pinned = try ServerTrustManager(
                rules: [(HostPattern(scene.host), .enforced(scene.pins(scene.root.certificate)))])
            manager.replaceRules(by: pinned, denied: nil)
            _ = manager.evaluate(scene.trust())
        }
        #expect(counts.repeated == 1)
        #expect(records.map { !$0.pinRules.isEmpty } == [false, true, false])
    }

    @Test("A count that grows is written before its interval ends")
    func growingCount() async throws {
        let scratch = Scratch()
        let scene = try TrustScene()
        var settings = TrustRecorder.Settings()
        settings.countPause = .seconds(1)
        let recorder = TrustRecorder(folder: scratch.path, recording: .all, settings: settings)
        let manager = try Self.manager(recorder)
        for _ in 0..<20 { _ = manager.evaluate(scene.trust()) }
        var counts: [Int] = []
        for _ in 0..<600 where counts.count < 2 {
            try await Task.sleep(for: .milliseconds(50))
            counts = try scratch.records().map(\.count)
        }
        #expect(counts == [1, 19])
        // Two more are too few for another line, until the recorder is flushed.
        for _ in 0..<2 { _ = manager.evaluate(scene.trust()) }
        try await Task.sleep(for: .milliseconds(1500))
        #expect(try scratch.records().map(\.count) == [1, 19])
        await recorder.flush()
        #expect(try scratch.records().map(\.count) == [1, 19, 2])
    }

    @Test("A recorder forgets records with much evidence first")
    func evidence() async throws {
        let scene = try TrustScene()
        // Together, these values make a line of almost a megabyte, although each is small.
        let crls = try (0..<75).map { number in
            try scene.intermediate.crl { crl in
                crl.entries.append(.init(serialNumber: [1, UInt8(number)]))
                for entry in 0..<400 {
                    crl.entries.append(.init(serialNumber: [2, UInt8(entry >> 8), UInt8(entry & 255)]))
                }
            }.der
        }
        let (_, counts) = try await records(TrustRecorder.Settings()) { recorder in
            let manager = try Self.manager(recorder)
            for round in 0..<2 {
                for number in 0..<30 {
                    var trust = scene.trust(host: try Hostname("h\(number).example.com"))
                    trust.revocationData = RevocationData(crls: crls)
                    _ = manager.evaluate(trust)
                    if round == 0 { await recorder.flush() }
                }
            }
        }
        #expect(counts.repeated < 30)
    }

    @Test("A list of logs that isn't used must be readable")
    func unusedLogs() throws {
        let scene = try TrustScene()
        var record = TrustRecord(
            time: TestAuthority.now, recorded: .init(isTrusted: true, result: .unspecified, codes: [], path: []))
        record.chain = scene.chain.map(\.der)
        record.anchors = [scene.root.certificate.der]
        record.logs = Array("{}".utf8)
        var replay = RecordReplay(memory: nil)
        #expect(throws: TrustRecordError.self) { try replay.evaluate(record) }
    }
}
