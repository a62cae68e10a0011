// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import PKIX

/// A certificate with its private key, under the name of Apple's Security framework.
///
/// There is no keychain. The key is in this process's memory. `SecPKCS12Import(_:_:_:)` reads an identity from a
/// file.
public final class SecIdentity: Sendable {
    /// The certificate.
    public let certificate: SecCertificate
    /// The private key in PEM, unencrypted.
    package let privateKeyPEM: String

    init(_ certificate: SecCertificate, privateKeyPEM: String) {
        self.certificate = certificate
        self.privateKeyPEM = privateKeyPEM
    }
}

extension SecIdentity: Hashable {
    public static func == (left: SecIdentity, right: SecIdentity) -> Bool {
        left.certificate == right.certificate && left.privateKeyPEM == right.privateKeyPEM
    }
    public func hash(into hasher: inout Hasher) { hasher.combine(certificate) }
}

/// Stores the certificate of an identity.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecIdentityCopyCertificate(
    _ identityRef: SecIdentity, _ certificateRef: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
    certificateRef.pointee = identityRef.certificate
    return errSecSuccess
}
#endif
