// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The kinds of a certificate's key and signature in words, without the rest of its description. Use it for millions of
/// certificates.
package struct CertificateWords: Sendable {
    /// The kind of the key: `RSA 2048 bits`, `EC P-256`, `Ed25519`.
    package let key: String
    /// The signature algorithm without its parameters, for example `RSA with SHA-256`.
    package let signature: String

    package init(_ certificate: Certificate) {
        let value = try? ASN1Value(certificate.subjectPublicKeyInfo.der)
        key = value.map { KeyDescription($0).words } ?? "unreadable key"
        let algorithm = certificate.signatureAlgorithm.description
        signature = OIDNames.words(for: algorithm) ?? algorithm
    }
}
