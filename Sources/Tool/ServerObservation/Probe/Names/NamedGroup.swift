// SPDX-License-Identifier: Apache-2.0

/// A key exchange group, identified by its number in the IANA registry of TLS supported groups (RFC 8446 § 4.2.7).
package struct NamedGroup: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let p256 = Self(rawValue: 23)
    package static let p384 = Self(rawValue: 24)
    package static let p521 = Self(rawValue: 25)
    package static let x25519 = Self(rawValue: 29)
    /// The curves of keys that clients don't support: secp224r1, secp256k1 and brainpool.
    static let unusual = [21, 22, 26, 27, 28].map { Self(rawValue: $0) }

    /// The name in the registry, or the number of an unknown group.
    package var description: String { Self.names[rawValue] ?? "group " + hexadecimal(rawValue) }

    private static let names: [UInt16: String] = [
        21: "secp224r1", 22: "secp256k1", 23: "secp256r1", 24: "secp384r1", 25: "secp521r1", 26: "brainpoolP256r1",
        27: "brainpoolP384r1", 28: "brainpoolP512r1", 29: "x25519", 30: "x448", 256: "ffdhe2048", 257: "ffdhe3072",
        258: "ffdhe4096", 259: "ffdhe6144", 260: "ffdhe8192", 4587: "SecP256r1MLKEM768", 4588: "X25519MLKEM768",
        4589: "SecP384r1MLKEM1024",
    ]
}
