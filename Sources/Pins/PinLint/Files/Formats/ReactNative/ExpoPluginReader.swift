// SPDX-License-Identifier: Apache-2.0

import ServerTrustPins

// The entry of react-native-app-security among the plugins of Expo's `app.json`:
//     "plugins": [["@bam.tech/react-native-app-security", {"sslPinning": {"a.example.com": ["AAAA…", "BBBB…"]}}]]
// On iOS, it becomes a TrustKit configuration with subdomains at any depth (withSSLPinning.ts). On Android, it becomes
// an OkHttp `CertificatePinner` only for the name itself (HttpClientOverride.kt). Both compare the whole path. This
// reader uses the stricter interpretation: with subdomains.

/// Reads the pins of react-native-app-security in Expo's `app.json`.
struct ExpoPluginReader: PinReading {
    private static let package = "react-native-app-security"
    private static let pinning = "sslPinning"

    /// Returns whether JSON has the plugin with pins.
    static func recognizes(_ root: PinNode) -> Bool { !entries(root).isEmpty }

    /// Returns the options in each entry for the plugin.
    private static func entries(_ root: PinNode) -> [PlacedNode] {
        let app = root["expo"] ?? root
        guard case .array(let plugins)? = app["plugins"]?.value else { return [] }
        return plugins.enumerated().compactMap { index, plugin in
            guard case .array(let parts) = plugin.value, parts.count > 1, case .string(let name) = parts[0].value,
                name == package || name.hasSuffix("/" + package), let node = parts[1][pinning]
            else { return nil }
            return PlacedNode(node, path: "\(root["expo"] == nil ? "" : "expo.")plugins[\(index)][1].\(pinning)")
        }
    }

    var values: PinValueReader

    mutating func configuration(_ root: PlacedNode) throws(PinFileError) -> PinConfiguration {
        let entries = Self.entries(root.node)
        for entry in entries.dropFirst() {
            values.add(.pinFileContradiction, entry, "the plugin's pins occur twice, expected them in one entry")
        }
        let members = entries.first.flatMap { values.domains($0) } ?? []
        let rules = rules(members, host: { $0.values.hostOrNothing($1.key, "TrustKit", $1.line, $1.path) }) {
            reader, member, name in
            let pins = reader.values.pins(member, allowing: .foundation)
            guard let name, !pins.isEmpty else { return nil }
            return reader.values.sharedRule(.host(name, andBelow: .anyDepth) ?? .only(name), pins, member)
        }
        return try values.configuration(rules, allowsNoRule: values.has(.pinFileNothingPinned))
    }
}
