// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

// The options of react-native-ssl-public-key-pinning (src/types.ts): a domain with `includeSubdomains`,
// `publicKeyHashes` and `expirationDate`. On iOS, they become a TrustKit configuration (SslPublicKeyPinning.mm), which
// requires two pins per domain and uses the longest name. On Android, they become an OkHttp `CertificatePinner`
// (SslPublicKeyPinningModule.java), which accepts the pins of all matching names. This reader uses the stricter
// interpretation: only the longest name.

/// Reads the options of react-native-ssl-public-key-pinning, from JavaScript or TypeScript source or from JSON.
struct ReactNativeReader: PinReading {
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

    var values: PinValueReader

    /// Reads a source.
    static func read(source bytes: [UInt8], file: String) throws(PinFileError) -> PinConfiguration {
        let code = SourceCode(bytes, .javaScript)
        var sources = SourceDictionaries(code, file: file)
        for index in code.tokens.indices where code.isWord(index, function) && code.isSymbol(index + 1, "(") {
            guard !code.isWord(index - 1, "function"), let item = code.items(in: index + 1).first else { continue }
            sources.add(item)
        }
        return try sources.configuration(dropping: nil, hashes, minimum: 1, read)
    }

    mutating func configuration(_ root: PlacedNode) throws(PinFileError) -> PinConfiguration {
        let members = values.domains(root) ?? []
        let rules = rules(members, host: { $0.values.host($1.key, $1.line, $1.path) }) { $0.rule($1, $2) }
        return try values.configuration(rules)
    }

    private mutating func rule(_ member: PlacedNode, _ name: Hostname?) -> PinRule? {
        guard let keys = values.dictionary(member, keys: [Self.hashes, Self.subdomains, Self.expiry]) else {
            return nil
        }
        let includesSubdomains = keys[Self.subdomains].flatMap { values.boolean($0) } ?? false
        let expiry = keys[Self.expiry].flatMap { values.expiry($0) }
        guard let list = keys[Self.hashes] else {
            values.add(.pinFileMissingKey, member.member(Self.hashes), "missing, expected a list of pins")
            return nil
        }
        let pins = values.pins(list, allowing: .foundation)
        guard let name, !pins.isEmpty else { return nil }
        guard let hosts = PinnedHosts.host(name, andBelow: includesSubdomains ? .anyDepth : .nothing) else {
            values.add(.pinFileContradiction, member, "subdomains of an IP address, expected none")
            return nil
        }
        return values.sharedRule(hosts, pins, expiry: expiry, member)
    }
}
