// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX

/// A certificate with its private key.
public struct TestIdentity: Sendable {
    /// The certificate.
    public let certificate: PKIX.Certificate
    /// The private key.
    public let key: TestKey
    /// The key and the algorithm of the certificate's signature, or nil for an identity that the caller created.
    package let signer: TestSigner?

    init(certificate: PKIX.Certificate, key: TestKey, signer: TestSigner) {
        self.certificate = certificate
        self.key = key
        self.signer = signer
    }

    /// Creates an identity.
    ///
    /// Not checked: whether the key belongs to the certificate.
    public init(certificate: PKIX.Certificate, key: TestKey) {
        self.certificate = certificate
        self.key = key
        self.signer = nil
    }

    /// The certificate in PEM. For the key, use ``TestKey/pemRepresentation()``.
    public var certificatePEM: String { PEM.encode(certificate.der, label: "CERTIFICATE") }
}

#endif
