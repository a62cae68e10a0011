// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustPins

/// Writes Swift source with embedded pins or certificates.
package enum SwiftPinWriter {
    /// Returns the source.
    /// - Parameter configuration: rules with hosts, each with pins of one scope, as
    ///   ``PinCandidates/configuration(for:_:asCertificates:added:)`` returns them.
    /// - Returns: a file that imports `ServerTrust`, and `PKIX` if it contains certificates.
    package static func source(_ configuration: PinConfiguration) -> String {
        var lines = configuration.rules.contains(where: \.hasCertificates) ? ["import PKIX"] : []
        lines += ["import ServerTrust", "", "/// The hosts and their pins.", "enum Pinned {"]
        var entries: [String] = []
        for (index, rule) in configuration.rules.enumerated() {
            let name = configuration.rules.count == 1 ? "pins" : "pins\(index)"
            lines += member(rule, name) + [""]
            for pattern in rule.hosts.flatMap(\.patterns) {
                entries.append("            \(literal(pattern)): \(evaluator(rule, name)),")
            }
        }
        lines += [
            "    /// The manager for an app's clients. It refuses hosts that aren't listed.",
            "    static func serverTrustManager() throws -> ServerTrustManager {",
            "        try ServerTrustManager(evaluators: [",
        ]
        return (lines + entries + ["        ])", "    }", "}"]).joined(separator: "\n") + "\n"
    }

    private static func member(_ rule: PinRule, _ name: String) -> [String] {
        if rule.hasCertificates {
            var lines = ["    static func \(name)() throws -> [Certificate] {", "        ["]
            for case .certificate(let certificate) in rule.pins.map(\.value) {
                lines.append("            // \(clipped(certificate.description)), until \(certificate.notAfter)")
                lines.append("            try Certificate(")
                lines.append("                base64: \"\"\"")
                lines += chunks(Base64.encode(certificate.der)).map { "                    " + $0 }
                lines.append("                    \"\"\"),")
            }
            return lines + ["        ]", "    }"]
        }
        func list(_ pins: [Pin]) -> [String] {
            pins.flatMap { pin in
                (pin.comment.map { ["                // " + clipped($0)] } ?? [])
                    + ["                \(literal(pin.key.description)),"]
            }
        }
        let backups = rule.pins.filter { $0.role == .backup }
        let others = rule.pins.filter { $0.role != .backup }
        var lines = ["    static func \(name)() throws -> SPKIPinSet {", "        try SPKIPinSet("]
        if backups.isEmpty {
            lines += [
                "            // No backup: if you lose these keys, users of this version are locked out.",
                "            pinsRiskingLockout: [",
            ]
            return lines + list(others) + ["            ])", "    }"]
        }
        lines += ["            pins: ["] + list(others) + ["            ],", "            backup: ["] + list(backups)
        return lines + ["            ])", "    }"]
    }

    private static func evaluator(_ rule: PinRule, _ name: String) -> String {
        rule.hasCertificates
            ? "PinnedCertificatesTrustEvaluator(certificates: try \(name)())"
            : "SPKIPinsTrustEvaluator(try \(name)(), scope: .\((rule.scopes.first ?? .anywhere).rawValue))"
    }

    /// Returns a string literal that the text of a certificate or host can't escape from.
    private static func literal(_ text: String) -> String {
        "\"" + text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined() + "\""
    }

    private static func chunks(_ text: String) -> [String] {
        let digits = Array(text)
        return stride(from: 0, to: digits.count, by: 64).map { String(digits[$0..<min($0 + 64, digits.count)]) }
    }
}

extension PinRule {
    fileprivate var hasCertificates: Bool {
        pins.contains { if case .certificate = $0.value { true } else { false } }
    }
}

extension PinnedHosts {
    /// The `ServerTrustManager` patterns that together cover these hosts.
    fileprivate var patterns: [String] {
        switch (includesName, below) {
        case (true, .nothing): [name.description]
        case (true, .oneLabel): [name.description, "*.\(name)"]
        case (false, .oneLabel): ["*.\(name)"]
        case (true, .anyDepth), (false, .anyDepth): ["**.\(name)"]
        case (false, .nothing): []
        }
    }
}
