// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import Testing

@testable import PinLint
@testable import ServerTrustPins

/// The folder with pin files from public repositories.
private enum RealPinFiles {
    static let folder: String? = {
        let beside = FileManager.default.currentDirectoryPath + "/../shared/corpora"
        let folder = (ProcessInfo.processInfo.environment["SERVERTRUST_CORPORA"] ?? beside) + "/pinfiles"
        return FileManager.default.fileExists(atPath: folder + "/SOURCES.tsv") ? folder : nil
    }()
}

/// Reads and lints files from public repositories. `SERVERTRUST_WRITE_DOCUMENTATION=1` rewrites
/// Documentation/Generated/RealPinFiles.md.
@Suite(
    "Pin files from public repositories", .timeLimit(.minutes(10)),
    .enabled(if: RealPinFiles.folder != nil, "no corpus of pin files: see SERVERTRUST_CORPORA"))
struct RealPinFilesTests {
    private static let document = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Documentation/Generated/RealPinFiles.md")

    private struct Row {
        let place: String
        let cells: [String]
        let isRead: Bool
        let milliseconds: Int

        var start: String { "| \(place) | \(cells[0]) | \(cells[1]) | " }
        var end: String { " | \(cells[4]) | \(cells[5]) |" }
        var line: String { "| \(place) | \(cells.joined(separator: " | ")) |" }
    }

    private static func row(_ name: String, _ place: String, _ bytes: [UInt8], _ linter: PinLinter) -> Row {
        let clock = ContinuousClock()
        var sources: [PinLintSource] = []
        var findings: [PinFinding] = []
        let duration = clock.measure {
            sources = PinLintSource.sources(reading: bytes, file: name)
            findings = linter.findings(in: sources)
        }
        let configurations = sources.compactMap(\.configuration)
        let refused = sources.flatMap { source -> [PinFileProblem] in
            if case .failure(let error) = source.contents { error.problems.filter { $0.grade == .refused } } else { [] }
        }
        let odd = configurations.flatMap(\.oddities)
        let grade = !refused.isEmpty ? "refused" : odd.isEmpty ? "read" : "read, odd"
        var codes: [String] = []
        for code in (refused + odd).map(\.shortCode) where !codes.contains(code) { codes.append(code) }
        let rules = configurations.flatMap(\.rules)
        let counts = [PinFinding.Severity.error, .warning, .note].map { severity in
            String(findings.count { $0.severity == severity })
        }
        return Row(
            place: place,
            cells: [
                sources.compactMap(\.format?.name).joined(separator: ", "), grade,
                codes.isEmpty ? "" : "\(refused.count + odd.count): " + codes.joined(separator: ", "),
                counts.joined(separator: " / "), String(rules.flatMap(\.hosts).count),
                String(rules.flatMap(\.pins).count),
            ], isRead: refused.isEmpty, milliseconds: Int(duration / .milliseconds(1)))
    }

    private static func rows() throws -> [Row] {
        let folder = try #require(RealPinFiles.folder)
        let sources = try String(contentsOfFile: folder + "/SOURCES.tsv", encoding: .utf8)
        let linter = PinLinter(at: try Time(rfc3339: "2026-11-22"))
        return try sources.split(separator: "\n").dropFirst().map { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(cells[0])")))
            return row(cells[0], "\(cells[1]) `\(cells[2])`", bytes, linter)
        }.sorted { $0.place < $1.place }
    }

    @Test("All files except one that its owner refuses are read, and the documentation lists each")
    func table() throws {
        let rows = try Self.rows()
        #expect(rows.count == 63)
        #expect(rows.filter { !$0.isRead }.count == 1)
        let slowest = try #require(rows.max { $0.milliseconds < $1.milliseconds })
        print(
            "\(rows.count) files, \(rows.filter(\.isRead).count) read; the slowest took \(slowest.milliseconds) ms: \(slowest.place)"
        )
        let text = """
            # Pin files of public repositories

            \(rows.count) files as their apps contain them, which this package read and linted on 2026-11-22. The package doesn't contain the files themselves.
            Problems are codes of the readers. Findings are numbers of errors, warnings and notes. Each file takes under 100 ms. One file is refused,
            because Android, the owner of its format, doesn't know a digest `sha256`.

            `SERVERTRUST_WRITE_DOCUMENTATION=1` with `--filter RealPinFilesTests` writes this page.

            | file | format | grade | problems | findings | hosts | pins |
            |---|---|---|---|---|---|---|

            """ + rows.map(\.line).joined(separator: "\n") + "\n"
        if ProcessInfo.processInfo.environment["SERVERTRUST_WRITE_DOCUMENTATION"] != nil {
            try text.write(to: Self.document, atomically: true, encoding: .utf8)
        }
        // Findings change with the linter's rules. The set of pins that the readers find changes only when a reader
        // changes.
        let written = try String(contentsOf: Self.document, encoding: .utf8).split(separator: "\n")
        for row in rows {
            #expect(written.contains { $0.hasPrefix(row.start) && $0.hasSuffix(row.end) }, "\(row.line)")
        }
    }
}
