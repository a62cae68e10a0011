// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrustLab
import Testing

@Suite struct DemoLiveTests {
    private struct Row: Decodable {
        var schemaVersion: Int
        var scenario: String
        var url: String
        var expected: String
        var found: String
        var agrees: Bool
        var reason: String
    }

    @Test("Every scenario produces the expected verdict") func everyVerdictIsTheExpectedOne() throws {
        let outcome = try Tool.run(["lab", "demo", "--format", "json"])
        #expect(outcome.status == 0)
        let rows = try outcome.json([Row].self)
        #expect(rows.filter { $0.scenario != "redirect-target" }.map(\.scenario) == LabScenario.all.map(\.name))
        #expect(rows.allSatisfy { $0.agrees && $0.expected == $0.found && !$0.reason.isEmpty })
        #expect(rows.contains { $0.found == "trusted" })
        #expect(Set(rows.map(\.found)).count >= 12)
        #expect(Set(rows.map(\.url)).count == rows.count)
    }

    @Test(
        "The demonstration runs only the chosen scenarios, in the lab's order, and shows whole verdicts if there are few scenarios"
    )
    func chosen() throws {
        let some = try Tool.run(["lab", "demo", "--format", "json", "--scenario", "name-excluded", "good"])
        #expect(some.status == 0)
        #expect(try some.json([Row].self).map(\.scenario) == ["good", "name-excluded"])
        let one = try Tool.run(["lab", "demo", "--scenario", "name-excluded"])
        #expect(one.status == 0)
        #expect(one.lines.contains { $0.hasPrefix("FAIL  api.lab.test is not trusted at ") })
        #expect(one.lines.contains { $0.hasPrefix("error: ") && $0.hasSuffix("[nameExcluded]") })
        #expect(one.lines.last == "the verdict is the expected one")
        let trusted = try Tool.run(["lab", "demo", "--scenario", "good", "--scenario", "good-rsa"])
        #expect(trusted.lines.count { $0.hasPrefix("OK    api.lab.test is trusted at ") } == 2)
        let many = try Tool.run(["lab", "demo", "--scenario", "good", "expired", "wrong-host", "self-signed"])
        #expect(many.status == 0)
        #expect(!many.lines.contains { $0.hasPrefix("error: ") })
    }

    @Test(
        "An unknown scenario causes an error that suggests similar names",
        arguments: [("expird", "did you mean expired"), ("zzzzzzzzzzzz", "servertrust lab --list shows the names")])
    func unknown(name: String, hint: String) throws {
        for verb in [["lab", "demo"], ["lab"]] {
            let outcome = try Tool.run(verb + ["--scenario", name])
            #expect(outcome.status == 64)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains("unknown scenario \"\(name)\"") && outcome.errors.contains(hint))
        }
        #expect(try Tool.run(["lab", "demo", "--scenario"]).status == 64)
    }

    @Test("The table fits in a terminal") func theTableFitsATerminal() throws {
        let outcome = try Tool.run(["lab", "demo"])
        #expect(outcome.status == 0)
        #expect(outcome.lines.allSatisfy { $0.count <= 120 })
    }
}
