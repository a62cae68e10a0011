// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import NIOCore
import PKIX
import ServerTrustTesting
import SwiftASN1

/// An issuer, CRL or OCSP responder that certificates point to. A ``LabRepository`` serves it with one known behavior.
///
/// ```swift
/// var crl = LabResource.crl(try authority.crl())
/// crl.behavior = .slow(.seconds(10))
/// repository.publish(crl, at: "/ca.crl")
/// ```
public struct LabResource: Sendable {
    /// The repository's response to requests.
    public enum Behavior: Sendable, Hashable {
        /// 200 and the body.
        case normal
        /// 200 and the body after a delay.
        case slow(Duration)
        /// No response: the repository accepts the request and never answers.
        case noResponse
        /// No response: the repository accepts the request and closes the connection.
        case connectionClosed
        /// 200 with the `content-length` of the whole body, but only the first half of it before the connection closes.
        case truncated
        /// 200 and the body, padded with zeros to this many bytes.
        case oversized(bytes: Int)
        /// 200 and these bytes instead of the body.
        case otherBytes([UInt8])
        /// An error page with this status.
        case status(Int)
        /// 302 to this location.
        case redirect(to: String)
    }

    enum Content: Sendable {
        case fixed([UInt8])
        case ocsp(TestOCSPResponder)
    }

    let content: Content
    /// The value of `content-type`.
    var mediaType: String
    /// The behavior. The default is ``Behavior/normal``.
    var behavior = Behavior.normal
    /// The seconds in `cache-control: max-age`, or nil for no such header field.
    var maximumAge: Int?
    /// The value of `etag`, including quotes, or nil for no such header field. The repository answers matching
    /// conditional requests with 304.
    var entityTag: String?

    init(_ content: Content, mediaType: String) {
        self.content = content
        self.mediaType = mediaType
    }

    /// Creates a resource from any bytes.
    public init(_ bytes: [UInt8], mediaType: String = "application/octet-stream") {
        self.init(.fixed(bytes), mediaType: mediaType)
    }

    /// Returns one certificate in DER (RFC 2585 § 4.1).
    public static func issuer(_ certificate: Certificate) -> LabResource {
        LabResource(certificate.der, mediaType: "application/pkix-cert")
    }

    /// Returns certificates in a certs-only PKCS #7 structure (RFC 5652 § 5.1 without signers, which RFC 5280 § 4.2.2.1
    /// allows), in this order.
    public static func issuers(_ certificates: [Certificate]) -> LabResource {
        LabResource(DERWriter.certificatesOnly(certificates), mediaType: "application/pkcs7-mime")
    }

    /// Returns a CRL in DER (RFC 2585 § 4.2).
    public static func crl(_ crl: TestCRL) -> LabResource { LabResource(crl.der, mediaType: "application/pkix-crl") }

    /// Returns an OCSP responder for GET and POST (RFC 6960 Appendix A.1).
    public static func ocsp(_ responder: TestOCSPResponder) -> LabResource {
        LabResource(.ocsp(responder), mediaType: "application/ocsp-response")
    }

    /// Returns a copy with a different behavior.
    public func with(_ behavior: Behavior) -> LabResource {
        var copy = self
        copy.behavior = behavior
        return copy
    }
}

extension DERWriter {
    /// Returns a `ContentInfo` with a `SignedData` that contains only certificates.
    fileprivate static func certificatesOnly(_ certificates: [Certificate]) -> [UInt8] {
        let set = ASN1Identifier.set
        let signedData = sequence(
            integer(1), constructed(set, []), sequence(oid(Identifiers.pkcs7Data)),
            tagged(0, certificates.flatMap(\.der)), constructed(set, []))
        return sequence(oid(Identifiers.pkcs7SignedData), tagged(0, signedData))
    }
}

#endif
