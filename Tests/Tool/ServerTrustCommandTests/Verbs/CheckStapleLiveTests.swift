// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import Testing

@testable import ServerTrustTesting

@Suite("servertrust check and OCSP staples", .serialized, .timeLimit(.minutes(10)))
struct CheckStapleLiveTests {
    typealias Staple = @Sendable (_ authority: TestAuthority, _ leaf: Certificate) throws -> [UInt8]

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The bytes of the staple, or nil for none.
        let staple: Staple?
        var mustStaple = false
        /// `required`, `best-effort`, or nil for off.
        var revocation: String? = "required"
        var claim: String?
        var isVerified = false
        var obstacles: [String] = []
        /// The first failure of the verdict, or nil for a trusted server.
        let code: String?
        /// The words after the label, in the text and on the page.
        let words: String?
    }

    private static let now = TestAuthority.now

    /// A CA with the name of the real one, but with another key.
    private static func foreign(_ authority: TestAuthority) throws -> TestAuthority {
        let foreign = try TestAuthority.root()
        #expect(foreign.certificate.subject == authority.certificate.subject)
        return foreign
    }

    static let rows = [
        Row(
            testDescription: "a genuine staple", staple: { try $0.ocspResponse { [leaf = $1] in $0.add(leaf) }.der },
            claim: "good", isVerified: true, code: nil, words: "good, 60 min old, until 2026-11-25T11:06:40Z"),
        Row(
            testDescription: "a genuine revoked staple",
            staple: { try $0.ocspResponse { [leaf = $1] in $0.add(leaf, .revoked) }.der },
            claim: "revoked", isVerified: true, code: "certificateRevoked",
            words: "revoked, 60 min old, until 2026-11-25T11:06:40Z"),
        Row(
            testDescription: "a genuine revoked staple, with revocation off",
            staple: { try $0.ocspResponse { [leaf = $1] in $0.add(leaf, .revoked) }.der }, revocation: nil,
            claim: "revoked", isVerified: true, code: "certificateRevoked",
            words: "revoked, 60 min old, until 2026-11-25T11:06:40Z"),
        Row(
            testDescription: "a genuine staple, with revocation off",
            staple: { try $0.ocspResponse { [leaf = $1] in $0.add(leaf) }.der }, revocation: nil,
            claim: "good", isVerified: true, code: nil, words: "good, 60 min old, until 2026-11-25T11:06:40Z"),
        Row(
            testDescription: "a staple of a foreign CA with the CA's name",
            staple: { try foreign($0).ocspResponse { [leaf = $1] in $0.add(leaf) }.der }, revocation: "best-effort",
            claim: "good", code: nil,
            words:
                "claims good, not verified, 60 min old, until 2026-11-25T11:06:40Z: it names a certificate of another issuer with the same serial number"
        ),
        Row(
            testDescription: "a staple about the leaf with a foreign CA's signature, which ends in a minute",
            staple: { authority, leaf in
                try foreign(authority).ocspResponse {
                    $0.add(leaf) { ($0.issuer, $0.nextUpdate) = (authority, now.advanced(by: 60)) }
                }.der
            }, revocation: "best-effort", claim: "good", obstacles: ["ocspSignatureInvalid"], code: nil,
            words:
                "claims good, not verified, 60 min old, until 2026-11-18T11:07:40Z: the signature of the OCSP response doesn't verify (ocspSignatureInvalid)"
        ),
        Row(
            testDescription: "a foreign CA's revocation, which revokes nothing",
            staple: { authority, leaf in
                try foreign(authority).ocspResponse { $0.add(leaf, .revoked) { $0.issuer = authority } }.der
            }, revocation: "best-effort", claim: "revoked", obstacles: ["ocspSignatureInvalid"], code: nil,
            words: "claims revoked, not verified, 60 min old"),
        Row(
            testDescription: "a foreign staple with the earliest and latest dates",
            staple: { authority, leaf in
                let dates = (try Time(rfc3339: "0001-01-01T00:00:00Z"), try Time(rfc3339: "9999-12-31T23:59:59Z"))
                return try foreign(authority).ocspResponse {
                    $0.add(leaf) {
                        $0.issuer = authority
                        ($0.thisUpdate, $0.nextUpdate) = dates
                    }
                }.der
            }, revocation: "best-effort", claim: "good", obstacles: ["ocspSignatureInvalid"], code: nil,
            words: "claims good, not verified, 739937 days old, until 9999-12-31T23:59:59Z"),
        Row(
            testDescription: "an old staple",
            staple: {
                try $0.ocspResponse { [leaf = $1] in
                    $0.add(leaf) {
                        $0.thisUpdate = now.advanced(by: .days(-9))
                        $0.nextUpdate = now.advanced(by: .days(-2))
                    }
                    $0.producedAt = now.advanced(by: .days(-9))
                }.der
            }, revocation: "best-effort", claim: "good", obstacles: ["ocspExpired"], code: nil,
            words:
                "claims good, not verified, 9 days old, until 2026-11-16T11:06:40Z: the OCSP response has expired (ocspExpired, 2026-11-16T11:06:40Z)"
        ),
        Row(
            testDescription: "a staple of tomorrow",
            staple: {
                try $0.ocspResponse { [leaf = $1] in $0.add(leaf) { $0.thisUpdate = now.advanced(by: .days(1)) } }.der
            }, revocation: "best-effort", claim: "good", obstacles: ["ocspNotYetValid"], code: nil,
            words: "claims good, not verified, dated 24 h after the verify date, until 2026-11-25T11:06:40Z"),
        Row(
            testDescription: "a genuine staple for another serial number",
            staple: { authority, _ in
                let other = try authority.issue(.leaf("api.lab.test"))
                return try authority.ocspResponse { $0.add(other.certificate) }.der
            }, revocation: "best-effort", claim: "otherCertificate", code: nil,
            words: "says nothing about this certificate"),
        Row(
            testDescription: "bytes that aren't a response", staple: { _, _ in [0x30, 0x03, 0x0a, 0x01, 0x63] },
            revocation: "best-effort", claim: "malformed", obstacles: ["evidenceMalformed"], code: nil,
            words: "can't be read"),
        Row(
            testDescription: "a staple without a status", staple: { _, _ in TestOCSPResponse.error(.tryLater).der },
            claim: "tryLater", obstacles: ["ocspTryLater"], code: "revocationUnavailable",
            words:
                "claims an error and no status, not verified: the OCSP responder can't answer now (ocspTryLater)"),
        Row(testDescription: "none", staple: nil, code: "revocationUnavailable", words: nil),
        Row(
            testDescription: "no staple, although the certificate requires one", staple: nil, mustStaple: true,
            revocation: nil, code: "stapleMissing", words: "none, but the certificate requires one"),
    ]

    private struct Answer: Decodable {
        struct Step: Decodable {
            struct Verdict: Decodable {
                struct Failure: Decodable { let code: String }
                struct Staple: Decodable {
                    let claim: String
                    let verified: Bool
                    let obstacles: [String]?
                }
                let failures: [Failure]
                let staple: Staple?
                let firstNotAfter: String
            }
            struct Handshake: Decodable { let timestamps: Int }
            let handshake: Handshake?
            let verdict: Verdict?
        }
        let steps: [Step]
    }

    @Test(
        "Text, JSON and page show an unverified staple only as a claim, and no staple changes the server's end",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")), arguments: rows)
    func staple(row: Row) throws {
        let root = try TestAuthority.root()
        let leaf = try root.issue(.leaf("api.lab.test").with { $0.mustStaple = row.mustStaple })
        let end = min(leaf.certificate.notAfter, root.certificate.notAfter)
        try TemporaryFolder.with { folder in
            let anchors = try folder.write("root.pem", pem(root.certificate))
            var arguments = [
                "s_server", "-accept", "127.0.0.1:0", "-www", "-cert",
                try folder.write("leaf.pem", pem(leaf.certificate)).path, "-key",
                try folder.write("key.pem", Data(leaf.key.pemRepresentation().utf8)).path,
            ]
            if let staple = try row.staple?(root, leaf.certificate) {
                arguments += ["-status_file", try folder.write("staple.der", Data(staple)).path]
            }
            let server = try RunningTool(
                arguments, in: folder, program: URL(fileURLWithPath: "/usr/bin/openssl"),
                until: { Openssl.acceptedPort(in: $0) != nil }
            )
            defer { _ = server.stop(SIGKILL) }
            let port = try #require(Openssl.acceptedPort(in: server.text), "\(server.errors)")
            let check =
                [
                    "check", "https://api.lab.test:\(port)/", "--connect", "127.0.0.1", "--anchors", anchors.path,
                    "--time", Self.now.description,
                ] + (row.revocation.map { ["--revocation", $0] } ?? [])
            let outcome = try Tool.run(check + ["--format", "json"])
            #expect(outcome.status == (row.code == nil ? 0 : 1), "\(outcome.errors)")
            let step = try #require(try outcome.json([Answer].self).first?.steps.first)
            let verdict = try #require(step.verdict)
            #expect(verdict.failures.first?.code == row.code)
            #expect(verdict.staple?.claim == row.claim)
            #expect(verdict.staple.map(\.verified) == row.claim.map { _ in row.isVerified })
            #expect(verdict.staple?.obstacles ?? [] == row.obstacles)
            #expect(verdict.firstNotAfter == end.description)
            #expect(step.handshake?.timestamps == 0)
            let text = try Tool.run(check).text
            let line = text.split(separator: "\n").first { $0.contains("OCSP staple  ") }
            #expect((line != nil) == (row.words != nil), "\(text)")
            #expect(text.contains("valid until \(end), 90 days left") == (row.code == nil), "\(text)")
            let page = try Tool.run(check + ["--format", "html"]).text.replacing(/<[^>]*>/, with: "")
            #expect(page.contains("OCSP staple") == (row.words != nil))
            if row.code == nil { #expect(page.contains("Valid for 90 days, until "), "\(page.prefix(4000))") }
            if let words = row.words {
                #expect(line?.contains("  OCSP staple    \(words)") == true, "\(text)")
                #expect(page.contains(words.replacing("'", with: "&#39;")), "\(words)")
            }
        }
    }
}
