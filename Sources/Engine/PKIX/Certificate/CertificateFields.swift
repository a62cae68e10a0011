// SPDX-License-Identifier: Apache-2.0

/// The ranges of a certificate's fields in its bytes, and the decoded fields that every evaluation needs.
///
/// Parsing takes one pass over the bytes and allocates nothing. The pass checks structured fields (names, lists of
/// names, policies). Later code decodes them again on demand.
struct CertificateFields: Sendable {
    /// An AlgorithmIdentifier.
    struct Algorithm: Sendable {
        /// The tag, length and contents.
        var whole = ByteRange.absent
        /// The contents of the OID.
        var oid = ByteRange.absent
        /// The parameters with tag and length, or absent.
        var parameters = ByteRange.absent
    }

    struct PublicKeyInfo: Sendable {
        var whole = ByteRange.absent
        var algorithm = Algorithm()
        /// The bits of the key.
        var key = ByteRange.absent
    }

    var tbs = ByteRange.absent
    var version: UInt8 = 1
    var serialNumber = ByteRange.absent
    /// The algorithm inside the signed part.
    var tbsAlgorithm = Algorithm()
    /// The algorithm outside the signed part, next to the signature.
    var signatureAlgorithm = Algorithm()
    var issuer = ByteRange.absent
    var subject = ByteRange.absent
    var notBefore = Time(secondsSinceEpoch: 0)
    var notAfter = Time(secondsSinceEpoch: 0)
    var notBeforeForm = DERTimeForm.utc
    var notAfterForm = DERTimeForm.utc
    var spki = PublicKeyInfo()
    var hasUniqueIdentifiers = false
    var signature = ByteRange.absent
    /// The members of the extension list, without the list's own tag and length.
    var extensionList = ByteRange.absent
    var extensions = ExtensionIndex()
    /// The work that parsing took, in the units of ``ValidationBudget/work``.
    var parsingWork = 0

    init(parsing bytes: Span<UInt8>) throws(DERError) {
        self.parsingWork = bytes.count
        let certificate = try DERReader(bytes).only(DERTag.sequence, "certificate")
        var reader = DERReader(bytes, certificate.contents)
        let tbs = try reader.next(DERTag.sequence, "tbsCertificate")
        self.tbs = tbs.whole
        self.signatureAlgorithm = try reader.nextAlgorithm("signatureAlgorithm")
        self.signature = try reader.nextOctetAlignedBitString("signatureValue")
        try reader.finish("certificate")

        var fields = reader.inside(tbs)
        if let explicit = try fields.nextIf(DERTag.contextConstructed(0), "version") {
            var inner = fields.inside(explicit)
            let number = try inner.nextSmallNumber("version")
            try inner.finish("version")
            // Version 1 is the DEFAULT, so DER omits it.
            guard number != 0 else { throw DERError(.defaultEncoded, in: "version", at: explicit.start) }
            guard number <= 2 else {
                throw DERError(
                    .integerOutOfRange, in: "version", at: explicit.content,
                    detail: "the value is \(number), expected 2 for version 3 or 1 for version 2")
            }
            self.version = UInt8(number) + 1
        }
        let serial = try fields.next(DERTag.integer, "serialNumber")
        try fields.checkInteger(serial, "serialNumber")
        self.serialNumber = serial.contents
        self.tbsAlgorithm = try fields.nextAlgorithm("tbsCertificate.signature")
        self.issuer = try fields.nextName("issuer")
        let validity = try fields.next(DERTag.sequence, "validity")
        var times = fields.inside(validity)
        (self.notBefore, self.notBeforeForm) = try times.nextTime("notBefore")
        (self.notAfter, self.notAfterForm) = try times.nextTime("notAfter")
        try times.finish("validity")
        self.subject = try fields.nextName("subject")
        self.spki = try fields.nextPublicKeyInfo()

        for tag in [DERTag.context(1), DERTag.context(2)] {
            guard let identifier = try fields.nextIf(tag, "uniqueIdentifier") else { continue }
            // RFC 5280 § 4.1.2.8: only v2 and v3 have unique identifiers.
            guard version >= 2 else {
                throw DERError(
                    .invalid("unique identifier in a v1 certificate"), in: "uniqueIdentifier", at: identifier.start)
            }
            try fields.checkBitString(identifier, "uniqueIdentifier")
            hasUniqueIdentifiers = true
        }
        if let explicit = try fields.nextIf(DERTag.contextConstructed(3), "extensions") {
            // RFC 5280 § 4.1.2.9: only v3 has extensions.
            guard version == 3 else {
                throw DERError(
                    .invalid("extensions in a v\(version) certificate"), in: "extensions", at: explicit.start,
                    detail: "only version 3 has extensions (RFC 5280 § 4.1.2.9)")
            }
            let list = try fields.inside(explicit).only(DERTag.sequence, "extensions")
            guard list.contentCount > 0 else { throw DERError(.empty, in: "extensions", at: list.start) }
            self.extensionList = list.contents
            self.extensions = try ExtensionIndex(parsing: fields.inside(list))
            self.parsingWork += extensions.extraWork
        }
        try fields.finish("tbsCertificate")
    }
}

extension DERReader {
    /// `AlgorithmIdentifier ::= SEQUENCE { algorithm OBJECT IDENTIFIER, parameters ANY OPTIONAL }`
    @_lifetime(self: copy self)
    mutating func nextAlgorithm(_ field: StaticString) throws(DERError) -> CertificateFields.Algorithm {
        let element = try next(DERTag.sequence, field)
        var inner = inside(element)
        let oid = try inner.nextObjectIdentifier(field)
        var parameters = ByteRange.absent
        if !inner.isAtEnd {
            let element = try inner.next(field)
            try inner.checkWellFormed(element, field)
            try inner.finish(field)
            parameters = element.whole
        }
        return CertificateFields.Algorithm(whole: element.whole, oid: oid, parameters: parameters)
    }

    /// `SubjectPublicKeyInfo ::= SEQUENCE { algorithm AlgorithmIdentifier, subjectPublicKey BIT STRING }`
    @_lifetime(self: copy self)
    mutating func nextPublicKeyInfo() throws(DERError) -> CertificateFields.PublicKeyInfo {
        let element = try next(DERTag.sequence, "subjectPublicKeyInfo")
        var inner = inside(element)
        let algorithm = try inner.nextAlgorithm("subjectPublicKeyInfo.algorithm")
        let key = try inner.nextOctetAlignedBitString("subjectPublicKey")
        try inner.finish("subjectPublicKeyInfo")
        return CertificateFields.PublicKeyInfo(whole: element.whole, algorithm: algorithm, key: key)
    }
}
