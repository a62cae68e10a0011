// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import Testing

@testable import ServerTrustTesting

@Suite("Certificates, read by openssl", .enabled(if: OpenSSLTool.hasOpenSSL, "openssl is not installed"))
struct CertificateTests {
    @Test("A chain with each kind of key verifies", arguments: KeyKind.allCases)
    func keys(kind: KeyKind) throws {
        let root = try TestAuthority.root(key: kind.key())
        let intermediate = try root.intermediate(key: kind.key())
        let leaf = try intermediate.issue(.leaf("www.example.com"), key: kind.key())
        #expect(intermediate.chain(leaf) == [leaf.certificate, intermediate.certificate])
        #expect(intermediate.path == [intermediate.certificate, root.certificate])
        try OpenSSLTool.with { bench in
            let outcome = try bench.verify(
                leaf.certificate, others: [intermediate.certificate], root: root.certificate, ["-x509_strict"])
            #expect(outcome.status == 0, "\(outcome.text)")
        }
    }

    @Test(
        "A certificate signed with each algorithm verifies and names the algorithm",
        arguments: [
            (KeyKind.p256, TestSignatureAlgorithm.ecdsaSHA384, "ecdsa-with-SHA384"),
            (.p384, .ecdsaSHA512, "ecdsa-with-SHA512"),
            (.p521, .ecdsaSHA256, "ecdsa-with-SHA256"),
            (.rsa2048, .rsaSHA1, "sha1WithRSAEncryption"),
            (.rsa2048, .rsaSHA384, "sha384WithRSAEncryption"),
            (.rsa2048, .rsaSHA512, "sha512WithRSAEncryption"),
            (.rsa2048, .rsaPSSSHA256, "rsassaPss"),
            (.ed25519, .ed25519, "ED25519"),
        ])
    func algorithms(kind: KeyKind, algorithm: TestSignatureAlgorithm, name: String) throws {
        let root = try TestAuthority.root(key: kind.key())
        let leaf = try root.issue(.leaf("www.example.com").with { $0.signatureAlgorithm = algorithm }).certificate
        try OpenSSLTool.with { bench in
            let outcome = try bench.verify(leaf, others: [], root: root.certificate, ["-auth_level", "0"])
            #expect(outcome.status == 0, "\(outcome.text)")
            let text = try bench.openssl("x509", "-in", "leaf.pem", "-noout", "-text").text
            // In the signed part and next to the signature.
            #expect(text.components(separatedBy: "Signature Algorithm: \(name)").count == 3, "\(text)")
        }
    }

    @Test("Signing with an algorithm that doesn't match the key throws")
    func foreignAlgorithm() throws {
        let root = try TestAuthority.root()
        for algorithm in [TestSignatureAlgorithm.rsaSHA256, .rsaPSSSHA256, .ed25519] {
            #expect(throws: (any Error).self) {
                try root.issue(.leaf("www.example.com").with { $0.signatureAlgorithm = algorithm })
            }
        }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var template: @Sendable () throws -> CertificateTemplate
        var says: [String]

        init(_ sentence: String, says: [String], _ template: @escaping @Sendable () throws -> CertificateTemplate) {
            self.testDescription = sentence
            self.template = template
            self.says = says
        }

        static func leaf(
            _ sentence: String, says: [String], _ change: @escaping @Sendable (inout CertificateTemplate) throws -> Void
        ) -> Row {
            Row(sentence, says: says) {
                var template = CertificateTemplate.leaf("www.example.com")
                try change(&template)
                return template
            }
        }
    }

    static let rows: [Row] = [
        Row(
            "wildcards and addresses of both kinds",
            says: ["DNS:*.example.com, IP Address:192.0.2.1, IP Address:2001:DB8:0:0:0:0:0:1\n"]
        ) { .leaf("*.example.com", "192.0.2.1", "2001:db8::1") },
        Row(
            "names of every form, critical because the subject is empty",
            says: [
                "Subject Alternative Name: critical", "Subject: \n",
                "DNS:a.example.com, URI:spiffe://example.com/a, email:a@example.com, IP Address:192.0.2.1, DirName:",
            ]
        ) {
            try .leaf(
                .dns("a.example.com"), .uri("spiffe://example.com/a"), .email("a@example.com"), .ip("192.0.2.1"),
                .directory(organization: "Example"))
        },
        Row("a client", says: ["TLS Web Client Authentication\n", "email:alice@example.com", "CN = Alice"]) {
            .client("Alice", .email("alice@example.com"))
        },
        Row("an OCSP signer", says: ["OCSP Signing\n", "OCSP No Check", "Digital Signature\n"]) { .ocspSigner() },
        Row("a CRL signer", says: ["X509v3 Key Usage: critical\n                CRL Sign\n", "CA:FALSE"]) {
            .crlSigner()
        },
        Row("a limited CA", says: ["CA:TRUE, pathlen:0"]) {
            .authority("Limited").with { $0.maximumPathLength = 0 }
        },
        .leaf(
            "a subject with four attributes", says: ["Subject: C = DE, O = Example, OU = Web, CN = www.example.com\n"]
        ) {
            ($0.country, $0.organization, $0.organizationalUnit) = ("DE", "Example", "Web")
        },
        .leaf("policies", says: ["Policy: 1.2.3.4\n", "Policy: X509v3 Any Policy\n"]) {
            $0.policies = [try #require(OID("1.2.3.4")), .anyPolicy]
        },
        .leaf(
            "authority information access",
            says: ["CA Issuers - URI:http://ca.example.com/ca.cer\n", "OCSP - URI:http://ocsp.example.com\n"]
        ) { ($0.caIssuers, $0.ocspResponders) = (["http://ca.example.com/ca.cer"], ["http://ocsp.example.com"]) },
        .leaf(
            "CRL distribution points with reasons and issuer",
            says: [
                "URI:http://crl.example.com/1\n", "URI:http://crl.example.com/2", "Reasons:\n",
                "Key Compromise, AA Compromise\n", "CRL Issuer:\n", "DirName:CN = Signer",
            ]
        ) {
            guard case .directoryName(let issuer) = try GeneralName.directory(commonName: "Signer") else { return }
            $0.crlDistributionPoints = [
                "http://crl.example.com/1",
                TestDistributionPoint(
                    fullName: [.uri("http://crl.example.com/2")], reasons: [.keyCompromise, .aACompromise],
                    crlIssuer: issuer),
            ]
        },
        .leaf("freshest CRL", says: ["X509v3 Freshest CRL", "URI:http://crl.example.com/delta\n"]) {
            $0.freshestCRL = ["http://crl.example.com/delta"]
        },
        .leaf("must-staple", says: ["TLS Feature:", "status_request\n"]) { $0.mustStaple = true },
        .leaf("TLS features by number", says: ["status_request, status_request_v2\n"]) { $0.tlsFeatures = [5, 17] },
        .leaf("a custom extension", says: ["1.2.3.4.5: critical"]) {
            $0.extensions = [
                Extension(identifier: try #require(OID("1.2.3.4.5")), isCritical: true, value: [0x05, 0x00])
            ]
        },
        Row(
            "permitted and excluded names of every form",
            says: [
                "Name Constraints: critical", "Permitted:", "DNS:example.com\n", "IP:192.0.2.0/255.255.255.0\n",
                "IP:2001:DB8:0:0:0:0:0:0/FFFF:FFFF:0:0:0:0:0:0\n", "email:example.com\n", "URI:.example.com\n",
                "DirName:O = Example\n", "Excluded:", "DNS:secret.example.com\n",
                "IP:192.0.2.128/255.255.255.192\n",
            ]
        ) {
            var template = CertificateTemplate.authority("Constrained")
            template.permittedDNSNames = ["example.com"]
            template.permittedNames = try [
                .subnet("192.0.2.0/24"), .subnet("2001:db8::/32"), .email("example.com"), .uri(".example.com"),
                .directory(organization: "Example"),
            ]
            template.excludedNames = try [.dns("secret.example.com"), .subnet("192.0.2.128/26")]
            return template
        },
        .leaf(
            "dates before and after 2050",
            says: ["Not Before: Jan  1 00:00:00 1999 GMT", "Not After : Dec 31 23:59:59 2060 GMT"]
        ) {
            $0.notBefore = try Time(rfc3339: "1999-01-01T00:00:00Z")
            $0.notAfter = try Time(rfc3339: "2060-12-31T23:59:59Z")
        },
        .leaf("version 1, without any extension", says: ["Version: 1 (0x0)"]) { $0.version = 1 },
        .leaf("a custom serial number", says: ["01:02:03:04:05:06:07:08:09:0a:0b:0c\n"]) {
            $0.serialNumber = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0x0a, 0x0b, 0x0c]
        },
    ]

    @Test("A certificate has its template's fields", arguments: rows)
    func contents(row: Row) throws {
        let certificate = try TestAuthority.root().issue(row.template()).certificate
        try OpenSSLTool.with { bench in
            try bench.write([certificate], "leaf.pem")
            let text = try bench.openssl("x509", "-in", "leaf.pem", "-noout", "-text").text
            for expected in row.says { #expect(text.contains(expected), "\(text)") }
            #expect(!text.contains("<INVALID>") && !text.contains("<EMPTY>"))
        }
    }
}
