// SPDX-License-Identifier: Apache-2.0

/// The scope of a CRL (RFC 5280 § 5.2.5).
package struct IssuingDistributionPoint: Sendable, Hashable {
    /// The field `distributionPoint.fullName`. Empty if it is absent.
    var fullName: [GeneralName]
    /// The field `distributionPoint.nameRelativeToCRLIssuer`: the contents of a RelativeDistinguishedName in DER, or
    /// nil if it is absent.
    var nameRelativeToCRLIssuer: [UInt8]?
    /// Whether the CRL covers only end-entity certificates.
    var onlyContainsUserCertificates: Bool
    /// Whether the CRL covers only CA certificates.
    var onlyContainsCACertificates: Bool
    /// Whether the CRL covers only attribute certificates.
    var onlyContainsAttributeCertificates: Bool
    /// The field `onlySomeReasons`, with the bits numbered as in ReasonFlags, or nil for all reasons.
    var onlySomeReasons: UInt16?
    /// Whether the CRL lists certificates of other issuers.
    package var isIndirect: Bool
}

/// The scope of a CRL, as ranges.
struct IssuingDistributionPointElement: Sendable {
    /// The contents of the extension.
    var whole = ByteRange.absent
    var fullName = ByteRange.absent
    var relativeName = ByteRange.absent
    var onlyContainsUserCertificates = false
    var onlyContainsCACertificates = false
    var onlyContainsAttributeCertificates = false
    var onlySomeReasons: UInt16?
    var isIndirect = false

    var hasName: Bool { fullName.isPresent || relativeName.isPresent }
}

extension DERReader {
    /// Reads `IssuingDistributionPoint ::= SEQUENCE { distributionPoint [0], onlyContainsUserCerts [1],
    /// onlyContainsCACerts [2], onlySomeReasons [3], indirectCRL [4], onlyContainsAttributeCerts [5] }`. Every field is
    /// optional.
    @_lifetime(self: copy self)
    mutating func nextIssuingDistributionPoint() throws(DERError) -> IssuingDistributionPointElement {
        let field: StaticString = "issuingDistributionPoint"
        let sequence = try next(DERTag.sequence, field)
        var inner = inside(sequence)
        var point = IssuingDistributionPointElement()
        point.whole = sequence.whole
        if let explicit = try inner.nextIf(DERTag.contextConstructed(0), field) {
            (point.fullName, point.relativeName) = try inner.distributionPointName(explicit, field)
        }
        // An explicit FALSE means the same as an absent field.
        if let flag = try inner.nextIf(DERTag.context(1), field) {
            point.onlyContainsUserCertificates = try inner.boolean(flag, field)
        }
        if let flag = try inner.nextIf(DERTag.context(2), field) {
            point.onlyContainsCACertificates = try inner.boolean(flag, field)
        }
        if let bits = try inner.nextIf(DERTag.context(3), field) {
            point.onlySomeReasons = try inner.namedBits(bits, field)
        }
        if let flag = try inner.nextIf(DERTag.context(4), field) { point.isIndirect = try inner.boolean(flag, field) }
        if let flag = try inner.nextIf(DERTag.context(5), field) {
            point.onlyContainsAttributeCertificates = try inner.boolean(flag, field)
        }
        try inner.finish(field)
        return point
    }
}
