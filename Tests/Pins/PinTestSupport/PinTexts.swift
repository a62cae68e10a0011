// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// `NSPinnedDomains` domains.
package enum ATSText {
    package static func domain(_ name: String, subdomains: Bool = false, ca: [String] = [], leaf: [String] = [])
        -> String
    {
        func list(_ key: String, _ pins: [String]) -> String {
            guard !pins.isEmpty else { return "" }
            let elements = pins.map { "<dict><key>SPKI-SHA256-BASE64</key><string>{\($0)}</string></dict>" }
            return "<key>\(key)</key><array>\(elements.joined())</array>"
        }
        return "<key>\(name)</key><dict>\(subdomains ? "<key>NSIncludesSubdomains</key><true/>" : "")"
            + list("NSPinnedCAIdentities", ca) + list("NSPinnedLeafIdentities", leaf) + "</dict>"
    }

    package static func plist(_ domains: String...) -> String {
        "<plist version=\"1.0\"><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>"
            + domains.joined() + "</dict></dict></dict></plist>"
    }
}

/// TrustKit domains, in JSON.
package enum TrustKitText {
    package static func json(_ domains: String) -> String { "{\"TSKPinnedDomains\": {\(domains)}}" }
    package static func domain(_ name: String, _ pins: [String], _ more: String = "") -> String {
        "\"\(name)\": {\"TSKPublicKeyHashes\": [\(pins.map { "\"{\($0)}\"" }.joined(separator: ","))]\(more)}"
    }
    package static let wrong = ["OTHER", "ANOTHER"]
    package static let sub = ", \"TSKIncludeSubdomains\": true"
    package static let expiry = ", \"TSKExpirationDate\": \"2026-11-18\""
    package static let midnight = Time(secondsSinceEpoch: 1_794_960_000)
}

/// `network_security_config.xml` elements.
package enum AndroidText {
    package static func xml(_ text: String) -> String { "<network-security-config>\(text)</network-security-config>" }
    package static func pins(_ names: String..., expiration: String? = nil) -> String {
        "<pin-set\(expiration.map { " expiration=\"\($0)\"" } ?? "")>"
            + names.map { "<pin digest=\"SHA-256\">{\($0)}</pin>" }.joined() + "</pin-set>"
    }
    package static func domain(_ name: String, _ subdomains: Bool = false) -> String {
        "<domain includeSubdomains=\"\(subdomains)\">\(name)</domain>"
    }
    package static func config(_ text: String...) -> String { "<domain-config>\(text.joined())</domain-config>" }
    package static func anchors(_ source: String, overrides: Bool? = nil) -> String {
        "<trust-anchors><certificates src=\"\(source)\"\(overrides.map { " overridePins=\"\($0)\"" } ?? "")/></trust-anchors>"
    }
}

/// Rules in this package's own JSON.
package enum OwnText {
    package static func own(_ rule: String, selection: String = "mostSpecific", unlisted: String = "refused") -> String
    {
        "{\"schemaVersion\": 1, \"selection\": \"\(selection)\", \"unlistedHosts\": \"\(unlisted)\", \"rules\": [\(rule)]}"
    }
    package static func rule(_ host: String, _ pin: String = "OTHER", mode: String = "enforced", _ more: String = "")
        -> String
    {
        "{\"hosts\": [\"\(host)\"], \"mode\": \"\(mode)\", \"pins\": [{\"key\": \"sha256/{\(pin)}\", \"scope\": \"anywhere\"}]\(more)}"
    }
    package static func expires(_ then: String) -> String {
        ", \"expires\": {\"at\": \"2026-11-18T11:06:39Z\", \"afterwards\": \"\(then)\"}"
    }
}
