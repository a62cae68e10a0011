// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing

@testable import ServerTrustTesting

@Suite("CRLs, read by openssl", .enabled(if: OpenSSLTool.hasOpenSSL, "openssl is not installed"))
struct TestCRLTests {
    @Test(
        "A CRL signed with each algorithm verifies, but not with a flipped bit",
        arguments: [
            (KeyKind.p256, TestSignatureAlgorithm?.none), (.p384, nil), (.p521, nil), (.ed25519, nil), (.rsa1024, nil),
            (.rsa2048, nil), (.p256, .ecdsaSHA512), (.p384, .ecdsaSHA256), (.rsa2048, .rsaSHA1), (.rsa2048, .rsaSHA384),
            (.rsa2048, .rsaSHA512), (.rsa2048, .rsaPSSSHA256),
        ])
    func signatures(kind: KeyKind, algorithm: TestSignatureAlgorithm?) throws {
        let root = try TestAuthority.root(key: kind.key())
        try OpenSSLTool.with { bench in
            try bench.write([root.certificate], "root.pem")
            for isBroken in [false, true] {
                let crl = try root.crl {
                    $0.signatureAlgorithm = algorithm
                    $0.hasWrongSignature = isBroken
                }
                try bench.write(crl.pem, "crl.pem")
                let text = try bench.openssl("crl", "-in", "crl.pem", "-CAfile", "root.pem", "-noout").text
                #expect(text.contains("verify OK") == !isBroken, "\(text)")
                #expect(text.contains("verify failure") == isBroken, "\(text)")
            }
        }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var says: [String]
        var saysNot: [String] = []
        var change: @Sendable (inout TestCRL.Template) throws -> Void
    }

    static let rows: [Row] = [
        Row(
            testDescription: "the default CRL",
            says: [
                "Version 2 (0x1)", "X509v3 CRL Number: \n                1\n", "No Revoked Certificates.",
                "Last Update: Nov 18 10:06:40 2026 GMT", "Next Update: Nov 25 11:06:40 2026 GMT",
                "Authority Key Identifier",
            ], change: { _ in }),
        Row(
            testDescription: "an entry with reason, date and invalidity date",
            says: [
                "Serial Number: 1234\n", "Revocation Date: Nov 17 11:06:40 2026 GMT", "Key Compromise\n",
                "Invalidity Date: \n                Nov 11 11:06:40 2026 GMT",
            ],
            change: {
                var entry = TestCRL.Entry(serialNumber: [0x12, 0x34])
                entry.reason = .keyCompromise
                entry.invalidityDate = TestAuthority.now.advanced(by: -7 * 86_400)
                $0.entries = [entry]
            }),
        Row(
            testDescription: "every reason",
            says: [
                "Unspecified", "Key Compromise", "CA Compromise", "Affiliation Changed", "Superseded",
                "Cessation Of Operation", "Certificate Hold", "Remove From CRL", "Privilege Withdrawn", "AA Compromise",
            ],
            change: {
                for reason in RevocationReason.allCases {
                    var entry = TestCRL.Entry(serialNumber: [UInt8(reason.rawValue + 1)])
                    entry.reason = reason
                    $0.entries.append(entry)
                }
            }),
        Row(
            testDescription: "a delta",
            says: [
                "Delta CRL Indicator: critical\n                7\n", "X509v3 CRL Number: \n                300\n",
            ], change: { ($0.number, $0.deltaBase) = (300, 7) }),
        Row(
            testDescription: "an issuing distribution point for users, in part",
            says: [
                "Issuing Distribution Point: critical", "URI:http://crl.example.com/1", "Only User Certificates\n",
                "Only Some Reasons:\n", "Superseded, Privilege Withdrawn\n", "Indirect CRL\n",
            ],
            saysNot: ["Only CA Certificates", "Only Attribute Certificates"],
            change: {
                $0.issuingDistributionPoint = .with {
                    $0.fullName = [.uri("http://crl.example.com/1")]
                    $0.onlyContainsUserCertificates = true
                    $0.onlySomeReasons = [.superseded, .privilegeWithdrawn]
                    $0.isIndirect = true
                }
            }),
        Row(
            testDescription: "an issuing distribution point for CAs", says: ["Only CA Certificates\n"],
            saysNot: ["Only User Certificates", "Indirect CRL"],
            change: { $0.issuingDistributionPoint = .with { $0.onlyContainsCACertificates = true } }),
        Row(
            testDescription: "an issuing distribution point for attribute certificates",
            says: ["Only Attribute Certificates\n"],
            change: { $0.issuingDistributionPoint = .with { $0.onlyContainsAttributeCertificates = true } }),
        Row(
            testDescription: "freshest CRL", says: ["X509v3 Freshest CRL", "URI:http://crl.example.com/delta\n"],
            change: { $0.freshestCRL = ["http://crl.example.com/delta"] }),
        Row(
            testDescription: "an entry from another issuer",
            says: ["X509v3 Certificate Issuer: critical", "DirName:/CN=Elsewhere"],
            change: {
                var entry = TestCRL.Entry(serialNumber: [1])
                entry.certificateIssuer = [try .directory(commonName: "Elsewhere")]
                $0.entries = [entry]
            }),
        Row(
            testDescription: "unknown critical extensions of the list and of an entry",
            says: ["1.2.3.4.5: critical", "1.2.3.4.6: critical"],
            change: {
                $0.extensions = [
                    Extension(identifier: try #require(OID("1.2.3.4.5")), isCritical: true, value: [5, 0])
                ]
                var entry = TestCRL.Entry(serialNumber: [1])
                entry.extensions = [
                    Extension(identifier: try #require(OID("1.2.3.4.6")), isCritical: true, value: [5, 0])
                ]
                $0.entries = [entry]
            }),
        Row(
            testDescription: "version 1", says: ["Version 1 (0x0)", "Serial Number: 01\n"], saysNot: ["extensions"],
            change: {
                $0.version = 1
                var entry = TestCRL.Entry(serialNumber: [1])
                entry.reason = .superseded
                $0.entries = [entry]
            }),
        Row(
            testDescription: "no number, next update or key identifier, and another CA's name",
            says: ["Next Update: NONE", "Issuer: CN = Elsewhere\n"], saysNot: ["CRL extensions"],
            change: {
                $0.number = nil
                $0.nextUpdate = nil
                $0.hasAuthorityKeyIdentifier = false
                guard case .directoryName(let name) = try GeneralName.directory(commonName: "Elsewhere") else { return }
                $0.issuer = name
            }),
        Row(
            testDescription: "dates behind 2049", says: ["Next Update: Jan  1 00:00:00 2050 GMT"],
            change: { $0.nextUpdate = try Time(rfc3339: "2050-01-01T00:00:00Z") }),
    ]

    @Test("A CRL has its template's fields, in DER and PEM", arguments: rows)
    func contents(row: Row) throws {
        let crl = try TestAuthority.root().crl(row.change)
        try OpenSSLTool.with { bench in
            try bench.write(crl.der, "crl.der")
            try bench.write(crl.pem, "crl.pem")
            let text = try bench.openssl("crl", "-inform", "DER", "-in", "crl.der", "-noout", "-text").text
            for expected in row.says { #expect(text.contains(expected), "\(text)") }
            for unexpected in row.saysNot { #expect(!text.contains(unexpected), "\(text)") }
            #expect(try bench.openssl("crl", "-in", "crl.pem", "-noout", "-text").text == text)
        }
    }
}
