// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import ServerTrust
import Crypto
import CryptoExtras
import Foundation
import PKIX

/// Reads a PKCS #12 file with the identities of a client.
///
/// The function stores nothing in a keychain. It limits the cost of hostile files: they can demand at most
/// 2,000,000 iterations of hashing in total.
/// - Parameters:
///   - pkcs12_data: the file, in DER. The function reads only the AES encryption that current programs write. To
///     convert a file with RC2 or Triple DES, use `openssl pkcs12 -in old.p12 -legacy` and `openssl pkcs12
///     -export`.
///   - options: `kSecImportExportPassphrase`; required, as on Apple platforms.
///   - items: set to an array with a dictionary for each private key that has a certificate. It contains
///     `kSecImportItemIdentity`, `kSecImportItemCertChain` (the leaf and its issuers, as far as the file has them),
///     `kSecImportItemTrust` (only for path validation), `kSecImportItemKeyID` (the SHA-1 digest of the public
///     key), and `kSecImportItemLabel` (the subject's summary, if there is one). Empty for a file without keys; nil
///     on an error.
/// - Returns: `errSecPassphraseRequired` without a passphrase, `errSecAuthFailed` if the passphrase is wrong or the
///   file was changed, `errSecDecode` if the file is malformed, and `errSecUnsupportedFormat` for another
///   encryption or too many iterations.
@discardableResult
public func SecPKCS12Import(
    _ pkcs12_data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    items.pointee = nil
    guard let passphrase = options[kSecImportExportPassphrase] as? String else { return errSecPassphraseRequired }
    do {
        let file = try PKCS12File([UInt8](pkcs12_data), passphrase: passphrase)
        let certificates = try file.certificates.map { try Certificate(der: $0) }
        items.pointee = file.keys.compactMap { item($0, certificates) }
        return errSecSuccess
    } catch PKCS12Error.wrongPassphrase {
        return errSecAuthFailed
    } catch PKCS12Error.unsupported(_) {
        return errSecUnsupportedFormat
    } catch {
        return errSecDecode
    }
}

/// Returns the dictionary for a private key, or nil if its kind is unknown, or if no certificate has its public
/// key.
private func item(_ key: [UInt8], _ certificates: [Certificate]) -> [String: Any]? {
    let pem = PEM.encode(key, label: "PRIVATE KEY")
    guard let publicKey = publicKey(ofPrivateKeyPEM: pem),
        let leaf = certificates.first(where: { $0.subjectPublicKeyInfo.der == publicKey })
    else { return nil }
    let others = certificates.filter { $0 != leaf }
    let trust = SecTrust(
        presentedChain: PresentedChain([leaf] + others), policies: [SecPolicyCreateBasicX509()])
    let certificate = SecCertificate(leaf)
    var item: [String: Any] = [
        kSecImportItemIdentity: SecIdentity(certificate, privateKeyPEM: pem),
        kSecImportItemCertChain: chain(leaf, others).map(SecCertificate.init),
        kSecImportItemTrust: trust,
        kSecImportItemKeyID: Data(Insecure.SHA1.hash(data: leaf.subjectPublicKeyInfo.keyDescription.contents)),
    ]
    item[kSecImportItemLabel] = SecCertificateCopySubjectSummary(certificate)
    return item
}

/// Returns the leaf and the certificates above it, found by their names; at most 16.
private func chain(_ leaf: Certificate, _ others: [Certificate]) -> [Certificate] {
    var chain = [leaf]
    while chain.count < 16, let last = chain.last, last.issuer != last.subject,
        let issuer = others.first(where: { $0.subject == last.issuer && !chain.contains($0) })
    {
        chain.append(issuer)
    }
    return chain
}

/// Returns the SubjectPublicKeyInfo of a PKCS #8 private key.
private func publicKey(ofPrivateKeyPEM pem: String) -> [UInt8]? {
    let der =
        (try? P256.Signing.PrivateKey(pemRepresentation: pem))?.publicKey.derRepresentation
        ?? (try? P384.Signing.PrivateKey(pemRepresentation: pem))?.publicKey.derRepresentation
        ?? (try? P521.Signing.PrivateKey(pemRepresentation: pem))?.publicKey.derRepresentation
        ?? (try? _RSA.Signing.PrivateKey(unsafePEMRepresentation: pem))?.publicKey.derRepresentation
    return der.map { Array($0) }
}

/// The passphrase of a file, a string.
public let kSecImportExportPassphrase: CFString = "passphrase"
/// The identity, a `SecIdentity`.
public let kSecImportItemIdentity: CFString = "identity"
/// The certificates, an array of `SecCertificate`.
public let kSecImportItemCertChain: CFString = "chain"
/// A trust object for the certificates, a `SecTrust`.
public let kSecImportItemTrust: CFString = "trust"
/// A name for display, a string in no defined form.
public let kSecImportItemLabel: CFString = "label"
/// An identifier of the key, bytes.
public let kSecImportItemKeyID: CFString = "keyid"
#endif
