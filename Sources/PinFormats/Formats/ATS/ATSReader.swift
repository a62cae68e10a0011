// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

// `NSAppTransportSecurity` › `NSPinnedDomains` of an Info.plist, as Apple's Security reads it (SecPolicy.c, parseNSPinnedDomains):
// a domain is its name, with `NSIncludesSubdomains` also what is exactly one label below it; of all domains that match, the
// identities are put together, list by list; leaf identities are compared with certificate 0, CA identities with all others; where
// there are both, both have to match. What the system skips silently (bad base64, entries of another type) is an error here.

struct ATSReader {
    private static let transport = "NSAppTransportSecurity"
    private static let domains = "NSPinnedDomains"
    private static let includesSubdomains = "NSIncludesSubdomains"
    private static let lists: [(key: String, scope: PinScope)] = [
        ("NSPinnedLeafIdentities", .leaf), ("NSPinnedCAIdentities", .authority),
    ]
    private static let digest = "SPKI-SHA256-BASE64"

    /// Whether the file says something in this format.
    static func recognizes(_ root: PinNode) -> Bool { root[domains] != nil || root[transport]?[domains] != nil }

    private var problems: ProblemList

    static func read(_ root: PinNode, file: String) throws(PinFileError) -> PinConfiguration {
        var reader = ATSReader(problems: ProblemList(file: file))
        return try reader.configuration(root)
    }

    private mutating func configuration(_ root: PinNode) throws(PinFileError) -> PinConfiguration {
        var rules: [PinRule] = []
        if let (node, path) = pinnedDomains(root), let members = problems.dictionary(node, path) {
            if members.isEmpty { problems.add(.emptyList, node.line, path, "no domain, expected at least one") }
            var seen: [Hostname: Int?] = [:]
            for member in members {
                if let rule = rule(member, problems.join(path, member.key), &seen) { rules.append(rule) }
            }
        }
        return try problems.configuration { () throws(PinConfigurationError) in
            try PinConfiguration(rules: rules, selection: .union)
        }
    }

    /// The dictionary in a whole Info.plist, in its transport settings, or in a fragment of them.
    private mutating func pinnedDomains(_ root: PinNode) -> (PinNode, String)? {
        guard problems.dictionary(root, "") != nil else { return nil }
        if let node = root[Self.domains] {
            if root[Self.transport] != nil {
                problems.add(
                    .contradiction, node.line, Self.domains,
                    "beside \(Self.transport), in which alone the system looks for it")
            }
            return (node, Self.domains)
        }
        guard let transport = root[Self.transport] else {
            problems.add(.missingKey, root.line, "", "neither \(Self.transport) nor \(Self.domains)")
            return nil
        }
        guard problems.dictionary(transport, Self.transport) != nil else { return nil }
        let path = problems.join(Self.transport, Self.domains)
        guard let node = transport[Self.domains] else {
            problems.add(.missingKey, transport.line, path, "missing, expected a dictionary of domains")
            return nil
        }
        return (node, path)
    }

    private mutating func rule(
        _ member: PinNode.Member, _ path: String, _ seen: inout [Hostname: Int?]
    ) -> PinRule? {
        let line = member.node.line
        let name = problems.host(member.key, line, path)
        if let name { _ = problems.unique(name, line, path, among: &seen) }
        guard
            let keys = problems.dictionary(
                member.node, path, keys: Set(Self.lists.map(\.key) + [Self.includesSubdomains]))
        else { return nil }
        var includesSubdomains = false
        if let node = keys[Self.includesSubdomains] {
            includesSubdomains = problems.boolean(node, problems.join(path, Self.includesSubdomains)) ?? false
        }
        var pins: [Pin] = []
        for (key, scope) in Self.lists {
            if let node = keys[key] { pins += self.pins(node, problems.join(path, key), scope) }
        }
        if Self.lists.allSatisfy({ keys[$0.key] == nil }) {
            problems.add(
                .missingKey, line, path, "no identities, expected \(Self.lists.map(\.key).joined(separator: " or "))")
            return nil
        }
        guard let name else { return nil }
        guard let hosts = PinnedHosts.host(name, andBelow: includesSubdomains ? .oneLabel : .nothing) else {
            problems.add(.contradiction, line, path, "subdomains of an IP address, expected none")
            return nil
        }
        guard !pins.isEmpty else { return nil }
        let place = problems.place(line, path)
        return problems.rule(place) { () throws(PinRuleError) in
            try PinRule(hosts: [hosts], pins: pins, comment: member.node.comment, place: place)
        }
    }

    private mutating func pins(_ node: PinNode, _ path: String, _ scope: PinScope) -> [Pin] {
        var pins: [Pin] = []
        for (index, element) in (problems.list(node, path) ?? []).enumerated() {
            let elementPath = "\(path)[\(index)]"
            guard let keys = problems.dictionary(element, elementPath, keys: [Self.digest]) else { continue }
            let keyPath = problems.join(elementPath, Self.digest)
            guard let value = keys[Self.digest] else {
                if case .dictionary(let members) = element.value, members.isEmpty {
                    problems.add(.missingKey, element.line, elementPath, "missing \(Self.digest)")
                }
                continue
            }
            guard let text = problems.string(value, keyPath),
                let key = problems.key(base64: text, value.line, keyPath)
            else { continue }
            pins.append(
                Pin(
                    .key(key), scope: scope, comment: element.comment ?? value.comment,
                    place: problems.place(value.line, keyPath)))
        }
        return problems.unique(pins, path)
    }
}
