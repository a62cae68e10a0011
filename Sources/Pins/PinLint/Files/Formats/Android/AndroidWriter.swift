// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustPins

/// Writes `network_security_config.xml`, with one `domain-config` for each set of domains that share a rule.
enum AndroidWriter {
    /// Returns the XML.
    /// - Throws: ``PinWritingError`` if no host is pinned and none has separate anchors.
    static func write(_ configuration: PinConfiguration) throws(PinWritingError) -> [UInt8] {
        var groups: [(rule: PinRule, domains: [(name: Hostname, includesSubdomains: Bool)])] = []
        // The location of a rule keeps domains of different rules apart.
        var places: [PinRule?: Int] = [:]
        for row in PinProjection(configuration).rows {
            guard let entry = row.entry, entry.rule.mode != .reportOnly else { continue }
            let domain = (name: row.name, includesSubdomains: entry.includesSubdomains)
            let rule = try? entry.rule.with(hosts: [])
            if let index = places[rule] {
                groups[index].domains.append(domain)
            } else {
                places[rule] = groups.count
                groups.append((entry.rule, [domain]))
            }
        }
        // If the original file had no domains, it contained anchors or settings for the whole app.
        guard !groups.isEmpty || configuration.rules.isEmpty else {
            throw PinWritingError(.pinWritingNothing, .android)
        }
        var text = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
        if let comment = configuration.comment { text += XMLText.comment(comment, indent: "") }
        text += "<network-security-config>\n"
        let base = attributes(configuration.settings)
        let transparency = transparency(configuration.settings, indent: "        ")
        if !configuration.anchors.isEmpty || !base.isEmpty || !transparency.isEmpty {
            text += "    <base-config\(base)>\n" + transparency
            text += anchors(configuration.anchors, indent: "        ", overridesPins: false) + "    </base-config>\n"
        }
        for group in groups { text += domainConfig(group.rule, group.domains) }
        if !configuration.debugAnchors.isEmpty {
            text += "    <debug-overrides>\n"
            text += anchors(configuration.debugAnchors, indent: "        ", overridesPins: true)
            text += "    </debug-overrides>\n"
        }
        return Array((text + "</network-security-config>\n").utf8)
    }

    private static func domainConfig(
        _ rule: PinRule, _ domains: [(name: Hostname, includesSubdomains: Bool)]
    ) -> String {
        var text = rule.comment.map { XMLText.comment($0, indent: "    ") } ?? ""
        text += "    <domain-config\(attributes(rule.settings))>\n"
        for domain in domains {
            text += "        <domain includeSubdomains=\"\(domain.includesSubdomains)\">\(domain.name)</domain>\n"
        }
        text += transparency(rule.settings, indent: "        ") + trustKit(rule, indent: "        ")
        if rule.mode == .enforced {
            let expiration = rule.expiry.map { " expiration=\"\($0.lastDay)\"" } ?? ""
            text += "        <pin-set\(expiration)>\n"
            for pin in rule.keysAnywhere {
                if let comment = pin.comment { text += XMLText.comment(comment, indent: "            ") }
                text += "            <pin digest=\"SHA-256\">\(Base64.encode(pin.key.sha256))</pin>\n"
            }
            text += "        </pin-set>\n"
        }
        return text + anchors(rule.anchors, indent: "        ", overridesPins: false) + "    </domain-config>\n"
    }

    private static func attributes(_ settings: [PinSetting]) -> String {
        settings.filter { $0.format == .android && ["cleartextTrafficPermitted", "hstsEnforced"].contains($0.key) }
            .map { " \($0.key)=\"\(XMLText.escaped($0.value))\"" }.joined()
    }

    private static func transparency(_ settings: [PinSetting], indent: String) -> String {
        settings.filter { $0.format == .android && $0.key == "certificateTransparency" }
            .map { "\(indent)<certificateTransparency enabled=\"\(XMLText.escaped($0.value))\" />\n" }.joined()
    }

    /// Returns TrustKit's element if the rule was read from one.
    private static func trustKit(_ rule: PinRule, indent: String) -> String {
        let prefix = AndroidReader.trustKit + "@"
        let settings = rule.settings.filter { $0.format == .android && $0.key.hasPrefix(prefix) }
        guard !settings.isEmpty else { return "" }
        let attributes = settings.map { " \($0.key.dropFirst(prefix.count))=\"\(XMLText.escaped($0.value))\"" }
        let uris = rule.reportURIs.map { "\(indent)    <report-uri>\(XMLText.escaped($0))</report-uri>\n" }
        return "\(indent)<trustkit-config\(attributes.joined())>\n\(uris.joined())\(indent)</trustkit-config>\n"
    }

    /// Returns the `trust-anchors` element. Leaves out certificates from the configuration itself, because they have no
    /// name that the element could refer to.
    private static func anchors(_ anchors: [PinAnchorSource], indent: String, overridesPins: Bool) -> String {
        let lines = anchors.compactMap { anchor -> String? in
            let source: String
            switch anchor.kind {
            case .system: source = "system"
            case .user: source = "user"
            case .resource(let name): source = "@" + name
            case .certificate, .none: return nil
            }
            let override = anchor.overridesPins == overridesPins ? "" : " overridePins=\"\(anchor.overridesPins)\""
            return "\(indent)    <certificates src=\"\(XMLText.escaped(source))\"\(override) />\n"
        }
        // An empty element means no anchors at all. Without the element, the outer anchors apply.
        let isEmpty = lines.isEmpty && !anchors.contains { $0.kind == .none }
        return isEmpty ? "" : "\(indent)<trust-anchors>\n\(lines.joined())\(indent)</trust-anchors>\n"
    }
}
