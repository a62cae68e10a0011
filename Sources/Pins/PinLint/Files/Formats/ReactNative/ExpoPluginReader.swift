// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

// The entry of react-native-app-security among the plugins of Expo's `app.json`:
//     "plugins": [["@bam.tech/react-native-app-security", {"sslPinning": {"a.example.com": ["AAAA…", "BBBB…"]}}]]
// On iOS, it becomes a TrustKit configuration with subdomains at any depth (withSSLPinning.ts). On Android, it becomes
// an OkHttp `CertificatePinner` only for the name itself (HttpClientOverride.kt). Both compare the whole path. This
// reader uses the stricter interpretation: with subdomains.

/// Reads the pins of react-native-app-security in Expo's `app.json`.
struct ExpoPluginReader {
    private static let package = "react-native-app-security"
    private static let pinning = "sslPinning"

    /// Returns whether JSON has the plugin with pins.
    static func recognizes(_ root: PinNode) -> Bool { !entries(root).isEmpty }

    /// Returns the options in each entry for the plugin, with their key path.
    private static func entries(_ root: PinNode) -> [(node: PinNode, path: String)] {
        let app = root["expo"] ?? root
        guard case .array(let plugins)? = app["plugins"]?.value else { return [] }
        return plugins.enumerated().compactMap { index, plugin in
            guard case .array(let parts) = plugin.value, parts.count > 1, case .string(let name) = parts[0].value,
                name == package || name.hasSuffix("/" + package), let node = parts[1][pinning]
            else { return nil }
            return (node, "\(root["expo"] == nil ? "" : "expo.")plugins[\(index)][1].\(pinning)")
        }
    }

    private var values: PinValueReader

    static func read(_ root: PinNode, file: String) throws(PinFileError) -> PinConfiguration {
        var reader = ExpoPluginReader(values: PinValueReader(file: file))
        return try reader.configuration(root)
    }

    private mutating func configuration(_ root: PinNode) throws(PinFileError) -> PinConfiguration {
        var rules: [PinRule] = []
        let entries = Self.entries(root)
        for (node, path) in entries.dropFirst() {
            values.diagnostics.add(
                .pinFileContradiction, node.line, path, "the plugin's pins occur twice, expected them in one entry")
        }
        if let (node, path) = entries.first, let members = values.dictionary(node, path) {
            if members.isEmpty {
                values.diagnostics.add(.pinFileEmptyList, node.line, path, "no domain, expected at least one")
            }
            var seen: [Hostname: Int?] = [:]
            rules = members.compactMap { rule($0, values.join(path, $0.key), &seen) }
        }
        let matchesNothing = values.diagnostics.problems.contains { $0.code == .pinFileNothingPinned }
        return try values.diagnostics.configuration(rules, allowsNoRule: matchesNothing)
    }

    private mutating func rule(_ member: PinNode.Member, _ path: String, _ seen: inout [Hostname: Int?]) -> PinRule? {
        let line = member.node.line
        let name = values.hostOrNothing(member.key, "TrustKit", line, path)
        if let name { _ = values.unique(name, line, path, among: &seen) }
        let pins = values.pins(member.node, allowing: .foundation, path)
        guard let name, !pins.isEmpty else { return nil }
        return values.rule(.host(name, andBelow: .anyDepth) ?? .only(name), pins, member.node, path)
    }
}
