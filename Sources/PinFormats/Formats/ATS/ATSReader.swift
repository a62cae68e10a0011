// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust
import TrustSupport

// `NSAppTransportSecurity` › `NSPinnedDomains` of an Info.plist, as Apple's Security reads it (SecPolicy.c, parseNSPinnedDomains):
// a domain covers its name, with `NSIncludesSubdomains` also the names exactly one label below it; the identities of all domains that
// match are united, list by list; leaf identities are compared with certificate 0, CA identities with all others; where there are
// both, both have to match. A pin that isn't 32 bytes in base64, which the system skips silently, is an odd problem here and met by no
// key; an entry of another type, which it skips as well, refuses the file.

struct ATSReader {
    static let transport = "NSAppTransportSecurity"
    static let domains = "NSPinnedDomains"
    static let includesSubdomains = "NSIncludesSubdomains"
    static let lists: [(key: String, scope: PinScope)] = [
        ("NSPinnedLeafIdentities", .leaf), ("NSPinnedCAIdentities", .authority),
    ]
    private static let digest = "SPKI-SHA256-BASE64"

    /// Returns whether the file has keys of this format.
    static func recognizes(_ root: PinNode) -> Bool { root[domains] != nil || root[transport]?[domains] != nil }

    var values: PinValueReader

    static func read(_ root: PinNode, file: String) throws(PinFileError) -> PinConfiguration {
        var reader = ATSReader(values: PinValueReader(file: file))
        return try reader.configuration(root)
    }

    private mutating func configuration(_ root: PinNode) throws(PinFileError) -> PinConfiguration {
        var rules: [PinRule] = []
        if let (node, path) = pinnedDomains(root), let members = values.dictionary(node, path) {
            if members.isEmpty {
                values.diagnostics.add(.emptyList, node.line, path, "no domain, expected at least one")
            }
            var seen: [Hostname: Int?] = [:]
            for member in members {
                if let rule = rule(member, values.join(path, member.key), &seen) { rules.append(rule) }
            }
        }
        checkMisplaced(root)
        let cleartext = cleartext(root)
        return try values.diagnostics.configuration { () throws(PinConfigurationError) in
            try PinConfiguration(rules: rules, selection: .union).stating(cleartext)
        }
    }

    /// Returns the dictionary of domains in a whole Info.plist, in its transport settings, or in a fragment of them.
    private mutating func pinnedDomains(_ root: PinNode) -> (PinNode, String)? {
        guard values.dictionary(root, "") != nil else { return nil }
        if let node = root[Self.domains] {
            if root[Self.transport] != nil {
                values.diagnostics.add(
                    .contradiction, node.line, Self.domains,
                    "beside \(Self.transport), in which alone the system looks for it")
            }
            return (node, Self.domains)
        }
        guard let transport = root[Self.transport] else {
            values.diagnostics.add(.missingKey, root.line, "", "neither \(Self.transport) nor \(Self.domains)")
            return nil
        }
        guard values.dictionary(transport, Self.transport) != nil else { return nil }
        let path = values.join(Self.transport, Self.domains)
        guard let node = transport[Self.domains] else {
            let slip = Self.slip(in: transport, for: Self.domains).map { "; did you mean it by \(clipped($0))?" } ?? ""
            values.diagnostics.add(
                .missingKey, transport.line, path, "missing, expected a dictionary of domains\(slip)")
            return nil
        }
        return (node, path)
    }

    private mutating func rule(
        _ member: PinNode.Member, _ path: String, _ seen: inout [Hostname: Int?]
    ) -> PinRule? {
        let line = member.node.line
        let name = values.host(member.key, line, path)
        if let name, values.unique(name, line, path, among: &seen) {
            values.checkDot(member.key, keptInURLs: false, line, path)
        }
        guard
            let keys = values.dictionary(
                member.node, path, keys: Set(Self.lists.map(\.key) + [Self.includesSubdomains]))
        else { return nil }
        var includesSubdomains = false
        if let node = keys[Self.includesSubdomains] {
            includesSubdomains = values.boolean(node, values.join(path, Self.includesSubdomains)) ?? false
        }
        var pins: [Pin] = []
        for (key, scope) in Self.lists {
            if let node = keys[key] { pins += self.pins(node, values.join(path, key), scope) }
        }
        if Self.lists.allSatisfy({ keys[$0.key] == nil }) {
            values.diagnostics.add(
                .missingKey, line, path, "no identities, expected \(Self.lists.map(\.key).joined(separator: " or "))")
            return nil
        }
        guard let name else { return nil }
        guard let hosts = PinnedHosts.host(name, andBelow: includesSubdomains ? .oneLabel : .nothing) else {
            values.diagnostics.add(.contradiction, line, path, "subdomains of an IP address, expected none")
            return nil
        }
        guard !pins.isEmpty else { return nil }
        let location = values.diagnostics.location(line, path)
        return values.diagnostics.rule(location) { () throws(PinRuleError) in
            try PinRule(hosts: [hosts], pins: pins, comment: member.node.comment, location: location)
        }
    }

    private mutating func pins(_ node: PinNode, _ path: String, _ scope: PinScope) -> [Pin] {
        var pins: [Pin] = []
        for (index, element) in (values.list(node, path) ?? []).enumerated() {
            let elementPath = "\(path)[\(index)]"
            guard let keys = values.dictionary(element, elementPath, keys: [Self.digest]) else { continue }
            let keyPath = values.join(elementPath, Self.digest)
            guard let value = keys[Self.digest] else {
                if case .dictionary(let members) = element.value, members.isEmpty {
                    values.diagnostics.add(.missingKey, element.line, elementPath, "missing \(Self.digest)")
                }
                continue
            }
            guard let text = values.string(value, keyPath),
                let key = values.key(base64: text, allowing: .foundation, orUnmatchable: true, value.line, keyPath)
            else { continue }
            pins.append(
                Pin(
                    .key(key), scope: scope, comment: element.comment ?? value.comment,
                    location: values.diagnostics.location(value.line, keyPath)))
        }
        return values.unique(pins, as: .odd, path)
    }
}
