// SPDX-License-Identifier: Apache-2.0

extension ObjectKind {
    /// Recognizes a DER object by the tags of its first members, even if it is truncated or damaged elsewhere. Returns
    /// nil for any other structure.
    package init?(shapeOf der: ArraySlice<UInt8>) {
        guard let outer = TLV(der), outer.tag == TLV.Tag.sequence else { return nil }
        let members = outer.members(4)
        guard let first = members.first else { return nil }
        let tags = members.map(\.tag)
        switch first.tag {
        case TLV.Tag.objectIdentifier where tags.count == 1 || tags[1] == TLV.Tag.contextConstructed(0): self = .pkcs7
        // `OCSPResponse`: a status, and bytes in `[0]`.
        case TLV.Tag.enumerated: self = .ocspResponse
        case TLV.Tag.integer:
            guard let kind = Self.afterInteger(first, members) else { return nil }
            self = kind
        case TLV.Tag.sequence:
            guard let kind = Self.afterSequence(first, members) else { return nil }
            self = kind
        default: return nil
        }
    }

    /// Recognizes objects that start with a number: keys, and PKCS #12 with its version 3.
    private static func afterInteger(_ first: TLV, _ members: [TLV]) -> ObjectKind? {
        let tags = members.map(\.tag)
        if first.contents.elementsEqual([3]), tags.count >= 2, tags[1] == TLV.Tag.sequence,
            members[1].members(1).first?.tag == TLV.Tag.objectIdentifier
        {
            return .pkcs12
        }
        if first.contents.elementsEqual([0]) || first.contents.elementsEqual([1]) {
            // A version, followed by numbers (RFC 8017 § A.1.2), octets (RFC 5915 § 3), or an algorithm and octets (RFC
            // 5958 § 2).
            switch tags.dropFirst().first {
            case TLV.Tag.integer, TLV.Tag.octetString: return .privateKey
            case TLV.Tag.sequence where tags.count == 2 || tags[2] == TLV.Tag.octetString: return .privateKey
            default: return nil
            }
        }
        return tags == [TLV.Tag.integer, TLV.Tag.integer] ? .rsaPublicKey : nil
    }

    /// Recognizes objects that start with a SEQUENCE: signed objects, and keys with an algorithm.
    private static func afterSequence(_ first: TLV, _ members: [TLV]) -> ObjectKind? {
        let tags = members.map(\.tag)
        let inner = first.members(6)
        let innerTags = inner.map(\.tag)
        switch innerTags.first {
        case TLV.Tag.objectIdentifier:
            switch tags.dropFirst().first {
            case TLV.Tag.bitString, nil: return .publicKey
            case TLV.Tag.octetString: return .encryptedPrivateKey
            default: return nil
            }
        // The version `[0]` of a certificate.
        case TLV.Tag.contextConstructed(0) where innerTags.dropFirst().first != TLV.Tag.sequence: return .certificate
        case TLV.Tag.integer where innerTags.dropFirst().first == TLV.Tag.sequence:
            let isAlgorithm = inner[1].members(1).first?.tag == TLV.Tag.objectIdentifier
            guard isAlgorithm else { return .certificateRequest }
            let isList = innerTags.count >= 4 && isTime(innerTags[3])
            return isList ? .certificateRevocationList : .certificate
        case TLV.Tag.sequence, TLV.Tag.contextConstructed(0), TLV.Tag.contextConstructed(1):
            if innerTags.count >= 3, innerTags[1] == TLV.Tag.sequence, isTime(innerTags[2]) {
                return .certificateRevocationList
            }
            let isSigned = tags.count == 1 || tags[1] == TLV.Tag.contextConstructed(0)
            return isSigned && isRequestList(inner) ? .ocspRequest : nil
        default: return nil
        }
    }

    /// Whether one of the members is a `requestList` (RFC 6960 § 4.1.1), whose first request has a digest algorithm,
    /// two hashes and a number.
    private static func isRequestList(_ members: [TLV]) -> Bool {
        guard let list = members.first(where: { $0.tag == TLV.Tag.sequence }),
            let identifier = list.members(1).first?.members(1).first
        else { return false }
        let tags = identifier.members(4).map(\.tag)
        return tags == [TLV.Tag.sequence, TLV.Tag.octetString, TLV.Tag.octetString, TLV.Tag.integer]
    }

    private static func isTime(_ tag: UInt8) -> Bool { tag == TLV.Tag.utcTime || tag == TLV.Tag.generalizedTime }

    /// Creates the kind that a PEM label names (RFC 7468 and the labels of other software), or nil for an unknown
    /// label.
    package init?(label: String) {
        switch label {
        case "CERTIFICATE", "X509 CERTIFICATE", "X.509 CERTIFICATE": self = .certificate
        case "TRUSTED CERTIFICATE": self = .trustedCertificate
        case "X509 CRL", "CRL": self = .certificateRevocationList
        case "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST": self = .certificateRequest
        case "OCSP REQUEST": self = .ocspRequest
        case "OCSP RESPONSE": self = .ocspResponse
        case "PUBLIC KEY": self = .publicKey
        case "RSA PUBLIC KEY": self = .rsaPublicKey
        case "ENCRYPTED PRIVATE KEY": self = .encryptedPrivateKey
        case "PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "DSA PRIVATE KEY", "ANY PRIVATE KEY":
            self = .privateKey
        case "PKCS7", "CMS", "PKCS #7 SIGNED DATA": self = .pkcs7
        case "PKCS12": self = .pkcs12
        case "DH PARAMETERS", "X9.42 DH PARAMETERS", "DSA PARAMETERS", "EC PARAMETERS": self = .parameters
        default: return nil
        }
    }
}
