// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import Testing

@testable import ServerTrustTesting

/// `--revocation`, `--crl` and `--ocsp`, and the corresponding keys of `verify --batch`.
@Suite struct VerifyRevocationTests {
    private struct Scene {
        let root: TestAuthority
        let authority: TestAuthority
        let leaf: TestIdentity

        init() throws {
            root = try .root(.authority("Revocation Root"))
            authority = try root.intermediate(.authority("Revocation CA"))
            leaf = try authority.issue(.leaf(Lab.host))
        }
    }

    private static let scene = Result { try Scene() }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var arguments: [String]
        var status: Int32
        var codes: [String]
        /// The status of each certificate below the anchor.
        var findings: [String]
    }

    static let rows = [
        Row(testDescription: "off by default", arguments: [], status: 0, codes: [], findings: []),
        Row(
            testDescription: "required without evidence", arguments: ["--revocation", "required"], status: 1,
            codes: ["revocationUnavailable", "revocationUnavailable"], findings: ["unobtainable", "unobtainable"]),
        Row(
            testDescription: "best effort without evidence", arguments: ["--revocation", "best-effort"], status: 0,
            codes: [], findings: ["unobtainable", "unobtainable"]),
        Row(
            testDescription: "required with CRLs in PEM and DER",
            arguments: ["--revocation", "required", "--crl", "FOLDER/ca.crl", "--crl", "FOLDER/root.der"], status: 0,
            codes: [], findings: ["good", "good"]),
        Row(
            testDescription: "evidence without a mode means best effort", arguments: ["--crl", "FOLDER/revoking.crl"],
            status: 1,
            codes: ["certificateRevoked"], findings: ["revoked", "unobtainable"]),
        Row(
            testDescription: "an OCSP response", arguments: ["--ocsp", "FOLDER/good.ocsp"], status: 0, codes: [],
            findings: ["good", "unobtainable"]),
    ]

    private struct Report: Decodable {
        struct Failure: Decodable { var code: String }
        struct Finding: Decodable { var status: String }
        var failures: [Failure]
        var revocation: [Finding]
    }

    private func run(_ arguments: [String]) throws -> Tool.Outcome {
        let scene = try Self.scene.get()
        return try TemporaryFolder.with { folder in
            try folder.write("chain.pem", pem(scene.leaf.certificate, scene.authority.certificate))
            try folder.write("root.pem", pem(scene.root.certificate))
            try folder.write("ca.crl", Data(scene.authority.crl().pem.utf8))
            try folder.write("root.der", Data(scene.root.crl().der))
            try folder.write("revoking.crl", Data(scene.authority.crl { $0.revoke(scene.leaf.certificate) }.pem.utf8))
            try folder.write(
                "good.ocsp", Data(scene.authority.ocspResponse { $0.add(scene.leaf.certificate) }.der))
            let given = [
                "verify", "FOLDER/chain.pem", "--host", Lab.host, "--anchors", "FOLDER/root.pem", "--time", Lab.time,
            ]
            return try Tool.run(
                (given + arguments).map { $0.replacingOccurrences(of: "FOLDER", with: folder.url.path) })
        }
    }

    @Test("The verdict matches the revocation data", arguments: rows) func isAnswered(row: Row) throws {
        let outcome = try run(row.arguments + ["--format", "json"])
        #expect(outcome.status == row.status, "\(outcome.errors)")
        let report = try #require(try outcome.json([Report].self).first)
        #expect(report.failures.map(\.code) == row.codes)
        #expect(report.revocation.map(\.status) == row.findings)
        let text = try run(row.arguments)
        #expect(text.status == row.status)
        // A failure states why there is no status, so its certificate has no other line.
        let named = text.lines.compactMap { line in
            line.firstMatch(of: /^(?:  |error: )certificate sent as number (\d+) \(\w+\)(?:: | .*revo)/)
                .map { String($0.1) }
        }
        #expect(Set(named).count == row.findings.count)
    }

    @Test("The text shows each warning once") func textHasWarningsOnce() throws {
        // The lines of the path show what is missing.
        #expect(try !run(["--revocation", "best-effort"]).text.contains("warning:"))
        // A self-signed anchor as the leaf has no such line.
        let leaf = try Lab.shared().selfSigned
        try TemporaryFolder.with { folder in
            let file = try folder.write("root.pem", pem(leaf)).path
            let outcome = try Tool.run([
                "verify", file, "--anchors", file, "--time", Lab.time, "--revocation", "best-effort", "--host",
                Lab.host,
            ])
            let warnings = outcome.lines.filter { $0.hasPrefix("warning: ") }
            let expected = try Tool.run([
                "verify", file, "--anchors", file, "--time", Lab.time, "--revocation", "best-effort", "--host",
                Lab.host,
                "--format", "json",
            ]).json([Warned].self).first?.warnings
            #expect(warnings == expected?.map { "warning: \($0)" })
            #expect(!warnings.isEmpty)
            // The warning is already on standard error.
            let broken = try folder.write(
                "chain.pem", pem(leaf) + Data("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".utf8)
            ).path
            let partial = try Tool.run(["verify", broken, "--anchors", file, "--time", Lab.time, "--host", Lab.host])
            #expect(partial.errors.contains("left out: "))
            #expect(!partial.text.contains("left out: "))
        }
    }

    @Test("The text for a long path has a revocation line for each certificate") func longPathsHaveEveryGap()
        throws
    {
        let root = try TestAuthority.root(.authority("Long Root"))
        var authorities = [root]
        for number in 1...9 {
            authorities.append(try authorities[number - 1].intermediate(.authority("Long CA \(number)")))
        }
        let leaf = try authorities[9].issue(.leaf(Lab.host))
        try TemporaryFolder.with { folder in
            let chain = try folder.write(
                "chain.pem",
                authorities.dropFirst().reversed().reduce(pem(leaf.certificate)) { $0 + pem($1.certificate) })
            let anchors = try folder.write("root.pem", pem(root.certificate))
            let outcome = try Tool.run([
                "verify", chain.path, "--anchors", anchors.path, "--host", Lab.host, "--time", Lab.time, "--revocation",
                "best-effort",
            ])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(
                outcome.lines.count { $0.contains(/^  certificate sent as number \d+ \(\w+\): revocation unknown/) }
                    == 10)
        }
    }

    private struct Warned: Decodable { var warnings: [String] }

    @Test("If a file contains no revocation data, verify exits with 2")
    func evidenceThatIsNoneCanNotBeEvaluated() throws {
        for option in ["--crl", "--ocsp"] {
            let outcome = try run([option, "FOLDER/chain.pem"])
            #expect(outcome.status == 2)
            #expect(outcome.output.isEmpty)
        }
        #expect(try run(["--revocation", "bestEffort"]).status == 64)
        #expect(try Tool.run(["verify", "--batch", "--crl", "/nonexistent"]).status == 2)
    }

    @Test("A batch evaluates each line with its own revocation data") func theBatchJudgesByWhatTheLineCarries() throws {
        let scene = try Self.scene.get()
        let lab = try Lab.shared()
        let (good, root) = (Base64.encode(try scene.authority.crl().der), Base64.encode(try scene.root.crl().der))
        let revoking = Base64.encode(try scene.authority.crl { $0.revoke(scene.leaf.certificate) }.der)
        let staple = Base64.encode(try scene.authority.ocspResponse { $0.add(scene.leaf.certificate) }.der)
        let unknown = Base64.encode(
            try scene.authority.ocspResponse { $0.add(scene.leaf.certificate, .unknown) }.der)
        let cases: [(crls: [String], ocsp: [String], revocation: String, codes: [String], warnings: Int)] = [
            ([good, root], [], "required", [], 0),
            ([root], [staple], "required", [], 0),
            ([root], [unknown], "required", ["revocationUnavailable"], 0),
            ([root], [unknown], "bestEffort", [], 1),
            ([good, root, "AAAA"], [], "required", [], 1),
            ([revoking, root], [staple], "bestEffort", ["certificateRevoked"], 0),
            ([revoking, root], [], "off", ["certificateRevoked"], 0),
            ([root], [staple], "off", [], 0),
            (["AAAA"], [], "off", [], 0),
        ]
        let input = try cases.reduce(into: Data()) { data, row in
            data += try BatchLine(
                lab,
                [
                    "chain": .strings([scene.leaf.certificate.base64, scene.authority.certificate.base64]),
                    "intermediates": .absent, "anchors": .strings([scene.root.certificate.base64]),
                    "crls": .strings(row.crls), "ocspResponses": .strings(row.ocsp),
                    "revocation": .string(row.revocation),
                ]
            ).data()
        }
        let answers = try Tool.batch(input)
        try #require(answers.count == cases.count)
        for (answer, row) in zip(answers, cases) {
            #expect(answer.failures.map(\.code) == row.codes)
            #expect((answer.warnings ?? []).count == row.warnings)
            #expect(answer.verdict == (row.codes.isEmpty ? "trusted" : "rejected"))
        }
    }

    @Test("If revocation checks are on, a batch answer has a finding for each certificate except the anchor")
    func batchFindings() throws {
        let scene = try Self.scene.get()
        let lab = try Lab.shared()
        let (leaf, authority) = (scene.leaf.certificate, scene.authority)
        let root = Base64.encode(try scene.root.crl().der)
        let short = try authority.issue(
            .leaf(Lab.host).with {
                $0.notBefore = TestAuthority.now.advanced(by: -86_400)
                $0.notAfter = TestAuthority.now.advanced(by: 86_400)
            }
        ).certificate
        let good = Base64.encode(try authority.crl().der)
        let revoking = Base64.encode(try authority.crl { $0.revoke(leaf, reason: .keyCompromise) }.der)
        let staple = Base64.encode(try authority.ocspResponse { $0.add(leaf) }.der)
        let rows:
            [(leaf: Certificate, crls: [String], ocsp: [String], exempt: BatchLine.Value, codes: [String], [String])] =
                [
                    (leaf, [good, root], [], .absent, [], ["good crl", "good crl"]),
                    (leaf, [root], [staple], .absent, [], ["good ocsp", "good crl"]),
                    (
                        leaf, [revoking, root], [], .absent, ["certificateRevoked"],
                        ["revoked crl keyCompromise", "good crl"]
                    ),
                    (leaf, [root], [], .absent, ["revocationUnavailable"], ["unknown noEvidence", "good crl"]),
                    (leaf, [root], [], .boolean(true), ["revocationUnavailable"], ["unknown noEvidence", "good crl"]),
                    (short, [root], [], .boolean(true), [], ["exempt shortLived", "good crl"]),
                    (
                        short, [root], [], .boolean(false), ["revocationUnavailable"],
                        ["unknown noEvidence", "good crl"]
                    ),
                    (short, [root], [], .absent, ["revocationUnavailable"], ["unknown noEvidence", "good crl"]),
                ]
        let input = try rows.reduce(into: Data()) { data, row in
            data += try BatchLine(
                lab,
                [
                    "chain": .strings([row.leaf.base64, authority.certificate.base64]), "intermediates": .absent,
                    "anchors": .strings([scene.root.certificate.base64]), "crls": .strings(row.crls),
                    "ocspResponses": .strings(row.ocsp), "revocation": .string("required"),
                    "exemptShortLived": row.exempt,
                ]
            ).data()
        }
        let answers = try Tool.batch(input)
        try #require(answers.count == rows.count)
        for (answer, row) in zip(answers, rows) {
            #expect(answer.failures.map(\.code) == row.codes)
            let found = answer.revocation?.map {
                [$0.status, $0.source, $0.reason].compactMap(\.self).joined(separator: " ")
            }
            #expect(found == row.5)
        }
        let off = try Tool.batch(try BatchLine(lab, ["revocation": .string("off")]).data())
        #expect(off.map { $0.revocation == nil } == [true])
    }

    @Test("verify and batches use filters, and a file that isn't a filter ends the run with 2 before any answer")
    func filters() throws {
        let scene = try Self.scene.get()
        let lab = try Lab.shared()
        let log = try TestLog("Log", operatedBy: "Operator")
        let issued = TestAuthority.now.advanced(by: -86_400)
        let leaf = try scene.authority.issue(.leaf(Lab.host).with { $0.timestamps = [log.timestamp(at: issued)] })
            .certificate
        let folder = try TemporaryFolder.make()
        defer { folder.remove() }
        func file(_ name: String, isRevoked: Bool) throws -> String {
            let filter = TestRevocationFilter(
                logs: [(log.logID, 0, UInt64(TestAuthority.now.secondsSinceEpoch) * 1_000)],
                issuers: [(scene.authority.certificate.subjectPublicKeyInfoSHA256, isRevoked)])
            return try folder.write(name, Data(filter.bytes)).path
        }
        let (good, revoking) = (try file("good.filter", isRevoked: false), try file("new.delta", isRevoked: true))
        func line(_ mode: String) throws -> Data {
            try BatchLine(
                lab,
                [
                    "chain": .strings([leaf.base64, scene.authority.certificate.base64]), "intermediates": .absent,
                    "anchors": .strings([scene.root.certificate.base64]), "revocation": .string(mode),
                    "crls": .strings([Base64.encode(try scene.root.crl().der)]),
                ]
            ).data()
        }
        let rows: [(filters: [String], mode: String, codes: [String], leaf: String?)] = [
            ([], "required", ["revocationUnavailable"], "unknown"), ([good], "required", [], "good filter"),
            ([good, revoking], "required", ["certificateRevoked"], "revoked filter"),
            ([revoking], "bestEffort", ["certificateRevoked"], "revoked filter"),
            ([revoking], "off", ["certificateRevoked"], nil), ([good], "off", [], nil),
        ]
        for row in rows {
            let answers = try Tool.batch(try line(row.mode), options: row.filters.flatMap { ["--filter", $0] })
            let answer = try #require(answers.first)
            #expect(answer.failures.map(\.code) == row.codes, "\(row)")
            let first = answer.revocation?.first.map {
                [$0.status, $0.source].compactMap(\.self).joined(separator: " ")
            }
            #expect(first == row.leaf, "\(row)")
        }
        let bad = try folder.write("bad.filter", Data([1, 2, 3])).path
        let refused = try Tool.run(["verify", "--batch", "--filter", bad], input: try line("required"))
        #expect(refused.status == 2 && refused.output.isEmpty)
        #expect(refused.errors.contains("bad.filter: not a CRLite filter: version at byte 0 is 1, expected 3 or 4"))
    }
}
