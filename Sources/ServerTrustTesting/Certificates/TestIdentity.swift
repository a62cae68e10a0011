// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A certificate with its private key.
public struct TestIdentity: Sendable {
    public let certificate: PKIX.Certificate
    public let key: TestKey

    /// That they belong together is not checked.
    public init(certificate: PKIX.Certificate, key: TestKey) {
        self.certificate = certificate
        self.key = key
    }

    /// The certificate in PEM; the key's is ``TestKey/pemRepresentation()``.
    public var certificatePEM: String { PEM.encode(certificate.der, label: "CERTIFICATE") }
}
