// SPDX-License-Identifier: Apache-2.0

/// The kinds of objects that can be recognized. The set is complete.
package enum ObjectKind: String, Sendable, Hashable, CaseIterable {
    case certificate
    case trustedCertificate
    case certificateRevocationList
    case ocspRequest
    case ocspResponse
    case certificateRequest
    case publicKey
    case rsaPublicKey
    case privateKey
    case encryptedPrivateKey
    case parameters
    case pkcs7
    case pkcs12

    /// The name of the kind with its article, for people.
    package var words: String {
        switch self {
        case .certificate: "a certificate"
        case .trustedCertificate: "a TRUSTED CERTIFICATE of OpenSSL"
        case .certificateRevocationList: "a certificate revocation list (CRL)"
        case .ocspRequest: "an OCSP request"
        case .ocspResponse: "an OCSP response"
        case .certificateRequest: "a certificate request (CSR)"
        case .publicKey: "a public key"
        case .rsaPublicKey: "an RSA public key (PKCS #1)"
        case .privateKey: "a private key"
        case .encryptedPrivateKey: "an encrypted private key"
        case .parameters: "a set of key parameters"
        case .pkcs7: "a PKCS #7 file"
        case .pkcs12: "a PKCS #12 file"
        }
    }
}
