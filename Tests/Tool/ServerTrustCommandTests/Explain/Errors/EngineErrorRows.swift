// SPDX-License-Identifier: Apache-2.0

import PKIX
import PrivateCA
import ServerTrustTesting

extension ErrorRow {
    /// The errors of the engine.
    static let engine: [ErrorRow] = hosts + texts + encodings

    private static let hosts: [ErrorRow] = [
        host { try Hostname("") },
        host { try Hostname(String(repeating: "a.", count: 200)) },
        host { try Hostname("a..b") },
        host { try CertifiedName("foo-.example.com") },
        host { try Hostname("1.2.3") },
        host { try Hostname("https://example.com") },
        host { try Hostname("example.com:443") },
        host { try Hostname.withoutZone("fe80::1%eth0") },
        host { try Hostname("fe80::1%") },
        host { try Hostname("bücher.example") },
    ]

    private static func host(_ body: () throws -> Any) -> ErrorRow {
        ErrorRow(HostnameError.self, { ["text": $0.text] }, by: body)
    }

    private static let texts: [ErrorRow] = [
        ErrorRow(TimeFormatError.self, { ["text": $0.text] }) { try Time(rfc3339: "soon") },
        pem("-----BEGIN CERTIFICATE-----\nMAA=\n"),
        pem("-----BEGIN CERTIFICATE-----\nMAA=\n-----END X509 CRL-----\n"),
        pem("-----BEGIN CERTIFICATE-----\nMA*=\n-----END CERTIFICATE-----\n"),
        pem("-----BEGIN CERTIFICATE-----\nProc-Type: 4,ENCRYPTED\n\nMAA=\n-----END CERTIFICATE-----\n"),
    ]

    private static func pem(_ text: String) -> ErrorRow {
        ErrorRow(
            PEM.BlockError.self,
            { ["label": $0.label, "endLabel": $0.endLabel, "object": $0.object, "offset": $0.offset] }
        ) {
            try PEM.decode(Array(text.utf8), labels: ["CERTIFICATE"])
        }
    }

    private static let encodings: [ErrorRow] = [
        der([0x30, 0x05]),
        der((try? TestAuthority.root().certificate.der).map { $0 + [0] } ?? []),
        der([UInt8](repeating: 0x30, count: Certificate.maximumSize + 1)),
        der([0x04, 0x00]),
        filter([]),
        filter([5, 0]),
    ]

    private static func der(_ bytes: [UInt8]) -> ErrorRow {
        ErrorRow(
            DERError.self,
            {
                [
                    "field": $0.field, "offset": $0.offset, "limit": $0.limit, "expectedTag": $0.expectedTag,
                    "foundTag": $0.foundTag,
                ]
            }
        ) { try Certificate(der: bytes) }
    }

    private static func filter(_ bytes: [UInt8]) -> ErrorRow {
        ErrorRow(ClubcardError.self, { ["field": $0.field, "offset": $0.offset, "version": $0.version] }) {
            try RevocationFilter(bytes)
        }
    }
}
