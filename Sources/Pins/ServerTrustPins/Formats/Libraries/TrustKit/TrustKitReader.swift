// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

// TrustKit's dictionary, as TrustKit reads it (parse_configuration.m, configuration_utils.m, TSKPinningValidator.m).
// The entry for exactly the host applies. Otherwise, the longest entry that includes subdomains applies, at any depth.
// After its expiry, a domain counts as unpinned, and its parent's entry doesn't replace it. Pins are compared with the
// whole validated chain. TrustKit silently drops a malformed date. Here, it is a problem.

package struct TrustKitReader: PinReading {
    private typealias Keys = TrustKitKeys

    /// Returns whether the file has keys of this format.
    static func recognizes(_ root: PinNode) -> Bool {
        if let configuration = root[Keys.configuration] ?? root["k" + Keys.configuration] {
            return recognizes(configuration)
        }
        return root[Keys.pinnedDomains] != nil || root["k" + Keys.pinnedDomains] != nil
    }

    package var values: PinValueReader

    package init(values: PinValueReader) { self.values = values }

    package mutating func configuration(_ root: PlacedNode) throws(PinFileError) -> PinConfiguration {
        var rules: [PinRule] = []
        var settings: [PinSetting] = []
        let whole = whole(root)
        let normalized = PlacedNode(TrustKitKeys.normalized(whole.node), path: whole.path)
        if let keys = values.dictionary(normalized, keys: Keys.global, skippedBy: "TrustKit") {
            for key in [Keys.swizzle, Keys.ignoresUserAnchors] {
                if let value = keys[key].flatMap({ values.boolValue($0) }) {
                    settings.append(PinSetting(.trustKit, key, String(value)))
                }
            }
            if let domains = keys[Keys.pinnedDomains] {
                rules = self.rules(values.domains(domains) ?? [], host: { $0.checkedHost($1) }) { $0.rule($1, $2) }
            } else {
                values.add(
                    .pinFileMissingKey, whole.member(Keys.pinnedDomains), "missing, expected a dictionary of domains")
            }
        }
        checkParents(rules)
        // If no name can match a host, there is no rule.
        return try values.configuration(rules, settings: settings, allowsNoRule: values.has(.pinFileNothingPinned))
    }

    private mutating func whole(_ root: PlacedNode) -> PlacedNode {
        _ = values.dictionary(root)
        if root[Keys.configuration] != nil, let other = root["k" + Keys.configuration] {
            values.add(.pinFileDuplicateKey, other, "\(Keys.configuration) occurs too, expected only one of them")
        }
        return root[Keys.configuration] ?? root["k" + Keys.configuration] ?? root
    }

    private mutating func rule(_ place: PlacedNode, _ name: Hostname?) -> PinRule? {
        if let wrong = place[Keys.documentedExcluded] {
            values.add(
                .pinFileUnknownKey, wrong,
                "TrustKit doesn't know this key and skips it: the text of its constant kTSKExcludeSubdomainFromParentPolicy is \(Keys.excluded), expected this text"
            )
            return nil
        }
        guard let keys = values.dictionary(place, keys: Keys.domain, skippedBy: "TrustKit") else { return nil }
        let flags = flags(keys)
        if flags[Keys.excluded] == true {
            guard keys.count == 1, place.node.count == 1 else {
                values.add(
                    .pinFileContradiction, place, "\(Keys.excluded) together with other keys, expected only this key",
                    fix: "remove the other keys if the domain must not be pinned, otherwise remove \(Keys.excluded)")
                return nil
            }
            guard let name else { return nil }
            return values.rule([.only(name)], mode: .unpinned, [], comment: place.node.comment, place.line, place.path)
        }
        let isEnforced = flags[Keys.enforces] ?? true
        var pins: [Pin] = []
        if let hashes = keys[Keys.hashes] {
            pins = self.pins(hashes, isEnforced, name)
        } else {
            addNoPins(.pinFileMissingKey, place.member(Keys.hashes), isEnforced, name)
        }
        let expiry = keys[Keys.expiry].flatMap { values.expiry($0) }
        let uris = keys[Keys.reportURIs].map {
            values.reportURIs($0, ifEmpty: .odd) { text in text.isEmpty ? .refused : .odd }
        }
        let anchors = keys[Keys.anchors].map { self.anchors($0) } ?? []
        var settings: [PinSetting] = []
        // By default, TrustKit also reports to its vendor.
        if flags[Keys.disablesDefaultReportURI] != true {
            settings.append(PinSetting(.trustKit, Keys.disablesDefaultReportURI, "false"))
        }
        if let algorithms = keys[Keys.algorithms] {
            settings.append(PinSetting(.trustKit, Keys.algorithms, Self.names(in: algorithms.node)))
        }
        let includesSubdomains = flags[Keys.includesSubdomains] == true
        if includesSubdomains, let name, name.isPublicSuffix {
            values.add(
                .pinFileContradiction, place.member(Keys.includesSubdomains),
                "subdomains of the public suffix \(name): TrustKit raises an exception when the app starts",
                fix: "name your own host below \(name), such as YOURS.\(name)")
        }
        guard let name, !pins.isEmpty,
            let hosts = PinnedHosts.host(name, andBelow: includesSubdomains ? .anyDepth : .nothing)
        else { return nil }
        return values.rule(
            [hosts], mode: isEnforced ? .enforced : .reportOnly, pins, expiry: expiry,
            anchors: anchors.isEmpty ? [] : [.system] + anchors, reportURIs: uris ?? [], comment: place.node.comment,
            settings: settings, place.line, place.path)
    }

    private mutating func checkedHost(_ member: PlacedNode) -> Hostname? {
        let name = host(member)
        checkName(member, name)
        return name
    }

    /// Returns the host name of a domain. TrustKit checks only its top-level domain, and accepts names that no host
    /// has.
    private mutating func host(_ member: PlacedNode) -> Hostname? {
        let text = member.key
        let end = text.split(separator: ".").last.flatMap { try? Hostname("a." + $0) }
        guard (try? Hostname(text)) == nil, end?.hasKnownTopLevelDomain == true, !text.contains(":") else {
            return values.host(text, member.line, member.path)
        }
        return values.hostOrNothing(text, "TrustKit", member.line, member.path)
    }

    /// Reports names that TrustKit refuses or never matches (parseTrustKitConfiguration and
    /// getPinningConfigurationKeyForDomain).
    ///
    /// TrustKit contains its own registry, which is older than this package's. It may not know a top-level domain that
    /// this package knows.
    private mutating func checkName(_ member: PlacedNode, _ name: Hostname?) {
        guard let name else { return }
        guard case .dns = name.kind, name.hasKnownTopLevelDomain else {
            return values.add(
                .pinFileBadHost, member,
                "\(name) has no top-level domain that TrustKit knows: it raises an exception when the app starts")
        }
        values.checkDot(member.key, keptInURLs: true, member.line, member.path)
        if member.key.contains(where: { $0.isUppercase }) {
            values.add(
                .pinFileUnmatchableHost, as: .odd, member,
                "upper case, which TrustKit never matches: its host is not pinned there")
        }
    }

    private mutating func flags(_ keys: [String: PlacedNode]) -> [String: Bool] {
        var flags: [String: Bool] = [:]
        for key in [Keys.enforces, Keys.includesSubdomains, Keys.excluded, Keys.disablesDefaultReportURI] {
            flags[key] = keys[key].flatMap { values.boolValue($0) }
        }
        return flags
    }

    private mutating func addNoPins(_ code: ErrorCode, _ place: PlacedNode, _ isEnforced: Bool, _ name: Hostname?) {
        let domain = name?.description ?? "the domain"
        let count = isEnforced ? "two" : "one"
        values.add(
            code, place,
            "\(domain) has no pins, expected at least \(count): TrustKit raises an exception when the app starts",
            fix:
                "add \(count == "two" ? "two pins" : "a pin") for \(domain), or exclude it from its parent's policy: set \(Keys.excluded) to true as its only key"
        )
    }

    private mutating func pins(_ place: PlacedNode, _ isEnforced: Bool, _ name: Hostname?) -> [Pin] {
        if case .array(let elements) = place.value, elements.isEmpty, !values.isExhausted {
            addNoPins(.pinFileEmptyList, place, isEnforced, name)
            return []
        }
        let pins = values.keys(place, allowing: .foundation)
        let different = values.unique(pins, as: .odd, place.path)
        // TrustKit's message: "less than two pins … backup pin".
        if isEnforced, different.count < 2, pins.count == place.node.count, !pins.isEmpty {
            values.add(
                .pinFileTooFewPins, place, "one pin, expected at least two, including a backup",
                fix: "add the pin of a backup key: servertrust pins make --with-backup")
        }
        return different
    }

    /// Reads PEM certificates.
    private mutating func anchors(_ place: PlacedNode) -> [PinAnchorSource] {
        values.elements(place) { values, element -> PinAnchorSource? in
            guard let text = values.string(element) else { return nil }
            do throws(CertificateFileError) {
                return PinAnchorSource(.certificate(try Certificate(base64: text)))
            } catch {
                values.add(.pinFileBadCertificate, element, error.description)
                return nil
            }
        }
    }

    /// Returns the strings of a list, separated by commas.
    private static func names(in node: PinNode) -> String {
        guard case .array(let elements) = node.value else { return "" }
        return elements.compactMap { if case .string(let name) = $0.value { name } else { nil } }
            .joined(separator: ",")
    }

    /// Reports exclusions that have no parent domain to be excluded from.
    private mutating func checkParents(_ rules: [PinRule]) {
        let parents = Set(rules.flatMap(\.hosts).filter { $0.below == .anyDepth }.map(\.name))
        for rule in rules where rule.mode == .unpinned {
            for hosts in rule.hosts where !hosts.name.namesUpward.dropFirst().contains(where: parents.contains) {
                values.add(
                    .pinFileContradiction, rule.location?.line, rule.location?.keyPath ?? "",
                    "\(hosts.name) is excluded from its parent's policy, but no domain above it includes subdomains",
                    fix:
                        "remove the entry, or set \(Keys.includesSubdomains) for a domain above it")
            }
        }
    }
}
