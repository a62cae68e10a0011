// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

// TrustKit's dictionary, as TrustKit reads it (parse_configuration.m, configuration_utils.m, TSKPinningValidator.m).
// The entry for exactly the host applies. Otherwise, the longest entry that includes subdomains applies, at any depth.
// After its expiry, a domain counts as unpinned, and its parent's entry doesn't replace it. Pins are compared with the
// whole validated chain. TrustKit silently drops a malformed date. Here, it is a problem.

package struct TrustKitReader {
    private typealias Keys = TrustKitKeys

    /// Returns whether the file has keys of this format.
    static func recognizes(_ root: PinNode) -> Bool {
        if let configuration = root[Keys.configuration] ?? root["k" + Keys.configuration] {
            return recognizes(configuration)
        }
        return root[Keys.pinnedDomains] != nil || root["k" + Keys.pinnedDomains] != nil
    }

    private var values: PinValueReader

    package static func read(_ root: PinNode, file: String) throws(PinFileError) -> PinConfiguration {
        var reader = TrustKitReader(values: PinValueReader(file: file))
        return try reader.configuration(root)
    }

    private mutating func configuration(_ root: PinNode) throws(PinFileError) -> PinConfiguration {
        var rules: [PinRule] = []
        var settings: [PinSetting] = []
        let (node, path) = whole(root)
        if let keys = values.dictionary(TrustKitKeys.normalized(node), path, keys: Keys.global, skippedBy: "TrustKit") {
            for key in [Keys.swizzle, Keys.ignoresUserAnchors] {
                if let node = keys[key],
                    let value = values.boolValue(node, values.join(path, key))
                {
                    settings.append(PinSetting(.trustKit, key, String(value)))
                }
            }
            let domainsPath = values.join(path, Keys.pinnedDomains)
            if let domains = keys[Keys.pinnedDomains] {
                rules = self.rules(domains, domainsPath)
            } else {
                values.diagnostics.add(
                    .pinFileMissingKey, node.line, domainsPath, "missing, expected a dictionary of domains")
            }
        }
        checkParents(rules)
        let matchesNothing = values.diagnostics.problems.contains { $0.code == .pinFileNothingPinned }
        return try values.diagnostics.configuration { () throws(PinRuleError) in
            // If no name can match a host, there is no rule.
            try PinConfiguration(rules: rules, settings: settings, allowsNoRule: matchesNothing)
        }
    }

    private mutating func whole(_ root: PinNode) -> (PinNode, String) {
        _ = values.dictionary(root, "")
        if root[Keys.configuration] != nil, let other = root["k" + Keys.configuration] {
            values.diagnostics.add(
                .pinFileDuplicateKey, other.line, "k" + Keys.configuration,
                "\(Keys.configuration) occurs too, expected only one of them")
        }
        for key in [Keys.configuration, "k" + Keys.configuration] {
            if let node = root[key] { return (node, key) }
        }
        return (root, "")
    }

    private mutating func rules(_ node: PinNode, _ path: String) -> [PinRule] {
        guard let members = values.dictionary(node, path) else { return [] }
        if members.isEmpty {
            values.diagnostics.add(.pinFileEmptyList, node.line, path, "no domain, expected at least one")
        }
        var seen: [Hostname: Int?] = [:]
        return members.compactMap { member in
            let path = values.join(path, member.key)
            let name = host(member.key, member.node.line, path)
            checkName(member.key, name, member.node.line, path)
            if let name { _ = values.unique(name, member.node.line, path, among: &seen) }
            return rule(member.node, name, path)
        }
    }

    private mutating func rule(_ node: PinNode, _ name: Hostname?, _ path: String) -> PinRule? {
        if let wrong = node[Keys.documentedExcluded] {
            values.diagnostics.add(
                .pinFileUnknownKey, wrong.line, values.join(path, Keys.documentedExcluded),
                "TrustKit doesn't know this key and skips it: the text of its constant kTSKExcludeSubdomainFromParentPolicy is \(Keys.excluded), expected this text"
            )
            return nil
        }
        guard let keys = values.dictionary(node, path, keys: Keys.domain, skippedBy: "TrustKit") else { return nil }
        let flags = flags(keys, path)
        let location = values.diagnostics.location(node.line, path)
        if flags[Keys.excluded] == true {
            guard keys.count == 1, node.count == 1 else {
                values.diagnostics.add(
                    .pinFileContradiction, node.line, path,
                    "\(Keys.excluded) together with other keys, expected only this key",
                    fix: "remove the other keys if the domain must not be pinned, otherwise remove \(Keys.excluded)")
                return nil
            }
            guard let name else { return nil }
            return values.diagnostics.rule(location) { () throws(PinRuleError) in
                try PinRule(hosts: [.only(name)], mode: .unpinned, pins: [], comment: node.comment, location: location)
            }
        }
        let isEnforced = flags[Keys.enforces] ?? true
        var pins: [Pin] = []
        let hashesPath = values.join(path, Keys.hashes)
        if let hashes = keys[Keys.hashes] {
            pins = self.pins(hashes, hashesPath, isEnforced, name)
        } else {
            addNoPins(.pinFileMissingKey, node.line, hashesPath, isEnforced, name)
        }
        let expiry = keys[Keys.expiry].flatMap { self.expiry($0, values.join(path, Keys.expiry)) }
        let uris = keys[Keys.reportURIs].map { reportURIs($0, values.join(path, Keys.reportURIs)) } ?? []
        let anchors: [PinAnchorSource] =
            keys[Keys.anchors].map { self.anchors($0, values.join(path, Keys.anchors)) } ?? []
        var settings: [PinSetting] = []
        // By default, TrustKit also reports to its vendor.
        if flags[Keys.disablesDefaultReportURI] != true {
            settings.append(PinSetting(.trustKit, Keys.disablesDefaultReportURI, "false"))
        }
        if let node = keys[Keys.algorithms] { settings += algorithms(node, values.join(path, Keys.algorithms)) }
        if flags[Keys.includesSubdomains] == true, let name, name.isPublicSuffix {
            values.diagnostics.add(
                .pinFileContradiction, node.line, values.join(path, Keys.includesSubdomains),
                "subdomains of the public suffix \(name): TrustKit raises an exception when the app starts",
                fix: "name your own host below \(name), such as YOURS.\(name)")
        }
        guard let name, !pins.isEmpty,
            let hosts = PinnedHosts.host(name, andBelow: flags[Keys.includesSubdomains] == true ? .anyDepth : .nothing)
        else { return nil }
        return values.diagnostics.rule(location) { () throws(PinRuleError) in
            try PinRule(
                hosts: [hosts], mode: isEnforced ? .enforced : .reportOnly, pins: pins, expiry: expiry,
                anchors: anchors.isEmpty ? [] : [.system] + anchors, reportURIs: uris, comment: node.comment,
                settings: settings, location: location)
        }
    }

    /// Returns the host name of a domain. TrustKit checks only its top-level domain, and accepts names that no host
    /// has.
    private mutating func host(_ text: String, _ line: Int?, _ path: String) -> Hostname? {
        let end = text.split(separator: ".").last.flatMap { try? Hostname("a." + $0) }
        guard (try? Hostname(text)) == nil, end?.hasKnownTopLevelDomain == true, !text.contains(":") else {
            return values.host(text, line, path)
        }
        return values.hostOrNothing(text, "TrustKit", line, path)
    }

    /// Reports names that TrustKit refuses or never matches (parseTrustKitConfiguration and
    /// getPinningConfigurationKeyForDomain).
    ///
    /// TrustKit contains its own registry, which is older than this package's. It may not know a top-level domain that
    /// this package knows.
    private mutating func checkName(_ text: String, _ name: Hostname?, _ line: Int?, _ path: String) {
        guard let name else { return }
        guard case .dns = name.kind, name.hasKnownTopLevelDomain else {
            return values.diagnostics.add(
                .pinFileBadHost, line, path,
                "\(name) has no top-level domain that TrustKit knows: it raises an exception when the app starts")
        }
        values.checkDot(text, keptInURLs: true, line, path)
        if text.contains(where: { $0.isUppercase }) {
            values.diagnostics.add(
                .pinFileUnmatchableHost, as: .odd, line, path,
                "upper case, which TrustKit never matches: its host is not pinned there"
            )
        }
    }

    private mutating func flags(_ keys: [String: PinNode], _ path: String) -> [String: Bool] {
        var flags: [String: Bool] = [:]
        for key in [Keys.enforces, Keys.includesSubdomains, Keys.excluded, Keys.disablesDefaultReportURI] {
            if let node = keys[key] { flags[key] = values.boolValue(node, values.join(path, key)) }
        }
        return flags
    }

    private mutating func addNoPins(
        _ code: ErrorCode, _ line: Int?, _ path: String, _ isEnforced: Bool, _ name: Hostname?
    ) {
        let domain = name?.description ?? "the domain"
        let count = isEnforced ? "two" : "one"
        values.diagnostics.add(
            code, line, path,
            "\(domain) has no pins, expected at least \(count): TrustKit raises an exception when the app starts",
            fix:
                "add \(count == "two" ? "two pins" : "a pin") for \(domain), or exclude it from its parent's policy: set \(Keys.excluded) to true as its only key"
        )
    }

    private mutating func pins(_ node: PinNode, _ path: String, _ isEnforced: Bool, _ name: Hostname?) -> [Pin] {
        if case .array(let elements) = node.value, elements.isEmpty, !values.diagnostics.isExhausted {
            addNoPins(.pinFileEmptyList, node.line, path, isEnforced, name)
            return []
        }
        let pins = values.elements(node, path) { values, element, path -> Pin? in
            guard let text = values.string(element, path),
                let key = values.key(base64: text, allowing: .foundation, element.line, path)
            else { return nil }
            let location = values.diagnostics.location(element.line, path)
            return Pin(.key(key), comment: element.comment, location: location)
        }
        let different = values.unique(pins, as: .odd, path)
        // TrustKit's message: "less than two pins … backup pin".
        if isEnforced, different.count < 2, pins.count == node.count, !pins.isEmpty {
            values.diagnostics.add(
                .pinFileTooFewPins, node.line, path, "one pin, expected at least two, including a backup",
                fix: "add the pin of a backup key: servertrust pins make --with-backup")
        }
        return different
    }

    private mutating func expiry(_ node: PinNode, _ path: String) -> PinExpiry? {
        guard let text = values.string(node, path), let day = values.day(text, node.line, path) else { return nil }
        return PinExpiry(day, onExpiry: .failOpen)
    }

    private mutating func reportURIs(_ node: PinNode, _ path: String) -> [String] {
        values.elements(node, ifEmpty: .odd, path) { values, element, path in
            values.string(element, path).flatMap { text in
                values.reportURI(text, otherwise: text.isEmpty ? .refused : .odd, element.line, path)
            }
        }
    }

    /// Reads PEM certificates.
    private mutating func anchors(_ node: PinNode, _ path: String) -> [PinAnchorSource] {
        values.elements(node, path) { values, element, path -> PinAnchorSource? in
            guard let text = values.string(element, path) else { return nil }
            do throws(CertificateFileError) {
                return PinAnchorSource(.certificate(try Certificate(base64: text)))
            } catch {
                values.diagnostics.add(.pinFileBadCertificate, element.line, path, error.description)
                return nil
            }
        }
    }

    private mutating func algorithms(_ node: PinNode, _ path: String) -> [PinSetting] {
        var names: [String] = []
        if case .array(let elements) = node.value {
            for case .string(let name) in elements.map(\.value) { names.append(name) }
        }
        return [PinSetting(.trustKit, Keys.algorithms, names.joined(separator: ","))]
    }

    /// Reports exclusions that have no parent domain to be excluded from.
    private mutating func checkParents(_ rules: [PinRule]) {
        let parents = Set(rules.flatMap(\.hosts).filter { $0.below == .anyDepth }.map(\.name))
        for rule in rules where rule.mode == .unpinned {
            for hosts in rule.hosts where !hosts.name.namesUpward.dropFirst().contains(where: parents.contains) {
                values.diagnostics.add(
                    .pinFileContradiction, rule.location?.line, rule.location?.keyPath ?? "",
                    "\(hosts.name) is excluded from its parent's policy, but no domain above it includes subdomains",
                    fix:
                        "remove the entry, or set \(Keys.includesSubdomains) for a domain above it")
            }
        }
    }
}
