// SPDX-License-Identifier: Apache-2.0

/// The ranges of a CRL's fields in its bytes (RFC 5280 § 5.1), except for the entries, which ``CRLIndex`` holds.
struct CRLFields: Sendable {
    var tbs = ByteRange.absent
    /// The version, 1 or 2.
    var version: UInt8 = 1
    var tbsAlgorithm = CertificateFields.Algorithm()
    var signatureAlgorithm = CertificateFields.Algorithm()
    var signature = ByteRange.absent
    var issuer = ByteRange.absent
    var thisUpdate = Time(secondsSinceEpoch: 0)
    /// The latest date for the next CRL, or nil if the field is missing, which RFC 5280 § 5.1.2.5 forbids.
    var nextUpdate: Time?
    /// The members of `revokedCertificates`, without the list's own tag and length. Empty if nothing is revoked.
    var entries = ByteRange.absent
    var extensions = CRLExtensions()

    init(parsing bytes: Span<UInt8>) throws(DERError) {
        var outer = DERReader(bytes)
        let list = try outer.next(DERTag.sequence, "certificateList")
        try outer.finish("certificateList")

        var reader = outer.inside(list)
        let tbs = try reader.next(DERTag.sequence, "tbsCertList")
        self.tbs = tbs.whole
        self.signatureAlgorithm = try reader.nextAlgorithm("signatureAlgorithm")
        self.signature = try reader.nextOctetAlignedBitString("signatureValue")
        try reader.finish("certificateList")

        var fields = reader.inside(tbs)
        if fields.nextTag == DERTag.integer {
            let start = fields.position
            // A v1 CRL doesn't have this field.
            guard try fields.nextSmallNumber("version") == 1 else {
                throw DERError(.integerOutOfRange, in: "version", at: start)
            }
            self.version = 2
        }
        self.tbsAlgorithm = try fields.nextAlgorithm("tbsCertList.signature")
        self.issuer = try fields.nextName("issuer")
        self.thisUpdate = try fields.nextTime("thisUpdate").time
        if fields.nextTag == DERTag.utcTime || fields.nextTag == DERTag.generalizedTime {
            self.nextUpdate = try fields.nextTime("nextUpdate").time
        }
        if let entries = try fields.nextIf(DERTag.sequence, "revokedCertificates") { self.entries = entries.contents }
        if let explicit = try fields.nextIf(DERTag.contextConstructed(0), "crlExtensions") {
            guard version == 2 else {
                throw DERError(.invalid("extensions in a v1 CRL"), in: "crlExtensions", at: explicit.start)
            }
            var inner = fields.inside(explicit)
            let list = try inner.next(DERTag.sequence, "crlExtensions")
            try inner.finish("crlExtensions")
            guard list.contentCount > 0 else { throw DERError(.empty, in: "crlExtensions", at: list.start) }
            self.extensions = try CRLExtensions(parsing: inner.inside(list))
        }
        try fields.finish("tbsCertList")
    }
}

/// The extensions of the whole CRL (RFC 5280 § 5.2).
struct CRLExtensions: Sendable {
    /// The contents of `cRLNumber`. Absent if the CRL has no number.
    private(set) var number = ByteRange.absent
    private(set) var isNumberCritical = false
    /// The contents of `BaseCRLNumber`. Present only in a delta CRL.
    private(set) var deltaBase = ByteRange.absent
    private(set) var issuingDistributionPoint: IssuingDistributionPointElement?
    /// The whole value of `freshestCRL`.
    private(set) var freshestCRL = ByteRange.absent
    /// The whole value of the authority key identifier. The contents of its key identifier follow in the next property.
    private(set) var authorityKeyIdentifier = ByteRange.absent
    private(set) var keyIdentifier = ByteRange.absent
    /// The contents of the OID of the first critical extension that the engine doesn't process.
    private(set) var unhandledCritical = ByteRange.absent
    /// Whether a known extension is malformed, or an extension appears twice. Such a list can only revoke.
    private(set) var isMalformed = false

    init() {}

    init(parsing list: consuming DERReader) throws(DERError) {
        var list = list
        let start = list.position
        var count = 0
        while !list.isAtEnd {
            count += 1
            guard count <= ExtensionIndex.maximumCount else {
                throw DERError(
                    .limitExceeded(limit: ExtensionIndex.maximumCount), in: "crlExtensions", at: list.position)
            }
            let member = try list.nextExtension()
            do throws(DERError) {
                try list.refuseDuplicate(member.oid, earlier: ByteRange(start, member.start), "crlExtensions")
                try read(member, DERReader(list.bytes, member.value))
            } catch {
                isMalformed = true
            }
        }
    }

    private mutating func read(_ member: ExtensionElement, _ value: consuming DERReader) throws(DERError) {
        var reader = value
        let oid = member.oid
        // id-ce, 2.5.29
        let isCertificateExtension = oid.count == 3 && matches(reader.bytes, oid.start, [0x55, 0x1d])
        switch isCertificateExtension ? reader.bytes[oid.start &+ 2] : 0 {
        case 20:
            let element = try reader.next(DERTag.integer, "cRLNumber")
            try reader.checkNaturalNumber(element, "cRLNumber")
            number = element.contents
            isNumberCritical = member.isCritical
        case 27:
            let element = try reader.next(DERTag.integer, "deltaCRLIndicator")
            try reader.checkNaturalNumber(element, "deltaCRLIndicator")
            deltaBase = element.contents
        case 28: issuingDistributionPoint = try reader.nextIssuingDistributionPoint()
        case 35:
            authorityKeyIdentifier = member.value
            keyIdentifier = try reader.nextAuthorityKeyIdentifierParts().key
        case 46:
            try reader.checkDistributionPoints("freshestCRL")
            freshestCRL = member.value
        default:
            if member.isCritical, !unhandledCritical.isPresent { unhandledCritical = oid }
            return
        }
        try reader.finish("crlExtensions")
    }
}

extension DERReader {
    /// Rejects an extension that appears twice (RFC 5280 § 4.2). `earlier` contains the list members before the
    /// extension with `oid`.
    func refuseDuplicate(_ oid: ByteRange, earlier: ByteRange, _ field: StaticString) throws(DERError) {
        var list = DERReader(bytes, earlier)
        while !list.isAtEnd {
            let other = try list.nextExtension()
            guard !bytesEqual(bytes, other.oid, bytes, oid) else {
                throw DERError(.duplicate, in: field, at: oid.start)
            }
        }
    }

    /// Checks that an element is a nonnegative number of at most 20 bytes (RFC 5280 § 5.2.3), not counting a leading
    /// byte for the sign.
    func checkNaturalNumber(_ element: DERElement, _ field: StaticString) throws(DERError) {
        try checkInteger(element, field)
        guard bytes[element.content] < 0x80, element.contentCount <= 21 else {
            throw DERError(.integerOutOfRange, in: field, at: element.content)
        }
    }
}
