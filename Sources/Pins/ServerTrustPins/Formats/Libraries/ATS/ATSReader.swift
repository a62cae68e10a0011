// SPDX-License-Identifier: Apache-2.0

import ServerTrust

// `NSAppTransportSecurity` › `NSPinnedDomains` in an Info.plist, as Apple's Security framework reads it (SecPolicy.c,
// parseNSPinnedDomains). A domain covers its name. With `NSIncludesSubdomains`, it also covers the names exactly one
// label below. If several domains match, the system unites their identities, list by list. It compares leaf identities
// with certificate 0, and CA identities with all other certificates. If a domain has both, both have to match. The
// system silently skips a pin that isn't 32 bytes in base64. Here, it is an odd problem, and no key matches it. An
// identity of another type, which the system also skips, refuses the file.

package struct ATSReader {
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

    package static func read(_ root: PinNode, file: String) throws(PinFileError) -> PinConfiguration {
        var reader = ATSReader(values: PinValueReader(file: file))
        return try reader.configuration(root)
    }

    private mutating func configuration(_ root: PinNode) throws(PinFileError) -> PinConfiguration {
        var rules: [PinRule] = []
        if let (node, path) = pinnedDomains(root), let members = values.dictionary(node, path) {
            if members.isEmpty {
                values.diagnostics.add(.pinFileEmptyList, as: .odd, node.line, path, "no domain: no host is pinned")
            }
            var seen: [Hostname: Int?] = [:]
            for member in members {
                if let rule = rule(member, values.join(path, member.key), &seen) { rules.append(rule) }
            }
        }
        checkMisplaced(root)
        let cleartext = cleartext(root)
        return try values.diagnostics.configuration { () throws(PinRuleError) in
            try PinConfiguration(rules: rules, selection: .union, allowsNoRule: true).stating(cleartext)
        }
    }

    /// Returns the dictionary of domains in a whole Info.plist, in its transport settings, or in a fragment of these
    /// settings.
    private mutating func pinnedDomains(_ root: PinNode) -> (PinNode, String)? {
        guard values.dictionary(root, "") != nil else { return nil }
        if let node = root[Self.domains], !Self.isInfoPlist(root) { return (node, Self.domains) }
        guard let transport = root[Self.transport] else {
            if root[Self.domains] == nil {
                values.diagnostics.add(
                    .pinFileMissingKey, root.line, "", "neither \(Self.transport) nor \(Self.domains)")
            }
            return nil
        }
        guard values.dictionary(transport, Self.transport) != nil else { return nil }
        let path = values.join(Self.transport, Self.domains)
        guard let node = transport[Self.domains] else {
            // Pins in other places already have a reported problem with a remedy.
            if Self.hasMisplacedPins(root) { return nil }
            let slip =
                Self.slip(in: transport, for: Self.domains).map { "; did you mean this key instead of \(clipped($0))?" }
                ?? ""
            values.diagnostics.add(
                .pinFileMissingKey, transport.line, path, "missing, expected a dictionary of domains\(slip)")
            return nil
        }
        return (node, path)
    }

    private mutating func rule(
        _ member: PinNode.Member, _ path: String, _ seen: inout [Hostname: Int?]
    ) -> PinRule? {
        let line = member.node.line
        guard case .dictionary = member.node.value else {
            addNothing(line, path, "\(member.node.value.kind), expected a dictionary: the system skips the domain")
            return nil
        }
        let name = values.hostOrNothing(member.key, "the system", line, path)
        if let name, seen[name] != nil {
            values.diagnostics.add(
                .pinFileDuplicateHost, as: .odd, line, path,
                "the domain \(name) occurs twice: the system merges the pins")
        } else if let name {
            seen[name] = line
            values.checkDot(member.key, keptInURLs: false, line, path)
        }
        guard
            let keys = values.dictionary(
                member.node, path, keys: Set(Self.lists.map(\.key) + [Self.includesSubdomains]),
                skippedBy: "the system")
        else { return nil }
        var includesSubdomains = false
        if let node = keys[Self.includesSubdomains] {
            includesSubdomains = values.isTrue(node, values.join(path, Self.includesSubdomains))
        }
        var pins: [Pin] = []
        for (key, scope) in Self.lists {
            if let node = keys[key] { pins += self.pins(node, values.join(path, key), scope) }
        }
        if Self.lists.allSatisfy({ keys[$0.key] == nil }) {
            addNothing(line, path, "no identities, expected \(Self.lists.map(\.key).joined(separator: " or "))")
            return nil
        }
        guard let name else { return nil }
        let covered = PinnedHosts.host(name, andBelow: includesSubdomains ? .oneLabel : .nothing)
        if covered == nil {
            values.diagnostics.add(
                .pinFileContradiction, as: .odd, line, path, "subdomains of an IP address, which has none")
        }
        let hosts = covered ?? .only(name)
        guard !pins.isEmpty else {
            addNothing(line, path, "no key identity: the system pins nothing for the domain")
            return nil
        }
        let location = values.diagnostics.location(line, path)
        return values.diagnostics.rule(location) { () throws(PinRuleError) in
            try PinRule(hosts: [hosts], pins: pins, comment: member.node.comment, location: location)
        }
    }

    private mutating func addNothing(_ line: Int?, _ path: String, _ detail: String) {
        values.diagnostics.add(.pinFileNothingPinned, as: .odd, line, path, detail)
    }

    private mutating func pins(_ node: PinNode, _ path: String, _ scope: PinScope) -> [Pin] {
        guard case .array(let elements) = node.value else {
            values.diagnostics.add(
                .pinFileWrongType, as: .odd, node.line, path,
                "\(node.value.kind), which the system skips, expected an array")
            return []
        }
        if elements.isEmpty {
            values.diagnostics.add(
                .pinFileEmptyList, as: .odd, node.line, path, "an empty list, which any certificate matches")
        }
        var pins: [Pin] = []
        for (index, element) in elements.enumerated() {
            let elementPath = "\(path)[\(index)]"
            guard case .dictionary = element.value else {
                values.diagnostics.add(
                    .pinFileWrongType, as: .odd, element.line, elementPath,
                    "\(element.value.kind), which the system skips, expected a dictionary")
                continue
            }
            guard
                let keys = values.dictionary(element, elementPath, keys: [Self.digest], skippedBy: "the system")
            else { continue }
            let keyPath = values.join(elementPath, Self.digest)
            guard let value = keys[Self.digest], case .string(let text) = value.value else {
                values.diagnostics.add(
                    .pinFileMissingKey, as: .odd, element.line, elementPath,
                    "no string \(Self.digest): the system skips the identity")
                continue
            }
            guard
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
