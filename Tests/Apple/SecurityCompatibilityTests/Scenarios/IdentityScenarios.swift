// SPDX-License-Identifier: Apache-2.0

// Except for the imports, this file only uses the API of Apple's frameworks. It is compiled on Linux unchanged, and
// against stubs of Apple's declarations (Tests/External/apple).
import Foundation

#if canImport(Darwin)
import Security
#else
import SecurityCompatibility
#endif

/// A client's identity from a PKCS #12 file.
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
        // A conditional cast to a CoreFoundation type doesn't compile on Apple platforms.
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

    /// The identity's certificate.
    var certificate: Data? {
        var certificate: SecCertificate?
        guard SecIdentityCopyCertificate(identity, &certificate) == errSecSuccess else { return nil }
        return certificate.map { SecCertificateCopyData($0) as Data }
    }
}
