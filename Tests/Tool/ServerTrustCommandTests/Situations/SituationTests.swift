// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The answers to situations from public bug reports: verdict, headline and remedy.
@Suite struct SituationTests {
    private struct Verdict: Decodable {
        struct Failure: Decodable { var code: String }
        var verdict: String
        var failures: [Failure]
    }

    private struct File: Decodable {
        struct Finding: Decodable { var id: String }
        var findings: [Finding]
    }

    @Test("The command prints exactly the expected answer", arguments: Situation.all)
    func isAnswered(_ row: Situation) throws {
        try TemporaryFolder.with { folder in
            for (name, data) in try row.files() { try folder.write(name, data) }
            let text = try run(row.command, in: folder)
            #expect(text.status == row.status, "\(text.text)\(text.errors)")
            try SituationGolden.expect(row, text)

            let json = try run(row.command + ["--format", "json"], in: folder)
            #expect(json.status == row.status)
            switch row.answer {
            case .verdict(let codes):
                let answer = try #require(try json.json([Verdict].self).first)
                #expect(answer.verdict == (row.status == 0 ? "trusted" : "rejected"))
                #expect(answer.failures.map(\.code) == codes)
            case .findings(let rules): #expect(try json.json([File].self).flatMap(\.findings).map(\.id) == rules)
            case .error: #expect(!text.errors.isEmpty && text.text.isEmpty)
            }
        }
    }

    @Test("The remedies are the expected ones, in this order", arguments: Situation.advice)
    func remedies(_ row: Situation) throws {
        try TemporaryFolder.with { folder in
            for (name, data) in try row.files() { try folder.write(name, data) }
            let text = try run(row.command, in: folder).text
            let found = text.split(separator: "\n").filter { $0.hasPrefix("fix:") }.map { String($0.dropFirst(7)) }
            #expect(found == Situation.remedies[row.file], "\(text)")
        }
    }

    @Test(
        "Every situation has a golden file, and every golden file has a situation",
        .disabled(if: SituationGolden.isWriting)
    )
    func files() throws {
        let rows = Situation.all.map(\.file)
        #expect(Set(rows).count == rows.count)
        #expect(Set(rows) == (try SituationGolden.names()))
    }

    /// Runs the tool in a folder, with the environment of a UTF-8 terminal.
    private func run(_ arguments: [String], in folder: TemporaryFolder) throws -> Tool.Outcome {
        try Tool.run(arguments, environment: ["LC_ALL": "C.UTF-8"], in: folder.url)
    }
}
