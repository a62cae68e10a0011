// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import Testing

@Suite("TLS alerts") struct TLSAlertTests {
    @Test(
        "An alert shows its registered name, or its number if it has none",
        arguments: [
            (UInt8(0), "close_notify"), (40, "handshake_failure"), (52, "too_many_cids_requested"),
            (116, "certificate_required"), (117, "general_error"), (121, "ech_required"), (118, "alert 118"),
            (255, "alert 255"),
        ])
    func names(_ code: UInt8, _ name: String) {
        #expect(TLSAlert(code).description == name)
    }

    @Test("No two alerts have the same name")
    func differentNames() {
        #expect(Set((0...UInt8.max).map { TLSAlert($0).description }).count == 256)
    }
}
