// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

// Checks for pins that were created from something other than a key, if the certificate is known.

extension PinLintContext {
    mutating func checkMistakes(_ rule: PinRule) {
        for pin in rule.pins {
            guard let mistake = mistake(of: pin) else { continue }
            let name = mistake.certificate.abridgedDescription(toBytes: 256)
            add(
                .notOfKey, on: rule, at: pin, "\(pin.value) is the SHA-256 of \(mistake.hashed) (\(name))",
                fix: "pin the key instead: \(mistake.meant)")
        }
    }

    /// Returns what the author hashed by mistake to create a pin, or nil for a pinned certificate, and for a pin that
    /// no certificate explains.
    func mistake(of pin: Pin) -> PinMistakes.Mistake? {
        guard case .key(let key) = pin.value else { return nil }
        return mistakes.mistake(of: key)
    }
}
