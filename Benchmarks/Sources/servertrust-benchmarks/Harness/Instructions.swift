// SPDX-License-Identifier: Apache-2.0

import Foundation
import InstructionCounter

/// Instructions per operation, counted by callgrind in a second process that runs the same benchmarks.
///
/// Callgrind presents the same processor to the program on every machine. Its counts differ by less than 1 % between
/// runs, because keys and hash seeds differ.
struct Instructions: Sendable, Codable {
    /// Counts by benchmark, race and contender.
    private var counts: [String: Double] = [:]

    /// The environment variable with the file into which the second process writes its counts.
    private static let file = "SERVERTRUST_INSTRUCTIONS"

    /// The fewest instructions that are counted for a contender.
    private static let enough = 2e6

    subscript(benchmark: String, race: Int, contender: String) -> Double? {
        get { counts["\(benchmark)/\(race)/\(contender)"] }
        set { counts["\(benchmark)/\(race)/\(contender)"] = newValue }
    }

    /// Whether this is the second process.
    static var isCounting: Bool { instruction_counter_is_running() }

    /// Runs the benchmarks with these names in a second process, and returns the counts.
    /// - Throws: ``InstructionsError`` if valgrind is missing or fails.
    static func count(benchmarks: [String], contender: String?) throws -> Instructions {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("instructions-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let result = folder.appendingPathComponent("counts.json")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            [
                "valgrind", "-q", "--tool=callgrind", "--instr-atstart=no", "--combine-dumps=no", "--compress-pos=no",
                "--callgrind-out-file=\(folder.path)/out", CommandLine.arguments[0], "--exactly",
            ] + benchmarks.flatMap { ["--filter", $0] } + (contender.map { ["--contender", $0] } ?? [])
        process.environment = ProcessInfo.processInfo.environment.merging(
            [file: result.path, "SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 }
        process.standardOutput = FileHandle.standardError
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0, let data = try? Data(contentsOf: result) else {
            throw InstructionsError(status: process.terminationStatus)
        }
        return try JSONDecoder().decode(Instructions.self, from: data)
    }

    /// In the second process: writes the counts into the file that the first one reads.
    func write() throws {
        guard let path = ProcessInfo.processInfo.environment[Self.file] else { return }
        try JSONEncoder().encode(self).write(to: URL(fileURLWithPath: path))
    }

    /// In the second process: the instructions of one iteration.
    static func measure(_ contender: any Contender) async throws -> Double {
        // Fills memories, and prepares keys that are prepared lazily.
        try await contender.run(2)
        // Counts nothing. If the work continues on another thread than before, callgrind subtracts the earlier thread's
        // count from the next one.
        instruction_counter_start()
        instruction_counter_stop()
        _ = try? lastCount()
        let one = try await measure(contender, iterations: 1)
        guard one < enough else { return one }
        let iterations = min(2_000, Int(enough / max(one, 1)) + 1)
        return try await measure(contender, iterations: iterations) / Double(iterations)
    }

    private static func measure(_ contender: any Contender, iterations: Int) async throws -> Double {
        instruction_counter_start()
        try await contender.run(iterations)
        instruction_counter_stop()
        return try lastCount()
    }

    /// Returns the total of the newest file that callgrind wrote.
    private static func lastCount() throws -> Double {
        guard let result = ProcessInfo.processInfo.environment[file] else { throw InstructionsError(status: 0) }
        let folder = URL(fileURLWithPath: result).deletingLastPathComponent()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasPrefix("out.") {
            let path = folder.appendingPathComponent(name)
            let text = String(decoding: try Data(contentsOf: path), as: UTF8.self)
            try FileManager.default.removeItem(at: path)
            for line in text.split(separator: "\n") where line.hasPrefix("totals: ") || line.hasPrefix("summary: ") {
                // A wrong difference of two counts is a negative number, without its sign.
                if let count = line.split(separator: " ").last.flatMap({ Double($0) }), count < 1e18 { return count }
            }
        }
        throw InstructionsError(status: 0)
    }
}

/// A failed count.
struct InstructionsError: Error, CustomStringConvertible {
    var status: Int32

    var description: String {
        "instructions can't be counted: valgrind ended with \(status). Install valgrind with its headers and build again"
    }
}
