// SPDX-License-Identifier: Apache-2.0

import PKIX

@testable import ServerTrustLab
@testable import ServerTrustTesting

extension ErrorRow {
    /// The errors in Testing.
    static let testing: [ErrorRow] = [
        port(.labPortInUse), port(.labPortNotPermitted), port(.labPortFailed),
        ErrorRow(TestInputError.self, .testInputUnusable, { ["text": $0.text, "expected": $0.expected] }) {
            try TestKey(pemRepresentation: "secret")
        },
    ]

    private static func port(_ code: ErrorCode) -> ErrorRow {
        ErrorRow(LabPortError(code, address: .v4, port: 443, detail: "Invalid argument")) {
            ["address": $0.address, "port": $0.port, "detail": $0.detail]
        }
    }
}
