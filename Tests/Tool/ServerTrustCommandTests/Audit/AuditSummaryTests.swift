// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import Testing

@testable import ServerTrustCommand

@Suite("The audit summary") struct AuditSummaryTests {
    private func rows(_ table: AuditTable) -> [String] {
        table.ranked.map { "\($0.name) \($0.count.trusted) \($0.count.rejected) \($0.count.unreadable)" }
    }

    @Test("Every table counts its values by verdict, and the answers without a value")
    func tables() {
        let summary = AuditSample.summary(AuditSample.example + [AuditSample.example[1]])
        #expect(summary.verdicts.answers == 4)
        #expect(summary.verdicts.trusted == 1)
        #expect(summary.verdicts.rejected == 2)
        #expect(summary.verdicts.unreadable == 1)
        #expect(rows(summary.reasons) == ["certificateExpired 0 2 0", "base64Malformed 0 0 1"])
        #expect(
            rows(summary.codes) == ["certificateExpired 0 2 0", "hostMismatch 0 2 0", "base64Malformed 0 0 1"])
        #expect(summary.codes.none.answers == 1)
        #expect(rows(summary.issuers) == ["C=US, O=Example CA, CN=Example Issuing 1 1 2 0"])
        #expect(summary.issuers.none.unreadable == 1)
        #expect(rows(summary.roots) == ["C=US, O=Example CA, CN=Example Root 1 0 0"])
        #expect(summary.roots.none.answers == 3)
        #expect(rows(summary.keys) == ["RSA 2048 bits 0 2 0", "EC P-256 1 0 0"])
        #expect(rows(summary.signatureAlgorithms) == ["RSA with SHA-256 0 2 0", "ECDSA with SHA-256 1 0 0"])
        #expect(rows(summary.transparency) == ["fails: notEnoughSCTs 0 2 0", "complies 1 0 0"])
        #expect(rows(summary.revocation) == ["unknown 0 2 0", "good 1 0 0"])
        #expect(summary.validity.counts.map(\.answers) == [0, 0, 0, 1, 0, 0, 2, 0, 0, 0])
        #expect(summary.expiry.weeks.map(\.count.answers) == [2, 1])
    }

    @Test("A repeated code counts once per answer, and the answer's first code is the reason")
    func repeatedCodes() {
        let summary = AuditSample.summary([AuditFacts(verdict: .rejected, codes: ["b", "a", "b", "a", "b"])])
        #expect(rows(summary.codes) == ["a 0 1 0", "b 0 1 0"])
        #expect(rows(summary.reasons) == ["b 0 1 0"])
    }

    @Test("Rows with equal counts are sorted by their names' bytes")
    func order() {
        let names = ["é", "z", "Z", "a", "", "\u{1f512}", "～"]
        let facts = (names + ["z"]).map { AuditFacts(verdict: .trusted, issuer: $0) }
        let expected = ["z", "", "Z", "a", "é", "～", "\u{1f512}"]
        #expect(AuditSample.summary(facts).issuers.ranked.map(\.name) == expected)
        #expect(AuditSample.summary(facts.reversed()).issuers.ranked.map(\.name) == expected)
    }

    @Test(
        "The summary counts a validity period in the step that ends with it",
        arguments: [
            (Int.min, 9), (-1, 9), (0, 9), (1, 0), (7, 0), (8, 1), (10, 1), (11, 2), (47, 2), (48, 3), (90, 3), (91, 4),
            (100, 4), (101, 5), (200, 5), (201, 6), (398, 6), (399, 7), (825, 7), (826, 8), (Int.max, 8),
        ])
    func validity(_ days: Int, _ step: Int) {
        var validity = AuditValidity()
        validity.add(days, .rejected)
        #expect(validity.counts.firstIndex { $0.answers == 1 } == step)
    }

    @Test(
        "The summary counts an expiry in its week, from Monday in UTC, or in the time before or after all weeks",
        arguments: [
            ("2026-11-22T23:59:59Z", "2026-11-16"), ("2026-11-23T00:00:00Z", "2026-11-23"),
            ("2026-11-29T23:59:59Z", "2026-11-23"), ("2000-01-03T00:00:00Z", "2000-01-03"),
            ("2000-01-02T23:59:59Z", "before"), ("1969-12-29T00:00:00Z", "before"), ("0001-01-01T00:00:00Z", "before"),
            ("2050-01-02T23:59:59Z", "2049-12-27"), ("2050-01-03T00:00:00Z", "after"),
            ("9999-12-31T23:59:59Z", "after"),
            ("2024-02-29T12:00:00Z", "2024-02-26"),
        ])
    func weeks(_ end: String, _ expected: String) throws {
        var weeks = AuditWeeks()
        weeks.add(try Time(rfc3339: end), .trusted)
        let found =
            weeks.before.answers == 1
            ? "before"
            : weeks.after.answers == 1
                ? "after" : weeks.weeks.first.map { AuditWeeks.monday(of: $0.week).description.prefix(10) } ?? "none"
        #expect(found == expected)
    }

    @Test("The summary counts extreme times in the time before or after all weeks")
    func extremeMoments() {
        var weeks = AuditWeeks()
        weeks.add(Time(secondsSinceEpoch: .min), .trusted)
        weeks.add(Time(secondsSinceEpoch: .max), .trusted)
        #expect(weeks.before.answers == 1)
        #expect(weeks.after.answers == 1)
    }

    @Test("A run is complete if each line has an answer and each answer is counted")
    func completeness() {
        let summary = AuditSample.summary(AuditSample.example)
        #expect(summary.isComplete(AuditSample.run(3)))
        #expect(!summary.isComplete(AuditSample.run(3, lines: 4)))
        #expect(!summary.isComplete(AuditSample.run(2)))
        #expect(AuditSummary().isComplete(AuditSample.run(0)))
    }

    @Test("Numbers and percentages are human-readable")
    func words() {
        #expect(
            [0, 999, 1000, 1_234_567, -1000].map(AuditWords.number) == ["0", "999", "1,000", "1,234,567", "-1,000"])
        #expect(
            [999, 1000, 1234, 9999, 10_000, 999_999, 1_200_000, 3_000_000_000].map(AuditWords.short)
                == ["999", "1k", "1.2k", "9.9k", "10k", "999k", "1.2M", "3G"])
        #expect(
            [0, 1, 6, 333, 9995, 9999, 10_000].map { AuditWords.share($0, of: 10_000) }
                == ["0%", "<0.1%", "0.1%", "3.3%", ">99.9%", ">99.9%", "100%"])
        #expect(AuditWords.share(0, of: 0) == "0%")
    }
}
