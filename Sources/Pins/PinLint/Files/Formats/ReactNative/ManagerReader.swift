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
struct ManagerReader: PinReading {
    private static let pins = "sha256Keys"
    private static let domains = "domains"
    private static let reports = "reportUris"
    private static let options: Set<String> = ["enforcePinning", "expirationDate", "includeSubdomains"]
    private static let owner = "react-native-ssl-manager"

    /// Returns whether JSON can be in this format.
    static func recognizes(_ root: PinNode) -> Bool { root[pins] != nil }

    var values: PinValueReader

    mutating func configuration(_ root: PlacedNode) throws(PinFileError) -> PinConfiguration {
        var rules: [PinRule] = []
        for key in ["enforcePinning", "expiration"] {
            guard let place = root[key] else { continue }
            values.add(
                .pinFileUnknownKey, place,
                "a key for all hosts, which some releases of the library skip; expected in \(Self.domains)")
        }
        if let keys = values.dictionary(
            root, keys: [Self.pins, Self.domains, Self.reports, "enforcePinning", "expiration"],
            skippedBy: Self.owner)
        {
            let uris = keys[Self.reports].map { values.reportURIs($0, ifEmpty: .odd) } ?? []
            let options = keys[Self.domains].flatMap { values.dictionary($0) } ?? []
            let hosts = keys[Self.pins].flatMap { values.dictionary($0) } ?? []
            if hosts.isEmpty {
                values.add(.pinFileEmptyList, root.line, Self.pins, "no host, expected at least one")
            }
            let byHost = Dictionary(options.map { ($0.key, $0) }) { first, _ in first }
            rules = self.rules(hosts, host: { $0.values.host($1.key, $1.line, $1.path) }) { reader, member, name in
                reader.rule(member, name, byHost[member.key], uris)
            }
            let names = Set(hosts.map(\.key))
            for other in options where !names.contains(other.key) {
                values.add(.pinFileNothingPinned, as: .odd, other, "options of a host without pins in \(Self.pins)")
            }
        }
        return try values.configuration(rules)
    }

    private mutating func rule(
        _ member: PlacedNode, _ name: Hostname?, _ options: PlacedNode?, _ uris: [String]
    ) -> PinRule? {
        let pins = values.pins(member, hasPrefix: true, allowing: .foundation)
        let keys = options.flatMap { values.dictionary($0, keys: Self.options, skippedBy: Self.owner) } ?? [:]
        let isEnforced = keys["enforcePinning"].flatMap { values.boolean($0) } ?? true
        let includesSubdomains = keys["includeSubdomains"].flatMap { values.boolean($0) } ?? true
        let expiry = keys["expirationDate"].flatMap { values.expiry($0) }.map { expiry in
            PinExpiry(expiry.time.advanced(by: 86_399), onExpiry: expiry.onExpiry)
        }
        guard let name, !pins.isEmpty else { return nil }
        // An address has no subdomains, but the options include them by default.
        return values.sharedRule(
            .host(name, andBelow: includesSubdomains ? .anyDepth : .nothing) ?? .only(name),
            mode: isEnforced ? .enforced : .reportOnly, pins, expiry: expiry, reportURIs: uris, member)
    }
}
