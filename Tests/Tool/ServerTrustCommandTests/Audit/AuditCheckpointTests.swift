// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import Testing

@testable import ServerTrustCommand

@Suite("Encoded audit summaries", .timeLimit(.minutes(10))) struct AuditCheckpointTests {
    private func copy(_ summary: AuditSummary) throws -> AuditSummary {
        try JSONDecoder().decode(AuditSummary.self, from: JSONEncoder().encode(summary))
    }

    private static let answers = AuditSample.answers(3000) {
        AuditSample.hostile[$0 % AuditSample.hostile.count] + "\($0 / 7)"
    }

    @Test(
        "A run that is interrupted at any point has the same summary as an uninterrupted run",
        arguments: [0, 1, 2, 1499, 3000])
    func interruption(_ place: Int) throws {
        let whole = AuditSample.summary(Self.answers)
        let first = AuditSample.summary(Self.answers.prefix(place))
        var summary = try copy(first)
        #expect(summary == first)
        for facts in Self.answers.dropFirst(place) { summary.add(facts) }
        #expect(summary == whole)
        let run = AuditSample.run(3000)
        #expect(summary.json(run) == whole.json(run))
    }

    @Test("A decoded full table continues like the original")
    func fullTable() throws {
        let facts = (0..<(AuditTable.maximumRows + 50)).map { AuditFacts(verdict: .trusted, issuer: "CN=\($0)/é\u{0}") }
        var summary = try copy(AuditSample.summary(facts))
        #expect(summary == AuditSample.summary(facts))
        summary.add(AuditFacts(verdict: .rejected, issuer: "CN=new"))
        summary.add(AuditFacts(verdict: .rejected, issuer: "CN=0/é\u{0}"))
        #expect(
            summary
                == AuditSample.summary(
                    facts + [
                        AuditFacts(verdict: .rejected, issuer: "CN=new"),
                        AuditFacts(verdict: .rejected, issuer: "CN=0/é\u{0}"),
                    ]))
        #expect(summary.issuers.other.rejected == 1)
    }

    @Test("The same answers are encoded as the same bytes")
    func determinism() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let first = AuditSample.summary(Self.answers)
        let second = AuditSample.summary(Self.answers)
        #expect(try encoder.encode(first) == encoder.encode(second))
        #expect(first.json(AuditSample.run(3000)) == second.json(AuditSample.run(3000)))
    }

    /// Returns the sample with a part of its JSON replaced.
    private func changed(_ part: String, _ other: String) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(AuditSample.summary(AuditSample.example)), as: UTF8.self)
        try #require(text.contains(part), "\(text)")
        return Data(text.replacing(part, with: other).utf8)
    }

    @Test(
        "The decoder rejects values outside the limits",
        arguments: [
            ("\"verdicts\":[1,1,1]", "\"verdicts\":[1,-1,1]"), ("\"verdicts\":[1,1,1]", "\"verdicts\":[1,1]"),
            ("\"verdicts\":[1,1,1]", "\"verdicts\":[1,1,1,1]"),
            ("\"verdicts\":[1,1,1]", "\"verdicts\":[1,1,1099511627777]"),
            ("\"name\":\"base64Malformed\"", "\"name\":\"certificateExpired\""),
            ("\"name\":\"base64Malformed\"", "\"name\":\"\(String(repeating: "x", count: 260))\""),
            ("\"week\":2972", "\"week\":4175"), ("\"week\":2972", "\"week\":1565"), ("\"week\":2966", "\"week\":2972"),
            ("\"counts\":[[0,0,0],", "\"counts\":["), ("\"expiry\":", "\"exp\":"),
        ])
    func refusals(_ part: String, _ other: String) throws {
        let data = try changed(part, other)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(AuditSummary.self, from: data) }
    }

    @Test("The decoder rejects a table with too many rows")
    func tooManyRows() throws {
        let row = { (number: Int) in "{\"name\":\"\(number)\",\"count\":[1,0,0]}" }
        for (count, isAllowed) in [(AuditTable.maximumRows, true), (AuditTable.maximumRows + 1, false)] {
            let rows = (0..<count).map(row).joined(separator: ",")
            let data = Data("{\"rows\":[\(rows)],\"other\":[0,0,0],\"none\":[0,0,0]}".utf8)
            let table = try? JSONDecoder().decode(AuditTable.self, from: data)
            #expect((table != nil) == isAllowed)
        }
    }
}
