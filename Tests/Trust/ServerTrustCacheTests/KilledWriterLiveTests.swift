// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import PKIX
import ServerTrust
import Testing

@testable import ServerTrustCache

@Suite(.serialized) struct KilledWriterLiveTests {
    /// The number of killed writers: SERVERTRUST_KILLS, or 30 by default.
    private static let kills = ProcessInfo.processInfo.environment["SERVERTRUST_KILLS"].flatMap { Int($0) } ?? 30

    /// The program next to the test bundle in the build folder.
    static let writer: URL? = {
        let beside =
            [URL(fileURLWithPath: CommandLine.arguments[0])] + Bundle.allBundles.map(\.bundleURL)
            + [Bundle.main.bundleURL]
        return beside.flatMap { url in [url, url.deletingLastPathComponent()] }
            .map { $0.appendingPathComponent("ServerTrustCacheWriter") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }()

    @Test("A writer that is killed repeatedly leaves no partial entry", .timeLimit(.minutes(10)))
    func killed() async throws {
        let writer = try #require(Self.writer)
        let scene = try CacheScene()
        var (found, cut) = (0, 0)
        for round in 0..<Self.kills {
            let processes = try (0..<(round % 3 == 0 ? 2 : 1)).map { number in
                try start(writer, [scene.file, "\(round * 2 + number)"])
            }
            for (_, output) in processes { #expect(output.availableData == Data("ready\n".utf8)) }
            try await Task.sleep(for: .milliseconds(round % 37))
            for (process, _) in processes { kill(process.processIdentifier, SIGKILL) }
            for (process, _) in processes { process.waitUntilExit() }
            // The rest of the last transaction in the log.
            let log = try FileManager.default.attributesOfItem(atPath: scene.file + "-wal")[.size] as? Int ?? 0
            if log > 0 { cut += 1 }
            let cache = try scene.open()
            for number in 0..<64 {
                guard let entry = try await cache.entry(for: .numbered(number)) else { continue }
                found += 1
                #expect(Array(entry.bytes.prefix(32)) == Digests.sha256(Array(entry.bytes.dropFirst(32))))
            }
            let bytes = try await cache.bytes
            #expect(bytes <= 4 << 20)
            let problems = try await DatabaseQueue(path: scene.file).read { database in
                let sum = try Int.fetchOne(database, sql: "SELECT coalesce(sum(size), 0) FROM entry")
                #expect(sum == bytes)
                return try String.fetchAll(database, sql: "PRAGMA integrity_check")
            }
            #expect(problems == ["ok"])
        }
        #expect(scene.warnings.isEmpty)
        // Otherwise the writers stored too little for a meaningful test.
        #expect(found > 10 * Self.kills)
        #expect(cut > Self.kills * 9 / 10)
        print("\(Self.kills) kills: \(found) entries whole, \(cut) times a log to recover")
    }

    @Test(
        "The lister reads a killed writer's files, including its log, completely and without changing them",
        .timeLimit(.minutes(10)))
    func listed() async throws {
        let writer = try #require(Self.writer)
        var logs = 0
        for round in 0..<10 {
            let scene = try CacheScene()
            let (process, output) = try start(writer, [scene.file, "\(round)"])
            #expect(output.availableData == Data("ready\n".utf8))
            try await Task.sleep(for: .milliseconds(round * 7))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            let before = try scene.snapshot()
            let listed = try SQLiteTrustCache.summaries(readOnly: scene.file)
            #expect(try scene.snapshot() == before)
            guard before["trust.sqlite-wal"]?[0].isEmpty == false else { continue }
            logs += 1
            // Without the log's index, the lister can't read the log and doesn't create the index.
            try FileManager.default.moveItem(atPath: scene.file + "-shm", toPath: scene.folder + "/index")
            #expect(cacheError { _ = try SQLiteTrustCache.summaries(readOnly: scene.file) }?.code == .cacheFailed)
            #expect(try scene.names() == ["index", "trust.sqlite", "trust.sqlite-wal", "trust.sqlite.lock"])
            try FileManager.default.moveItem(atPath: scene.folder + "/index", toPath: scene.file + "-shm")
            #expect(try await scene.open().summaries() == listed)
        }
        #expect(logs > 5)
    }

    private func start(_ program: URL, _ arguments: [String]) throws -> (Process, FileHandle) {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        return (process, output.fileHandleForReading)
    }
}
