// SPDX-License-Identifier: Apache-2.0

import PrivateCA
import ServerTrustTesting

@testable import PKIX

extension ErrorRow {
    /// The engine's errors.
    static let engine: [ErrorRow] = hosts + texts + encodings

    private static let hosts: [ErrorRow] = [
        host(.hostEmpty, "") { try Hostname($0) },
        host(.hostTooLong, String(repeating: "a.", count: 200)) { try Hostname($0) },
        host(.hostLabelMalformed, "a..b") { try Hostname($0) },
        host(.hostLabelNotCertifiable, "foo-.example.com") { try CertifiedName($0) },
        host(.hostAddressMalformed, "1.2.3") { try Hostname($0) },
        host(.hostIsURL, "https://example.com") { try Hostname($0) },
        host(.hostHasPort, "example.com:443") { try Hostname($0) },
        host(.hostHasZone, "fe80::1%eth0") { try Hostname.withoutZone($0) },
        host(.hostZoneMalformed, "fe80::1%") { try Hostname($0) },
        host(.hostNotASCII, "bücher.example") { try Hostname($0) },
    ]

    private static func host(_ code: ErrorCode, _ text: String, _ read: (String) throws -> Any) -> ErrorRow {
        ErrorRow(HostnameError.self, code, having: ["text": text], { ["text": $0.text] }) { try read(text) }
    }

    private static let texts: [ErrorRow] = [
        ErrorRow(TimeFormatError.self, .timeMalformed, having: ["text": "soon"], { ["text": $0.text] }) {
            try Time(rfc3339: "soon")
        },
        pem(.pemNotTerminated, "-----BEGIN CERTIFICATE-----\nMAA=\n"),
        pem(.pemLabelMismatch, "-----BEGIN CERTIFICATE-----\nMAA=\n-----END X509 CRL-----\n"),
        pem(.pemNotBase64, "-----BEGIN CERTIFICATE-----\nMA*=\n-----END CERTIFICATE-----\n"),
        pem(.pemHasHeaders, "-----BEGIN CERTIFICATE-----\nProc-Type: 4,ENCRYPTED\n\nMAA=\n-----END CERTIFICATE-----\n"),
    ]

    private static func pem(_ code: ErrorCode, _ text: String) -> ErrorRow {
        ErrorRow(
            PEM.BlockError.self, code, having: ["label": "CERTIFICATE", "object": "1"],
            { ["label": $0.label, "endLabel": $0.endLabel, "object": $0.object, "offset": $0.offset] }
        ) {
            try PEM.decode(Array(text.utf8), labels: ["CERTIFICATE"])
        }
    }

    private static let encodings: [ErrorRow] = [
        der(.derCutOff, [0x30, 0x05]),
        der(.derTrailingBytes, (try? TestAuthority.root().certificate.der).map { $0 + [0] } ?? []),
        der(.derLimitExceeded, [UInt8](repeating: 0x30, count: Certificate.maximumSize + 1)),
        der(.derMalformed, [0x04, 0x00]),
        filter(.clubcardMalformed, []),
        filter(.clubcardVersionUnknown, [5, 0]),
    ]

    private static func der(_ code: ErrorCode, _ bytes: [UInt8]) -> ErrorRow {
        ErrorRow(
            DERError.self, code,
            {
                [
                    "field": $0.field, "offset": $0.offset, "limit": $0.limit, "expectedTag": $0.expectedTag,
                    "foundTag": $0.foundTag,
                ]
            }
        ) { try Certificate(der: bytes) }
    }

    private static func filter(_ code: ErrorCode, _ bytes: [UInt8]) -> ErrorRow {
        ErrorRow(ClubcardError.self, code, { ["field": $0.field, "offset": $0.offset, "version": $0.version] }) {
            try RevocationFilter(bytes)
        }
    }
}
