// SPDX-License-Identifier: Apache-2.0

import PKIX
import PinModel
import ServerTrust

// Chromium's `--ignore-certificate-errors-spki-list` (services/network/public/cpp/network_switches.cc) takes the base64 of the SHA-256 of
// SubjectPublicKeyInfo, with commas between them. It is the opposite of a pin: certificates with such a key anywhere in their chain are
// accepted whatever is wrong with them, and servers without it as before. It works beside `--user-data-dir` alone.

/// Writes the option of Chromium.
enum ChromiumWriter {
    static let option = "--ignore-certificate-errors-spki-list="

    static func write(_ configuration: PinConfiguration) throws(PinWritingError) -> [UInt8] {
        var seen: Set<SPKIPin> = []
        let keys = configuration.rules.filter { $0.mode == .enforced }.flatMap(\.pins).map(\.key).filter {
            seen.insert($0).inserted
        }
        guard !keys.isEmpty else { throw PinWritingError(.pinWritingNothing, .chromium) }
        return Array((option + keys.map { Base64.encode($0.sha256) }.joined(separator: ",") + "\n").utf8)
    }
}
