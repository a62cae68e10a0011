// SPDX-License-Identifier: Apache-2.0

/// A question about one certificate to an OCSP responder (RFC 6960 § 4.1), unsigned.
///
/// ```swift
/// let request = OCSPRequest(leaf, issuer: issuer)
/// let url = request.url(at: responder)        // GET, nil if it would be too long for caches: then POST request.der
/// ```
public struct OCSPRequest: Sendable, Hashable {
    /// The media type of ``der`` in a POST.
    public static let mediaType = "application/ocsp-request"
    /// The media type of the answer.
    public static let responseMediaType = "application/ocsp-response"
    /// The lengths of a nonce, in bytes, that every responder with nonces takes (RFC 8954 § 2.1, RFC 9654 § 2.1).
    public static let nonceSizes = 1...32

    /// The encoding.
    public let der: [UInt8]
    /// What the answer has to repeat, if it repeats anything; nil if nothing was sent.
    public let nonce: [UInt8]?

    /// A question that the answer to an earlier one may answer too, and so one from a cache: RFC 5019's profile.
    /// - Parameters:
    ///   - certificate: the one that is asked about.
    ///   - issuer: its issuer, whose name and key go into the question.
    ///   - hash: SHA-1 by default, which is what responders with answers made in advance know.
    public init(_ certificate: Certificate, issuer: Certificate, hash: OCSPHash = .sha1) {
        self.der = Self.encoded(OCSPCertificateID(certificate, issuer: issuer, hash), nonce: nil)
        self.nonce = nil
    }

    /// A question with a nonce, to which no earlier answer is one.
    /// - Parameters:
    ///   - certificate: the one that is asked about.
    ///   - issuer: its issuer, whose name and key go into the question.
    ///   - hash: SHA-1 by default.
    ///   - nonce: random bytes; see ``randomNonce()``.
    /// - Returns: nil unless the nonce has one of ``nonceSizes``.
    public init?(_ certificate: Certificate, issuer: Certificate, hash: OCSPHash = .sha1, nonce: [UInt8]) {
        guard Self.nonceSizes.contains(nonce.count) else { return nil }
        self.der = Self.encoded(OCSPCertificateID(certificate, issuer: issuer, hash), nonce: nonce)
        self.nonce = nonce
    }

    /// 32 bytes of the system's random numbers (RFC 9654 § 2.1).
    public static func randomNonce() -> [UInt8] { (0..<32).map { _ in UInt8.random(in: .min ... .max) } }

    /// The address for a GET (RFC 6960 Appendix A.1): responder, slash, percent-encoded base64.
    /// - Returns: nil if the whole is over 255 bytes, for which RFC 5019 § 5 has POST.
    public func url(at responder: String) -> String? {
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

    /// How the nonce of an answer stands to this request's.
    public enum NonceMatch: String, Sendable, Hashable {
        /// None was sent, or the answer repeats it.
        case asAsked
        /// The answer has none: it was made in advance, and may be a replay of one that has not run out yet.
        case missing
        /// It is the answer to another question.
        case other
    }

    /// Compares nonces. Nothing else about the response is looked at.
    public func nonceMatch(_ response: OCSPResponse) -> NonceMatch {
        guard let nonce else { return .asAsked }
        guard let answered = response.nonce else { return .missing }
        return answered == nonce ? .asAsked : .other
    }

    /// `OCSPRequest ::= SEQUENCE { tbsRequest SEQUENCE { requestList, requestExtensions [2] } }`
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
