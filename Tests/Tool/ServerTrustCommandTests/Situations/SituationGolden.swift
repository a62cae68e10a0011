// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The text of an answer, compared with a file in `Golden/Situations`.
///
/// Digests and keys differ between runs, so the comparison replaces them and keeps their length.
/// `SERVERTRUST_GOLDEN=write` rewrites the files.
enum SituationGolden {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Golden/Situations")
    /// Whether the test rewrites the files.
    static let isWriting = ProcessInfo.processInfo.environment["SERVERTRUST_GOLDEN"] == "write"

    /// Compares the command, its exit status and its output with the row's file.
    static func expect(_ row: Situation, _ outcome: Tool.Outcome) throws {
        let found = """
            \(row.testDescription) (\(row.source)).

            $ servertrust \(row.command.map { $0.contains(" ") ? "'\($0)'" : $0 }.joined(separator: " "))
            \(normalized(outcome.errors))\(normalized(outcome.text))
            exit status \(outcome.status)

            """
        let file = folder.appendingPathComponent(row.file + ".txt")
        if isWriting {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(found.utf8).write(to: file)
        } else {
            let expected = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            #expect(found == expected, "\(row.file): SERVERTRUST_GOLDEN=write")
        }
    }

    /// Returns the names of the files, without their extension.
    static func names() throws -> Set<String> {
        Set(
            try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) })
    }

    /// Returns text with the values of keys replaced by placeholders of the same length.
    private static func normalized(_ text: String) -> String {
        text.replacing(/[A-Za-z0-9+\/]{43}=/, with: String(repeating: "D", count: 43) + "=")
            .replacing(/([0-9A-Fa-f]{2}:){15,}[0-9A-Fa-f]{2}/) { $0.output.0.map { $0 == ":" ? ":" : "D" }.joined() }
            .replacing(/[0-9A-Fa-f]{32,}/) { String(repeating: "D", count: $0.output.count) }
    }
}
