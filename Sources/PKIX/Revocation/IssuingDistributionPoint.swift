// SPDX-License-Identifier: Apache-2.0

/// What a CRL covers (RFC 5280 § 5.2.5).
public struct IssuingDistributionPoint: Sendable, Hashable {
    /// `distributionPoint.fullName`
    public var fullName: [GeneralName]
    /// `distributionPoint.nameRelativeToCRLIssuer`, a RelativeDistinguishedName's contents in DER.
    public var nameRelativeToCRLIssuer: [UInt8]?
    public var onlyContainsUserCertificates: Bool
    public var onlyContainsCACertificates: Bool
    public var onlyContainsAttributeCertificates: Bool
    /// `onlySomeReasons`: bit n is ReasonFlags' bit n; nil for all reasons.
    public var onlySomeReasons: UInt16?
    /// Whether it lists certificates of other issuers.
    public var isIndirect: Bool
}

/// The same as ranges.
struct IssuingDistributionPointElement: Sendable {
    /// Contents of the extension.
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
    /// `IssuingDistributionPoint ::= SEQUENCE { distributionPoint [0], onlyContainsUserCerts [1], onlyContainsCACerts [2],
    /// onlySomeReasons [3], indirectCRL [4], onlyContainsAttributeCerts [5] }`, everything optional.
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
        // A FALSE that is written out says the same as none.
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
