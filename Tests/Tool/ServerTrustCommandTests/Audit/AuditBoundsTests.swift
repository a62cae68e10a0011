// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import Testing

@testable import ServerTrustCommand

@Suite("The limits of an audit summary", .timeLimit(.minutes(10))) struct AuditBoundsTests {
    @Test("The summary counts names beyond the limit as others, and existing rows continue to count")
    func cap() {
        var table = AuditTable()
        for number in 0..<(AuditTable.maximumRows + 5) { table.add("CN=\(number)", .trusted) }
        table.add("CN=3", .rejected)
        table.add("CN=\(AuditTable.maximumRows)", .rejected)
        table.add(nil, .unreadable)
        #expect(table.rows.count == AuditTable.maximumRows)
        #expect(table.ranked.first?.name == "CN=3")
        #expect(table.ranked.first?.count.rejected == 1)
        #expect(table.other.trusted == 5)
        #expect(table.other.rejected == 1)
        #expect(table.none.unreadable == 1)
    }

    @Test("A million answers with a million issuers stay within the limits")
    func million() {
        var summary = AuditSummary()
        for number in 0..<1_000_000 { summary.add(AuditFacts(verdict: .trusted, issuer: String(number))) }
        #expect(summary.issuers.rows.count == AuditTable.maximumRows)
        #expect(summary.issuers.other.answers == 1_000_000 - AuditTable.maximumRows)
        #expect(summary.verdicts.answers == 1_000_000)
        #expect(summary.json(AuditSample.run(1_000_000)).count < 4 << 20)
    }

    @Test("The summary truncates long text", arguments: AuditSample.hostile)
    func names(_ text: String) {
        let summary = AuditSample.summary([AuditFacts(verdict: .trusted, issuer: text, root: text)])
        #expect(summary.issuers.rows[0].name.utf8.count <= AuditTable.maximumName + 3)
    }

    @Test("The size of input names in the JSON is limited")
    func inputs() throws {
        var run = AuditSample.run(0)
        run.inputs = (0..<5000).map { String(repeating: "x", count: 2000) + "\($0)" }
        let json = try #require(JSONSerialization.jsonObject(with: Data(AuditSummary().json(run))) as? [String: Any])
        let found = try #require(json["run"] as? [String: Any])
        #expect((found["inputs"] as? [String])?.count == AuditRun.maximumInputs)
        #expect(found["inputsOmitted"] as? Int == 4000)
        #expect(AuditSummary().json(run).count < 2 << 20)
    }
}
