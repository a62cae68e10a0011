// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting
import Testing

/// The `ct` key in requests and answers.
@Suite("Certificate Transparency timestamps in verify --batch")
struct BatchTransparencyTests {
    /// Two logs of two operators, and chains with leaves that have timestamps from these logs.
    struct Site: Sendable {
        static let shared = Result { try Site() }

        let one: TestLog
        let two: TestLog
        let root: Certificate
        let issuer: Certificate
        /// A CA with the issuer's name but another key.
        let namesake: Certificate
        let good: Certificate
        let single: Certificate
        let broken: Certificate
        let list: [UInt8]
        let unknownLog: TestLog
        let unknown: Certificate

        init() throws {
            let one = try TestLog("One", operatedBy: "First")
            let two = try TestLog("Two", operatedBy: "Second")
            let other = try TestLog("Other", operatedBy: "Third")
            let root = try TestAuthority.root(.authority("Root"))
            let issuer = try root.intermediate(.authority("CA"))
            func leaf(_ timestamps: [TestTimestamp]) throws -> Certificate {
                try issuer.issue(.leaf(Lab.host).with { $0.timestamps = timestamps }).certificate
            }
            self.good = try leaf([one.timestamp(), two.timestamp()])
            self.single = try leaf([one.timestamp()])
            self.broken = try leaf([one.timestamp(), two.timestamp().with { $0.hasWrongSignature = true }])
            self.unknown = try leaf([one.timestamp(), other.timestamp()])
            self.namesake = try root.intermediate(.authority("CA")).certificate
            self.root = root.certificate
            self.issuer = issuer.certificate
            self.one = one
            self.two = two
            self.unknownLog = other
            self.list = try TestLog.list([one, two])
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var leaf: @Sendable (Site) -> Certificate = { $0.good }
        /// The presented certificates above the leaf.
        var above: @Sendable (Site) -> [Certificate] = { [$0.issuer] }
        var anchors: @Sendable (Site) -> [Certificate] = { [$0.root] }
        var changes: [String: BatchLine.Value] = [:]
        var policy = "mozilla"
        var mode: String? = "require"
        /// The number of days between the list's date and the verify date.
        var days: Int64 = 0
        var verdict = "trusted"
        var failures: [String] = []
        var outcome = "complies"
        var code: String?
        /// The results of the signature checks.
        var signatures = ["valid", "valid"]
        /// The reason why each timestamp doesn't count, or an empty string for a timestamp that counts.
        var reasons = ["", ""]
    }

    static let rows: [Row] = [
        Row(testDescription: "two timestamps from two operators comply"),
        Row(testDescription: "chrome", policy: "chrome"),
        Row(testDescription: "apple", policy: "apple"),
        Row(
            testDescription: "the default mode is report", leaf: { $0.single }, mode: nil, outcome: "fails",
            code: "notEnoughSCTs", signatures: ["valid"], reasons: [""]),
        Row(
            testDescription: "one timestamp is reported", leaf: { $0.single }, mode: "report", outcome: "fails",
            code: "notEnoughSCTs", signatures: ["valid"], reasons: [""]),
        Row(
            testDescription: "one timestamp is refused if two are required", leaf: { $0.single },
            verdict: "rejected", failures: ["transparencyNotMet"], outcome: "fails", code: "notEnoughSCTs",
            signatures: ["valid"], reasons: [""]),
        Row(
            testDescription: "a wrong signature", leaf: { $0.broken }, verdict: "rejected",
            failures: ["transparencyNotMet"], outcome: "fails", code: "notEnoughSCTs",
            signatures: ["valid", "invalid"], reasons: ["", "badSignature"]),
        Row(
            testDescription: "a log that isn't on the list", leaf: { $0.unknown }, verdict: "rejected",
            failures: ["transparencyNotMet"], outcome: "fails", code: "notEnoughSCTs",
            signatures: ["valid", "unknownLog"], reasons: ["", "unknownLog"]),
        Row(
            testDescription: "a chain that is refused because of its host gets an answer",
            changes: ["host": .string("www.example.com")], verdict: "rejected", failures: ["hostMismatch"]),
        Row(
            testDescription: "without an anchor, the issuer at the start of the path counts", anchors: { _ in [] },
            verdict: "rejected", failures: ["unknownIssuer"]),
        Row(
            testDescription: "without a path, the presented issuer with the right name counts",
            above: { [$0.namesake, $0.issuer] },
            anchors: { _ in [] }, verdict: "rejected", failures: ["unknownIssuer"]),
        Row(
            testDescription: "an issuer with another key doesn't count", above: { [$0.namesake] },
            anchors: { _ in [] }, verdict: "rejected", failures: ["unknownIssuer"], outcome: "fails",
            code: "notEnoughSCTs", signatures: ["invalid", "invalid"], reasons: ["badSignature", "badSignature"]),
        Row(
            testDescription: "no issuer", above: { _ in [] }, anchors: { _ in [] }, verdict: "rejected",
            failures: ["unknownIssuer"], outcome: "fails", code: "notEnoughSCTs", signatures: ["invalid", "invalid"],
            reasons: ["badSignature", "badSignature"]),
        Row(testDescription: "an anchor as the issuer", above: { _ in [] }, anchors: { [$0.issuer] }),
        Row(testDescription: "a leaf that is its own anchor uses the presented issuer", anchors: { [$0.good] }),
        Row(testDescription: "the last day of Apple's age limit", policy: "apple", days: 59),
        Row(
            testDescription: "a list that is too old for Apple is reported and refuses nothing", leaf: { $0.single },
            policy: "apple", days: 60, outcome: "notChecked", code: "logListOutOfDate", signatures: ["valid"],
            reasons: [""]),
        Row(testDescription: "the last day of Mozilla's age limit", days: 69),
        Row(
            testDescription: "a list that is too old for Mozilla", leaf: { $0.broken }, days: 70, outcome: "notChecked",
            code: "logListOutOfDate", signatures: ["valid", "invalid"], reasons: ["", "badSignature"]),
        Row(testDescription: "a list newer than the verify date is used", days: -20),
    ]

    private static let answers = Result {
        let lab = try Lab.shared()
        let site = try Site.shared.get()
        let input = try rows.reduce(into: Data()) { $0 += try line($1, lab, site) }
        return try TemporaryFolder.with { folder in
            let list = try folder.write("logs.json", Data(site.list))
            return (
                limited: try Tool.batch(input, options: ["--ct-logs", list.path]),
                anyAge: try Tool.batch(input, options: ["--ct-logs", list.path, "--ct-any-age"])
            )
        }
    }

    private static func line(_ row: Row, _ lab: Lab, _ site: Site) throws -> Data {
        var members: [String: BatchLine.Value] = ["policy": .string(row.policy)]
        members["mode"] = row.mode.map { .string($0) }
        let changes: [String: BatchLine.Value] = [
            "chain": .strings(([row.leaf(site)] + row.above(site)).map(\.base64)),
            "anchors": .strings(row.anchors(site).map(\.base64)), "ct": .object(members),
            "time": .string(TestAuthority.now.advanced(by: row.days * 86_400).description),
        ]
        return try BatchLine(lab, changes.merging(row.changes) { $1 }).data()
    }

    @Test(
        "A request with timestamps gets the answer that the contract defines",
        arguments: rows.enumerated().map { ($0.offset, $0.element) })
    func isAnswered(_ index: Int, _ row: Row) throws {
        let answers = try Self.answers.get().limited
        try #require(answers.count == Self.rows.count)
        let answer = answers[index]
        #expect(answer.verdict == row.verdict)
        #expect(answer.failures.map(\.code) == row.failures)
        let ct = try #require(answer.ct)
        #expect(ct.outcome == row.outcome)
        #expect(ct.code == row.code)
        #expect(ct.scts.map(\.signature) == row.signatures)
        #expect(ct.scts.map { $0.reason ?? "" } == row.reasons)
        #expect(ct.scts.map(\.counts) == row.reasons.map(\.isEmpty))
        #expect(
            ct.scts.map(\.timestamp)
                == row.reasons.map { _ in
                    UInt64(TestAuthority.notBefore.secondsSinceEpoch) * 1000
                })
    }

    @Test("A batch accepts a list of any age if the user permits it") func anyAge() throws {
        let old = try zip(Self.rows, Self.answers.get().anyAge).filter { $0.0.code == "logListOutOfDate" }
        #expect(old.count == 2)
        for (_, answer) in old {
            #expect(answer.ct?.code == "notEnoughSCTs")
            #expect(answer.failures.map(\.code) == ["transparencyNotMet"])
        }
    }

    @Test("The answer names the log, operator and state of each timestamp") func members() throws {
        let site = try Site.shared.get()
        let index = try #require(Self.rows.firstIndex { $0.testDescription == "a log that isn't on the list" })
        let ct = try #require(try Self.answers.get().limited[index].ct)
        #expect(ct.scts.map(\.log) == [site.one, site.unknownLog].map { Base64.encode($0.logID) })
        #expect(ct.scts.map(\.operator) == ["First", nil])
        #expect(ct.scts.map(\.state) == ["usable", nil])
    }

    @Test("Answers to unreadable requests and to requests without the key don't mention timestamps") func onlyIfAsked()
        throws
    {
        let lab = try Lab.shared()
        let site = try Site.shared.get()
        try TemporaryFolder.with { folder in
            let list = try folder.write("logs.json", Data(site.list))
            let input =
                try BatchLine(lab).data()
                + BatchLine(lab, ["chain": .strings(["AAAA"]), "ct": .object(["policy": .string("chrome")])]).data()
            let answers = try Tool.batch(input, options: ["--ct-logs", list.path])
            #expect(answers.map(\.verdict) == ["trusted", "unreadable"])
            #expect(answers.allSatisfy { $0.ct == nil })
        }
    }

    @Test("Without a list, every timestamp is from an unknown log, even on a machine without anchors")
    func withoutList() throws {
        let lab = try Lab.shared()
        let site = try Site.shared.get()
        let ct = BatchLine.Value.object(["policy": .string("chrome")])
        let chain = BatchLine.Value.strings([site.good.base64, site.issuer.base64])
        let input =
            try BatchLine(lab, ["chain": chain, "anchors": .strings([site.root.base64]), "ct": ct]).data()
            + BatchLine(lab, ["chain": chain, "anchors": .absent, "ct": ct]).data()
        let answers = try Tool.batch(input)
        #expect(answers.map { $0.failures.map(\.code) } == [[], ["systemAnchorsUnavailable"]])
        for answer in answers {
            #expect(answer.ct?.outcome == "notChecked")
            #expect(answer.ct?.code == "noLogList")
            #expect(answer.ct?.scts.map(\.signature) == ["unknownLog", "unknownLog"])
        }
    }

    @Test("An unreadable list ends the run before the first answer") func unreadableList() throws {
        let input = try BatchLine(Lab.shared()).data()
        try TemporaryFolder.with { folder in
            let wrong = try folder.write("wrong.json", Data("{}".utf8))
            for file in [wrong.path, folder.url.path + "/missing.json", "-"] {
                let outcome = try Tool.run(["verify", "--batch", "--ct-logs", file], input: input)
                #expect(outcome.status == (file == "-" ? 64 : 2))
                #expect(outcome.output.isEmpty)
                #expect(!outcome.errors.isEmpty)
            }
        }
    }
}
