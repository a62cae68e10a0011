// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting
import Testing

/// Lists of denied certificates, with `verify --denied`.
@Suite("Denied certificates in verify")
struct VerifyDeniedTests {
    private struct Verdict: Decodable {
        struct Failure: Decodable { var code: String }
        var failures: [Failure]
        var checked: [String]
    }

    private struct Answer: Decodable {
        var verdict: String
        var failures: [Verdict.Failure]
    }

    private static func oneCRL(_ certificate: Certificate) -> Data {
        Data(
            #"{"data":[{"issuerName":"\#(Base64.encode(certificate.issuer.der))","serialNumber":"\#(Base64.encode(certificate.serialNumber.bytes))"}]}"#
                .utf8)
    }

    @Test("verify and batches refuse a certificate on a list, and an unreadable list ends the run")
    func denied() throws {
        try TemporaryFolder.with { folder in
            let root = try TestAuthority.root(.authority("Root"))
            let leaf = try root.issue(.leaf(Lab.host)).certificate
            let other = try TestAuthority.root(.authority("Other")).certificate
            let chain = try folder.write("chain.pem", pem(leaf)).path
            let anchors = try folder.write("root.pem", pem(root.certificate)).path
            let good = try folder.write("other.json", Self.oneCRL(other)).path
            let list = try folder.write("onecrl.json", Self.oneCRL(root.certificate)).path
            let bad = try folder.write("bad.json", Data(#"{"data":[{}]}"#.utf8)).path
            func verify(_ options: String...) throws -> Tool.Outcome {
                try Tool.run(
                    ["verify", chain, "--host", Lab.host, "--time", Lab.time, "--anchors", anchors] + options)
            }
            #expect(try verify("--denied", good).status == 0)
            let text = try verify("--denied", good, "--denied", list)
            #expect(text.status == 1)
            #expect(text.text.contains("[certificateDenied]"))
            let json = try verify("--denied", list, "--format", "json")
            let verdict = try #require(try json.json([Verdict].self).first)
            #expect(verdict.failures.map(\.code) == ["certificateDenied"])
            #expect(verdict.checked.contains("deniedCertificates"))
            let unreadable = try verify("--denied", bad)
            #expect(unreadable.status == 2)
            #expect(unreadable.errors.contains("bad.json: data[0]"))
            // A batch reads the lists once, before the first answer.
            let request =
                #"{"chain":["\#(Base64.encode(leaf.der))"],"anchors":["\#(Base64.encode(root.certificate.der))"],"time":"\#(Lab.time)"}"#
                + "\n"
            for (file, expected) in [(good, "trusted"), (list, "rejected")] {
                let batch = try Tool.run(["verify", "--batch", "--denied", file], input: Data(request.utf8))
                #expect(batch.status == 0)
                let answer = try JSONDecoder().decode(Answer.self, from: Data(batch.text.utf8))
                #expect(answer.verdict == expected)
                #expect(answer.failures.map(\.code) == (expected == "trusted" ? [] : ["certificateDenied"]))
            }
            let stopped = try Tool.run(["verify", "--batch", "--denied", bad], input: Data(request.utf8))
            #expect(stopped.status == 2 && stopped.text.isEmpty)
        }
    }
}
