// SPDX-License-Identifier: Apache-2.0

/// A probe's observations of the server's part of a handshake.
package struct HandshakeObservation: Sendable, Hashable {
    /// The result of verifying the signature that proves the server has its certificate's key.
    package enum SignatureCheck: String, Sendable, Hashable, CaseIterable {
        /// The leaf's key signed this handshake.
        case valid
        /// The signature is wrong, or its scheme doesn't match the key. The server doesn't have the key of its
        /// certificate.
        case invalid
        /// The signature can't be checked. It uses MD5 or SHA-1 or an unsupported kind of key, or the leaf can't be
        /// parsed.
        case notChecked
        /// The cipher suite has no signature. Instead, a client would encrypt to the certificate's key and see whether
        /// the server can decrypt.
        case none
        /// The handshake hasn't reached the signature.
        case pending
    }

    /// The version that the server chose.
    package internal(set) var version: ProtocolVersion?
    /// The cipher suite that the server chose.
    package internal(set) var cipherSuite: CipherSuite?
    /// The group of the key exchange, or nil for RSA and finite-field key exchanges.
    package internal(set) var group: NamedGroup?
    /// The size of the prime in bits, for a finite-field key exchange up to TLS 1.2.
    package internal(set) var primeBits: Int?
    /// The ALPN protocol that the server chose, if any.
    package internal(set) var applicationProtocol: String?
    /// The scheme of the server's signature, or nil before TLS 1.2 and without a signature.
    package internal(set) var signatureScheme: HandshakeSignatureScheme?
    /// The result of verifying the signature.
    package internal(set) var signature = SignatureCheck.pending
    /// The certificates in DER, leaf first, at most 256. They aren't parsed.
    package internal(set) var certificates: [[UInt8]] = []
    /// The OCSP response for the leaf, if any. It isn't parsed.
    package internal(set) var staple: [UInt8]?
    /// The SignedCertificateTimestampList from the handshake in TLS encoding, if any.
    package internal(set) var timestampList: [UInt8]?
    /// The request for a client certificate, if any.
    package internal(set) var clientCertificateRequest: ClientCertificateRequest?
    /// The server's warnings, at most four.
    package internal(set) var warnings: [TLSAlert] = []

    package init() {}
}
