// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

// TrustKit's dictionary, as TrustKit reads it (parse_configuration.m, configuration_utils.m, TSKPinningValidator.m): the entry for
// exactly the host counts, else the one with the longest name among those that include subdomains, at any depth; after its expiry a
// domain counts as not pinned, and its parent's entry doesn't step in; pins are looked for in the whole validated chain.
// What TrustKit drops silently, a date that is none, is an error here.

struct TrustKitReader {
    typealias Keys = TrustKitKeys

    /// Whether the file says something in this format.
    static func recognizes(_ root: PinNode) -> Bool {
        if let configuration = root[Keys.configuration] ?? root["k" + Keys.configuration] {
            return recognizes(configuration)
        }
        return root[Keys.pinnedDomains] != nil || root["k" + Keys.pinnedDomains] != nil
    }

    private var problems: ProblemList

    static func read(_ root: PinNode, file: String) throws(PinFileError) -> PinConfiguration {
        var reader = TrustKitReader(problems: ProblemList(file: file))
        return try reader.configuration(root)
    }

    private mutating func configuration(_ root: PinNode) throws(PinFileError) -> PinConfiguration {
        var rules: [PinRule] = []
        var settings: [PinSetting] = []
        let (node, path) = whole(root)
        if let keys = problems.dictionary(TrustKitKeys.normalized(node), path, keys: Keys.global) {
            for key in [Keys.swizzle, Keys.ignoresUserAnchors] {
                if let node = keys[key], let value = problems.boolean(node, problems.join(path, key)) {
                    settings.append(PinSetting(.trustKit, key, String(value)))
                }
            }
            let domainsPath = problems.join(path, Keys.pinnedDomains)
            if let domains = keys[Keys.pinnedDomains] {
                rules = self.rules(domains, domainsPath)
            } else {
                problems.add(.missingKey, node.line, domainsPath, "missing, expected a dictionary of domains")
            }
        }
        checkParents(rules)
        return try problems.configuration { () throws(PinConfigurationError) in
            try PinConfiguration(rules: rules, settings: settings)
        }
    }

    private mutating func whole(_ root: PinNode) -> (PinNode, String) {
        _ = problems.dictionary(root, "")
        if root[Keys.configuration] != nil, let other = root["k" + Keys.configuration] {
            problems.add(
                .duplicateKey, other.line, "k" + Keys.configuration,
                "\(Keys.configuration) is there as well, expected one of the two")
        }
        for key in [Keys.configuration, "k" + Keys.configuration] {
            if let node = root[key] { return (node, key) }
        }
        return (root, "")
    }

    private mutating func rules(_ node: PinNode, _ path: String) -> [PinRule] {
        guard let members = problems.dictionary(node, path) else { return [] }
        if members.isEmpty { problems.add(.emptyList, node.line, path, "no domain, expected at least one") }
        var seen: [Hostname: Int?] = [:]
        return members.compactMap { member in
            let path = problems.join(path, member.key)
            let name = problems.host(member.key, member.node.line, path)
            if let name { _ = problems.unique(name, member.node.line, path, among: &seen) }
            return rule(member.node, name, path)
        }
    }

    private mutating func rule(_ node: PinNode, _ name: Hostname?, _ path: String) -> PinRule? {
        if let wrong = node[Keys.documentedExcluded] {
            problems.add(
                .unknownKey, wrong.line, problems.join(path, Keys.documentedExcluded),
                "TrustKit does not know this key and ends the app at launch: its constant kTSKExcludeSubdomainFromParentPolicy has the text \(Keys.excluded), expected that"
            )
            return nil
        }
        guard let keys = problems.dictionary(node, path, keys: Keys.domain) else { return nil }
        let flags = flags(keys, path)
        if let name, name.registrableDomain == nil {
            problems.add(
                .badHost, node.line, path, "\(name) is a public suffix or an address, expected a domain below one")
        }
        let place = problems.place(node.line, path)
        if flags[Keys.excluded] == true {
            guard keys.count == 1 else {
                problems.add(.contradiction, node.line, path, "\(Keys.excluded) and other keys, expected it alone")
                return nil
            }
            guard let name else { return nil }
            return problems.rule(place) { () throws(PinRuleError) in
                try PinRule(unpinned: [.only(name)], comment: node.comment, place: place)
            }
        }
        let isEnforced = flags[Keys.enforces] ?? true
        var pins: [Pin] = []
        if let hashes = keys[Keys.hashes] {
            pins = self.pins(hashes, problems.join(path, Keys.hashes), isEnforced)
        } else {
            problems.add(.missingKey, node.line, problems.join(path, Keys.hashes), "missing, expected a list of pins")
        }
        let expiry = keys[Keys.expiry].flatMap { self.expiry($0, problems.join(path, Keys.expiry)) }
        let uris = keys[Keys.reportURIs].map { reportURIs($0, problems.join(path, Keys.reportURIs)) } ?? []
        let anchors: [PinAnchorSource] =
            keys[Keys.anchors].map { self.anchors($0, problems.join(path, Keys.anchors)) } ?? []
        var settings: [PinSetting] = []
        // Unless told otherwise, TrustKit reports to its maker as well.
        if flags[Keys.disablesDefaultReportURI] != true {
            settings.append(PinSetting(.trustKit, Keys.disablesDefaultReportURI, "false"))
        }
        if let node = keys[Keys.algorithms] { settings += algorithms(node, problems.join(path, Keys.algorithms)) }
        guard let name, !pins.isEmpty,
            let hosts = PinnedHosts.host(name, andBelow: flags[Keys.includesSubdomains] == true ? .anyDepth : .nothing)
        else { return nil }
        return problems.rule(place) { () throws(PinRuleError) in
            try PinRule(
                hosts: [hosts], mode: isEnforced ? .enforced : .reportOnly, pins: pins, expiry: expiry,
                anchors: anchors.isEmpty ? [] : [.system] + anchors, reportURIs: uris, comment: node.comment,
                settings: settings, place: place)
        }
    }

    private mutating func flags(_ keys: [String: PinNode], _ path: String) -> [String: Bool] {
        var flags: [String: Bool] = [:]
        for key in [Keys.enforces, Keys.includesSubdomains, Keys.excluded, Keys.disablesDefaultReportURI] {
            if let node = keys[key] { flags[key] = problems.boolean(node, problems.join(path, key)) }
        }
        return flags
    }

    private mutating func pins(_ node: PinNode, _ path: String, _ isEnforced: Bool) -> [Pin] {
        guard let elements = problems.list(node, path), !elements.isEmpty else { return [] }
        var pins: [Pin] = []
        for (index, element) in elements.enumerated() {
            let elementPath = "\(path)[\(index)]"
            guard let text = problems.string(element, elementPath),
                let key = problems.key(base64: text, element.line, elementPath)
            else { continue }
            pins.append(
                Pin(.key(key), comment: element.comment, place: problems.place(element.line, elementPath)))
        }
        let different = problems.unique(pins, path)
        // TrustKit: "less than two pins … backup pin".
        if isEnforced, different.count < 2, pins.count == elements.count {
            problems.add(.tooFewPins, node.line, path, "one pin, expected two at least, of which one is a backup")
        }
        return different
    }

    private mutating func expiry(_ node: PinNode, _ path: String) -> PinExpiry? {
        guard let text = problems.string(node, path), let day = problems.day(text, node.line, path) else { return nil }
        return PinExpiry(day, afterwards: .unpinned)
    }

    private mutating func reportURIs(_ node: PinNode, _ path: String) -> [String] {
        var uris: [String] = []
        for (index, element) in (problems.list(node, path) ?? []).enumerated() {
            let elementPath = "\(path)[\(index)]"
            guard let text = problems.string(element, elementPath),
                let uri = problems.reportURI(text, element.line, elementPath)
            else { continue }
            uris.append(uri)
        }
        return uris
    }

    /// Certificates as PEM texts.
    private mutating func anchors(_ node: PinNode, _ path: String) -> [PinAnchorSource] {
        var anchors: [PinAnchorSource] = []
        for (index, element) in (problems.list(node, path) ?? []).enumerated() {
            let elementPath = "\(path)[\(index)]"
            guard let text = problems.string(element, elementPath) else { continue }
            do throws(EmbeddedCertificateError) {
                anchors.append(PinAnchorSource(.certificate(try Certificate(base64: text))))
            } catch {
                problems.add(.badCertificate, element.line, elementPath, error.description)
            }
        }
        return anchors
    }

    private mutating func algorithms(_ node: PinNode, _ path: String) -> [PinSetting] {
        var names: [String] = []
        for (index, element) in (problems.list(node, path) ?? []).enumerated() {
            if let name = problems.string(element, "\(path)[\(index)]") { names.append(name) }
        }
        return [PinSetting(.trustKit, Keys.algorithms, names.joined(separator: ","))]
    }

    /// What is taken out has to be below something that it is taken out of.
    private mutating func checkParents(_ rules: [PinRule]) {
        let parents = Set(rules.flatMap(\.hosts).filter { $0.below == .anyDepth }.map(\.name))
        for rule in rules where rule.mode == .unpinned {
            for hosts in rule.hosts where !hosts.name.namesUpward.dropFirst().contains(where: parents.contains) {
                problems.add(
                    .contradiction, rule.place?.line, rule.place?.keyPath ?? "",
                    "\(hosts.name) is taken out of its parent's policy, and no domain above it includes subdomains")
            }
        }
    }
}
