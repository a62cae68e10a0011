// SPDX-License-Identifier: Apache-2.0

/// An unsigned request that asks an OCSP responder for the status of one certificate (RFC 6960 § 4.1).
///
/// ```swift
/// let request = OCSPRequest(leaf, issuer: issuer)
/// let url = request.url(at: responder)        // GET, nil if it would be too long for caches: then POST request.der
/// ```
package struct OCSPRequest: Sendable, Hashable {
    /// The media type of ``der`` in a POST.
    static let mediaType = "application/ocsp-request"
    /// The media type of the response.
    static let responseMediaType = "application/ocsp-response"
    /// The nonce lengths, in bytes, that every responder with nonce support accepts (RFC 8954 § 2.1, RFC 9654 § 2.1).
    static let nonceSizes = 1...32

    /// The request in DER.
    package let der: [UInt8]
    /// The nonce that a fresh response repeats, or nil if the request has no nonce.
    let nonce: [UInt8]?

    /// Creates a request that a presigned response may answer, for example from a cache (the profile of RFC 5019).
    /// - Parameters:
    ///   - certificate: the certificate to check.
    ///   - issuer: its issuer, whose name and key go into the request.
    ///   - hash: SHA-1 by default, because responders with presigned responses support it.
    package init(_ certificate: Certificate, issuer: Certificate, hash: OCSPHash = .sha1) {
        self.der = Self.encoded(OCSPCertificateID(certificate, issuer: issuer, hash), nonce: nil)
        self.nonce = nil
    }

    /// Creates a request with a nonce. A presigned response can't repeat the nonce.
    /// - Parameters:
    ///   - certificate: the certificate to check.
    ///   - issuer: its issuer, whose name and key go into the request.
    ///   - hash: SHA-1 by default.
    ///   - nonce: random bytes, for example from ``randomNonce()``.
    /// - Returns: nil unless the nonce has 1 to 32 bytes.
    init?(_ certificate: Certificate, issuer: Certificate, hash: OCSPHash = .sha1, nonce: [UInt8]) {
        guard Self.nonceSizes.contains(nonce.count) else { return nil }
        self.der = Self.encoded(OCSPCertificateID(certificate, issuer: issuer, hash), nonce: nonce)
        self.nonce = nonce
    }

    /// Returns 32 random bytes from the system (RFC 9654 § 2.1).
    static func randomNonce() -> [UInt8] { (0..<32).map { _ in UInt8.random(in: .min ... .max) } }

    /// Returns the URL for a GET (RFC 6960 Appendix A.1): responder, slash, percent-encoded base64.
    /// - Returns: nil if the URL exceeds 255 bytes. RFC 5019 § 5 recommends POST in that case.
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

    /// The relation between a response's nonce and this request's nonce.
    enum NonceMatch: String, Sendable, Hashable {
        /// The request has no nonce, or the response repeats it.
        case equal
        /// The response has no nonce. It was signed in advance, and may be a replay of a response that hasn't expired
        /// yet.
        case missing
        /// The response has a different nonce, so it answers another request.
        case other
    }

    /// Compares only the nonces, without any other check of the response.
    func nonceMatch(_ response: OCSPResponse) -> NonceMatch {
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
