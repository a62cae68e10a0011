// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
/// Returns the public key of a certificate. This is ``SecCertificateCopyKey(_:)`` under its name on iOS 10 and 11.
/// On macOS, the function had another signature.
@available(*, deprecated, renamed: "SecCertificateCopyKey(_:)")
public func SecCertificateCopyPublicKey(_ certificate: SecCertificate) -> SecKey? {
    SecCertificateCopyKey(certificate)
}
#endif
