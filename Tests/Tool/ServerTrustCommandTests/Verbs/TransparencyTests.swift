// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import Testing

@testable import ServerTrustTesting

/// `servertrust ct` with custom logs. Lists are older than this machine's clock, and tests set the verify date.
@Suite struct TransparencyTests {
    private static let date = Time(secondsSinceEpoch: 1_760_000_000)  // 2025-10-09
    private static let time = date.advanced(by: 86_400).description

    /// The files for a leaf with timestamps from two logs, its issuer, and a log list.
    private struct Files {
        let folder: TemporaryFolder
        let logs: [TestLog]
        let leaf: Certificate
        let chain: String
        let list: String
        let bytes: [UInt8]

        init(_ folder: TemporaryFolder, timestamps: Int = 2) throws {
            self.folder = folder
            let logs = try [TestLog("One", operatedBy: "A"), TestLog("Two", operatedBy: "B")]
            let root = try TestAuthority.root()
            let template = CertificateTemplate.leaf("www.example.com").with {
                $0.notBefore = date
                $0.notAfter = date.advanced(by: 90 * 86_400)
                $0.timestamps = logs.prefix(timestamps).map { $0.timestamp(at: date) }
            }
            self.logs = logs
            leaf = try root.issue(template).certificate
            bytes = try TestLog.list(logs, at: date)
            chain = try folder.write("chain.pem", Data(pem(leaf, root.certificate))).path
            list = try folder.write("logs.json", Data(bytes)).path
        }

        func verify(_ arguments: String...) throws -> Tool.Outcome {
            try Tool.run(["ct", "verify", chain, "--logs", list, "--time", time] + arguments)
        }
    }

    private static func pem(_ certificates: Certificate...) -> [UInt8] {
        Array(certificates.map(\.pem).joined().utf8)
    }

    private struct Report: Decodable {
        struct Policy: Decodable {
            var policy: String
            var outcome: String
            var code: String?
            var scts: [SCT]
        }
        struct SCT: Decodable {
            var origin: String
            var log: String
            var `operator`: String?
            var state: String?
            var timestamp: Int
            var signature: String
            var counts: Bool
            var reason: String?
        }
        var policies: [Policy]
    }

    private static func policies(_ outcome: Tool.Outcome) throws -> [Report.Policy] {
        try #require(outcome.json([Report].self).first).policies
    }

    @Test("ct verify reports that all policies are met") func complies() throws {
        try TemporaryFolder.with { folder in
            let files = try Files(folder)
            #expect(try files.verify().status == 0)
            let outcome = try files.verify("--format", "json")
            #expect(outcome.status == 0)
            let policies = try Self.policies(outcome)
            #expect(policies.map(\.policy) == ["chrome", "mozilla", "apple"])
            #expect(policies.allSatisfy { $0.outcome == "complies" && $0.code == nil })
            let scts = policies[0].scts
            #expect(scts.map(\.log) == files.logs.map { Base64.encode($0.logID) })
            #expect(scts.map(\.operator) == ["A", "B"])
            #expect(scts.allSatisfy { $0.signature == "valid" && $0.counts && $0.reason == nil })
            #expect(scts[0].timestamp == Int(Self.date.secondsSinceEpoch) * 1000)
        }
    }

    @Test("ct verify exits with 1 for a policy that isn't met and with 2 for a policy that it didn't check")
    func outcomes()
        throws
    {
        try TemporaryFolder.with { folder in
            let few = try Files(folder, timestamps: 1)
            let outcome = try few.verify("--policy", "mozilla", "--format", "json")
            #expect(outcome.status == 1)
            #expect(try Self.policies(outcome).map(\.code) == ["notEnoughSCTs"])
            let later = Self.date.advanced(by: 65 * 86_400).description
            let files = try Files(folder)
            let old = try Tool.run(
                ["ct", "verify", files.chain, "--logs", files.list, "--time", later, "--format", "json"])
            #expect(old.status == 2)
            #expect(try Self.policies(old).map(\.code) == [nil, nil, "logListOutOfDate"])
            let used = try Tool.run(
                ["ct", "verify", files.chain, "--logs", files.list, "--time", later, "--any-age"])
            #expect(used.status == 0)
        }
    }

    @Test("ct verify counts timestamps from a handshake together with the embedded timestamp") func handshake() throws {
        try TemporaryFolder.with { folder in
            let files = try Files(folder, timestamps: 1)
            let stamps = files.logs.map { $0.timestamp(at: Self.date) }
            let list = try TestTimestamp.list(stamps, for: files.leaf)
            let file = try folder.write("scts", Data(list)).path
            let outcome = try files.verify("--handshake", file, "--format", "json")
            #expect(outcome.status == 0)
            #expect(try Self.policies(outcome)[0].scts.map(\.origin) == ["embedded", "handshake", "handshake"])
            let cut = try folder.write("cut", Data(list.dropLast())).path
            #expect(try files.verify("--handshake", cut).status == 2)
        }
    }

    @Test("ct verify reports an error for a chain without the issuer and for files that aren't lists") func unreadable()
        throws
    {
        try TemporaryFolder.with { folder in
            let files = try Files(folder)
            let leaf = try folder.write("leaf.pem", Data(Self.pem(files.leaf))).path
            #expect(try Tool.run(["ct", "verify", leaf, "--logs", files.list]).status == 2)
            for bytes in [[], Array("{}".utf8), Array(files.bytes.dropLast())] {
                let list = try folder.write("wrong.json", Data(bytes)).path
                for call in [
                    ["ct", "verify", files.chain, "--logs", list], ["roots", "logs", "show", list],
                    ["roots", "logs", "check", list],
                ] {
                    let outcome = try Tool.run(call)
                    #expect(outcome.status == 2, "\(call)")
                    #expect(outcome.output.isEmpty)
                }
            }
        }
    }

    @Test("roots logs show and roots logs check report on a log list") func logs() throws {
        try TemporaryFolder.with { folder in
            let files = try Files(folder)
            #expect(try Tool.run(["roots", "logs", "show", files.list]).status == 0)
            let shown = try Tool.run(["roots", "logs", "show", files.list, "--format", "json"])
            #expect(shown.status == 0)
            let object = try JSONSerialization.jsonObject(with: shown.output)
            let keys = Golden.keyPaths(object)
            #expect(keys.isSuperset(of: ["[].schemaVersion", "[].list.date", "[].logs[].log", "[].logs[].state"]))
            let check = ["roots", "logs", "check", files.list, "--time", Self.time]
            #expect(try Tool.run(check).status == 0)
            #expect(try Tool.run(["roots", "logs", "check", files.list]).status == 1)
            let key = TestKey.p256()
            let info = try SubjectPublicKeyInfo(der: key.subjectPublicKeyInfo())
            let keyFile = try folder.write("key.der", Data(info.der)).path
            let signature = try TestLog.signature(of: files.bytes, by: key)
            let right = try folder.write("right.sig", Data(signature)).path
            let wrong = try folder.write("wrong.sig", Data(signature.reversed())).path
            #expect(try Tool.run(check + ["--signature", right, "--key", keyFile]).status == 0)
            let refused = try Tool.run(check + ["--signature", wrong, "--key", keyFile, "--format", "json"])
            #expect(refused.status == 1)
            #expect(Golden.keyPaths(try JSONSerialization.jsonObject(with: refused.output)).contains("[].problems"))
            #expect(try Tool.run(check + ["--signature", right]).status == 64)
        }
    }

    @Test("Hostile names in a list can't control the terminal") func hostile() throws {
        try TemporaryFolder.with { folder in
            let log = try TestLog("One\u{1b}[2J\u{202e}", operatedBy: "A\u{7}\nOK")
            let list = try folder.write("logs.json", Data(TestLog.list([log], at: Self.date))).path
            let outcome = try Tool.run(["roots", "logs", "show", list])
            #expect(outcome.status == 0)
            #expect(!outcome.text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202e })
            #expect(!outcome.lines.contains { $0.hasPrefix("OK") })
        }
    }
}
