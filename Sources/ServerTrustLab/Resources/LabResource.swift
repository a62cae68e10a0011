// SPDX-License-Identifier: Apache-2.0

import NIOCore
import PKIX
import ServerTrustTesting
import SwiftASN1

/// Something that certificates point to, as a ``LabRepository`` serves it: rightly, or wrongly in a known way.
///
/// ```swift
/// var crl = LabResource.crl(try authority.crl())
/// crl.conduct = .slow(.seconds(10))
/// repository.publish(crl, at: "/ca.crl")
/// ```
public struct LabResource: Sendable {
    /// How requests are answered. The set is complete as far as the lab goes.
    public enum Conduct: Sendable, Hashable {
        /// 200 and the body.
        case honest
        /// The same, after a while.
        case slow(TimeAmount)
        /// Takes the request and never answers.
        case silent
        /// Takes the request and closes the connection.
        case dead
        /// 200 with a `content-length` that says as much as the body has, and half of it before the connection is closed.
        case truncated
        /// 200 and the body with zeros behind it, this many bytes in all.
        case oversized(bytes: Int)
        /// 200 and these bytes instead of the body.
        case wrong([UInt8])
        /// An error page with this status.
        case status(Int)
        /// 302.
        case redirect(to: String)
    }

    enum Content: Sendable {
        case fixed([UInt8])
        case ocsp(TestOCSPResponder)
    }

    let content: Content
    /// The value of `content-type`.
    public var mediaType: String
    /// Honest unless told.
    public var conduct = Conduct.honest
    /// Seconds for `cache-control: max-age`; nil for no such header.
    public var maximumAge: Int?

    init(_ content: Content, mediaType: String) {
        self.content = content
        self.mediaType = mediaType
    }

    /// Any bytes.
    public init(_ bytes: [UInt8], mediaType: String = "application/octet-stream") {
        self.init(.fixed(bytes), mediaType: mediaType)
    }

    /// One certificate in DER (RFC 2585 § 4.1).
    public static func issuer(_ certificate: Certificate) -> LabResource {
        LabResource(certificate.der, mediaType: "application/pkix-cert")
    }

    /// Certificates in a certs-only PKCS #7 (RFC 5652 § 5.1 without signers, which RFC 5280 § 4.2.2.1 allows), in this order.
    public static func issuers(_ certificates: [Certificate]) -> LabResource {
        LabResource(DERWriter.certificatesOnly(certificates), mediaType: "application/pkcs7-mime")
    }

    /// A CRL in DER (RFC 2585 § 4.2).
    public static func crl(_ crl: TestCRL) -> LabResource { LabResource(crl.der, mediaType: "application/pkix-crl") }

    /// An OCSP responder for GET and POST (RFC 6960 Appendix A.1).
    public static func ocsp(_ responder: TestOCSPResponder) -> LabResource {
        LabResource(.ocsp(responder), mediaType: "application/ocsp-response")
    }

    /// With another conduct.
    public func conducting(_ conduct: Conduct) -> LabResource {
        var copy = self
        copy.conduct = conduct
        return copy
    }
}

/// What a scenario wants its repository to serve.
struct LabPublication: Sendable {
    /// The last part of the path.
    let name: String
    let resource: LabResource

    init(_ name: String, _ resource: LabResource) {
        self.name = name
        self.resource = resource
    }
}

extension DERWriter {
    /// `ContentInfo` of a `SignedData` that has certificates and nothing else.
    fileprivate static func certificatesOnly(_ certificates: [Certificate]) -> [UInt8] {
        let set = ASN1Identifier.set
        let signedData = sequence(
            integer(1), constructed(set, []), sequence(oid(Identifiers.pkcs7Data)),
            tagged(0, certificates.flatMap(\.der)), constructed(set, []))
        return sequence(oid(Identifiers.pkcs7SignedData), tagged(0, signedData))
    }
}
