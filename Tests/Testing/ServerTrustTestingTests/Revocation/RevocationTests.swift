// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing

@testable import ServerTrustTesting

@Suite("CRLs, applied by openssl", .enabled(if: OpenSSLTool.hasOpenSSL, "openssl is not installed"))
struct RevocationTests {
    struct Lab: Sendable {
        let root: TestAuthority
        let intermediate: TestAuthority
        let crlSigner: TestIdentity
        let leaf: TestIdentity

        init() throws {
            root = try .root()
            intermediate = try root.intermediate()
            let signer = try root.issue(.crlSigner())
            crlSigner = signer
            leaf = try intermediate.issue(
                .leaf("www.example.com").with {
                    $0.crlDistributionPoints = [
                        "http://crl.example.com/1",
                        TestDistributionPoint(
                            fullName: [.uri("http://crl.example.com/2")], crlIssuer: signer.certificate.subject),
                    ]
                })
        }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var options = ["-crl_check"]
        /// X509_V_ERR_…
        var errors: [Int]
        var crls: @Sendable (Lab) throws -> [TestCRL]

        init(
            _ sentence: String, _ options: [String] = [], errors: [Int] = [],
            _ crls: @escaping @Sendable (Lab) throws -> [TestCRL]
        ) {
            self.testDescription = sentence
            self.options += options
            self.errors = errors
            self.crls = crls
        }
    }

    static let rows: [Row] = [
        Row("no CRL at all", errors: [3]) { _ in [] },
        Row("an empty CRL") { try [$0.intermediate.crl()] },
        Row("a CRL that revokes another leaf") { lab in
            let other = try lab.intermediate.issue(.leaf("other.example.com")).certificate
            return try [lab.intermediate.crl { $0.revoke(other) }]
        },
        Row("a CRL that revokes the leaf", errors: [23]) { lab in
            try [lab.intermediate.crl { $0.revoke(lab.leaf.certificate, reason: .keyCompromise) }]
        },
        Row("a CRL that releases the leaf again") { lab in
            try [lab.intermediate.crl { $0.revoke(lab.leaf.certificate, reason: .removeFromCRL) }]
        },
        Row("an outdated CRL", errors: [12]) { lab in
            try [lab.intermediate.crl { $0.nextUpdate = TestAuthority.now.advanced(by: -1) }]
        },
        Row("from tomorrow", errors: [11]) { lab in
            try [lab.intermediate.crl { $0.thisUpdate = TestAuthority.now.advanced(by: 86_400) }]
        },
        Row("a wrong signature", errors: [8]) { lab in try [lab.intermediate.crl { $0.hasWrongSignature = true }] },
        Row("another key's signature", errors: [8]) { lab in
            try [
                lab.intermediate.crl {
                    $0.signingKey = .p256()
                    $0.hasAuthorityKeyIdentifier = false
                }
            ]
        },
        Row("an unknown critical extension", errors: [36]) { lab in
            try [
                lab.intermediate.crl {
                    $0.extensions = [
                        Extension(identifier: try #require(OID("1.2.3.4.5")), isCritical: true, value: [5, 0])
                    ]
                }
            ]
        },
        Row("for users, at the leaf's distribution point") { lab in
            try [
                lab.intermediate.crl {
                    $0.issuingDistributionPoint = .with {
                        $0.onlyContainsUserCertificates = true
                        $0.fullName = [.uri("http://crl.example.com/1")]
                    }
                }
            ]
        },
        Row("a CRL only for CAs", errors: [44]) { lab in
            try [
                lab.intermediate.crl {
                    $0.issuingDistributionPoint = .with { $0.onlyContainsCACertificates = true }
                }
            ]
        },
        Row("a CRL for another distribution point", errors: [44]) { lab in
            try [
                lab.intermediate.crl {
                    $0.issuingDistributionPoint = .with { $0.fullName = [.uri("http://crl.example.com/3")] }
                }
            ]
        },
        Row("revoked by a delta", ["-extended_crl", "-use_deltas"], errors: [23]) { lab in
            try [
                lab.intermediate.crl { $0.freshestCRL = ["http://crl.example.com/delta"] },
                lab.intermediate.crl {
                    ($0.number, $0.deltaBase) = (2, 1)
                    $0.revoke(lab.leaf.certificate)
                },
            ]
        },
        Row("revoked by an unused delta") { lab in
            try [
                lab.intermediate.crl { $0.freshestCRL = ["http://crl.example.com/delta"] },
                lab.intermediate.crl {
                    ($0.number, $0.deltaBase) = (2, 1)
                    $0.revoke(lab.leaf.certificate)
                },
            ]
        },
        Row("revoked in an indirect CRL", ["-extended_crl"], errors: [23]) { lab in
            try [
                lab.crlSigner.crl {
                    $0.issuingDistributionPoint = .with {
                        $0.isIndirect = true
                        $0.fullName = [.uri("http://crl.example.com/2")]
                    }
                    $0.revoke(lab.leaf.certificate, namesIssuer: true)
                }
            ]
        },
        Row("the serial number in an indirect CRL, but with another issuer", ["-extended_crl"]) { lab in
            try [
                lab.crlSigner.crl {
                    $0.issuingDistributionPoint = .with {
                        $0.isIndirect = true
                        $0.fullName = [.uri("http://crl.example.com/2")]
                    }
                    $0.revoke(lab.leaf.certificate, namesIssuer: false)
                }
            ]
        },
    ]

    @Test("openssl verify -crl_check finds the intended revocation", arguments: rows)
    func verify(row: Row) throws {
        let lab = try Lab()
        let crls = try row.crls(lab)
        try OpenSSLTool.with { bench in
            try bench.write(crls.map(\.pem).joined(), "crls.pem")
            let outcome = try bench.verify(
                lab.leaf.certificate, others: [lab.intermediate.certificate, lab.crlSigner.certificate],
                root: lab.root.certificate, row.options + (crls.isEmpty ? [] : ["-CRLfile", "crls.pem"]))
            #expect(outcome.errors == row.errors, "\(outcome.text)")
        }
    }

    @Test("CRLs from two CAs cover a whole chain")
    func wholeChain() throws {
        let lab = try Lab()
        try OpenSSLTool.with { bench in
            for isRevoked in [false, true] {
                let crls = try [
                    lab.intermediate.crl(),
                    lab.root.crl { if isRevoked { $0.revoke(lab.intermediate.certificate, reason: .cACompromise) } },
                ]
                try bench.write(crls.map(\.pem).joined(), "crls.pem")
                let outcome = try bench.verify(
                    lab.leaf.certificate, others: [lab.intermediate.certificate], root: lab.root.certificate,
                    ["-crl_check_all", "-CRLfile", "crls.pem"])
                #expect(outcome.errors == (isRevoked ? [23] : []), "\(outcome.text)")
            }
        }
    }
}
