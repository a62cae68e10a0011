// SPDX-License-Identifier: Apache-2.0

/// A certificate request (PKCS #10, RFC 2986 § 4): a subject, its key, and a signature by that key.
///
/// Like a ``Certificate``, a request is identified by its DER bytes. Parsing accepts only strict DER and doesn't
/// evaluate trust. The applicant signs the request, so ``signatureStatus`` can only prove that the holder of the key
/// has signed these bytes. You can take a pin from a request before any CA has seen it.
///
/// Not checked: the meaning of the attributes (requested extensions, challenge password), beyond well-formed DER.
public struct CertificateRequest: Sendable {
    /// The bytes of the request, unchanged.
    public let der: [UInt8]

    private let fields: Fields

    /// Parses one request in DER.
    /// - Throws: ``DERError`` with field and byte if the bytes aren't strict DER, aren't a `CertificationRequest` of
    ///   version 1 (RFC 2986 § 4), or exceed ``Certificate/maximumSize``.
    public init(der: [UInt8]) throws(DERError) {
        guard der.count <= Certificate.maximumSize else {
            throw DERError(.limitExceeded(limit: Certificate.maximumSize), in: "certificationRequest", at: 0)
        }
        let view = der[...]
        self.fields = try Fields(parsing: view.span)
        self.der = der
    }

    /// The requested subject, which may be empty. A CA is free to certify another name.
    var subject: DistinguishedName { DistinguishedName(checkedDER: copy(fields.subject)) }

    /// The key to certify: algorithm, parameters and bits as in the request, and later in the certificate.
    public var subjectPublicKeyInfo: SubjectPublicKeyInfo {
        SubjectPublicKeyInfo(checkedDER: copy(fields.spki.whole))
    }

    /// The algorithm that the request states for its signature.
    package var signatureAlgorithm: OID { OID(checkedContents: copy(fields.signatureAlgorithm.oid)) }

    private func copy(_ range: ByteRange) -> [UInt8] { Array(der[range.indices]) }
}

extension CertificateRequest: Hashable {
    public static func == (left: CertificateRequest, right: CertificateRequest) -> Bool { left.der == right.der }

    public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}

extension CertificateRequest: CustomStringConvertible {
    /// The subject. Empty if the subject is empty.
    public var description: String { subject.description }
}

// MARK: - The signature

extension CertificateRequest {
    /// The result of verifying a request's signature with the request's own key. Future versions add no cases.
    public enum SignatureStatus: Sendable, Hashable {
        /// The holder of the key has signed these bytes.
        case valid
        /// The signature doesn't verify, or the key isn't valid for its algorithm (for example, a point that isn't on
        /// its curve). The request was altered or damaged.
        case invalid
        /// The engine doesn't verify the algorithm, its parameters or the kind of key (SHA-1, DSA, Ed448, other curves,
        /// …).
        case notSupported
    }

    /// The result of verifying the signature with the request's own key (RFC 2986 § 4.2). Each call verifies again.
    public var signatureStatus: SignatureStatus {
        let view = der[...]
        let span = view.span
        guard case .supported(let scheme) = SignatureScheme.read(span, fields.signatureAlgorithm) else {
            return .notSupported
        }
        let form = KeyForm.read(span, fields.spki)
        guard let key = VerificationKey(span, fields.spki, form) else {
            return switch form {
            case .p256, .p384, .p521, .ed25519, .malformed: .invalid
            // An RSA key may be too small for the crypto library, and ML-DSA may be too new for the system.
            case .rsa, .rsaPSSOnly, .mldsa65, .mldsa87, .explicitCurve, .otherCurve, .dsa, .other: .notSupported
            }
        }
        return key.isValid(fields.signature, over: fields.info, of: span, scheme: scheme) ? .valid : .invalid
    }
}

// MARK: - Reading

extension CertificateRequest {
    /// The ranges of the fields in the bytes.
    private struct Fields: Sendable {
        /// The signed bytes.
        var info: ByteRange
        var subject: ByteRange
        var spki: CertificateFields.PublicKeyInfo
        var signatureAlgorithm: CertificateFields.Algorithm
        var signature: ByteRange

        init(parsing bytes: Span<UInt8>) throws(DERError) {
            let request = try DERReader(bytes).only(DERTag.sequence, "certificationRequest")
            var reader = DERReader(bytes, request.contents)
            let info = try reader.next(DERTag.sequence, "certificationRequestInfo")
            self.info = info.whole
            self.signatureAlgorithm = try reader.nextAlgorithm("signatureAlgorithm")
            self.signature = try reader.nextOctetAlignedBitString("signature")
            try reader.finish("certificationRequest")

            var fields = reader.inside(info)
            let start = fields.position
            // v1(0) is the only version, and it isn't a DEFAULT.
            guard try fields.nextSmallNumber("version") == 0 else {
                throw DERError(.integerOutOfRange, in: "version", at: start)
            }
            self.subject = try fields.nextName("subject")
            self.spki = try fields.nextPublicKeyInfo()
            // RFC 2986 § 4.1 requires the list even if it is empty. Some CAs required requests without it (`openssl req
            // -asn1-kludge` of OpenSSL 1.0), and readers accept a missing list. So does this one, because it uses
            // nothing from the list.
            if let attributes = try fields.nextIf(DERTag.contextConstructed(0), "attributes") {
                try fields.checkWellFormed(attributes, "attributes")
            }
            try fields.finish("certificationRequestInfo")
        }
    }
}
