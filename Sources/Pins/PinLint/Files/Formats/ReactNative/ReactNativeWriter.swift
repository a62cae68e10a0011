// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustPins

/// Writes the call that passes options to react-native-ssl-public-key-pinning, in JavaScript.
enum ReactNativeWriter {
    static func source(_ configuration: PinConfiguration) throws(PinWritingError) -> String {
        var lines: [String] = []
        for row in PinProjection(configuration).rows {
            guard let entry = row.entry, entry.rule.mode == .enforced else { continue }
            let name = SourceWriting.literal(row.name.description, .javaScript)
            lines.append("  \(name): {" + SourceWriting.comment(entry.rule.comment))
            lines.append("    includeSubdomains: \(entry.includesSubdomains),")
            if let expiry = entry.rule.expiry { lines.append("    expirationDate: '\(expiry.lastDay)',") }
            lines.append("    publicKeyHashes: [")
            for pin in entry.rule.keysAnywhere {
                let literal = SourceWriting.literal(Base64.encode(pin.key.sha256), .javaScript)
                lines.append("      \(literal),\(SourceWriting.comment(pin.comment))")
            }
            lines += ["    ],", "  },"]
        }
        guard !lines.isEmpty else { throw PinWritingError(.pinWritingNothing, .reactNative) }
        let first = ["import { initializeSslPinning } from 'react-native-ssl-public-key-pinning';", ""]
        return (first + ["await initializeSslPinning({"] + lines + ["});"]).joined(separator: "\n") + "\n"
    }
}
