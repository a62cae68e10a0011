// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import Testing

@Suite("Recording processes", .serialized) struct RecordsWriterLiveTests {
    /// The number of kills: SERVERTRUST_KILLS, or 12 by default.
    private static let kills = ProcessInfo.processInfo.environment["SERVERTRUST_KILLS"].flatMap { Int($0) } ?? 12

    /// The program next to the test bundle in the build folder.
    private static let writer: URL? = {
        let bundles = [URL(fileURLWithPath: CommandLine.arguments[0]), Bundle.main.bundleURL]
        return (bundles + Bundle.allBundles.map(\.bundleURL))
            .flatMap { [$0, $0.deletingLastPathComponent()] }
            .map { $0.appendingPathComponent("TrustRecordsWriter") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }()

    /// Whether this process may create a user namespace and mount a file system in it.
    private static let canMount: Bool = {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        process.arguments = ["-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    private func start(
        _ arguments: [String], of program: URL? = writer
    ) throws -> (process: Process, output: FileHandle) {
        let process = Process()
        let program: URL = try #require(program)
        process.executableURL = program
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        return (process, pipe.fileHandleForReading)
    }

    @Test("Processes that are killed leave only whole records, except for the end of a file", .timeLimit(.minutes(5)))
    func killed() async throws {
        let scratch = Scratch()
        for round in 0..<Self.kills {
            // Two processes share the folder.
            let processes = try (0..<2).map { try start([scratch.path, "p\(2 * round + $0)"]) }
            for (_, output) in processes { #expect(output.availableData == Data("ready\n".utf8)) }
            try await Task.sleep(for: .milliseconds(round % 37))
            for (process, _) in processes { kill(process.processIdentifier, SIGKILL) }
            for (process, _) in processes { process.waitUntilExit() }
        }
        let files = try scratch.folder.files()
        #expect(files.count == 2 * Self.kills)
        #expect(files.allSatisfy { !$0.isInUse })
        var count = 0
        for file in files {
            let data = try Data(contentsOf: URL(fileURLWithPath: "\(scratch.path)/\(file.name)"))
            let end = data.lastIndex(of: 0x0a).map { data.index(after: $0) } ?? data.startIndex
            #expect(end == data.endIndex || TrustRecord.begins(data[end...]) || data.endIndex - end < 3)
            for line in data[..<end].split(separator: 0x0a) {
                #expect(try TrustRecord(line: Array(line), blobs: nil)?.recorded.isTrusted == true)
                count += 1
            }
        }
        #expect(count >= 2 * 50 * Self.kills)
    }

    /// Runs the writer until its first failure, and returns its counts.
    private func counts(
        _ arguments: [String], of program: URL? = writer
    ) throws -> (written: Int, failed: Int) {
        let (process, output) = try start(arguments, of: program)
        let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let counts = text.split(separator: "\n").last?.split(separator: " ").compactMap { Int($0) } ?? []
        try #require(counts.count == 2, "\(text)")
        return (counts[0], counts[1])
    }

    @Test("A file that can't grow has only whole records, and the rest is counted", .timeLimit(.minutes(1)))
    func limited() throws {
        let scratch = Scratch()
        let counts = try counts([scratch.path, "full", "100000"])
        #expect(try scratch.folder.files().reduce(0) { $0 + $1.size } > 50_000)
        #expect(try scratch.records().count == counts.written)
        #expect(counts.failed > 0)
    }

    @Test(
        "A full file system has only whole records, and the rest is counted", .enabled(if: canMount),
        .timeLimit(.minutes(1)))
    func full() throws {
        let scratch = Scratch()
        let disk = scratch.path + ".disk"
        for path in [scratch.path, disk] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        defer { try? FileManager.default.removeItem(atPath: disk) }
        let writer: URL = try #require(Self.writer)
        // The file system ends with the process, so its files are copied before.
        let script = "mount -t tmpfs -o size=100k tmpfs \"$1\" && \"$0\" \"$1\" full full && cp \"$1\"/*.ndjson \"$2\""
        let counts = try counts(
            ["-rm", "sh", "-c", script, writer.path, disk, scratch.path], of: URL(fileURLWithPath: "/usr/bin/unshare"))
        #expect(counts.written > 20)
        #expect(counts.failed > 0)
        #expect(try scratch.records().count == counts.written)
    }

    @Test("In a folder that isn't writable, every record is counted as failed", .timeLimit(.minutes(1)))
    func readOnly() throws {
        let scratch = Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path, withIntermediateDirectories: true)
        chmod(scratch.path, 0o555)
        let counts = try counts([scratch.path, "read-only", "unprivileged"])
        #expect(counts.written == 0)
        #expect(counts.failed == 50)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).isEmpty)
    }
}
