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
    /// The first problem with the form of a field after `thisUpdate`, or of an extension. Such a list can only revoke.
    var problem: DERError?

    /// - Throws: ``DERError`` if the signature, the issuer or `thisUpdate` can't be read.
    init(parsing bytes: Span<UInt8>) throws(DERError) {
        let list = try DERReader(bytes).only(DERTag.sequence, "certificateList")
        var reader = DERReader(bytes, list.contents)
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
        do throws(DERError) { try readRest(fields) } catch { problem = problem ?? error }
    }

    /// Reads the fields after `thisUpdate`. A list with a malformed field can still revoke certificates.
    private mutating func readRest(_ given: consuming DERReader) throws(DERError) {
        var fields = given
        if fields.nextTag == DERTag.utcTime || fields.nextTag == DERTag.generalizedTime {
            do throws(DERError) { nextUpdate = try fields.nextTime("nextUpdate").time } catch { problem = error }
        }
        if let entries = try fields.nextIf(DERTag.sequence, "revokedCertificates") { self.entries = entries.contents }
        if let explicit = try fields.nextIf(DERTag.contextConstructed(0), "crlExtensions") {
            if version != 2 {
                problem =
                    problem ?? DERError(.invalid("extensions in a v1 CRL"), in: "crlExtensions", at: explicit.start)
            }
            var inner = fields.inside(explicit)
            let list = try inner.next(DERTag.sequence, "crlExtensions")
            extensions = CRLExtensions(parsing: inner.inside(list))
            problem = problem ?? extensions.problem
            try inner.finish("crlExtensions")
            guard list.contentCount > 0 else { throw DERError(.empty, in: "crlExtensions", at: list.start) }
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
    /// The first problem with an extension's form, or a repeated extension.
    private(set) var problem: DERError?
    /// The last bytes of the OIDs of the known extensions so far.
    private var known: [UInt8] = []

    init() {}

    init(parsing list: consuming DERReader) {
        var list = list
        let start = list.position
        var count = 0
        while !list.isAtEnd {
            count += 1
            let position = list.position
            do throws(DERError) {
                let member = try list.nextExtension()
                // The search for repetitions is quadratic. Those of known extensions are always found.
                if count <= ExtensionIndex.maximumCount {
                    try list.refuseDuplicate(member.oid, earlier: ByteRange(start, member.start), "crlExtensions")
                }
                try read(member, DERReader(list.bytes, member.value))
            } catch {
                problem = problem ?? error
                // The end of this extension can't be found.
                guard list.position > position else { break }
            }
        }
    }

    private mutating func read(_ member: ExtensionElement, _ value: consuming DERReader) throws(DERError) {
        var reader = value
        let oid = member.oid
        let number = reader.certificateExtension(oid)
        if [20, 27, 28, 35, 46].contains(number) {
            guard !known.contains(number) else { throw DERError(.duplicate, in: "crlExtensions", at: oid.start) }
            known.append(number)
        }
        switch number {
        case 20:
            self.number = try reader.nextNaturalNumber("cRLNumber")
            isNumberCritical = member.isCritical
        case 27: deltaBase = try reader.nextNaturalNumber("deltaCRLIndicator")
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
            let position = list.position
            guard let other = try? list.nextExtension() else {
                // The parser has already noted an extension that it can't read.
                guard list.position > position else { return }
                continue
            }
            guard !bytesEqual(bytes, other.oid, bytes, oid) else {
                throw DERError(.duplicate, in: field, at: oid.start)
            }
        }
    }

    /// Reads a nonnegative number of at most 20 bytes (RFC 5280 § 5.2.3), not counting a leading byte for the sign.
    @_lifetime(self: copy self)
    mutating func nextNaturalNumber(_ field: StaticString) throws(DERError) -> ByteRange {
        let element = try next(DERTag.integer, field)
        try checkInteger(element, field)
        guard bytes[element.content] < 0x80, element.contentCount <= 21 else {
            throw DERError(.integerOutOfRange, in: field, at: element.content)
        }
        return element.contents
    }
}
