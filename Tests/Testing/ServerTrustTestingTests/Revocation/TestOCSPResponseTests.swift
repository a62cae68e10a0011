// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing

@testable import ServerTrustTesting

/// The options of `openssl ocsp` for a response.
private struct Question {
    let root: TestAuthority
    let authority: TestAuthority
    let leaf: TestIdentity

    init(kind: KeyKind = .p256) throws {
        root = try .root()
        authority = try root.intermediate(key: kind.key())
        leaf = try authority.issue(.leaf("www.example.com"))
    }

    /// Runs `openssl ocsp` for the leaf. The command ignores that the response is old by the system's date, because
    /// openssl can verify only the signer's chain at a past date.
    func ask(
        _ response: TestOCSPResponse, hash: TestOCSPResponse.Hash = .sha1, slack: Int = 1_000_000_000,
        about leaf: Certificate? = nil
    ) throws -> String {
        try OpenSSLTool.with { bench in
            try bench.write(response.der, "response.der")
            try bench.write([leaf ?? self.leaf.certificate], "leaf.pem")
            try bench.write([authority.certificate], "authority.pem")
            try bench.write([root.certificate], "root.pem")
            return try bench.openssl(
                ["ocsp", "-respin", "response.der", "-no_nonce"] + ["-\(hash)"]
                    + ["-issuer", "authority.pem", "-cert", "leaf.pem", "-CAfile", "root.pem"]
                    + ["-verify_other", "authority.pem", "-attime", OpenSSLTool.now]
                    + ["-validity_period", String(slack)]
            ).text
        }
    }

    static let verified = "Response verify OK"
}

@Suite("OCSP responses, read by openssl", .enabled(if: OpenSSLTool.hasOpenSSL, "openssl is not installed"))
struct TestOCSPResponseTests {
    @Test(
        "A response signed with each kind of key verifies as good, but not with a flipped bit",
        arguments: KeyKind.allCases)
    func keys(kind: KeyKind) throws {
        let question = try Question(kind: kind)
        for isBroken in [false, true] {
            let text = try question.ask(
                question.authority.ocspResponse {
                    $0.add(question.leaf.certificate)
                    $0.hasWrongSignature = isBroken
                })
            #expect(text.contains(Question.verified) == !isBroken, "\(text)")
            #expect(text.contains("leaf.pem: good\n"), "\(text)")
        }
    }

    @Test(
        "openssl recognizes the CertID and the responder in every form", arguments: TestOCSPResponse.Hash.allCases,
        [false, true])
    func forms(hash: TestOCSPResponse.Hash, isDelegated: Bool) throws {
        let question = try Question()
        let signer = isDelegated ? try question.authority.issue(.ocspSigner(), key: .p384()) : nil
        for responderID in [TestOCSPResponse.ResponderID.byName, .byKey] {
            let text = try question.ask(
                question.authority.ocspResponse(signedBy: signer) {
                    $0.add(question.leaf.certificate) { $0.hash = hash }
                    $0.responderID = responderID
                }, hash: hash)
            #expect(text.contains(Question.verified), "\(text)")
            #expect(text.contains("leaf.pem: good\n"), "\(text)")
        }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var status: TestOCSPResponse.CertificateStatus
        var says: [String]
    }

    static let rows = [
        Row(
            testDescription: "good", status: .good,
            says: [
                "leaf.pem: good\n", "This Update: Nov 18 10:06:40 2026 GMT", "Next Update: Nov 25 11:06:40 2026 GMT",
            ]),
        Row(testDescription: "unknown", status: .unknown, says: ["leaf.pem: unknown\n"]),
        Row(
            testDescription: "revoked, without a reason", status: .revoked,
            says: ["leaf.pem: revoked\n", "Revocation Time: Nov 17 11:06:40 2026 GMT"]),
        Row(
            testDescription: "revoked for a reason",
            status: .revoked(at: TestAuthority.now.advanced(by: -60), reason: .cACompromise),
            says: [
                "leaf.pem: revoked\n", "Reason: cACompromise\n", "Revocation Time: Nov 18 11:05:40 2026 GMT",
            ]),
    ]

    @Test("A response has its template's status", arguments: rows)
    func status(row: Row) throws {
        let question = try Question()
        let text = try question.ask(question.authority.ocspResponse { $0.add(question.leaf.certificate, row.status) })
        #expect(text.contains(Question.verified), "\(text)")
        for expected in row.says { #expect(text.contains(expected), "\(text)") }
    }

    @Test("One response can cover several certificates")
    func several() throws {
        let question = try Question()
        let other = try question.authority.issue(.leaf("other.example.com")).certificate
        let response = try question.authority.ocspResponse {
            $0.add(question.leaf.certificate)
            $0.add(other, .revoked)
            $0.add(question.authority.certificate, .unknown) { $0.issuer = question.root }
        }
        #expect(try question.ask(response).contains("leaf.pem: good\n"))
        #expect(try question.ask(response, about: other).contains("leaf.pem: revoked\n"))
    }

    @Test("A response contains its nonce, signer's certificate, extensions and dates")
    func contents() throws {
        let question = try Question()
        let signer = try question.authority.issue(.ocspSigner("Delegate"))
        let response = try question.authority.ocspResponse(signedBy: signer) {
            $0.nonce = [0xca, 0xfe, 0xba, 0xbe]
            $0.producedAt = TestAuthority.now
            $0.extensions = [Extension(identifier: try #require(OID("1.2.3.4.5")), isCritical: true, value: [5, 0])]
            $0.add(question.leaf.certificate) {
                $0.nextUpdate = nil
                $0.extensions = [Extension(identifier: .anyPolicy, isCritical: false, value: [5, 0])]
            }
        }
        try OpenSSLTool.with { bench in
            try bench.write(response.der, "response.der")
            let text = try bench.openssl("ocsp", "-respin", "response.der", "-resp_text", "-noverify").text
            for expected in [
                "OCSP Nonce: \n            0404CAFEBABE",
                "Produced At: Nov 18 11:06:40 2026 GMT", "Responder Id: O = Test, CN = Delegate\n",
                "1.2.3.4.5: critical", "Subject: O=Test, CN=Delegate\n", "Response Single Extensions",
            ] { #expect(text.contains(expected), "\(text)") }
            #expect(!text.contains("Next Update"), "\(text)")
        }
    }

    @Test(
        "An error response contains only its status, with the number from RFC 6960",
        arguments: [
            (TestOCSPResponse.Status.malformedRequest, "malformedrequest (1)"), (.internalError, "internalerror (2)"),
            (.tryLater, "trylater (3)"), (.sigRequired, "sigrequired (5)"), (.unauthorized, "unauthorized (6)"),
        ])
    func errorStatus(status: TestOCSPResponse.Status, words: String) throws {
        let text = try Question().ask(.error(status))
        #expect(text.contains("Responder Error: \(words)"), "\(text)")
    }

    struct Fault: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var template: CertificateTemplate?
        var says: String
        /// Whether the response verifies, or nil if versions of OpenSSL differ.
        var verifies: Bool? = false
        /// The allowed difference between dates and today, in seconds.
        var slack = 1_000_000_000
        var change: @Sendable (inout TestOCSPResponse.Template) -> Void = { _ in }
    }

    static let faults = [
        Fault(
            testDescription: "another key's signature", says: "Response Verify Failure",
            change: { $0.signingKey = .p256() }),
        Fault(
            testDescription: "a delegate without OCSPSigning", template: .leaf("ocsp.example.com"),
            says: "missing ocspsigning usage"),
        Fault(
            testDescription: "a delegate whose certificate is missing", template: .ocspSigner(),
            says: "signer certificate not found", change: { $0.certificates = [] }),
        Fault(
            testDescription: "an expired delegate",
            template: .ocspSigner().with { $0.notAfter = TestAuthority.now.advanced(by: -1) },
            says: "certificate has expired"),
        Fault(
            testDescription: "another serial number", says: "No Status found", verifies: true,
            change: { $0.responses[0].serialNumber = [1] }),
        Fault(
            // Since 3.0.22, OpenSSL looks for the issuer of each answer before it reports that the response verifies.
            testDescription: "another issuer", says: "No Status found", verifies: nil,
            change: { $0.responses[0].issuer = try? .root(.authority("Stranger")) }),
        Fault(
            testDescription: "an outdated response", says: "status expired", verifies: true, slack: 1,
            change: { $0.responses[0].nextUpdate = TestAuthority.notBefore }),
        Fault(
            testDescription: "a response that isn't valid yet", says: "status not yet valid", verifies: true, slack: 1,
            change: {
                // This date is later than the machine's date.
                $0.responses[0].thisUpdate = TestAuthority.now.advanced(by: 100 * 365 * 86_400)
                $0.responses[0].nextUpdate = nil
            }),
    ]

    @Test("openssl refuses a faulty response because of the intended fault", arguments: faults)
    func fault(row: Fault) throws {
        let question = try Question()
        let signer = try row.template.map { try question.authority.issue($0) }
        let text = try question.ask(
            question.authority.ocspResponse(signedBy: signer) {
                $0.add(question.leaf.certificate)
                row.change(&$0)
            }, slack: row.slack)
        #expect(text.contains(row.says), "\(text)")
        if let verifies = row.verifies { #expect(text.contains(Question.verified) == verifies, "\(text)") }
    }
}
