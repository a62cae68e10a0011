// SPDX-License-Identifier: Apache-2.0

/// An unsigned request that asks an OCSP responder for the status of one certificate (RFC 6960 § 4.1).
///
/// ```swift
/// let request = OCSPRequest(leaf, issuer: issuer)
/// let url = request.url(at: responder)        // GET, nil if it would be too long for caches: then POST request.der
/// ```
package struct OCSPRequest: Sendable, Hashable {
    /// The request in DER.
    package let der: [UInt8]
    /// Creates a request without a nonce, which a presigned response may answer, for example from a cache (the profile
    /// of RFC 5019).
    /// - Parameters:
    ///   - certificate: the certificate to check.
    ///   - issuer: its issuer, whose name and key go into the request.
    ///   - hash: SHA-1 by default, because responders with presigned responses support it.
    package init(_ certificate: Certificate, issuer: Certificate, hash: OCSPHash = .sha1) {
        let request = DERBytes.value(DERTag.sequence, OCSPCertificateID(certificate, issuer: issuer, hash).der)
        let list = DERBytes.value(DERTag.sequence, request)
        der = DERBytes.value(DERTag.sequence, DERBytes.value(DERTag.sequence, list))
    }

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
}
