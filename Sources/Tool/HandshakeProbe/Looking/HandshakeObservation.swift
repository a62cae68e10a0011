// SPDX-License-Identifier: Apache-2.0

/// The observation of a server's part of a handshake.
package struct HandshakeObservation: Sendable, Hashable {
    /// The result of checking the signature by which the server proves that it has the key of its certificate.
    package enum SignatureCheck: String, Sendable, Hashable, CaseIterable {
        /// The signature is one by the leaf's key over this handshake.
        case valid
        /// It isn't, or its scheme doesn't fit the key. The server hasn't the key of the certificate that it shows.
        case invalid
        /// It can't be checked here: MD5 or SHA-1, a kind of key that isn't verified, or a leaf that can't be read.
        case notChecked
        /// The cipher suite has none: the client would encrypt to the certificate's key, and see whether the server can decrypt.
        case none
        /// The handshake hasn't come that far.
        case pending
    }

    /// The version that the server chose.
    package internal(set) var version: ProtocolVersion?
    /// The cipher suite that the server chose.
    package internal(set) var cipherSuite: CipherSuite?
    /// The group of the exchange of keys; nil for a suite without one, and for one of a prime.
    package internal(set) var group: NamedGroup?
    /// The size of the prime in bits, for an exchange of keys by one up to TLS 1.2.
    package internal(set) var primeBits: Int?
    /// The protocol of ALPN; nil for none.
    package internal(set) var applicationProtocol: String?
    /// The scheme of the server's signature; nil before TLS 1.2 and without a signature.
    package internal(set) var signatureScheme: HandshakeSignatureScheme?
    /// The result of checking the signature.
    package internal(set) var signature = SignatureCheck.pending
    /// The DER of the certificates, leaf first, at most 256. Not parsed.
    package internal(set) var certificates: [[UInt8]] = []
    /// The OCSP response beside the leaf; nil for none. Not parsed.
    package internal(set) var staple: [UInt8]?
    /// The SignedCertificateTimestampList of the handshake in the encoding of TLS; nil for none.
    package internal(set) var timestampList: [UInt8]?
    /// The request for a certificate of the client; nil for none.
    package internal(set) var clientCertificateRequest: ClientCertificateRequest?
    /// Whether the server asked for a second hello, with a key of another group.
    package internal(set) var hasRetried = false
    /// Whether master secrets are bound to their handshake (RFC 7627); always in TLS 1.3.
    package internal(set) var hasExtendedMasterSecret = false
    /// The warnings of the server, at most four.
    package internal(set) var warnings: [TLSAlert] = []

    package init() {}
}
