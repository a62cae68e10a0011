// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing

@Suite("Hex")
struct HexTests {
    @Test("Every byte has two lowercase digits")
    func all() {
        #expect(Hex.encode([UInt8]()) == "")
        #expect(Hex.encode([0x00, 0x0f, 0xa0, 0xff, 0x9a]) == "000fa0ff9a")
        for byte in UInt8.min...UInt8.max {
            let digits = String(byte, radix: 16)
            #expect(Hex.encode([byte]) == (digits.count == 1 ? "0" + digits : digits))
        }
    }
}
