// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A public object, parsed by the strict parser of its kind. Its signature and its dates aren't checked.
package enum ParsedObject: Sendable {
    case certificate(Certificate)
    case certificateRevocationList(CertificateRevocationList)
    /// A request to an OCSP responder (RFC 6960 § 4.1). Only its outer form is checked, not its fields.
    case ocspRequest
    case ocspResponse(OCSPResponse)
    /// A PKCS #10 request. Its signature isn't checked.
    case certificateRequest(CertificateRequest)
    /// A SubjectPublicKeyInfo, possibly created from a PKCS #1 RSA key.
    case publicKey(SubjectPublicKeyInfo)

    /// The error of an object that the parser of its kind refused.
    package struct Refusal: Error, Sendable, Hashable {
        /// The kind that the label or the shape names.
        package let kind: ObjectKind
        /// The kind that the bytes have the shape of, or nil for any other structure.
        package let shape: ObjectKind?
        /// The parser's error, or nil for valid DER with a different structure.
        package let error: DERError?

        package init(_ der: [UInt8], as kind: ObjectKind, _ error: DERError?) {
            self.kind = kind
            self.shape = ObjectKind(shapeOf: der[...])
            self.error = error
        }
    }

    /// Parses an object.
    /// - Returns: nil for a kind that has no parser here: private keys, parameters, containers and OpenSSL's own
    ///   format.
    package init?(der: [UInt8], as kind: ObjectKind) throws(Refusal) {
        let parsed: ParsedObject?
        do throws(DERError) {
            switch kind {
            case .certificate: parsed = .certificate(try Certificate(der: der))
            case .certificateRevocationList:
                parsed = .certificateRevocationList(try CertificateRevocationList(der: der))
            case .ocspRequest:
                try DER.validate(der)
                parsed = ObjectKind(shapeOf: der[...]) == .ocspRequest ? .ocspRequest : nil
            case .ocspResponse: parsed = .ocspResponse(try OCSPResponse(der: der))
            case .certificateRequest: parsed = .certificateRequest(try CertificateRequest(der: der))
            case .publicKey: parsed = .publicKey(try SubjectPublicKeyInfo(der: der))
            case .rsaPublicKey: parsed = try SubjectPublicKeyInfo(rsaPublicKey: der).map { .publicKey($0) }
            case .trustedCertificate, .privateKey, .encryptedPrivateKey, .parameters, .pkcs7, .pkcs12: return nil
            }
        } catch {
            throw Refusal(der, as: kind, error)
        }
        guard let parsed else { throw Refusal(der, as: kind, nil) }
        self = parsed
    }
}

extension SubjectPublicKeyInfo {
    /// Creates the SubjectPublicKeyInfo of an RSAPublicKey in DER: `rsaEncryption` with the parameters NULL, which are
    /// never absent (RFC 3279 § 2.3.1), and the given bytes. A certificate with the key has the same
    /// SubjectPublicKeyInfo, and therefore the same pin.
    /// - Returns: nil for valid DER that isn't two positive numbers (RFC 8017 § A.1.1).
    package init?(rsaPublicKey der: [UInt8]) throws(DERError) {
        try DER.validate(der, maximumDepth: 2)
        guard let outer = TLV(der[...]), outer.tag == TLV.Tag.sequence else { return nil }
        let numbers = outer.members(3)
        guard numbers.count == 2,
            numbers.allSatisfy({
                $0.tag == TLV.Tag.integer && ($0.contents.first ?? 0x80) < 0x80 && !$0.contents.elementsEqual([0])
            })
        else { return nil }
        // 1.2.840.113549.1.1.1 and NULL.
        let algorithm: [UInt8] = [
            0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00,
        ]
        let key = DERBytes.value(TLV.Tag.bitString, [0x00], der)
        try self.init(der: DERBytes.value(TLV.Tag.sequence, algorithm, key))
    }
}
