// SPDX-License-Identifier: Apache-2.0

// BoringSSL reads PKCS #12 (RFC 7292), through swift-nio-ssl. Without the traits that resolve it the function is absent.
#if !canImport(Security) && canImport(NIOSSL)
    import Foundation
    import NIOSSL
    import PKIX
    import ServerTrust

    /// Reads a file of PKCS #12 with one private key: a client's identity.
    ///
    /// The sender of a file determines how long the passphrase is hashed: read files of your own alone.
    /// - Parameters:
    ///   - pkcs12Data: the file.
    ///   - options: `kSecImportExportPassphrase`; required, as on Apple platforms.
    ///   - items: set to an array of one dictionary: `kSecImportItemIdentity`, `kSecImportItemCertChain` (leaf first, as in the file) and
    ///     `kSecImportItemTrust`, for path validation alone; nil on an error.
    /// - Returns: `errSecPassphraseRequired` without a passphrase, `errSecAuthFailed` if the passphrase is wrong or the file can't be
    ///   read: the library doesn't distinguish them. `errSecDecode` if a certificate in it can't be parsed.
    public func SecPKCS12Import(
        _ pkcs12Data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
    ) -> OSStatus {
        items.pointee = nil
        guard let passphrase = options[kSecImportExportPassphrase] as? String else { return errSecPassphraseRequired }
        guard let bundle = try? NIOSSLPKCS12Bundle(buffer: [UInt8](pkcs12Data), passphrase: Array(passphrase.utf8))
        else { return errSecAuthFailed }
        guard let key = try? bundle.privateKey.derBytes,
            let chain = try? bundle.certificateChain.map({ try Certificate(der: $0.toDERBytes()) }),
            let leaf = chain.first
        else { return errSecDecode }
        let identity = SecIdentity(SecCertificate(leaf), privateKeyPEM: privateKeyPEM(key, of: leaf))
        items.pointee = [
            [
                kSecImportItemIdentity: identity,
                kSecImportItemCertChain: chain.map(SecCertificate.init),
                kSecImportItemTrust: SecTrust(
                    presentedChain: PresentedChain(chain), policies: [SecPolicyCreateBasicX509()]),
            ] as [String: Any]
        ]
        return errSecSuccess
    }

    /// Returns a key in PEM. The library writes RSA and elliptic curve keys in the forms of their own standards, others in PKCS #8.
    private func privateKeyPEM(_ key: [UInt8], of leaf: Certificate) -> String {
        let label =
            switch leaf.subjectPublicKeyInfo.keyDescription.kind {
            case .rsa: "RSA PRIVATE KEY"
            case .ellipticCurve: "EC PRIVATE KEY"
            default: "PRIVATE KEY"
            }
        return PEM.encode(key, label: label)
    }

    /// The passphrase of a file, a text.
    public let kSecImportExportPassphrase: CFString = "passphrase"
    /// The identity, a `SecIdentity`.
    public let kSecImportItemIdentity: CFString = "identity"
    /// The certificates, an array of `SecCertificate`.
    public let kSecImportItemCertChain: CFString = "chain"
    /// A trust object for the certificates, a `SecTrust`.
    public let kSecImportItemTrust: CFString = "trust"
#endif
