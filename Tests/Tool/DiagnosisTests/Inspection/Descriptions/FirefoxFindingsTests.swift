// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing

@testable import Diagnosis

@Suite("Certificates that Firefox rejects and the default policy accepts") struct FirefoxFindingsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var constants: [String]
        var change: @Sendable (inout CertificateTemplate) throws -> Void

        init(
            _ name: String, _ constants: String...,
            change: @escaping @Sendable (inout CertificateTemplate) throws -> Void
        ) {
            testDescription = name
            self.constants = constants
            self.change = change
        }
    }

    private static func purposes(_ dotted: String...) -> @Sendable (inout CertificateTemplate) throws -> Void {
        { template in template.extendedKeyUsage = try dotted.map { try #require(OID($0)) } }
    }

    private static func points(isCritical: Bool) -> @Sendable (inout CertificateTemplate) throws -> Void {
        { template in
            let name = DERWriter.implicit(6, Array("http://a.example/crl".utf8))
            let point = DERWriter.sequence(DERWriter.tagged(0, DERWriter.tagged(0, name)))
            template.extensions = [
                Extension(
                    identifier: try #require(OID("2.5.29.31")), isCritical: isCritical,
                    value: DERWriter.sequence(point))
            ]
        }
    }

    private static let server = "1.3.6.1.5.5.7.3.1"
    private static let responder = "1.3.6.1.5.5.7.3.9"
    private static let any = "2.5.29.37.0"

    static let rows: [Row] = [
        Row("a server's certificate") { _ in },
        Row(
            "OCSPSigning together with serverAuth", "SEC_ERROR_INADEQUATE_CERT_TYPE",
            change: purposes(server, responder)),
        Row("OCSPSigning of an OCSP responder", change: purposes(responder)),
        Row("any extended key usage", "SEC_ERROR_INADEQUATE_CERT_TYPE", change: purposes(any)),
        Row("any extended key usage together with serverAuth", change: purposes(server, any)),
        Row("critical CRL addresses", "SEC_ERROR_UNKNOWN_CRITICAL_EXTENSION", change: points(isCritical: true)),
        Row("CRL addresses", change: points(isCritical: false)),
        Row("a CA with a server name", "MOZILLA_PKIX_ERROR_CA_CERT_USED_AS_END_ENTITY") { $0.isAuthority = true },
        Row("a path length of 128", "SEC_ERROR_EXTENSION_VALUE_INVALID") {
            $0.dnsNames = []
            $0.isAuthority = true
            $0.maximumPathLength = 128
        },
        Row("a path length of 127") {
            $0.dnsNames = []
            $0.isAuthority = true
            $0.maximumPathLength = 127
        },
        Row("dates before 1970", "SEC_ERROR_INVALID_TIME") { $0.notBefore = Time(secondsSinceEpoch: -86_400) },
    ]

    @Test("The findings name the error constants that Firefox shows", arguments: rows)
    func aCertificateHasTheConstants(_ row: Row) throws {
        var template = CertificateTemplate.leaf("www.example.com")
        try row.change(&template)
        let der = try TestAuthority.root().issue(template).certificate.der
        let found = CertificateDescription(der: der).firefoxRefusals
        #expect(found.count == row.constants.count, "\(found)")
        for (detail, constant) in zip(found, row.constants) {
            #expect(detail.value?.contains("(\(constant))") == true, "\(found)")
        }
        let summary = ObjectDescription.certificate(der, at: TestAuthority.now).summary
        #expect(summary.filter { $0.label == "Firefox" } == found)
    }

    @Test("The findings report that browsers reject an Ed25519 key") func anEd25519KeyIsRefused() throws {
        let der = try TestAuthority.root().issue(.leaf("www.example.com"), key: .ed25519()).certificate.der
        let found = CertificateDescription(der: der).firefoxRefusals
        #expect(found.map { $0.value?.contains("SEC_ERROR_UNSUPPORTED_KEYALG") } == [true])
    }
}
