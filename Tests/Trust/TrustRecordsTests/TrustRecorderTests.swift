// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

@Suite("Recorder")
struct TrustRecorderTests {
    private static let usual = HostRule.enforced(DefaultTrustEvaluator())

    /// A scene with a trusted and a refused evaluation.
    private static func evaluations() throws -> (scene: TrustScene, trusted: Trust, refused: Trust) {
        let scene = try TrustScene()
        return (scene, scene.trust(), scene.trust { $0.anchors = .only([]) })
    }

    @Test("A recorder records refusals unless you ask for more")
    func selections() async throws {
        let (scene, trusted, refused) = try Self.evaluations()
        let selections: [(TrustRecorder.Selection, Int)] = [
            (.refusals, 1), (.all, 2), (.sample(0), 0), (.sample(1), 2), (.when { $0.isTrusted }, 1),
        ]
        for (selection, count) in selections {
            let (records, counts) = try await records(recording: selection) { recorder in
                let manager = try ServerTrustManager(scene.host, Self.usual, recorder)
                _ = (manager.evaluate(trusted), manager.evaluate(refused))
            }
            #expect(records.count == count)
            #expect(counts.written == count)
        }
    }

    @Test("Equal verdicts share a record, and a count follows")
    func repeats() async throws {
        let (scene, trusted, refused) = try Self.evaluations()
        let (records, counts) = try await records { recorder in
            let manager = try ServerTrustManager(scene.host, Self.usual, recorder)
            for _ in 0..<5 { _ = manager.evaluate(trusted) }
            for _ in 0..<3 { _ = manager.evaluate(refused) }
            let other = try ServerTrustManager(rules: [(HostPattern("*.example.com"), Self.usual)])
            other.events.add(recorder)
            _ = other.evaluate(trusted)
        }
        #expect(counts.repeated == 6)
        #expect(records.map(\.count).reduce(0, +) == 9)
        #expect(records.filter(\.recorded.isTrusted).map(\.count).reduce(0, +) == 6)
        #expect(
            records.map(\.rule) == ["www.example.com", "www.example.com", "*.example.com"]
                + Array(records.map(\.rule).dropFirst(3)))
        #expect(records.count == 5)
    }

    @Test("After the interval, the same verdict has a new record")
    func interval() async throws {
        let (scene, trusted, _) = try Self.evaluations()
        var settings = TrustRecorder.Settings()
        settings.interval = .zero
        let (records, counts) = try await records(settings) { recorder in
            let manager = try ServerTrustManager(scene.host, Self.usual, recorder)
            for _ in 0..<3 { _ = manager.evaluate(trusted) }
        }
        #expect(records.map(\.count) == [1, 1, 1])
        #expect(counts.repeated == 0)
    }

    @Test("Records contain the client and the program")
    func origin() async throws {
        let (scene, trusted, _) = try Self.evaluations()
        var settings = TrustRecorder.Settings()
        (settings.client, settings.program) = ("http", ("app", "2"))
        let (records, _) = try await records(settings) { recorder in
            _ = try ServerTrustManager(scene.host, Self.usual, recorder).evaluate(trusted)
        }
        #expect(records.first?.client == "http")
        #expect(records.first?.program == TrustRecord.Program(name: "app", version: "2"))
    }

    @Test("Hashed hosts hide the host and its rule, and equal hosts have equal hashes")
    func hashes() async throws {
        let (scene, trusted, refused) = try Self.evaluations()
        var settings = TrustRecorder.Settings.verifying
        settings.hosts = .hashed(key: [1, 2, 3])
        let (records, _) = try await records(settings) { recorder in
            let manager = try ServerTrustManager(scene.host, Self.usual, recorder)
            _ = (manager.evaluate(trusted), manager.evaluate(refused))
        }
        guard case .hashed(let hash, true) = records[0].host else { throw TrustRecordError("no hash") }
        #expect(hash == "hmac-sha256/Ht5tKfBMDEqBHRsq9wI2AyEX9Ffe4Yhs6tDmTcSlLPk=" || hash.hasPrefix("hmac-sha256/"))
        #expect(records[1].host == records[0].host)
        #expect(records.allSatisfy { $0.rule == nil })
        #expect(!String(decoding: records[0].line, as: UTF8.self).contains("\"www.example.com\""))
    }

    @Test("A mismatched identity is never trusted, even if the leaf has the name that stands for the host")
    func mismatch() async throws {
        let hash = "hmac-sha256/" + Base64.encode([UInt8](repeating: 3, count: 32))
        let label = Hex.encode(Digests.sha256(Array(hash.utf8)).prefix(16))
        let scene = try TrustScene(leaf: .leaf("\(label).hidden.invalid"))
        let outcome = TrustRecord.Outcome(
            isTrusted: false, result: .recoverableFailure, codes: ["hostMismatch"], path: [], warnings: [], pin: nil)
        var record = TrustRecord(time: TestAuthority.now, recorded: outcome)
        record.chain = scene.chain.map(\.der)
        record.anchors = [scene.root.certificate.der]
        record.host = .hashed(hash, isMatched: false)
        var replay = RecordReplay(memory: nil)
        #expect(try replay.evaluate(record).codes == [.hostMismatch])
        record.host = .hashed(hash, isMatched: true)
        #expect(try replay.evaluate(record).isTrusted)
    }

    @Test("Files and folders belong to the owner only")
    func permissions() async throws {
        let (scene, trusted, _) = try Self.evaluations()
        let scratch = Scratch()
        let recorder = TrustRecorder(folder: scratch.path + "/a/b", recording: .all)
        let large = try CertificateRevocationList(
            der: scene.intermediate.crl { crl in
                for number in 0..<2000 {
                    crl.entries.append(.init(serialNumber: [1, UInt8(number >> 8), UInt8(number & 255)]))
                }
            }.der)
        var trust = trusted
        trust.revocationData = RevocationData(lists: [large])
        _ = try ServerTrustManager(scene.host, Self.usual, recorder).evaluate(trust)
        await recorder.flush()
        #expect(recorder.counts.written == 1)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: scratch.path)
        #expect(paths.contains { $0.hasPrefix("a/b/blobs/") })
        for path in paths {
            let status = try FileStatus(ofFile: "\(scratch.path)/\(path)")
            #expect(status.permissions == (status.isFolder ? 0o700 : 0o600), "\(path)")
        }
    }

    @Test("A record with a large value is complete with its file")
    func blobs() async throws {
        let (scene, trusted, _) = try Self.evaluations()
        let crls = try (0..<3).map { round in
            try scene.intermediate.crl { crl in
                for number in 0..<(2000 + round) {
                    crl.entries.append(.init(serialNumber: [1, UInt8(number >> 8), UInt8(number & 255)]))
                }
            }.der
        }
        let (records, counts) = try await records { recorder in
            let manager = try ServerTrustManager(scene.host, Self.usual, recorder)
            var trust = trusted
            trust.revocationData = RevocationData(crls: crls)
            _ = manager.evaluate(trust)
        }
        #expect(records.first?.crls == crls)
        #expect(counts.differing == 0)
    }

    @Test("A new file begins at the size limit, and the oldest files and their values go above the total")
    func rotation() async throws {
        let scratch = Scratch()
        var settings = TrustRecorder.Settings()
        (settings.maximumFileSize, settings.maximumSize) = (6_000, 40_000)
        let recorder = TrustRecorder(folder: scratch.path, recording: .all, settings: settings)
        let scene = try TrustScene()
        let manager = try ServerTrustManager(rules: [(HostPattern("**.example.com"), Self.usual)])
        manager.events.add(recorder)
        for number in 0..<60 {
            _ = manager.evaluate(scene.trust(host: try Hostname("h\(number).example.com")))
            if number % 10 == 9 { await recorder.flush() }
        }
        await recorder.flush()
        #expect(recorder.counts.written == 60)
        let files = try scratch.folder.files()
        let size = files.reduce(0) { $0 + $1.size }
        #expect(files.count > 3)
        #expect(files.allSatisfy { $0.size <= 6_000 })
        // A new file is only counted once it is full.
        #expect(size <= 46_000)
        #expect(files.count(where: \.isInUse) == 1)
        let hosts = try scratch.records().map(\.host)
        #expect(hosts.last == .name(try Hostname("h59.example.com")))
        #expect(!hosts.contains(.name(try Hostname("h0.example.com"))))
    }

    @Test("Deleting keeps open files, and large values that another file uses")
    func deletion() async throws {
        let (scene, trusted, _) = try Self.evaluations()
        let scratch = Scratch()
        let crl = try scene.intermediate.crl { crl in
            for number in 0..<2000 {
                crl.entries.append(.init(serialNumber: [1, UInt8(number >> 8), UInt8(number & 255)]))
            }
        }.der
        var recorder: TrustRecorder? = TrustRecorder(folder: scratch.path, recording: .all)
        var trust = trusted
        trust.revocationData = RevocationData(crls: [crl])
        _ = try ServerTrustManager(scene.host, Self.usual, try #require(recorder)).evaluate(trust)
        await recorder?.flush()
        #expect(try scratch.folder.prune(maximumSize: 0, oldest: .max) == [])
        #expect(try scratch.records().count == 1)
        // The lock of the file ends with the recorder's queue.
        recorder = nil
        var deleted: [RecordFolder.File] = []
        for _ in 0..<200 where deleted.isEmpty {
            deleted = try scratch.folder.prune(maximumSize: .max, oldest: .max)
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(deleted.count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.blobs.path).isEmpty)
    }

    @Test("A folder that can't be created is counted and reported once, and evaluations go on")
    func unwritable() async throws {
        let scratch = Scratch()
        try Data().write(to: URL(fileURLWithPath: scratch.path))
        let reports = Locked<[String]>([])
        let recorder = TrustRecorder(folder: scratch.path + "/records", recording: .all) { text in
            reports.withLock { $0.append(text) }
        }
        let scene = try TrustScene()
        let manager = try ServerTrustManager(rules: [(HostPattern("**.example.com"), Self.usual)])
        manager.events.add(recorder)
        for number in 0..<10 {
            _ = manager.evaluate(scene.trust(host: try Hostname("h\(number).example.com")))
            await recorder.flush()
        }
        #expect(recorder.counts.failed == 10)
        #expect(recorder.counts.written == 0)
        #expect(reports.withLock { $0.count } == 1)
    }

    @Test("Above the limit of the queue, verdicts are dropped and counted")
    func dropped() async throws {
        let scene = try TrustScene()
        let (records, counts) = try await records(TrustRecorder.Settings()) { recorder in
            let manager = try ServerTrustManager(rules: [(HostPattern("**.example.com"), Self.usual)])
            manager.events.add(recorder)
            let hosts = try (0..<9000).map { try Hostname("h\($0).example.com") }
            for host in hosts { _ = manager.evaluate(scene.trust(host: host)) }
        }
        #expect(counts.written + counts.dropped == 9000)
        #expect(records.count == counts.written)
    }

    @Test("Several recorders and threads share a folder")
    func shared() async throws {
        let scratch = Scratch()
        let scene = try TrustScene()
        let recorders = (0..<3).map { _ in TrustRecorder(folder: scratch.path, recording: .all) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, recorder) in recorders.enumerated() {
                group.addTask {
                    let manager = try ServerTrustManager(rules: [(HostPattern("**.example.com"), Self.usual)])
                    manager.events.add(recorder)
                    for number in 0..<100 {
                        _ = manager.evaluate(scene.trust(host: try Hostname("h\(number).r\(index).example.com")))
                    }
                    await recorder.flush()
                }
            }
            try await group.waitForAll()
        }
        #expect(try scratch.records().count == 300)
        #expect(try scratch.folder.files().count == 3)
    }
}
