// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustPins

// Chromium's `--ignore-certificate-errors-spki-list` (services/network/public/cpp/network_switches.cc) accepts
// base64-encoded SHA-256 digests of SubjectPublicKeyInfo, separated by commas. It is the opposite of a pin: Chromium
// accepts a chain with such a key anywhere regardless of errors, and other servers are unaffected. It only works
// together with `--user-data-dir`.

/// Writes Chromium's option.
enum ChromiumWriter {
    static let option = "--ignore-certificate-errors-spki-list="

    static func write(_ configuration: PinConfiguration) throws(PinWritingError) -> [UInt8] {
        let pins = configuration.rules.filter { $0.mode == .enforced }.flatMap(\.pins)
        let keys = pins.map(\.key).unique(by: \.self)
        guard !keys.isEmpty else { throw PinWritingError(.pinWritingNothing, .chromium) }
        return Array((option + keys.map { Base64.encode($0.sha256) }.joined(separator: ",") + "\n").utf8)
    }
}
