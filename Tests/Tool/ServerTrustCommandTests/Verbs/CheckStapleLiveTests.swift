// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting
import Testing

@Suite("servertrust check and OCSP staples", .serialized, .timeLimit(.minutes(10)))
struct CheckStapleLiveTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let status: String?
        var mustStaple = false
        /// Whether revocation is off.
        var isOff = false
        let code: String?
        let line: String?
    }

    static let rows = [
        Row(testDescription: "a good one", status: "good", code: nil, line: "good, 60 min old, until "),
        Row(
            testDescription: "a revoked one", status: "revoked", code: "certificateRevoked",
            line: "revoked, 60 min old, until "),
        Row(
            testDescription: "a revoked staple, with revocation off", status: "revoked", isOff: true,
            code: "certificateRevoked", line: "revoked, 60 min old, until "),
        Row(
            testDescription: "a good staple, with revocation off", status: "good", isOff: true, code: nil,
            line: "good, 60 min old, until "),
        Row(
            testDescription: "a staple without a status", status: "tryLater", code: "revocationUnavailable",
            line: "tryLater"),
        Row(testDescription: "none", status: nil, code: "revocationUnavailable", line: nil),
        Row(
            testDescription: "no staple, although the certificate requires one", status: nil, mustStaple: true,
            code: "stapleMissing",
            line: "none, but the certificate requires one"),
    ]

    private struct Answer: Decodable {
        struct Step: Decodable {
            struct Handshake: Decodable {
                struct Staple: Decodable {
                    let status: String
                    let ageSeconds: Int?
                }
                let staple: Staple?
                let timestamps: Int
            }
            struct Verdict: Decodable {
                struct Failure: Decodable { let code: String }
                let failures: [Failure]
            }
            let handshake: Handshake?
            let verdict: Verdict?
        }
        let steps: [Step]
    }

    @Test(
        "The report shows openssl's staple, and check needs no other evidence for the leaf",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")), arguments: rows)
    func staple(row: Row) throws {
        let root = try TestAuthority.root()
        let leaf = try root.issue(.leaf("api.lab.test").with { $0.mustStaple = row.mustStaple })
        let staple: TestOCSPResponse? =
            switch row.status {
            case "good": try root.ocspResponse { $0.add(leaf.certificate) }
            case "revoked": try root.ocspResponse { $0.add(leaf.certificate, .revoked) }
            case "tryLater": TestOCSPResponse.error(.tryLater)
            default: nil
            }
        try TemporaryFolder.with { folder in
            let anchors = try folder.write("root.pem", pem(root.certificate))
            var arguments = [
                "s_server", "-accept", "127.0.0.1:0", "-www", "-cert",
                try folder.write("leaf.pem", pem(leaf.certificate)).path, "-key",
                try folder.write("key.pem", Data(leaf.key.pemRepresentation().utf8)).path,
            ]
            if let staple { arguments += ["-status_file", try folder.write("staple.der", Data(staple.der)).path] }
            let server = try RunningTool(
                arguments, in: folder, program: URL(fileURLWithPath: "/usr/bin/openssl"),
                until: { Openssl.acceptedPort(in: $0) != nil }
            )
            defer { _ = server.stop(SIGKILL) }
            let port = try #require(Openssl.acceptedPort(in: server.text), "\(server.errors)")
            let check =
                [
                    "check", "https://api.lab.test:\(port)/", "--connect", "127.0.0.1", "--anchors", anchors.path,
                    "--time", TestAuthority.now.description,
                    "--time",
                    TestAuthority.now.description,
                ] + (row.mustStaple || row.isOff ? [] : ["--revocation", "required"])
            let outcome = try Tool.run(check + ["--format", "json"])
            #expect(outcome.status == (row.code == nil ? 0 : 1), "\(outcome.errors)")
            let step = try #require(try outcome.json([Answer].self).first?.steps.first)
            #expect(step.verdict?.failures.first?.code == row.code)
            let handshake = try #require(step.handshake)
            #expect(handshake.staple?.status == row.status && handshake.timestamps == 0)
            #expect(handshake.staple?.ageSeconds == (row.line?.contains("60 min") == true ? 3600 : nil))
            let text = try Tool.run(check).text
            let found = text.split(separator: "\n").first { $0.contains("OCSP staple  ") }
            #expect((found != nil) == (row.line != nil), "\(text)")
            if let line = row.line { #expect(found?.contains(line) == true, "\(text)") }
        }
    }
}
