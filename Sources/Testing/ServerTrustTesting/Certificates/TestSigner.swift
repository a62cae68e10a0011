// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

/// An issuer's key, and the algorithm that the issuer signs a certificate with.
package struct TestSigner: Sendable {
    let key: TestKey
    /// The algorithm of the signature itself. The certificate may name another algorithm.
    let algorithm: TestSignatureAlgorithm

    /// Creates the signer for a template's certificate.
    init(_ template: CertificateTemplate, key: TestKey) {
        self.key = key
        self.algorithm =
            template.signatureAlgorithm ?? (template.signsWithSHA1 ? .rsaSHA1 : key.defaultSignatureAlgorithm)
    }
}

#endif
