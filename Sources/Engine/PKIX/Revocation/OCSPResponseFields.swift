// SPDX-License-Identifier: Apache-2.0

/// The ranges of an OCSP response's fields in its bytes (RFC 6960 § 4.2.1).
struct OCSPResponseFields: Sendable {
    /// The extension `id-pkix-ocsp-nonce`, 1.3.6.1.5.5.7.48.1.2.
    private static let nonce: [UInt8] = [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x01, 0x02]
    /// The response type `id-pkix-ocsp-basic`, 1.3.6.1.5.5.7.48.1.1.
    private static let basic: [UInt8] = [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x01, 0x01]

    /// The number of certificates in a response that are read. Real responses have one. If a response has more and none
    /// of the first ones has signed it, its signer isn't known.
    static let maximumCertificates = 16

    var status = OCSPResponse.Status.successful
    var tbs = ByteRange.absent
    /// The whole Name of the responder. Absent if the response identifies the responder by key.
    var responderName = ByteRange.absent
    /// SHA-1 of the responder's key. Absent if the response identifies the responder by name.
    var responderKeyHash = ByteRange.absent
    var producedAt = Time(secondsSinceEpoch: 0)
    var singles: [OCSPSingleElement] = []
    /// The contents of the OID of the first critical extension of the whole response that the engine doesn't process.
    var unhandledCritical = ByteRange.absent
    /// Whether the extensions of the whole response or an answer are malformed. Such a response can only revoke.
    var isMalformed = false
    var signatureAlgorithm = CertificateFields.Algorithm()
    var signature = ByteRange.absent
    /// The whole certificates, not parsed.
    var certificates: [ByteRange] = []
    /// Whether the response has certificates that weren't read.
    var hasUnreadCertificates = false

    init(parsing bytes: Span<UInt8>) throws(DERError) {
        let response = try DERReader(bytes).only(DERTag.sequence, "ocspResponse")
        var reader = DERReader(bytes, response.contents)
        let code = try reader.next(DERTag.enumerated, "responseStatus")
        let number = try reader.smallNumber(code, "responseStatus")
        guard let status = OCSPResponse.Status(rawValue: number) else {
            throw DERError(.integerOutOfRange, in: "responseStatus", at: code.start)
        }
        self.status = status
        guard let explicit = try reader.nextIf(DERTag.contextConstructed(0), "responseBytes") else {
            try reader.finish("ocspResponse")
            guard status != .successful else { throw DERError(.truncated, in: "responseBytes", at: response.end) }
            return
        }
        try reader.finish("ocspResponse")
        // § 4.2.1: an error response has no other contents. The parser ignores anything that follows.
        guard status == .successful else { return }
        let typed = try reader.inside(explicit).only(DERTag.sequence, "responseBytes")
        var fields = reader.inside(typed)
        let type = try fields.nextObjectIdentifier("responseType")
        guard equals(bytes, type, Self.basic) else {
            throw DERError(.invalid("no basic OCSP response"), in: "responseType", at: type.start)
        }
        let octets = try fields.next(DERTag.octetString, "response")
        try fields.finish("responseBytes")
        try readBasic(DERReader(bytes, octets.contents))
    }

    /// Reads `SEQUENCE { tbsResponseData, signatureAlgorithm, signature BIT STRING, certs [0] EXPLICIT SEQUENCE OF
    /// Certificate OPTIONAL }`.
    private mutating func readBasic(_ given: consuming DERReader) throws(DERError) {
        let bytes = given.bytes
        let basic = try given.only(DERTag.sequence, "basicOCSPResponse")
        var reader = DERReader(bytes, basic.contents)
        let tbs = try reader.next(DERTag.sequence, "tbsResponseData")
        self.tbs = tbs.whole
        signatureAlgorithm = try reader.nextAlgorithm("signatureAlgorithm")
        signature = try reader.nextOctetAlignedBitString("signature")
        if let explicit = try reader.nextIf(DERTag.contextConstructed(0), "certs") {
            var members = reader.inside(try reader.inside(explicit).only(DERTag.sequence, "certs"))
            while !members.isAtEnd {
                guard certificates.count < Self.maximumCertificates else {
                    hasUnreadCertificates = true
                    break
                }
                certificates.append(try members.next(DERTag.sequence, "certs").whole)
            }
        }
        try reader.finish("basicOCSPResponse")
        try readData(reader.inside(tbs))
    }

    /// Reads `SEQUENCE { version [0] DEFAULT v1, responderID, producedAt, responses SEQUENCE OF SingleResponse,
    /// responseExtensions [1] }`.
    private mutating func readData(_ given: consuming DERReader) throws(DERError) {
        var reader = given
        if let explicit = try reader.nextIf(DERTag.contextConstructed(0), "version") {
            var inner = reader.inside(explicit)
            // v1 is the DEFAULT and must not be encoded, but some responders encode it. No other version exists.
            guard try inner.nextSmallNumber("version") == 0 else {
                throw DERError(.integerOutOfRange, in: "version", at: explicit.start)
            }
            try inner.finish("version")
        }
        let responder = try reader.next("responderID")
        var inner = reader.inside(responder)
        switch responder.tag {
        case DERTag.contextConstructed(1): responderName = try inner.nextName("responderID")
        case DERTag.contextConstructed(2):
            responderKeyHash = try inner.next(DERTag.octetString, "responderID").contents
            // The key hash is always SHA-1 (§ 4.2.1).
            guard responderKeyHash.count == 20 else {
                throw DERError(
                    .invalid("key hash of \(responderKeyHash.count) bytes"), in: "responderID", at: responder.start)
            }
        default:
            throw responder.unexpected(DERTag.contextConstructed(1), "responderID")
        }
        try inner.finish("responderID")
        producedAt = try reader.nextGeneralizedTime("producedAt")
        var members = try reader.nextSequence("responses")
        while !members.isAtEnd {
            let start = members.position
            do throws(DERError) {
                singles.append(try members.nextOCSPSingle(producedAt))
            } catch {
                // An answer that can't be read doesn't hide the others.
                isMalformed = true
                guard members.position > start else { break }
            }
        }
        if let explicit = try reader.nextIf(DERTag.contextConstructed(1), "responseExtensions") {
            do throws(DERError) {
                let list = try reader.inside(explicit).only(DERTag.sequence, "responseExtensions")
                try readExtensions(reader.inside(list))
            } catch {
                isMalformed = true
            }
        }
        if !reader.isAtEnd { isMalformed = true }
    }

    private mutating func readExtensions(_ given: consuming DERReader) throws(DERError) {
        var list = given
        let start = list.position
        var count = 0
        while !list.isAtEnd {
            count += 1
            guard count <= CRLEntryExtensions.maximumCount else {
                throw DERError(
                    .limitExceeded(limit: CRLEntryExtensions.maximumCount), in: "responseExtensions", at: list.position)
            }
            let member = try list.nextExtension()
            try list.refuseDuplicate(member.oid, earlier: ByteRange(start, member.start), "responseExtensions")
            // Requests have no nonce, so that presigned responses match. Any nonce is allowed.
            if member.isCritical, !unhandledCritical.isPresent, !equals(list.bytes, member.oid, Self.nonce) {
                unhandledCritical = member.oid
            }
        }
    }
}

/// The response for one certificate, as ranges.
struct OCSPSingleElement: Sendable {
    /// The hash of the identifier, or nil for a hash that the engine doesn't compute, so that no certificate matches.
    var hash: OCSPHash?
    var issuerNameHash: ByteRange
    var issuerKeyHash: ByteRange
    var serialNumber: ByteRange
    var status: OCSPResponse.CertificateStatus
    var thisUpdate: Time
    var nextUpdate: Time?
    /// Whether this single response has a critical extension. The engine processes none of them.
    var hasCriticalExtension = false
    /// Whether a field of this single response after its identifier is malformed. Such an answer can only revoke.
    var isMalformed = false
    /// The value of the first extension with log timestamps, not parsed. Absent if there is no such extension.
    var timestamps = ByteRange.absent

    /// The extension of RFC 6962 § 3.3, 1.3.6.1.4.1.11129.2.4.5.
    fileprivate static let timestampsIdentifier: [UInt8] = [
        0x2b, 0x06, 0x01, 0x04, 0x01, 0xd6, 0x79, 0x02, 0x04, 0x05,
    ]
}

extension DERReader {
    /// Reads a GeneralizedTime in the form of RFC 5280 § 4.1.2.5.2.
    @_lifetime(self: copy self)
    mutating func nextGeneralizedTime(_ field: StaticString) throws(DERError) -> Time {
        if let tag = nextTag, tag != DERTag.generalizedTime {
            throw DERError(.unexpectedTag(expected: DERTag.generalizedTime, found: tag), in: field, at: position)
        }
        return try nextTime(field).time
    }

    /// Reads `SEQUENCE { certID, certStatus, thisUpdate, nextUpdate [0] EXPLICIT OPTIONAL, singleExtensions [1]
    /// EXPLICIT OPTIONAL }`.
    /// - Parameter producedAt: the date of an answer whose own date can't be read.
    /// - Throws: ``DERError`` if the identifier or the status can't be read. Any other problem is noted in the result.
    @_lifetime(self: copy self)
    fileprivate mutating func nextOCSPSingle(_ producedAt: Time) throws(DERError) -> OCSPSingleElement {
        let element = try next("singleResponse")
        guard element.tag == DERTag.sequence else {
            throw element.unexpected(DERTag.sequence, "singleResponse")
        }
        var reader = inside(element)
        var parts = try reader.nextSequence("certID")
        let algorithm = try parts.nextAlgorithm("hashAlgorithm")
        let hash = OCSPHash.allCases.first { equals(bytes, algorithm.oid, $0.oid) }
        let nameHash = try parts.next(DERTag.octetString, "issuerNameHash").contents
        let keyHash = try parts.next(DERTag.octetString, "issuerKeyHash").contents
        let serial = try parts.next(DERTag.integer, "serialNumber")
        guard serial.contentCount > 0 else { throw DERError(.empty, in: "serialNumber", at: serial.start) }
        let (status, isMalformed) = try reader.nextOCSPStatus(producedAt)
        var single = OCSPSingleElement(
            hash: hash, issuerNameHash: nameHash, issuerKeyHash: keyHash, serialNumber: shortestInteger(serial),
            status: status, thisUpdate: producedAt)
        single.isMalformed = isMalformed
        do throws(DERError) {
            try checkInteger(serial, "serialNumber")
            try parts.finish("certID")
        } catch {
            single.isMalformed = true
        }
        do throws(DERError) { try reader.readRest(of: &single) } catch { single.isMalformed = true }
        return single
    }

    private consuming func readRest(of single: inout OCSPSingleElement) throws(DERError) {
        single.thisUpdate = try nextGeneralizedTime("thisUpdate")
        if let explicit = try nextIf(DERTag.contextConstructed(0), "nextUpdate") {
            var inner = inside(explicit)
            single.nextUpdate = try inner.nextGeneralizedTime("nextUpdate")
            try inner.finish("nextUpdate")
        }
        if let explicit = try nextIf(DERTag.contextConstructed(1), "singleExtensions") {
            var members = inside(try inside(explicit).only(DERTag.sequence, "singleExtensions"))
            // Archive cutoff, CRL references and log timestamps don't affect the status.
            while !members.isAtEnd {
                let member = try members.nextExtension()
                if member.isCritical { single.hasCriticalExtension = true }
                if !single.timestamps.isPresent, equals(bytes, member.oid, OCSPSingleElement.timestampsIdentifier) {
                    single.timestamps = member.value
                }
            }
        }
        try finish("singleResponse")
    }

    /// Reads `CHOICE { good [0] NULL, revoked [1] SEQUENCE { revocationTime, revocationReason [0] EXPLICIT OPTIONAL },
    /// unknown [2] NULL }`. The tag decides, even if the contents are malformed.
    /// - Parameter producedAt: the date of a revocation whose own date can't be read.
    @_lifetime(self: copy self)
    private mutating func nextOCSPStatus(
        _ producedAt: Time
    ) throws(DERError) -> (status: OCSPResponse.CertificateStatus, isMalformed: Bool) {
        let element = try next("certStatus")
        switch element.tag {
        case DERTag.context(0): return (.good, element.contentCount > 0)
        case DERTag.context(2): return (.unknown, element.contentCount > 0)
        case DERTag.contextConstructed(1):
            var (time, reason): (Time?, RevocationReason?)
            do throws(DERError) {
                var reader = inside(element)
                time = try reader.nextGeneralizedTime("revocationTime")
                if let explicit = try reader.nextIf(DERTag.contextConstructed(0), "revocationReason") {
                    let code = try reader.inside(explicit).only(DERTag.enumerated, "revocationReason")
                    reason = RevocationReason(rawValue: try reader.smallNumber(code, "revocationReason"))
                }
                try reader.finish("certStatus")
            } catch {
                // removeFromCRL and certificateHold weaken a revocation, so they count only if all of it is readable.
                return (.revoked(at: time ?? producedAt, reason: nil), true)
            }
            return (.revoked(at: time ?? producedAt, reason: reason), false)
        default:
            throw element.unexpected(DERTag.context(0), "certStatus")
        }
    }
}
