// SPDX-License-Identifier: Apache-2.0

/// An OCSP response (RFC 6960 § 4.2), parsed but not verified.
///
/// Parsing only checks the format. ``RevocationChecker`` checks that the response is about the certificate, and checks
/// its signer and dates.
public final class OCSPResponse: Sendable {
    /// The largest response that the parser accepts, in bytes: the size of the largest TLS handshake message. Real
    /// responses have 300 to 4,000 bytes.
    package static let maximumSize = 16 << 20

    let bytes: ArraySlice<UInt8>
    let fields: OCSPResponseFields
    /// The readable certificates in the response.
    let certificates: [Certificate]
    let verifiedKeys = VerifiedKeys()

    /// The `OCSPResponseStatus`. Only a successful response contains the status of a certificate.
    package enum Status: Int, Sendable, Hashable, CaseIterable {
        /// The response contains the status of certificates.
        case successful = 0
        /// The responder could not read the request.
        case malformedRequest = 1
        /// The responder has an internal error.
        case internalError = 2
        /// The responder can't answer right now.
        case tryLater = 3
        /// The responder answers only signed requests.
        case sigRequired = 5
        /// The responder doesn't answer this client, or doesn't answer for this certificate.
        case unauthorized = 6
    }

    /// The status of one certificate.
    package enum CertificateStatus: Sendable, Hashable {
        /// The certificate is not revoked.
        case good
        /// The certificate is revoked.
        /// - Parameters:
        ///   - at: the date of the revocation.
        ///   - reason: nil if the response states no reason, or one that RFC 5280 doesn't define.
        case revoked(at: Time, reason: RevocationReason?)
        /// The responder doesn't know the certificate.
        case unknown
    }

    /// The identity of the responder.
    enum Responder: Sendable, Hashable {
        /// The subject of the responder's certificate.
        case name(DistinguishedName)
        /// SHA-1 of the responder's public key.
        case keyHash([UInt8])
    }

    /// The response for one certificate.
    package struct SingleResponse: Sendable, Hashable {
        /// The serial number of the certificate.
        var serialNumber: SerialNumber
        /// The status of the certificate.
        var status: CertificateStatus
        /// The date when the responder knew the status to be correct.
        package var thisUpdate: Time
        /// The date when newer information will be available, or nil if newer information is always available.
        package var nextUpdate: Time?
    }

    /// Parses one response in DER.
    ///
    /// The parser accepts a response with malformed answers or extensions. Such a response can revoke the certificates in
    /// its readable answers but can't show that a certificate is good.
    /// - Throws: ``DERError`` with field and byte if the bytes exceed 16 MiB or aren't strict DER outside of answers and
    ///   extensions, or if a successful response isn't a basic one.
    public init(der: [UInt8]) throws(DERError) {
        guard der.count <= Self.maximumSize else {
            throw DERError(.limitExceeded(limit: Self.maximumSize), in: "ocspResponse", at: 0)
        }
        let bytes = der[...]
        let span = bytes.span
        let fields = try OCSPResponseFields(parsing: span)
        // An unreadable certificate can't be the signer.
        var certificates: [Certificate] = []
        for range in fields.certificates {
            if let certificate = try? Certificate(der: span.extracting(range.indices)) {
                certificates.append(certificate)
            }
        }
        self.certificates = certificates
        self.fields = fields
        self.bytes = bytes
    }

    /// The bytes of the response as you passed them.
    public var der: [UInt8] { Array(bytes) }

    /// The size of the DER, in bytes.
    package var size: Int { bytes.count }

    /// The status of the response.
    var status: Status { fields.status }

    /// The identity of the responder, or nil unless the response is successful.
    var responder: Responder? {
        if fields.responderName.isPresent {
            return .name(DistinguishedName(checkedDER: span.copy(fields.responderName)))
        }
        return fields.responderKeyHash.isPresent ? .keyHash(span.copy(fields.responderKeyHash)) : nil
    }

    /// The date of the signature, or nil unless the response is successful.
    var producedAt: Time? { fields.status == .successful ? fields.producedAt : nil }

    /// The responses for single certificates, in order. Empty unless the response is successful.
    package var responses: [SingleResponse] {
        fields.singles.map {
            SingleResponse(
                serialNumber: SerialNumber(bytes: span.copy($0.serialNumber)), status: $0.status,
                thisUpdate: $0.thisUpdate, nextUpdate: $0.nextUpdate)
        }
    }

    /// Returns the log timestamps next to the status of the first certificate with that serial number (RFC 6962 § 3.3).
    /// Returns nil if there aren't any or the bytes aren't a list. Not checked: the responder's signature, and the issuer
    /// of the certificate. The timestamps have their own signatures.
    package func timestamps(for serialNumber: SerialNumber) -> TimestampList? {
        let single = fields.singles.first { span.copy($0.serialNumber) == serialNumber.bytes }
        guard let value = single?.timestamps, value.isPresent else { return nil }
        return try? TimestampList(extensionValue: span.copy(value))
    }

    /// The bytes, borrowed from this object.
    var span: Span<UInt8> {
        @_lifetime(borrow self)
        get { unsafe _overrideLifetime(Span(_unsafeElements: bytes.memory), borrowing: self) }
    }
}

extension OCSPResponse: Hashable {
    public static func == (left: OCSPResponse, right: OCSPResponse) -> Bool {
        left === right || left.bytes == right.bytes
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

// MARK: - The signature

extension OCSPResponse {
    /// The scheme of the signature, or nil if the engine doesn't verify that scheme.
    var evidenceScheme: EvidenceScheme? { EvidenceScheme(span, fields.signatureAlgorithm) }
}
