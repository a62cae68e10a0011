// SPDX-License-Identifier: Apache-2.0

// Written against the API of Apple's frameworks alone, but for the imports: compiled on Linux as it is, and against stubs of Apple's
// declarations (Tests/External/apple).
import Foundation

#if canImport(Darwin)
    import Security
#else
    import SecurityCompatibility
#endif

/// A client's identity from a file of PKCS #12.
struct ImportedIdentity {
    let identity: SecIdentity
    let chain: [SecCertificate]
    let trust: SecTrust?
    let label: String?
    let keyIdentifier: Data?

    static func read(_ file: Data, passphrase: String?) -> (status: OSStatus, identities: [ImportedIdentity]) {
        var options: [String: Any] = [:]
        if let passphrase { options[kSecImportExportPassphrase as String] = passphrase }
        var items: CFArray?
        let status = SecPKCS12Import(file as CFData, options as CFDictionary, &items)
        guard status == errSecSuccess, let items = items as? [[String: Any]] else { return (status, []) }
        // A conditional cast to a type of CoreFoundation is an error on Apple platforms.
        // swift-format-ignore: NeverForceUnwrap
        let identities = items.map { item in
            ImportedIdentity(
                identity: item[kSecImportItemIdentity as String] as! SecIdentity,
                chain: item[kSecImportItemCertChain as String] as? [SecCertificate] ?? [],
                trust: (item[kSecImportItemTrust as String] as! SecTrust),
                label: item[kSecImportItemLabel as String] as? String,
                keyIdentifier: item[kSecImportItemKeyID as String] as? Data)
        }
        return (status, identities)
    }

    /// The certificate of the identity.
    var certificate: Data? {
        var certificate: SecCertificate?
        guard SecIdentityCopyCertificate(identity, &certificate) == errSecSuccess else { return nil }
        return certificate.map { SecCertificateCopyData($0) as Data }
    }
}
