// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrustLab
import Testing

@Suite struct DemoTests {
    private struct Row: Decodable {
        var schemaVersion: Int
        var scenario: String
        var url: String
        var expected: String
        var found: String
        var agrees: Bool
        var reason: String
    }

    @Test("Every verdict is the expected one") func everyVerdictIsTheExpectedOne() throws {
        let outcome = try Tool.run(["demo", "--format", "json"])
        #expect(outcome.status == 0)
        let rows = try outcome.json([Row].self)
        #expect(rows.filter { $0.scenario != "redirect-target" }.map(\.scenario) == LabScenario.all.map(\.name))
        #expect(rows.allSatisfy { $0.agrees && $0.expected == $0.found && !$0.reason.isEmpty })
        #expect(rows.contains { $0.found == "trusted" })
        #expect(Set(rows.map(\.found)).count >= 12)
        #expect(Set(rows.map(\.url)).count == rows.count)
    }

    @Test("The table fits a terminal") func theTableFitsATerminal() throws {
        let outcome = try Tool.run(["demo"])
        #expect(outcome.status == 0)
        #expect(outcome.lines.allSatisfy { $0.count <= 120 })
    }
}
