// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import Diagnosis
@testable import ServerTrust

@Suite("Reports claim only checks that were performed")
struct UnperformedCheckTests {
    /// Returns the report on a verdict with changed values in its record.
    private func report(on trust: Trust, _ values: [String: Any]) throws -> TrustReport {
        let data = try JSONEncoder().encode(trust.evaluate())
        var object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        object.merge(values) { $1 }
        let verdict = try JSONDecoder().decode(
            TrustVerdict.self, from: JSONSerialization.data(withJSONObject: object))
        return TrustReport(verdict, presented: trust.presentedChain)
    }

    private func check(_ name: String, of report: TrustReport) throws -> TrustReport.Check {
        try #require(report.checks.first { $0.name == name })
    }

    @Test("The report shows a leaf that is an anchor as validated, without a count of certificates")
    func leafAnchor() throws {
        let report = try ReportScene.leafAnchor.get().report
        #expect(report.isTrusted && !report.isExempted)
        #expect(report.pathColumns(limit: 1).first?.tone == .good)
        #expect(report.checks.allSatisfy { !$0.detail.contains("all 1") })
    }

    @Test("A path that might not reach an anchor has no passed anchor check")
    func cutPath() throws {
        let lab = try TrustLab()
        let trust = try lab.trust(try lab.leaf())
        // The system's evaluator returns such a verdict if it can't read the end of the path.
        var verdict = trust.evaluate()
        verdict.reachesAnchor = false
        let report = TrustReport(verdict, presented: trust.presentedChain)
        #expect(report.isTrusted)
        #expect(try check("anchor", of: report).status == .notChecked)
        #expect(try check("signatures", of: report).status == .passed)
    }

    @Test("The revocation check counts only good answers")
    func revocation() throws {
        let leaf = try check("revocation", of: ReportScene.leafNotRevoked.get().report)
        let path = try check("revocation", of: ReportScene.notRevoked.get().report)
        #expect(leaf.detail.hasPrefix("1 of 2 "))
        #expect(path.detail.hasPrefix("2 of 2 "))
        #expect(leaf.title != path.title)
    }

    @Test(
        "Without findings, the revocation check passes only if the system checked a certificate",
        arguments: [
            ("[]", TrustReport.Check.Status.passed),
            (#"[{"certificate":0,"status":"unchecked","notes":[]}]"#, .notChecked),
        ])
    func withoutFindings(_ findings: String, _ status: TrustReport.Check.Status) throws {
        let findings = try JSONSerialization.jsonObject(with: Data(findings.utf8))
        let lab = try TrustLab()
        let report = try report(
            on: lab.trust(try lab.leaf()),
            ["revocation": findings, "checked": ["path", "identity", "purpose", "revocation"], "notChecked": []])
        let check = try check("revocation", of: report)
        #expect(check.status == status)
        #expect(!check.detail.contains("0 of 0"))
    }

    @Test("A trusted server's drawing, list and tree show excused failures")
    func excused() throws {
        let report = try ReportScene.excepted.get().report
        #expect(report.isTrusted)
        #expect(report.path?.failures.map(\.code) == ["certificateExpired"])
        let column = try #require(report.pathColumns(limit: 1).first)
        #expect(column.tone == .caution)
        #expect(column.boxes.first?.codes == ["certificateExpired"])
        #expect(column.boxes.first?.tone == .caution)
        #expect(column.boxes.allSatisfy { $0.tone != .bad && $0.link?.isBroken != true })
        let tree = PathTree(report, usesLines: true).lines()
        #expect(tree.first?.hasSuffix("excused certificateExpired") == true)
        #expect(!tree.contains { $0.contains("✗") })
    }

    @Test("A trusted server's small drawing shows no failure if the sent certificates are in the wrong order")
    func miniature() throws {
        func isBad(_ certificates: (TrustLab, Certificate) throws -> [Certificate], anchored: Bool) throws -> Bool {
            let lab = try TrustLab()
            let trust = try Trust.lab(
                try certificates(lab, try lab.leaf()),
                anchors: [anchored ? lab.root : TrustLab.unrelatedRoot()].map(\.certificate))
            let report = TrustReport(trust.evaluate(), presented: trust.presentedChain)
            #expect(report.isTrusted == anchored)
            var html = HTMLWriter()
            MiniatureDrawing(columns: Array(report.columns.prefix(1)), isTrusted: report.isTrusted).write(&html)
            return String(decoding: html.bytes, as: UTF8.self).contains("edge bad")
        }
        let wrongOrder = { (lab: TrustLab, leaf: Certificate) in
            [leaf, lab.root.certificate, lab.intermediate.certificate]
        }
        #expect(try !isBad(wrongOrder, anchored: true))
        #expect(try isBad(wrongOrder, anchored: false))
    }

    @Test("The report and its page show the failure of a report-only rule as a warning")
    func reportOnly() throws {
        let report = try ReportScene.reported.get().report
        #expect(report.isTrusted)
        #expect(report.warnings.contains { $0.contains("[pinNotMatched]") })
        #expect(report.html().contains("[pinNotMatched]"))
    }

    @Test(
        "The page for a decoded report with 100,000 entries in each list has a limited size", .timeLimit(.minutes(10)))
    func hugeLists() throws {
        let data = try JSONEncoder().encode(try ReportScene.expired.get().report)
        var object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let indices = [Int](repeating: 0, count: 100_000)
        let failure: [String: Any] = ["code": "certificateExpired", "message": "", "place": 0]
        let path: [String: Any] = [
            "certificates": indices, "reachesAnchor": true,
            "failures": [[String: Any]](repeating: failure, count: 50_000),
        ]
        let small: [String: Any] = ["certificates": [0, 1], "reachesAnchor": true, "failures": [failure]]
        object["presented"] = indices
        object["path"] = path
        object["otherPaths"] = [path] + [[String: Any]](repeating: small, count: 50_000)
        let report = try JSONDecoder().decode(TrustReport.self, from: JSONSerialization.data(withJSONObject: object))
        #expect(report.html().utf8.count < 4 << 20)
        #expect(report.columns.allSatisfy { $0.boxes.count <= ChainColumn.maximumBoxes + 1 })
        #expect(!PathTree(report, usesLines: true).lines().isEmpty)
    }
}
