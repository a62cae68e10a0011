// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

// The options of react-native-ssl-public-key-pinning (src/types.ts): a domain with `includeSubdomains`,
// `publicKeyHashes` and `expirationDate`. On iOS, they become a TrustKit configuration (SslPublicKeyPinning.mm), which
// requires two pins per domain and uses the longest name. On Android, they become an OkHttp `CertificatePinner`
// (SslPublicKeyPinningModule.java), which accepts the pins of all matching names. This reader uses the stricter
// interpretation: only the longest name.

/// Reads the options of react-native-ssl-public-key-pinning, from JavaScript or TypeScript source or from JSON.
struct ReactNativeReader {
    private static let hashes = "publicKeyHashes"
    private static let subdomains = "includeSubdomains"
    private static let expiry = "expirationDate"
    private static let function: StaticString = "initializeSslPinning"

    /// Returns whether JSON can be in this format.
    static func recognizes(_ root: PinNode) -> Bool {
        guard case .dictionary(let members) = root.value else { return false }
        return members.contains { $0.node[hashes] != nil }
    }

    /// Returns whether text can be a source with the options.
    static func recognizes(_ bytes: [UInt8]) -> Bool { bytes.contains(text: function) }

    private var values: PinValueReader

    /// Reads a source.
    static func read(source bytes: [UInt8], file: String) throws(PinFileError) -> PinConfiguration {
        let code = SourceCode(bytes, .javaScript)
        var sources = SourceDictionaries(code, file: file)
        for index in code.tokens.indices where code.isWord(index, function) && code.isSymbol(index + 1, "(") {
            guard !code.isWord(index - 1, "function"), let item = code.items(in: index + 1).first else { continue }
            sources.add(item)
        }
        return try sources.configuration(dropping: nil, hashes, minimum: 1) { (node) throws(PinFileError) in
            try read(node, file: file)
        }
    }

    static func read(_ root: PinNode, file: String) throws(PinFileError) -> PinConfiguration {
        var reader = ReactNativeReader(values: PinValueReader(file: file))
        return try reader.configuration(root)
    }

    private mutating func configuration(_ root: PinNode) throws(PinFileError) -> PinConfiguration {
        var rules: [PinRule] = []
        if let members = values.dictionary(root, "") {
            if members.isEmpty {
                values.diagnostics.add(.pinFileEmptyList, root.line, "", "no domain, expected at least one")
            }
            var seen: [Hostname: Int?] = [:]
            for member in members {
                let path = values.join("", member.key)
                let name = values.host(member.key, member.node.line, path)
                if let name { _ = values.unique(name, member.node.line, path, among: &seen) }
                if let rule = rule(member, name) { rules.append(rule) }
            }
        }
        return try values.diagnostics.configuration(rules)
    }

    private mutating func rule(_ member: PinNode.Member, _ name: Hostname?) -> PinRule? {
        let (path, line) = (values.join("", member.key), member.node.line)
        guard let keys = values.dictionary(member.node, path, keys: [Self.hashes, Self.subdomains, Self.expiry]) else {
            return nil
        }
        var includesSubdomains = false
        if let node = keys[Self.subdomains] {
            includesSubdomains = values.boolean(node, values.join(path, Self.subdomains)) ?? false
        }
        let expiry = keys[Self.expiry].flatMap { node -> PinExpiry? in
            let path = values.join(path, Self.expiry)
            guard let text = values.string(node, path), let day = values.day(text, node.line, path) else { return nil }
            return PinExpiry(day, onExpiry: .failOpen)
        }
        guard let list = keys[Self.hashes] else {
            values.diagnostics.add(
                .pinFileMissingKey, line, values.join(path, Self.hashes), "missing, expected a list of pins")
            return nil
        }
        let pins = values.pins(list, allowing: .foundation, values.join(path, Self.hashes))
        guard let name, !pins.isEmpty else { return nil }
        guard let hosts = PinnedHosts.host(name, andBelow: includesSubdomains ? .anyDepth : .nothing) else {
            values.diagnostics.add(.pinFileContradiction, line, path, "subdomains of an IP address, expected none")
            return nil
        }
        return values.rule(hosts, pins, expiry: expiry, member.node, path)
    }
}
