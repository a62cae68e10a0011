// SPDX-License-Identifier: Apache-2.0

import ServerTrust

// `NSAppTransportSecurity` › `NSPinnedDomains` in an Info.plist, as Apple's Security framework reads it (SecPolicy.c,
// parseNSPinnedDomains). A domain covers its name. With `NSIncludesSubdomains`, it also covers the names exactly one
// label below. If several domains match, the system unites their identities, list by list. It compares leaf identities
// with certificate 0, and CA identities with all other certificates. If a domain has both, both have to match. The
// system silently skips a pin that isn't 32 bytes in base64. Here, it is an odd problem, and no key matches it. An
// identity of another type, which the system also skips, refuses the file.

package struct ATSReader: PinReading {
    static let transport = "NSAppTransportSecurity"
    static let domains = "NSPinnedDomains"
    static let includesSubdomains = "NSIncludesSubdomains"
    static let lists: [(key: String, scope: PinScope)] = [
        ("NSPinnedLeafIdentities", .leaf), ("NSPinnedCAIdentities", .authority),
    ]
    private static let digest = "SPKI-SHA256-BASE64"

    /// Returns whether the file has keys of this format.
    static func recognizes(_ root: PinNode) -> Bool { root[domains] != nil || root[transport]?[domains] != nil }

    package var values: PinValueReader

    package init(values: PinValueReader) { self.values = values }

    package mutating func configuration(_ root: PlacedNode) throws(PinFileError) -> PinConfiguration {
        var rules: [PinRule] = []
        if let domains = pinnedDomains(root), let members = values.dictionary(domains) {
            if members.isEmpty {
                values.add(.pinFileEmptyList, as: .odd, domains, "no domain: no host is pinned")
            }
            var seen: [Hostname: Int?] = [:]
            rules = members.compactMap { rule($0, &seen) }
        }
        checkMisplaced(root)
        var configuration = try values.configuration(rules, selection: .union, allowsNoRule: true)
        configuration.cleartext = cleartext(root)
        return configuration
    }

    /// Returns the dictionary of domains in a whole Info.plist, in its transport settings, or in a fragment of these
    /// settings.
    private mutating func pinnedDomains(_ root: PlacedNode) -> PlacedNode? {
        guard values.dictionary(root) != nil else { return nil }
        if let domains = root[Self.domains], !Self.isInfoPlist(root.node) { return domains }
        guard let transport = root[Self.transport] else {
            if root[Self.domains] == nil {
                values.add(.pinFileMissingKey, root, "neither \(Self.transport) nor \(Self.domains)")
            }
            return nil
        }
        guard values.dictionary(transport) != nil else { return nil }
        if let domains = transport[Self.domains] { return domains }
        // Pins in other places already have a reported problem with a remedy.
        if Self.hasMisplacedPins(root.node) { return nil }
        let keys: [String] =
            if case .dictionary(let members) = transport.value { members.prefix(1000).map(\.key) } else { [] }
        let slip = keys.first { NearMiss.meant(by: $0, among: [Self.domains]) != nil }
        let question = slip.map { "; did you mean this key instead of \(clipped($0))?" } ?? ""
        values.add(
            .pinFileMissingKey, transport.member(Self.domains), "missing, expected a dictionary of domains\(question)")
        return nil
    }

    private mutating func rule(_ member: PlacedNode, _ seen: inout [Hostname: Int?]) -> PinRule? {
        guard case .dictionary = member.value else {
            addNothing(member, "\(member.value.kind), expected a dictionary: the system skips the domain")
            return nil
        }
        let name = values.hostOrNothing(member.key, "the system", member.line, member.path)
        if let name, seen[name] != nil {
            values.add(
                .pinFileDuplicateHost, as: .odd, member, "the domain \(name) occurs twice: the system merges the pins")
        } else if let name {
            seen[name] = member.line
            values.checkDot(member.key, keptInURLs: false, member.line, member.path)
        }
        let known = Set(Self.lists.map(\.key) + [Self.includesSubdomains])
        guard let keys = values.dictionary(member, keys: known, skippedBy: "the system") else { return nil }
        let includesSubdomains = keys[Self.includesSubdomains].map { values.isTrue($0) } ?? false
        let pins = Self.lists.flatMap { key, scope in keys[key].map { self.pins($0, scope) } ?? [] }
        if Self.lists.allSatisfy({ keys[$0.key] == nil }) {
            addNothing(member, "no identities, expected \(Self.lists.map(\.key).joined(separator: " or "))")
            return nil
        }
        guard let name else { return nil }
        let covered = PinnedHosts.host(name, andBelow: includesSubdomains ? .oneLabel : .nothing)
        if covered == nil {
            values.add(.pinFileContradiction, as: .odd, member, "subdomains of an IP address, which has none")
        }
        guard !pins.isEmpty else {
            addNothing(member, "no key identity: the system pins nothing for the domain")
            return nil
        }
        return values.rule([covered ?? .only(name)], pins, comment: member.node.comment, member.line, member.path)
    }

    private mutating func addNothing(_ place: PlacedNode, _ detail: String) {
        values.add(.pinFileNothingPinned, as: .odd, place, detail)
    }

    private mutating func pins(_ place: PlacedNode, _ scope: PinScope) -> [Pin] {
        guard case .array(let elements) = place.value else {
            values.add(
                .pinFileWrongType, as: .odd, place, "\(place.value.kind), which the system skips, expected an array")
            return []
        }
        if elements.isEmpty {
            values.add(.pinFileEmptyList, as: .odd, place, "an empty list, which any certificate matches")
        }
        let pins = elements.enumerated().compactMap { index, element in
            pin(PlacedNode(element, path: "\(place.path)[\(index)]"), scope)
        }
        return values.unique(pins, as: .odd, place.path)
    }

    private mutating func pin(_ place: PlacedNode, _ scope: PinScope) -> Pin? {
        guard case .dictionary = place.value else {
            values.add(
                .pinFileWrongType, as: .odd, place,
                "\(place.value.kind), which the system skips, expected a dictionary")
            return nil
        }
        guard let keys = values.dictionary(place, keys: [Self.digest], skippedBy: "the system") else { return nil }
        guard let value = keys[Self.digest], case .string(let text) = value.value else {
            values.add(.pinFileMissingKey, as: .odd, place, "no string \(Self.digest): the system skips the identity")
            return nil
        }
        let key = values.key(base64: text, allowing: .foundation, orUnmatchable: true, value.line, value.path)
        return key.map {
            Pin(
                .key($0), scope: scope, comment: place.node.comment ?? value.node.comment,
                location: values.location(value))
        }
    }
}
