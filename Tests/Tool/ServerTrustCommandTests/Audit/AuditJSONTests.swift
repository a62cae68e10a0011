// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import Testing

@testable import ServerTrustCommand

@Suite("The audit's JSON") struct AuditJSONTests {
    @Test("The JSON has the documented keys and matches the documentation's example")
    func golden() throws {
        let json = AuditSample.summary(AuditSample.example).json(AuditSample.run(3))
        try Golden.expect(
            Tool.Outcome(status: 0, output: Data(json), errors: ""), "audit-summary", status: 0)
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Documentation/AuditSummary.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let start = try #require(text.range(of: "```json\n"))
        let end = try #require(text.range(of: "```", range: start.upperBound..<text.endIndex))
        if ProcessInfo.processInfo.environment["SERVERTRUST_GOLDEN"] == "write" {
            let changed = text.replacingCharacters(
                in: start.upperBound..<end.lowerBound, with: String(decoding: json, as: UTF8.self))
            return try changed.write(to: page, atomically: true, encoding: .utf8)
        }
        #expect(text[start.upperBound..<end.lowerBound] == String(decoding: json, as: UTF8.self))
    }

    @Test("The JSON for a run without answers has every key and ends with a line feed")
    func empty() throws {
        let json = AuditSummary().json(AuditSample.run(0, date: nil))
        #expect(json.last == UInt8(ascii: "\n"))
        let empty = try JSONSerialization.jsonObject(with: Data(json))
        let full = try JSONSerialization.jsonObject(
            with: Data(AuditSample.summary(AuditSample.example).json(AuditSample.run(3))))
        #expect(Set(try #require(empty as? [String: Any]).keys) == Set(try #require(full as? [String: Any]).keys))
        #expect((empty as? [String: Any])?["complete"] as? Bool == true)
        #expect(((empty as? [String: Any])?["run"] as? [String: Any])?["evaluationDate"] is NSNull)
    }

    @Test("Each table's rows, others and missing values add up to the number of answers in the run")
    func sums() throws {
        let facts = AuditSample.answers(2000)
        let json = try #require(
            JSONSerialization.jsonObject(with: Data(AuditSample.summary(facts).json(AuditSample.run(2000))))
                as? [String: Any])
        for key in [
            "reasons", "issuers", "roots", "keys", "signatureAlgorithms", "validity", "transparency", "revocation",
        ] {
            let table = try #require(json[key] as? [String: Any])
            let rows = try #require(table["rows"] as? [[String: Any]])
            let rest = ["other", "none"].compactMap { table[$0] as? [String: Any] }
            #expect((rows + rest).compactMap { $0["answers"] as? Int }.reduce(0, +) == 2000, "\(key)")
        }
        let expiry = try #require(json["expiry"] as? [String: Any])
        let weeks = try #require(expiry["weeks"] as? [[String: Any]])
        let rest = ["before", "after", "none"].compactMap { expiry[$0] as? [String: Any] }
        #expect((weeks + rest).compactMap { $0["answers"] as? Int }.reduce(0, +) == 2000)
        #expect(weeks.compactMap { $0["week"] as? String } == weeks.compactMap { $0["week"] as? String }.sorted())
    }

    @Test(
        "Decoding the JSON returns the original strings from certificates, up to their size limit",
        arguments: AuditSample.hostile)
    func hostileTexts(_ text: String) throws {
        let json = AuditSample.summary([AuditFacts(verdict: .trusted, issuer: text)]).json(AuditSample.run(1))
        let object = try #require(JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
        let rows = try #require((object["issuers"] as? [String: Any])?["rows"] as? [[String: Any]])
        let name = try #require(rows.first?["name"] as? String)
        #expect(Array(name.utf8) == Array(text.abridged(toBytes: AuditTable.maximumName).utf8))
    }
}
