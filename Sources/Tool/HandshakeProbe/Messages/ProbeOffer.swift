// SPDX-License-Identifier: Apache-2.0

/// The offer of a probe: the contents of its ClientHello.
package struct ProbeOffer: Sendable, Hashable {
    /// The name for SNI; nil for none, as for an address (RFC 6066 § 3).
    package var serverName: String?
    /// The protocols for ALPN, the preferred one first; empty for none.
    package var applicationProtocols: [String]
    /// The oldest version, TLS 1.0 to TLS 1.3.
    package var minimumVersion: ProtocolVersion
    /// The newest version; TLS 1.3 unless set.
    package var maximumVersion = ProtocolVersion.tls13

    /// - Parameters:
    ///   - serverName: the name for SNI, in ASCII.
    ///   - applicationProtocols: for ALPN. One that is empty or longer than 255 bytes is left out.
    ///   - minimumVersion: TLS 1.2 unless given. With an older one suites and schemes that are broken are offered as well, so that old
    ///     servers can be seen.
    package init(
        serverName: String?, applicationProtocols: [String] = [], minimumVersion: ProtocolVersion = .tls12
    ) {
        self.serverName = serverName
        self.applicationProtocols = applicationProtocols.filter { (1...255).contains($0.utf8.count) }
        self.minimumVersion = minimumVersion
    }

    var isForOldServers: Bool { minimumVersion < .tls12 }

    var versions: [ProtocolVersion] {
        [.tls13, .tls12, .tls11, .tls10].filter { $0 >= minimumVersion && $0 <= maximumVersion }
    }

    package var cipherSuites: [CipherSuite] {
        var suites: [CipherSuite] = []
        if versions.contains(.tls13) { suites += CipherSuite.forTLS13 }
        if versions.contains(where: { $0 < .tls13 }) { suites += CipherSuite.usual + CipherSuite.further }
        if isForOldServers { suites += CipherSuite.broken }
        return suites
    }

    /// The schemes of signatures: those of this package's other connections first. SHA-1 is for old servers alone, as servers choose
    /// certificates by this list.
    package var signatureSchemes: [HandshakeSignatureScheme] {
        let schemes: [HandshakeSignatureScheme] = [
            .ecdsaP256SHA256, .rsaPSSRSAESHA256, .rsaPKCS1SHA256, .ecdsaP384SHA384, .rsaPSSRSAESHA384, .rsaPKCS1SHA384,
            .ecdsaP521SHA512, .rsaPSSRSAESHA512, .rsaPKCS1SHA512, .ed25519, .rsaPSSPSSSHA256, .rsaPSSPSSSHA384,
            .rsaPSSPSSSHA512,
        ]
        return isForOldServers ? schemes + [.ecdsaSHA1, .rsaPKCS1SHA1] : schemes
    }
}
