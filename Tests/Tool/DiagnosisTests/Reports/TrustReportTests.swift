// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting
import Testing
import TrustScenes

@testable import Diagnosis

@Suite("Reports as values")
struct TrustReportTests {
    @Test("The tests can create all scenes") func scenes() { #expect(ReportScene.all.count == 23) }

    @Test("Every failure code in this package belongs to a group of checks")
    func groups() {
        for code in TrustFailure.Code.all where CheckGroup(code) == .custom { #expect(code == .evaluatorRefused) }
    }

    @Test("A report decoded from its JSON equals the original", arguments: ReportScene.all)
    func roundTrip(_ scene: ReportScene) throws {
        let data = try JSONEncoder().encode(scene.report)
        #expect(try JSONDecoder().decode(TrustReport.self, from: data) == scene.report)
    }

    @Test("The next steps for a custom root or a client certificate contain no step for the server")
    func kindsOfSteps() throws {
        let ended = TestAuthority.now.advanced(by: -1)
        let expiredRoot = try TrustScene(root: .authority("Test Root").until(ended)).trust()
        let steps = NextSteps(expiredRoot.evaluate(), presented: expiredRoot.presentedChain).steps
        #expect(steps.first?.kind == .here)
        #expect(!steps.contains { $0.kind == .server || $0.kind == .peer })
        let client = try TrustScene().trust { $0.policy.purpose = .clientAuth }
        let others = NextSteps(client.evaluate(), presented: client.presentedChain).steps
        #expect(others.first?.kind == .peer)
        #expect(!others.contains { $0.kind == .server || $0.kind == .client })
    }

    @Test("The report's JSON has the documented keys")
    func keys() throws {
        let report = try ReportScene.revoked.get().report
        let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(report)) as? [String: Any] ?? [:]
        #expect(
            object.keys.sorted() == [
                "certificates", "checks", "code", "date", "explanations", "facts", "fetched", "headline", "name",
                "nextSteps",
                "omitted", "otherPaths", "outcome", "path", "presented", "reason", "revocation", "schemaVersion",
                "warnings",
            ])
        func keys(_ list: String) -> [String] { ((object[list] as? [[String: Any]])?.first ?? [:]).keys.sorted() }
        #expect(
            keys("certificates") == [
                "fields", "issuer", "issuerName", "key", "name", "names", "notAfter", "notBefore", "number", "pem",
                "pin",
                "role",
                "serialNumber", "sha256", "signature", "subject", "usage",
            ])
        #expect(keys("checks") == ["detail", "failures", "name", "status", "title"])
        #expect(keys("revocation") == ["detail", "notes", "place", "source", "status", "validFrom"])
        #expect(keys("nextSteps") == ["code", "kind", "text"])
        #expect(keys("facts") == ["fields", "label", "value"])
    }

    @Test(
        "A check in the report has the same result as in the evaluation",
        arguments: [
            (ReportScene.good, "signatures", TrustReport.Check.Status.passed), (ReportScene.good, "identity", .passed),
            (ReportScene.good, "revocation", .notChecked), (ReportScene.good, "transparency", .notChecked),
            (ReportScene.expired, "validity", .failed), (ReportScene.expired, "signatures", .passed),
            (ReportScene.expired, "policies", .notChecked), (ReportScene.wrongHost, "identity", .failed),
            (ReportScene.wrongHost, "validity", .passed), (ReportScene.withoutIntermediate, "anchor", .failed),
            // The engine verifies signatures only on paths to an anchor.
            (ReportScene.withoutIntermediate, "signatures", .notChecked),
            (ReportScene.withoutIntermediate, "constraints", .notChecked),
            (ReportScene.withoutIntermediate, "length", .notChecked), (ReportScene.forged, "signatures", .failed),
            (ReportScene.forged, "policies", .notChecked), (ReportScene.selfSigned, "anchor", .failed),
            (ReportScene.empty, "presented", .failed), (ReportScene.empty, "identity", .notChecked),
            (ReportScene.empty, "validity", .notChecked), (ReportScene.disabled, "signatures", .notChecked),
            (ReportScene.disabled, "validity", .excused), (ReportScene.disabled, "identity", .notChecked),
            (ReportScene.revoked, "revocation", .failed), (ReportScene.revoked, "signatures", .passed),
            (ReportScene.notRevoked, "revocation", .passed), (ReportScene.pinned, "pins", .passed),
            (ReportScene.misspinned, "pins", .failed), (ReportScene.misspinned, "policies", .passed),
            (ReportScene.leafAnchor, "anchor", .passed), (ReportScene.leafAnchor, "signatures", .notChecked),
            (ReportScene.leafAnchor, "authority", .notChecked), (ReportScene.leafAnchor, "length", .notChecked),
            (ReportScene.leafAnchor, "constraints", .notChecked), (ReportScene.leafAnchor, "policies", .notChecked),
            (ReportScene.leafAnchor, "validity", .passed), (ReportScene.leafAnchor, "identity", .passed),
            (ReportScene.selfSigned, "authority", .notChecked), (ReportScene.excepted, "validity", .excused),
            (ReportScene.excepted, "signatures", .passed), (ReportScene.leafNotRevoked, "revocation", .passed),
            (ReportScene.published, "transparency", .passed), (ReportScene.unpublished, "transparency", .excused),
            (ReportScene.unpublishedRequired, "transparency", .failed),
            (ReportScene.wrongPurpose, "purpose", .failed), (ReportScene.wrongPurpose, "policies", .notChecked),
        ])
    func checks(
        _ scene: Result<ReportScene, any Error>, _ name: String, _ status: TrustReport.Check.Status
    ) throws {
        let report = try scene.get().report
        #expect(report.checks.first { $0.name == name }?.status == status, "\(report.checks.map(\.name))")
    }

    @Test("No check both passes and fails, and a trusted report has no failed check", arguments: ReportScene.all)
    func consistent(_ scene: ReportScene) {
        let checks = scene.report.checks
        #expect(Set(checks.map(\.name)).count == checks.count)
        #expect(checks.contains { $0.status == .failed } == !scene.report.isTrusted)
        for check in checks {
            #expect(check.failures.isEmpty == (check.status == .passed || check.status == .notChecked))
        }
    }

    @Test("The report contains each certificate once, and chains refer to it", arguments: ReportScene.all)
    func indices(_ scene: ReportScene) {
        let report = scene.report
        #expect(Set(report.certificates.map(\.sha256)).count == report.certificates.count)
        let indices = report.presented + ([report.path].compactMap { $0 } + report.otherPaths).flatMap(\.certificates)
        for index in indices { #expect(report.certificates.indices.contains(index)) }
    }

    @Test("The revocation check shows its evidence, and the pins check shows the compared pins")
    func evidence() throws {
        let revoked = try ReportScene.revoked.get().report
        #expect(revoked.revocation.map(\.status).contains("revoked"))
        #expect(revoked.revocation.first { $0.status == "revoked" }?.source == "crl")
        #expect(try ReportScene.pinned.get().report.pins?.matched?.certificate == 2)
        let pins = try ReportScene.misspinned.get().report.pins
        #expect(pins?.matched == nil)
        #expect(pins?.expected.count == 2)
        #expect(pins?.found.count == 3)
        #expect(try ReportScene.good.get().report.pins == nil)
    }

    @Test("The report on a cross-signed chain has two paths to two roots")
    func crossSigned() throws {
        let report = try ReportScene.crossSigned.get().report
        #expect(report.otherPaths.count == 1)
        #expect(report.path?.certificates.last != report.otherPaths.first?.certificates.last)
        #expect(report.path?.certificates.first == report.otherPaths.first?.certificates.first)
    }

    @Test("The report marks a path as expiring if its validity ends within the requested time")
    func expiring() throws {
        let lab = try TrustLab()
        let trust = try lab.trust(try lab.leaf { $0.notAfter = TestAuthority.now.advanced(by: 5 * 86_400) })
        let verdict = DefaultTrustEvaluator().evaluate(trust)
        func outcome(_ seconds: Int64?) -> TrustReport.Outcome {
            TrustReport(verdict, presented: trust.presentedChain, expiringWithin: seconds).outcome
        }
        #expect(outcome(nil) == .trusted)
        #expect(outcome(4 * 86_400) == .trusted)
        #expect(outcome(5 * 86_400) == .expiring)
    }

    @Test("Text from certificates is on one line, without control characters")
    func texts() throws {
        let json = try String(decoding: JSONEncoder().encode(try ReportScene.hostile.get().report), as: UTF8.self)
        for scalar in ["\u{202e}", "\u{2066}", "\u{0}"] { #expect(!json.contains(scalar)) }
    }

    @Test("The report on 300 certificates with large names stays below 2 MB and counts the omitted entries")
    func bounded() throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf { $0.dnsNames = (0..<3000).map { "a-long-name-of-a-host-\($0).example.com" } }
        let others = try (0..<300).map { number in
            try TrustLab.selfSigned { $0.commonName = String(repeating: "n\(number)", count: 2000) }
        }
        let trust = try Trust.lab([leaf] + others, anchors: [lab.root.certificate])
        let verdict = DefaultTrustEvaluator().evaluate(trust)
        let report = TrustReport(verdict, presented: trust.presentedChain)
        #expect(report.presented.count == 32)
        #expect(report.omitted["presented"] == 269)
        #expect(try JSONEncoder().encode(report).count < 2 << 20)
        #expect(report.html().utf8.count < 3 << 20)
    }
}
