// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustPins

// A TLSA record (RFC 6698, RFC 7671) with selector 1 (SubjectPublicKeyInfo) and matching type 1 (SHA-256). Usage 3
// means the leaf's key, and usage 2 means the key of a CA in its chain. One matching record is enough, so a key that
// counts anywhere has a record with each usage.

/// Writes TLSA records for HTTPS.
enum TLSAWriter {
    static func write(_ configuration: PinConfiguration) throws(PinWritingError) -> [UInt8] {
        var lines: [String] = []
        for row in PinProjection(configuration).rows {
            guard case .dns = row.name.kind, let rule = row.itself, rule.mode == .enforced else { continue }
            for (pin, usage) in records(rule) {
                let comment = pin.comment.map { " ; " + SourceWriting.line($0) } ?? ""
                lines.append(
                    "_443._tcp.\(row.name). IN TLSA \(usage) 1 1 \(Hex.encode(pin.key.sha256))\(comment)")
            }
        }
        guard !lines.isEmpty else { throw PinWritingError(.pinWritingNothing, .tlsa) }
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    private static func records(_ rule: PinRule) -> [(Pin, usage: Int)] {
        var seen: Set<[UInt8]> = []
        return rule.pins.flatMap { pin -> [(Pin, usage: Int)] in
            let usages =
                switch pin.scope {
                case .leaf: [3]
                case .authority: [2]
                case .anywhere: [3, 2]
                }
            return usages.filter { seen.insert(pin.key.sha256 + [UInt8($0)]).inserted }.map { (pin, $0) }
        }
    }
}
