// SPDX-License-Identifier: Apache-2.0

/// An unsigned request to an OCSP responder for the status of one certificate (RFC 6960 § 4.1).
///
/// ```swift
/// let request = OCSPRequest(leaf, issuer: issuer)
/// let url = request.url(at: responder)        // GET, nil if it would be too long for caches: then POST request.der
/// ```
package struct OCSPRequest: Sendable, Hashable {
    /// The media type of ``der`` in a POST.
    package static let mediaType = "application/ocsp-request"
    /// The media type of the response.
    package static let responseMediaType = "application/ocsp-response"
    /// The lengths of a nonce, in bytes, that every responder with nonces accepts (RFC 8954 § 2.1, RFC 9654 § 2.1).
    package static let nonceSizes = 1...32

    /// The encoding.
    package let der: [UInt8]
    /// The nonce that a fresh response repeats; nil if none is sent.
    package let nonce: [UInt8]?

    /// Creates a request that a response made in advance may answer, from a cache for example: RFC 5019's profile.
    /// - Parameters:
    ///   - certificate: the certificate to check.
    ///   - issuer: its issuer, whose name and key go into the request.
    ///   - hash: SHA-1 by default, which responders with responses made in advance support.
    package init(_ certificate: Certificate, issuer: Certificate, hash: OCSPHash = .sha1) {
        self.der = Self.encoded(OCSPCertificateID(certificate, issuer: issuer, hash), nonce: nil)
        self.nonce = nil
    }

    /// Creates a request with a nonce, which no response made in advance repeats.
    /// - Parameters:
    ///   - certificate: the certificate to check.
    ///   - issuer: its issuer, whose name and key go into the request.
    ///   - hash: SHA-1 by default.
    ///   - nonce: random bytes; see ``randomNonce()``.
    /// - Returns: nil unless the nonce has 1 to 32 bytes.
    package init?(_ certificate: Certificate, issuer: Certificate, hash: OCSPHash = .sha1, nonce: [UInt8]) {
        guard Self.nonceSizes.contains(nonce.count) else { return nil }
        self.der = Self.encoded(OCSPCertificateID(certificate, issuer: issuer, hash), nonce: nonce)
        self.nonce = nonce
    }

    /// Returns 32 bytes of the system's random numbers (RFC 9654 § 2.1).
    package static func randomNonce() -> [UInt8] { (0..<32).map { _ in UInt8.random(in: .min ... .max) } }

    /// Returns the address for a GET (RFC 6960 Appendix A.1): responder, slash, percent-encoded base64.
    /// - Returns: nil if the address is over 255 bytes, for which RFC 5019 § 5 has POST.
    package func url(at responder: String) -> String? {
        var url = responder.hasSuffix("/") ? responder : responder + "/"
        for character in Base64.encode(der).unicodeScalars {
            switch character {
            case "+": url += "%2B"
            case "/": url += "%2F"
            case "=": url += "%3D"
            default: url.unicodeScalars.append(character)
            }
        }
        return url.utf8.count <= 255 ? url : nil
    }

    /// The relation of a response's nonce to this request's.
    package enum NonceMatch: String, Sendable, Hashable {
        /// The request has none, or the response repeats it.
        case equal
        /// The response has none: it was made in advance, and may be a replay of one that has not expired yet.
        case missing
        /// Another nonce: a response to another request.
        case other
    }

    /// Compares nonces. Nothing else of the response is checked.
    package func nonceMatch(_ response: OCSPResponse) -> NonceMatch {
        guard let nonce else { return .equal }
        guard let repeated = response.nonce else { return .missing }
        return repeated == nonce ? .equal : .other
    }

    /// Returns `OCSPRequest ::= SEQUENCE { tbsRequest SEQUENCE { requestList, requestExtensions [2] } }`.
    private static func encoded(_ id: OCSPCertificateID, nonce: [UInt8]?) -> [UInt8] {
        let list = DERBytes.value(DERTag.sequence, DERBytes.value(DERTag.sequence, id.der))
        let extensions = nonce.map { nonce in
            DERBytes.value(
                DERTag.contextConstructed(2),
                DERBytes.value(
                    DERTag.sequence,
                    DERBytes.value(
                        DERTag.sequence, DERBytes.value(DERTag.objectIdentifier, OCSPResponseFields.nonce),
                        DERBytes.value(DERTag.octetString, DERBytes.value(DERTag.octetString, nonce)))))
        }
        return DERBytes.value(DERTag.sequence, DERBytes.value(DERTag.sequence, list, extensions ?? []))
    }
}
