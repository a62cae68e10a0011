// SPDX-License-Identifier: Apache-2.0

/// The contents of a probe's ClientHello.
package struct ProbeOffer: Sendable, Hashable {
    /// The name for SNI, or nil to omit it, as for an IP address (RFC 6066 § 3).
    package var serverName: String?
    /// The protocols for ALPN in order of preference. If the list is empty, ALPN isn't offered.
    package var applicationProtocols: [String]
    /// The oldest version, TLS 1.0 to TLS 1.3. The newest is always TLS 1.3.
    package var minimumVersion: ProtocolVersion
    /// Whether the offer contains schemes and groups for keys that this package's other connections don't support.
    var isForUnusualKeys = false

    /// - Parameters:
    ///   - serverName: the name for SNI, in ASCII.
    ///   - applicationProtocols: the protocols for ALPN. Protocols that are empty or longer than 255 bytes are ignored.
    ///   - minimumVersion: the oldest version. An older version than the default TLS 1.2 also offers broken suites and
    ///     schemes, to observe old servers.
    package init(
        serverName: String?, applicationProtocols: [String] = [], minimumVersion: ProtocolVersion = .tls12
    ) {
        self.serverName = serverName
        self.applicationProtocols = applicationProtocols.filter { (1...255).contains($0.utf8.count) }
        self.minimumVersion = minimumVersion
    }

    var isForOldServers: Bool { minimumVersion < .tls12 }

    var versions: [ProtocolVersion] { [.tls13, .tls12, .tls11, .tls10].filter { $0 >= minimumVersion } }

    package var cipherSuites: [CipherSuite] {
        CipherSuite.forTLS13 + (minimumVersion < .tls13 ? CipherSuite.usual + CipherSuite.further : [])
            + (isForOldServers ? CipherSuite.broken : [])
    }

    /// The signature schemes, starting with those of this package's other connections. Servers choose certificates by
    /// this list, so SHA-1 is offered only to old servers.
    package var signatureSchemes: [HandshakeSignatureScheme] {
        Self.usualSchemes + [.rsaPSSPSSSHA256, .rsaPSSPSSSHA384, .rsaPSSPSSSHA512]
            + (isForOldServers ? [.ecdsaSHA1, .rsaPKCS1SHA1] : [])
            + (isForUnusualKeys ? HandshakeSignatureScheme.unusual : [])
    }

    /// The groups. Up to TLS 1.2, they are also the curves of keys in certificates.
    var groups: [NamedGroup] { ProbeSecrets.groups + (isForUnusualKeys ? NamedGroup.unusual : []) }

    /// The signature schemes of this package's other connections.
    static let usualSchemes: [HandshakeSignatureScheme] = [
        .ecdsaP256SHA256, .rsaPSSRSAESHA256, .rsaPKCS1SHA256, .ecdsaP384SHA384, .rsaPSSRSAESHA384, .rsaPKCS1SHA384,
        .ecdsaP521SHA512, .rsaPSSRSAESHA512, .rsaPKCS1SHA512, .ed25519,
    ]
}
