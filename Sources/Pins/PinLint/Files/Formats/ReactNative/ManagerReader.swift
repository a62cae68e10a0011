// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

// `ssl_config.json` of react-native-ssl-manager: `sha256Keys` contains the pins of each host, and `domains` contains
// its options. By default, pins are enforced, include subdomains and don't expire (SslConfigStore.kt). On iOS the file
// becomes a TrustKit configuration, which requires two pins per domain and uses the longest name (SharedLogic.swift).
// On Android it becomes an OkHttp `CertificatePinner` for the name and for `**.` before it
// (PinningClientConfigurator.kt), and a network security configuration. All of them compare the whole path. As for
// react-native-ssl-public-key-pinning, this reader only uses the longest name. Pins apply until the last second of
// their day in UTC.

/// Reads `ssl_config.json` of react-native-ssl-manager.
struct ManagerReader {
    private static let pins = "sha256Keys"
    private static let domains = "domains"
    private static let reports = "reportUris"
    private static let options = ["enforcePinning", "expirationDate", "includeSubdomains"]
    private static let owner = "react-native-ssl-manager"

    /// Returns whether JSON can be in this format.
    static func recognizes(_ root: PinNode) -> Bool { root[pins] != nil }

    private var values: PinValueReader

    static func read(_ root: PinNode, file: String) throws(PinFileError) -> PinConfiguration {
        var reader = ManagerReader(values: PinValueReader(file: file))
        return try reader.configuration(root)
    }

    private mutating func configuration(_ root: PinNode) throws(PinFileError) -> PinConfiguration {
        var rules: [PinRule] = []
        for key in ["enforcePinning", "expiration"] {
            guard let node = root[key] else { continue }
            values.diagnostics.add(
                .pinFileUnknownKey, node.line, key,
                "a key for all hosts, which some releases of the library skip; expected in \(Self.domains)")
        }
        if let keys = values.dictionary(
            root, "", keys: [Self.pins, Self.domains, Self.reports, "enforcePinning", "expiration"],
            skippedBy: Self.owner)
        {
            let uris = keys[Self.reports].map { reportURIs($0) } ?? []
            let options = keys[Self.domains].flatMap { values.dictionary($0, Self.domains) } ?? []
            let hosts = keys[Self.pins].flatMap { values.dictionary($0, Self.pins) } ?? []
            if hosts.isEmpty {
                values.diagnostics.add(.pinFileEmptyList, root.line, Self.pins, "no host, expected at least one")
            }
            rules = self.rules(hosts, Dictionary(options.map { ($0.key, $0.node) }) { first, _ in first }, uris)
            let names = Set(hosts.map(\.key))
            for other in options where !names.contains(other.key) {
                values.diagnostics.add(
                    .pinFileNothingPinned, as: .odd, other.node.line, values.join(Self.domains, other.key),
                    "options of a host without pins in \(Self.pins)")
            }
        }
        return try values.diagnostics.configuration(rules)
    }

    private mutating func rules(
        _ members: [PinNode.Member], _ options: [String: PinNode], _ uris: [String]
    ) -> [PinRule] {
        var seen: [Hostname: Int?] = [:]
        return members.compactMap { member in
            let (path, line) = (values.join(Self.pins, member.key), member.node.line)
            let name = values.host(member.key, line, path)
            if let name { _ = values.unique(name, line, path, among: &seen) }
            let pins = values.pins(member.node, hasPrefix: true, allowing: .foundation, path)
            let optionsPath = values.join(Self.domains, member.key)
            let keys =
                options[member.key].flatMap {
                    values.dictionary($0, optionsPath, keys: Set(Self.options), skippedBy: Self.owner)
                } ?? [:]
            let isEnforced = flag("enforcePinning", keys, optionsPath)
            let below: PinnedHosts.Below = flag("includeSubdomains", keys, optionsPath) ? .anyDepth : .nothing
            let expiry = keys["expirationDate"].flatMap { node -> PinExpiry? in
                let path = values.join(optionsPath, "expirationDate")
                guard let text = values.string(node, path), let day = values.day(text, node.line, path) else {
                    return nil
                }
                return PinExpiry(day.advanced(by: 86_399), onExpiry: .failOpen)
            }
            guard let name, !pins.isEmpty else { return nil }
            // An address has no subdomains, but the options include them by default.
            return values.rule(
                .host(name, andBelow: below) ?? .only(name), mode: isEnforced ? .enforced : .reportOnly, pins,
                expiry: expiry, reportURIs: uris, member.node, path)
        }
    }

    private mutating func flag(_ key: String, _ keys: [String: PinNode], _ path: String) -> Bool {
        keys[key].flatMap { values.boolean($0, values.join(path, key)) } ?? true
    }

    private mutating func reportURIs(_ node: PinNode) -> [String] {
        values.elements(node, ifEmpty: .odd, Self.reports) { values, element, path in
            values.string(element, path).flatMap { values.reportURI($0, element.line, path) }
        }
    }
}
