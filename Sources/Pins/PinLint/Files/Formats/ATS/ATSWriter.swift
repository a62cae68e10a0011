// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustPins

/// Writes `NSAppTransportSecurity` › `NSPinnedDomains`, the pins in an Info.plist.
enum ATSWriter {
    /// Returns the dictionary, or nil if no host is pinned.
    static func tree(_ configuration: PinConfiguration) -> PinTree? {
        var domains: [(key: String, comment: String?, value: PinTree)] = []
        for row in PinProjection(configuration).rows {
            guard let entry = row.entryOfOneLabel else { continue }
            let rule = entry.rule
            // ATS has no list for pins that count anywhere. As CA identities, these pins apply longer.
            let members = PinTree.object([
                "NSIncludesSubdomains": entry.includesSubdomains ? .boolean(true) : nil,
                "NSPinnedCAIdentities": identities(rule.keys(.authority) + rule.keys(.anywhere)),
                "NSPinnedLeafIdentities": identities(rule.keys(.leaf)),
            ])
            domains.append((row.name.description, rule.comment, members))
        }
        guard !domains.isEmpty else { return nil }
        return .object(["NSAppTransportSecurity": .object(["NSPinnedDomains": .dictionary(domains)])])
    }

    /// Returns the list of pins, or nil for none.
    private static func identities(_ pins: [Pin]) -> PinTree? {
        guard !pins.isEmpty else { return nil }
        return .array(
            pins.unique(by: \.key).map { pin in
                (pin.comment, .object(["SPKI-SHA256-BASE64": .string(Base64.encode(pin.key.sha256))]))
            })
    }
}
