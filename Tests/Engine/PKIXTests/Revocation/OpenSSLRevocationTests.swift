// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import PKIX
@testable import ServerTrustTesting

/// Compares our verdicts with those of `openssl` for the same CRLs, and parses its responder's responses to our
/// requests.
@Suite("Revocation compared with OpenSSL", .disabled(if: OpenSSL.isMissing, "no openssl"))
struct OpenSSLRevocationTests {
    let fixture: RevocationFixture

    init() throws { fixture = try RevocationFixture() }

    private func withFiles(_ files: [String: String], _ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("crl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files { try Data(text.utf8).write(to: folder.appendingPathComponent(name)) }
        try body(folder.path)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let change: @Sendable (inout TestCRL.Template, Certificate) -> Void
    }

    private static let rows = [
        Row(testDescription: "nothing listed") { _, _ in },
        Row(testDescription: "the leaf listed") { $0.revoke($1, reason: .keyCompromise) },
        Row(testDescription: "the leaf on hold") { $0.revoke($1, reason: .certificateHold) },
        Row(testDescription: "another number listed") { crl, _ in crl.entries = [.init(serialNumber: [1])] },
        Row(testDescription: "run out") { crl, _ in crl.nextUpdate = .days(-1) },
        Row(testDescription: "from the future") { crl, _ in crl.thisUpdate = .days(1) },
        Row(testDescription: "wrongly signed") { crl, _ in crl.hasWrongSignature = true },
        Row(testDescription: "version 1") { crl, _ in crl.version = 1 },
        Row(testDescription: "about user certificates") { crl, _ in crl.scope { $0.onlyContainsUserCertificates = true }
        },
        Row(testDescription: "about CA certificates") { crl, _ in crl.scope { $0.onlyContainsCACertificates = true } },
        Row(testDescription: "about some reasons") { crl, _ in crl.scope { $0.onlySomeReasons = [.keyCompromise] } },
        Row(testDescription: "an unknown critical extension") { crl, _ in
            crl.extensions = [Extension(identifier: .anyPolicy, isCritical: true, value: [0x05, 0x00])]
        },
    ]

    @Test("openssl verify -crl_check accepts exactly the certificates that the engine finds good", arguments: rows)
    func verify(row: Row) throws {
        let crl = try fixture.issuer.crl { row.change(&$0, fixture.leaf.certificate) }
        let files = [
            "root.pem": fixture.root.identity.certificatePEM, "ca.pem": fixture.issuer.identity.certificatePEM,
            "leaf.pem": fixture.leaf.certificatePEM, "crl.pem": crl.pem,
        ]
        let isGood = try fixture.status(crls: [crl]) == .good
        try withFiles(files) { folder in
            let output = try? OpenSSL.run([
                "verify", "-attime", String(TestAuthority.now.secondsSinceEpoch), "-extended_crl", "-crl_check",
                "-CAfile", folder + "/root.pem", "-untrusted", folder + "/ca.pem", "-CRLfile", folder + "/crl.pem",
                folder + "/leaf.pem",
            ])
            #expect((output != nil) == isGood)
        }
    }

    struct ListsRow: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The lists from CAs with one name: the leaf's key, its other key, one below a constrained CA, and another
        /// root.
        let lists: @Sendable (Signers, Certificate) throws -> [TestCRL]
    }

    struct Signers: Sendable {
        let old: TestAuthority
        let new: TestAuthority
        let rogue: TestAuthority
        let other: TestAuthority
    }

    private static func dated(_ number: UInt64, _ days: Int64) -> (inout TestCRL.Template) -> Void {
        { ($0.number, $0.thisUpdate) = (number, .days(days)) }
    }

    private static let listsRows = [
        ListsRow(testDescription: "one list") { signers, _ in [try signers.old.crl()] },
        ListsRow(testDescription: "one list that names the leaf") { signers, leaf in
            [try signers.old.crl { $0.revoke(leaf) }]
        },
        ListsRow(testDescription: "a newer list of the same key that names the leaf") { signers, leaf in
            [
                try signers.old.crl(dated(1, -3)),
                try signers.old.crl {
                    dated(2, -1)(&$0)
                    $0.revoke(leaf)
                },
            ]
        },
        ListsRow(testDescription: "a hold that a newer list of the same key lifts") { signers, leaf in
            [
                try signers.old.crl {
                    dated(1, -3)(&$0)
                    $0.revoke(leaf, reason: .certificateHold)
                }, try signers.old.crl(dated(2, -1)),
            ]
        },
        ListsRow(testDescription: "a newer list of the CA's other key") { signers, _ in
            [try signers.old.crl(dated(1, -3)), try signers.new.crl(dated(2, -1))]
        },
        ListsRow(testDescription: "only the other key's list") { signers, _ in [try signers.new.crl()] },
        ListsRow(testDescription: "only the other key's list, naming the leaf") { signers, leaf in
            [try signers.new.crl { $0.revoke(leaf) }]
        },
        ListsRow(testDescription: "only the list of another root of that name") { signers, _ in
            [try signers.other.crl()]
        },
    ]

    @Test(
        "openssl verify -crl_check accepts the certificates that the engine finds good based on several lists",
        arguments: listsRows)
    func lists(row: ListsRow) throws {
        let fixture = try RenewedKeyFixture()
        let rogue = try fixture.root.intermediate(.authority("Rogue").with { $0.permittedDNSNames = ["rogue.example"] })
        let signers = Signers(
            old: fixture.old, new: fixture.new, rogue: try rogue.intermediate(.authority("CA")),
            other: try .root(.authority("CA")))
        let crls = try row.lists(signers, fixture.leaf)
        let pool = [fixture.new, rogue, signers.rogue, signers.other].map(\.certificate)
        let isGood = try fixture.finding(crls, certificates: pool).status == .good
        let untrusted = [fixture.old, fixture.new, rogue, signers.rogue].map(\.identity.certificatePEM)
        let files = [
            "root.pem": fixture.root.identity.certificatePEM, "ca.pem": untrusted.joined(),
            "leaf.pem": PEM.encode(fixture.leaf.der, label: "CERTIFICATE"), "crl.pem": crls.map(\.pem).joined(),
        ]
        try withFiles(files) { folder in
            let output = try? OpenSSL.run([
                "verify", "-attime", String(TestAuthority.now.secondsSinceEpoch), "-extended_crl", "-crl_check",
                "-CAfile", folder + "/root.pem", "-untrusted", folder + "/ca.pem", "-CRLfile", folder + "/crl.pem",
                folder + "/leaf.pem",
            ])
            #expect((output != nil) == isGood)
        }
    }

    private static let strictRows = [
        ListsRow(
            testDescription: "the leaf is on the older list of its own key, but not on the newer one of another key"
        ) {
            signers, leaf in
            [
                try signers.old.crl {
                    dated(1, -3)(&$0)
                    $0.revoke(leaf)
                }, try signers.new.crl(dated(2, -1)),
            ]
        },
        ListsRow(testDescription: "a CA below a constrained CA signed in the name of the leaf's issuer") {
            signers, _ in [try signers.rogue.crl()]
        },
    ]

    @Test(
        "The engine refuses lists that openssl accepts because openssl reads one list and any signer",
        arguments: strictRows)
    func stricter(row: ListsRow) throws {
        let fixture = try RenewedKeyFixture()
        let rogue = try fixture.root.intermediate(.authority("Rogue").with { $0.permittedDNSNames = ["rogue.example"] })
        let signers = Signers(
            old: fixture.old, new: fixture.new, rogue: try rogue.intermediate(.authority("CA")),
            other: try .root(.authority("CA")))
        let pool = [fixture.new, rogue, signers.rogue].map(\.certificate)
        #expect(try fixture.finding(row.lists(signers, fixture.leaf), certificates: pool).status != .good)
    }

    @Test("openssl reads the same fields from a CRL")
    func fields() throws {
        let made = try fixture.issuer.crl {
            $0.number = 0x2a
            $0.revoke(fixture.leaf.certificate, reason: .superseded)
        }
        let crl = try CertificateRevocationList(der: made.der)
        let text = String(
            decoding: try OpenSSL.run(["crl", "-inform", "DER", "-noout", "-text"], input: made.der), as: UTF8.self)
        #expect(text.contains("Superseded"))
        #expect(text.contains(fixture.leaf.certificate.serialNumber.description.uppercased()))
        #expect(crl.number == [0x2a] && text.contains("42"))
    }

    @Test(
        "openssl's responder answers our requests with good, revoked or unknown, with any hash, and the answers count"
    )
    func responder() throws {
        // The responder uses the machine's clock to date its responses.
        let now = Time(secondsSinceEpoch: Int64(Date().timeIntervalSince1970))
        let dates: (inout CertificateTemplate) -> Void = {
            ($0.notBefore, $0.notAfter) = (now.advanced(by: -86_400), now.advanced(by: 86_400))
        }
        let root = try TestAuthority.root(.authority("Root").with(dates))
        let signer = try root.issue(.ocspSigner().with(dates))
        let leaves = try (0..<3).map { _ in try root.issue(.leaf("a.example").with(dates)).certificate }
        func line(_ status: String, _ revoked: String, _ certificate: Certificate) -> String {
            "\(status)\t491231235959Z\t\(revoked)\t\(certificate.serialNumber.description.uppercased())\tunknown\t/CN=x\n"
        }
        let files = [
            "root.pem": root.identity.certificatePEM, "signer.pem": signer.certificatePEM,
            "signer.key": try signer.key.pemRepresentation(),
            "index.txt": line("V", "", leaves[0]) + line("R", "260101000000Z,keyCompromise", leaves[1]),
        ]
        let revoked = RevocationFinding.Status.revoked(
            at: try Time(rfc3339: "2026-01-01T00:00:00Z"), reason: .keyCompromise)
        try withFiles(files) { folder in
            for (leaf, expected) in zip(leaves, [.good, revoked, .unobtainable(.ocspUnknown)]) {
                for hash in OCSPHash.allCases {
                    let request = OCSPRequest(leaf, issuer: root.certificate, hash: hash)
                    try Data(request.der).write(to: URL(fileURLWithPath: folder + "/request.der"))
                    _ = try OpenSSL.run([
                        "ocsp", "-index", folder + "/index.txt", "-CA", folder + "/root.pem", "-rsigner",
                        folder + "/signer.pem", "-rkey", folder + "/signer.key", "-reqin", folder + "/request.der",
                        "-respout", folder + "/response.der", "-ndays", "1",
                    ])
                    let der = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/response.der")))
                    let response = try OCSPResponse(der: der)
                    let path = try validate(leaf, anchors: [root.certificate], at: now).get()
                    let found = RevocationChecker(RevocationEvidence(ocspResponses: [response]), at: now, memory: nil)
                        .findings(for: path)
                    #expect(found[0].status == expected, "\(hash)")
                }
            }
        }
    }
}
