// SPDX-License-Identifier: Apache-2.0

/// A responder's answer (RFC 6960 § 4.2), parsed and unverified.
///
/// Parsing decides nothing: which certificate it is about, who signed it and whether it is still current is looked at by
/// ``RevocationChecker``.
public final class OCSPResponse: Sendable {
    /// The largest response that is read, in bytes. Real ones have 300 to 4,000.
    public static let maximumSize = 1 << 20

    let bytes: ArraySlice<UInt8>
    let fields: OCSPResponseFields
    /// Those that it brings along and that can be read.
    let certificates: [Certificate]
    /// Keys that are known to verify the signature, as the SubjectPublicKeyInfo's SHA-256.
    private let verifiers = Locked<[[UInt8]]>([])

    /// `OCSPResponseStatus`. Only a successful one says anything about a certificate.
    public enum Status: Int, Sendable, Hashable, CaseIterable {
        case successful = 0
        case malformedRequest = 1
        case internalError = 2
        case tryLater = 3
        case sigRequired = 5
        case unauthorized = 6
    }

    /// What is said of one certificate.
    public enum CertificateStatus: Sendable, Hashable {
        case good
        /// - Parameter reason: nil if it gives none, or one that RFC 5280 doesn't know.
        case revoked(at: Time, reason: RevocationReason?)
        /// The responder doesn't know of it.
        case unknown
    }

    /// How the responder says who it is.
    public enum Responder: Sendable, Hashable {
        case name(DistinguishedName)
        /// SHA-1 over its public key.
        case keyHash([UInt8])
    }

    /// The answer for one certificate.
    public struct SingleResponse: Sendable, Hashable {
        public var serialNumber: SerialNumber
        public var status: CertificateStatus
        public var thisUpdate: Time
        /// nil if newer information is always to be had.
        public var nextUpdate: Time?
    }

    /// Parses one response in DER.
    /// - Throws: ``DERError`` naming field and byte: anything that is not strict DER, a successful response that is no basic one, or
    ///   one over ``maximumSize``.
    public init(der: [UInt8]) throws(DERError) {
        guard der.count <= Self.maximumSize else {
            throw DERError(.limitExceeded(limit: Self.maximumSize), in: "ocspResponse", at: 0)
        }
        let bytes = der[...]
        let span = bytes.span
        let fields = try OCSPResponseFields(parsing: span)
        // One that can't be read signs nothing here.
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

    /// The whole response as it was given.
    public var der: [UInt8] { Array(bytes) }

    public var status: Status { fields.status }

    /// nil unless the response is successful.
    public var responder: Responder? {
        if fields.responderName.isPresent {
            return .name(DistinguishedName(checkedDER: span.copy(fields.responderName)))
        }
        return fields.responderKeyHash.isPresent ? .keyHash(span.copy(fields.responderKeyHash)) : nil
    }

    /// nil unless the response is successful.
    public var producedAt: Time? { fields.status == .successful ? fields.producedAt : nil }

    /// What it repeats of the request; nil for none.
    public var nonce: [UInt8]? { fields.nonce.isPresent ? span.copy(fields.nonce) : nil }

    /// What it says, in its order; empty unless it is successful.
    public var responses: [SingleResponse] {
        fields.singles.map {
            SingleResponse(
                serialNumber: SerialNumber(bytes: span.copy($0.serialNumber)), status: $0.status,
                thisUpdate: $0.thisUpdate, nextUpdate: $0.nextUpdate)
        }
    }

    /// The bytes, for as long as this object is looked at.
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
    /// How it is signed, if that is a way that counts.
    var signatureScheme: SignatureScheme? {
        guard case .supported(let scheme) = SignatureScheme.read(span, fields.signatureAlgorithm) else { return nil }
        return scheme
    }

    func isKnownToVerify(with key: [UInt8]) -> Bool { verifiers.withLock { $0.contains(key) } }

    func remember(verifiedBy key: [UInt8]) {
        verifiers.withLock { keys in
            if keys.count < 8, !keys.contains(key) { keys.append(key) }
        }
    }
}
