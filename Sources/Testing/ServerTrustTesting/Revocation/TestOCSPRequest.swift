// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import SwiftASN1

/// A client's request to an OCSP responder (RFC 6960 § 4.1). Not checked: its signature.
struct TestOCSPRequest: Sendable, Hashable {
    /// A certificate's CertID.
    struct CertificateID: Sendable, Hashable {
        /// The hash algorithm of the issuer's name and key.
        let hashAlgorithm: OID
        /// The hash of the issuer's name.
        let issuerNameHash: [UInt8]
        /// The hash of the issuer's key.
        let issuerKeyHash: [UInt8]
        /// The contents of the serial number's INTEGER.
        let serialNumber: [UInt8]
    }

    /// The certificates, at least one.
    let certificates: [CertificateID]
    /// The nonce, which the response repeats (RFC 8954), or nil for none.
    let nonce: [UInt8]?

    /// Reads a request.
    /// - Parameter der: the body of a POST, or the decoded path of a GET.
    /// - Throws: ``TestInputError`` or errors from swift-asn1, if the bytes aren't a request.
    init(der: [UInt8]) throws {
        let request = try Self.members(try DER.parse(der))
        guard let toBeSigned = request.first else { throw Self.error("OCSPRequest") }
        var list: [ASN1Node]?
        var nonce: [UInt8]?
        for member in try Self.members(toBeSigned) {
            switch member.identifier {
            case .sequence: list = try Self.members(member)
            // version, requestorName
            case Self.context(0), Self.context(1): continue
            case Self.context(2): nonce = try Self.nonce(in: member)
            default: throw Self.error("TBSRequest")
            }
        }
        guard let list, !list.isEmpty else { throw Self.error("requestList") }
        self.certificates = try list.map { try CertificateID($0) }
        self.nonce = nonce
    }

    /// `[2] EXPLICIT Extensions`
    private static func nonce(in node: ASN1Node) throws -> [UInt8]? {
        guard let list = try members(node).first else { throw error("requestExtensions") }
        for element in try members(list) {
            let fields = try members(element)
            guard let type = fields.first, let value = fields.last, fields.count >= 2 else { throw error("Extension") }
            guard try ASN1ObjectIdentifier(derEncoded: type) == ExtensionIdentifiers.ocspNonce else { continue }
            let contents = Array(try ASN1OctetString(derEncoded: value).bytes)
            // RFC 8954 § 2.1 requires an OCTET STRING. Older clients send the bytes without one.
            return (try? ASN1OctetString(derEncoded: contents)).map { Array($0.bytes) } ?? contents
        }
        return nil
    }

    fileprivate static func members(_ node: ASN1Node) throws -> [ASN1Node] {
        guard case .constructed(let members) = node.content else { throw error("constructed value") }
        return Array(members)
    }

    fileprivate static func error(_ field: String) -> TestInputError {
        TestInputError(text: field, expected: "an OCSP request")
    }

    private static func context(_ number: UInt) -> ASN1Identifier {
        ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific)
    }
}

extension TestOCSPRequest.CertificateID {
    /// `Request ::= SEQUENCE { CertID, singleRequestExtensions }`
    fileprivate init(_ request: ASN1Node) throws {
        guard let identifier = try TestOCSPRequest.members(request).first else {
            throw TestOCSPRequest.error("Request")
        }
        let fields = try TestOCSPRequest.members(identifier)
        guard fields.count == 4, let algorithm = try TestOCSPRequest.members(fields[0]).first,
            fields[3].identifier == .integer, case .primitive(let serialNumber) = fields[3].content,
            let oid = OID(try ASN1ObjectIdentifier(derEncoded: algorithm).description)
        else { throw TestOCSPRequest.error("CertID") }
        self.hashAlgorithm = oid
        self.issuerNameHash = Array(try ASN1OctetString(derEncoded: fields[1]).bytes)
        self.issuerKeyHash = Array(try ASN1OctetString(derEncoded: fields[2]).bytes)
        self.serialNumber = Array(serialNumber)
    }
}

#endif
