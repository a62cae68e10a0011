// SPDX-License-Identifier: Apache-2.0

import PinTestSupport
import ServerTrust

extension LintRow {
    /// Returns a pin's digest in base64.
    static func digest(_ number: Int) -> String { String(TestPins.pin(number).description.dropFirst(7)) }

    /// Returns the settings of App Transport Security as JSON. Domains start at line 3, and additional members follow,
    /// one per line.
    static func ats(_ domains: String..., beside: String...) -> String {
        let others = beside.map { ",\n" + $0 }.joined()
        return "{\"NSAppTransportSecurity\": {\n\"NSPinnedDomains\": {\n" + domains.joined(separator: ",\n")
            + "}\(others)\n}}\n"
    }

    /// Returns an ATS domain on one line.
    static func atsDomain(_ name: String, leaf: [Int] = [], authority: [Int] = [], below: Bool = false) -> String {
        let lists = [("NSPinnedLeafIdentities", leaf), ("NSPinnedCAIdentities", authority)].filter { !$0.1.isEmpty }
        let members = lists.map { key, pins in
            let pins = pins.map { "{\"SPKI-SHA256-BASE64\": \"\(digest($0))\"}" }.joined(separator: ", ")
            return "\"\(key)\": [\(pins)]"
        }
        return "\"\(name)\": {\"NSIncludesSubdomains\": \(below), \(members.joined(separator: ", "))}"
    }

    /// Returns TrustKit's configuration as JSON. Domains start at line 2.
    static func trustKit(_ domains: String...) -> String {
        "{\"TSKPinnedDomains\": {\n" + domains.joined(separator: ",\n") + "\n}}\n"
    }

    /// Returns a TrustKit domain on one line.
    static func kitDomain(_ name: String, _ pins: Int..., other: String = "") -> String {
        let pins = pins.map { "\"\(digest($0))\"" }.joined(separator: ", ")
        return "\"\(name)\": {\"TSKPublicKeyHashes\": [\(pins)]\(other)}"
    }
}
