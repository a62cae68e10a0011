// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustPins

/// Writes `NSAppTransportSecurity` › `NSPinnedDomains`, the pins in an Info.plist.
enum ATSWriter {
    /// Returns the dictionary, or nil if no host is pinned.
    static func tree(_ configuration: PinConfiguration) -> PinTree? {
        var domains: [(key: String, comment: String?, value: PinTree)] = []
        for row in PinProjection(configuration).rows {
            guard let entry = row.entryOfOneLabel else { continue }
            let rule = entry.rule
            var members: [(key: String, comment: String?, value: PinTree)] = []
            if entry.includesSubdomains { members.append(("NSIncludesSubdomains", nil, .boolean(true))) }
            // ATS has no list for pins that count anywhere. As CA identities, these pins apply longer.
            let authorities = rule.keys(.authority) + rule.keys(.anywhere)
            for (key, pins) in [("NSPinnedCAIdentities", authorities), ("NSPinnedLeafIdentities", rule.keys(.leaf))]
            where !pins.isEmpty {
                members.append((key, nil, identities(pins)))
            }
            domains.append((row.name.description, rule.comment, .dictionary(members)))
        }
        guard !domains.isEmpty else { return nil }
        return .dictionary([
            ("NSAppTransportSecurity", nil, .dictionary([("NSPinnedDomains", nil, .dictionary(domains))]))
        ])
    }

    private static func identities(_ pins: [Pin]) -> PinTree {
        var seen: Set<SPKIPin> = []
        return .array(
            pins.filter { seen.insert($0.key).inserted }.map { pin in
                let value = PinTree.string(Base64.encode(pin.key.sha256))
                return (pin.comment, .dictionary([("SPKI-SHA256-BASE64", nil, value)]))
            })
    }
}
