// SPDX-License-Identifier: Apache-2.0

/// A signature algorithm in a handshake, identified by its number in the IANA registry of TLS signature schemes (RFC
/// 8446 § 4.2.3).
package struct HandshakeSignatureScheme: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let rsaPKCS1SHA1 = Self(rawValue: 0x0201)
    package static let ecdsaSHA1 = Self(rawValue: 0x0203)
    package static let rsaPKCS1SHA256 = Self(rawValue: 0x0401)
    package static let ecdsaP256SHA256 = Self(rawValue: 0x0403)
    package static let rsaPKCS1SHA384 = Self(rawValue: 0x0501)
    package static let ecdsaP384SHA384 = Self(rawValue: 0x0503)
    package static let rsaPKCS1SHA512 = Self(rawValue: 0x0601)
    package static let ecdsaP521SHA512 = Self(rawValue: 0x0603)
    package static let rsaPSSRSAESHA256 = Self(rawValue: 0x0804)
    package static let rsaPSSRSAESHA384 = Self(rawValue: 0x0805)
    package static let rsaPSSRSAESHA512 = Self(rawValue: 0x0806)
    package static let ed25519 = Self(rawValue: 0x0807)
    package static let rsaPSSPSSSHA256 = Self(rawValue: 0x0809)
    package static let rsaPSSPSSSHA384 = Self(rawValue: 0x080a)
    package static let rsaPSSPSSSHA512 = Self(rawValue: 0x080b)
    /// The schemes of keys that clients don't support: Ed448, brainpool and ML-DSA. Their signatures aren't checked.
    static let unusual = [0x0808, 0x081a, 0x081b, 0x081c, 0x0904, 0x0905, 0x0906].map { Self(rawValue: $0) }

    /// Whether the scheme uses RSA, with either padding.
    package var isRSA: Bool { name?.hasPrefix("rsa") == true }

    /// Whether the scheme requires a key that is only for RSASSA-PSS (RFC 8446 § 4.2.3).
    package var isOfRSAPSSKey: Bool {
        self == .rsaPSSPSSSHA256 || self == .rsaPSSPSSSHA384 || self == .rsaPSSPSSSHA512
    }

    /// Whether TLS 1.3 allows the scheme in CertificateVerify. It allows neither PKCS #1 v1.5 nor SHA-1 (RFC 8446 §
    /// 4.2.3).
    package var isForTLS13: Bool {
        let curves: [Self] = [.ecdsaP256SHA256, .ecdsaP384SHA384, .ecdsaP521SHA512, .ed25519]
        return curves.contains(self) || Self.unusual.contains(self) || name?.hasPrefix("rsa_pss_") == true
    }

    /// The name in the registry, or nil for an unknown scheme.
    private var name: String? { Self.names[rawValue] }

    private static let names: [UInt16: String] = [
        0x0101: "rsa_pkcs1_md5", 0x0201: "rsa_pkcs1_sha1", 0x0202: "dsa_sha1", 0x0203: "ecdsa_sha1",
        0x0301: "rsa_pkcs1_sha224", 0x0303: "ecdsa_sha224", 0x0401: "rsa_pkcs1_sha256", 0x0402: "dsa_sha256",
        0x0403: "ecdsa_secp256r1_sha256", 0x0501: "rsa_pkcs1_sha384", 0x0503: "ecdsa_secp384r1_sha384",
        0x0601: "rsa_pkcs1_sha512", 0x0603: "ecdsa_secp521r1_sha512", 0x0804: "rsa_pss_rsae_sha256",
        0x0805: "rsa_pss_rsae_sha384", 0x0806: "rsa_pss_rsae_sha512", 0x0807: "ed25519", 0x0808: "ed448",
        0x0809: "rsa_pss_pss_sha256", 0x080a: "rsa_pss_pss_sha384", 0x080b: "rsa_pss_pss_sha512",
        0x081a: "ecdsa_brainpoolP256r1tls13_sha256", 0x081b: "ecdsa_brainpoolP384r1tls13_sha384",
        0x081c: "ecdsa_brainpoolP512r1tls13_sha512", 0x0904: "mldsa44", 0x0905: "mldsa65", 0x0906: "mldsa87",
    ]

    /// The name in the registry, or the number of an unknown scheme.
    package var description: String { name ?? "scheme " + hexadecimal(rawValue) }
}
