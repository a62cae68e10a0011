// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// Pins that no key matches, distinguished by a number.
package enum TestPins {
    package static func pin(_ number: Int) -> SPKIPin {
        let bytes = (0..<32).map { UInt8(truncatingIfNeeded: number &+ $0) }
        guard let pin = try? SPKIPin("sha256/" + Base64.encode(bytes)) else { preconditionFailure("32 bytes") }
        return pin
    }
}
