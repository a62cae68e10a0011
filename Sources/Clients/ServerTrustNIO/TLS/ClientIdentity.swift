// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import NIOSSL
import PKIX

/// A client's certificate with its chain and key, for servers that request one. Only the TLS library receives the key.
package struct ClientIdentity: Sendable {
    private let certificates: [NIOSSLCertificate]
    private let key: NIOSSLPrivateKey

    /// Parses a key and checks that it belongs to the first certificate.
    /// - Parameters:
    ///   - certificates: the client's certificate, and the intermediates above it.
    ///   - key: an unencrypted private key in PEM or DER.
    /// - Throws: ``ClientIdentityError``.
    package init(certificates: [Certificate], key: [UInt8]) throws(ClientIdentityError) {
        guard !certificates.isEmpty else { throw .noCertificate }
        guard !Self.isEncrypted(key) else { throw .encryptedKey }
        guard let key = Self.key(key) else { throw .unreadableKey }
        do {
            self.certificates = try certificates.map { try NIOSSLCertificate(bytes: $0.der, format: .der) }
        } catch {
            throw .unusableCertificate
        }
        self.key = key
        var configuration = TLSConfiguration.clientForServerTrust()
        add(to: &configuration)
        // The context compares the certificate's key with the private key.
        do { _ = try NIOSSLContext(configuration: configuration) } catch { throw .otherKey }
    }

    /// Adds the identity to a configuration. Its connections then send the certificate when a server requests one.
    func add(to configuration: inout TLSConfiguration) {
        configuration.certificateChain = certificates.map { .certificate($0) }
        configuration.privateKey = .privateKey(key)
    }

    private static func key(_ bytes: [UInt8]) -> NIOSSLPrivateKey? {
        (try? NIOSSLPrivateKey(bytes: bytes, format: .pem)) ?? (try? NIOSSLPrivateKey(bytes: bytes, format: .der))
    }

    /// Whether the PEM data says that its key is encrypted: PKCS#8 (RFC 5958 § 3), or the older header (RFC 1421 §
    /// 4.6.1.1).
    private static func isEncrypted(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes.prefix(1 << 20), as: UTF8.self)
        return text.contains("BEGIN ENCRYPTED PRIVATE KEY") || text.contains("Proc-Type: 4,ENCRYPTED")
    }
}

/// The reason why a certificate and a key don't form a client identity.
package enum ClientIdentityError: Error, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    case noCertificate
    case unusableCertificate
    case encryptedKey
    case unreadableKey
    case otherKey

    package var description: String {
        switch self {
        case .noCertificate: "there is no client certificate"
        case .unusableCertificate: "the client certificate can't be used for TLS"
        case .encryptedKey:
            "the client's key is encrypted; decrypt it into a file that only you can read: openssl pkey -in KEY -out PLAIN"
        case .unreadableKey: "the client's key can't be read; expected an unencrypted private key in PEM or DER"
        case .otherKey: "the client's key doesn't belong to the client certificate, or TLS doesn't support its type"
        }
    }
}

#endif
