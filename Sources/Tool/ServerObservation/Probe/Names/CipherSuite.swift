// SPDX-License-Identifier: Apache-2.0

/// A cipher suite, identified by its number in the IANA registry.
package struct CipherSuite: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The key exchange of a suite, which determines the messages of TLS 1.2.
    package enum KeyExchange: Sendable, Hashable {
        /// A TLS 1.3 suite. Extensions determine the key exchange.
        case tls13
        case ecdhe
        case dhe
        /// The client encrypts to the certificate's key, and the server signs nothing.
        case rsa
    }

    /// The key exchange, or nil for an unknown suite.
    package var keyExchange: KeyExchange? {
        guard let name = Self.names[rawValue] else { return nil }
        if !name.contains("_WITH_") { return .tls13 }
        if name.hasPrefix("TLS_ECDHE_") { return .ecdhe }
        return name.hasPrefix("TLS_DHE_") ? .dhe : .rsa
    }

    /// Whether the suite's server signs with ECDSA or Ed25519. Otherwise it signs with RSA or not at all. Not
    /// meaningful for TLS 1.3.
    var signsWithCurve: Bool { Self.names[rawValue]?.contains("_ECDSA_") == true }

    /// The name in the registry, or the number of an unknown suite.
    package var description: String { Self.names[rawValue] ?? "suite " + hexadecimal(rawValue) }

    /// The number as `0x1301`.
    package var number: String { hexadecimal(rawValue) }

    static let aes128 = Self(rawValue: 0x1301)
    static let aes256 = Self(rawValue: 0x1302)
    static let chaCha20 = Self(rawValue: 0x1303)

    /// The TLS 1.3 suites whose records the probe can decrypt.
    package static let forTLS13: [CipherSuite] = [aes128, aes256, chaCha20]

    /// The TLS 1.2 suites that a typical client offers, in order of preference.
    package static let usual: [CipherSuite] = [
        0xc02b, 0xc02f, 0xc02c, 0xc030, 0xcca9, 0xcca8, 0xc00a, 0xc014, 0xc009, 0xc013, 0x009c, 0x009d, 0x0035, 0x002f,
    ].map(Self.init(rawValue:))

    /// Further suites for TLS 1.2 and older versions. The probe never decrypts with them. It offers them to observe
    /// servers that support nothing better. Suites without certificates and suites with pre-shared keys are omitted.
    package static let further: [CipherSuite] = [
        0xc024, 0xc028, 0xc023, 0xc027, 0x009f, 0x009e, 0xccaa, 0x006b, 0x0067, 0x0039, 0x0033, 0xc0ad, 0xc0ac, 0xc09f,
        0xc09e, 0xc061, 0xc060, 0xc073, 0xc077, 0xc072, 0xc076, 0x0088, 0x0045, 0x003d, 0x003c, 0xc09d, 0xc09c, 0x0084,
        0x0041, 0xc008, 0xc012, 0x0016, 0x000a,
    ].map(Self.init(rawValue:))

    /// Broken suites that were in use before TLS 1.2: RC4, DES, and no encryption. Export suites are omitted, because
    /// their servers sign a short RSA key in a message that the probe doesn't parse.
    package static let broken: [CipherSuite] = [
        0xc007, 0xc011, 0x0005, 0x0004, 0x0015, 0x0009, 0x003b, 0x0002, 0x0001,
    ].map(Self.init(rawValue:))

    private static let names: [UInt16: String] = [
        0x1301: "TLS_AES_128_GCM_SHA256", 0x1302: "TLS_AES_256_GCM_SHA384", 0x1303: "TLS_CHACHA20_POLY1305_SHA256",
        0xc02b: "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", 0xc02f: "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
        0xc02c: "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", 0xc030: "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
        0xcca9: "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
        0xcca8: "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
        0xc00a: "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA", 0xc014: "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA",
        0xc009: "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA", 0xc013: "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
        0x009c: "TLS_RSA_WITH_AES_128_GCM_SHA256", 0x009d: "TLS_RSA_WITH_AES_256_GCM_SHA384",
        0x0035: "TLS_RSA_WITH_AES_256_CBC_SHA", 0x002f: "TLS_RSA_WITH_AES_128_CBC_SHA",
        0xc024: "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384", 0xc028: "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384",
        0xc023: "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256", 0xc027: "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256",
        0x009f: "TLS_DHE_RSA_WITH_AES_256_GCM_SHA384", 0x009e: "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256",
        0xccaa: "TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256", 0x006b: "TLS_DHE_RSA_WITH_AES_256_CBC_SHA256",
        0x0067: "TLS_DHE_RSA_WITH_AES_128_CBC_SHA256", 0x0039: "TLS_DHE_RSA_WITH_AES_256_CBC_SHA",
        0x0033: "TLS_DHE_RSA_WITH_AES_128_CBC_SHA", 0xc0ad: "TLS_ECDHE_ECDSA_WITH_AES_256_CCM",
        0xc0ac: "TLS_ECDHE_ECDSA_WITH_AES_128_CCM", 0xc09f: "TLS_DHE_RSA_WITH_AES_256_CCM",
        0xc09e: "TLS_DHE_RSA_WITH_AES_128_CCM", 0xc061: "TLS_ECDHE_RSA_WITH_ARIA_256_GCM_SHA384",
        0xc060: "TLS_ECDHE_RSA_WITH_ARIA_128_GCM_SHA256", 0xc073: "TLS_ECDHE_ECDSA_WITH_CAMELLIA_256_CBC_SHA384",
        0xc077: "TLS_ECDHE_RSA_WITH_CAMELLIA_256_CBC_SHA384", 0xc072: "TLS_ECDHE_ECDSA_WITH_CAMELLIA_128_CBC_SHA256",
        0xc076: "TLS_ECDHE_RSA_WITH_CAMELLIA_128_CBC_SHA256", 0x0088: "TLS_DHE_RSA_WITH_CAMELLIA_256_CBC_SHA",
        0x0045: "TLS_DHE_RSA_WITH_CAMELLIA_128_CBC_SHA", 0x003d: "TLS_RSA_WITH_AES_256_CBC_SHA256",
        0x003c: "TLS_RSA_WITH_AES_128_CBC_SHA256", 0xc09d: "TLS_RSA_WITH_AES_256_CCM",
        0xc09c: "TLS_RSA_WITH_AES_128_CCM", 0x0084: "TLS_RSA_WITH_CAMELLIA_256_CBC_SHA",
        0x0041: "TLS_RSA_WITH_CAMELLIA_128_CBC_SHA", 0xc008: "TLS_ECDHE_ECDSA_WITH_3DES_EDE_CBC_SHA",
        0xc012: "TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA", 0x0016: "TLS_DHE_RSA_WITH_3DES_EDE_CBC_SHA",
        0x000a: "TLS_RSA_WITH_3DES_EDE_CBC_SHA", 0xc007: "TLS_ECDHE_ECDSA_WITH_RC4_128_SHA",
        0xc011: "TLS_ECDHE_RSA_WITH_RC4_128_SHA", 0x0005: "TLS_RSA_WITH_RC4_128_SHA",
        0x0004: "TLS_RSA_WITH_RC4_128_MD5", 0x0015: "TLS_DHE_RSA_WITH_DES_CBC_SHA",
        0x0009: "TLS_RSA_WITH_DES_CBC_SHA",
        0x003b: "TLS_RSA_WITH_NULL_SHA256", 0x0002: "TLS_RSA_WITH_NULL_SHA", 0x0001: "TLS_RSA_WITH_NULL_MD5",
    ]
}
