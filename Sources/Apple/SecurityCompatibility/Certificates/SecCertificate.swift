// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import Foundation
import PKIX
import ServerTrust

/// A certificate, under the name of Apple's Security framework.
///
/// Certificates are equal if their DER is equal.
public final class SecCertificate: Sendable {
    /// The certificate.
    public let certificate: Certificate

    /// Creates the object for a certificate.
    init(_ certificate: Certificate) { self.certificate = certificate }
}

extension SecCertificate: Hashable {
    public static func == (left: SecCertificate, right: SecCertificate) -> Bool {
        left.certificate == right.certificate
    }
    public func hash(into hasher: inout Hasher) { hasher.combine(certificate) }
}

extension SecCertificate: CustomStringConvertible {
    /// The subject, for display.
    public var description: String { certificate.description }
}

/// Parses a certificate in DER. Returns nil for anything else, including PEM.
///
/// As on Apple platforms, the function drops bytes after the certificate: the object, `SecCertificateCopyData(_:)`,
/// equality and hashes don't contain them.
///
/// Stricter than Apple's parser: returns nil for a certificate with a malformed extension.
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? {
    let bytes = [UInt8](data.prefix(Certificate.maximumSize))[...]
    guard let first = TLV(bytes) else { return nil }
    return (try? Certificate(der: Array(first.whole(in: bytes)))).map(SecCertificate.init)
}

/// Returns the DER.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { Data(certificate.certificate.der) }

/// Returns the public key. Never nil, because keys of every kind can be compared. The function doesn't check the
/// key itself.
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? {
    SecKey(certificate.certificate.subjectPublicKeyInfo)
}

/// Returns the first second of validity.
public func SecCertificateCopyNotValidBeforeDate(_ certificate: SecCertificate) -> CFDate? {
    Date(certificate.certificate.notBefore)
}

/// Returns the last second of validity.
public func SecCertificateCopyNotValidAfterDate(_ certificate: SecCertificate) -> CFDate? {
    Date(certificate.certificate.notAfter)
}

/// Returns the serial number: the contents of the INTEGER, including the zero before a number whose first bit is
/// set.
/// - Parameters:
///   - certificate: the certificate.
///   - error: never set.
public func SecCertificateCopySerialNumberData(
    _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    Data(certificate.certificate.serialNumber.bytes)
}

/// Returns the public key of a certificate. This is ``SecCertificateCopyKey(_:)`` under its name on iOS 10 and 11.
/// On macOS, the function had another signature.
@available(*, deprecated, renamed: "SecCertificateCopyKey(_:)")
public func SecCertificateCopyPublicKey(_ certificate: SecCertificate) -> SecKey? {
    SecCertificateCopyKey(certificate)
}

#endif
