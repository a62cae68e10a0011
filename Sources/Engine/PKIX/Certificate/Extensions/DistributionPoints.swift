// SPDX-License-Identifier: Apache-2.0

/// The location of a CRL, and the revocation reasons that the CRL covers (RFC 5280 § 4.2.1.13).
package struct DistributionPoint: Sendable, Hashable {
    /// The field `distributionPoint.fullName`: names that all locate the same CRL. Empty if the field is absent.
    package var fullName: [GeneralName]
    /// The field `distributionPoint.nameRelativeToCRLIssuer`, a RelativeDistinguishedName's contents in DER. Nil if the
    /// field is absent.
    var nameRelativeToCRLIssuer: [UInt8]?
    /// The field `reasons`. Bit n is bit n of ReasonFlags. Nil if the CRL covers all reasons.
    package var reasons: UInt16?
    /// The field `cRLIssuer`. Empty if the certificate's own issuer issues the CRL.
    package var crlIssuer: [GeneralName]
}

/// The ranges of one distribution point. A range is absent if the certificate omits the field.
struct DistributionPointElement {
    var fullName = ByteRange.absent
    var relativeName = ByteRange.absent
    var reasons: UInt16?
    var crlIssuer = ByteRange.absent
}

extension DERReader {
    /// Checks `SEQUENCE SIZE (1..MAX) OF DistributionPoint`.
    @_lifetime(self: copy self)
    mutating func checkDistributionPoints(_ field: StaticString) throws(DERError) {
        let list = try next(DERTag.sequence, field)
        guard list.contentCount > 0 else { throw DERError(.empty, in: field, at: list.start) }
        var inner = inside(list)
        while !inner.isAtEnd { _ = try inner.nextDistributionPoint(field) }
    }

    /// Reads a distribution point. § 4.2.1.13 doesn't allow a point with only reasons: it needs one of the names.
    @_lifetime(self: copy self)
    mutating func nextDistributionPoint(_ field: StaticString) throws(DERError) -> DistributionPointElement {
        let element = try next(DERTag.sequence, field)
        var inner = inside(element)
        var point = DistributionPointElement()
        if let explicit = try inner.nextIf(DERTag.contextConstructed(0), field) {
            (point.fullName, point.relativeName) = try inner.distributionPointName(explicit, field)
        }
        if let bits = try inner.nextIf(DERTag.context(1), field) {
            point.reasons = try inner.namedBits(bits, field)
        }
        if let names = try inner.nextIf(DERTag.contextConstructed(2), field) {
            try inner.inside(names).checkGeneralNames(field, form: .name)
            point.crlIssuer = names.contents
        }
        try inner.finish(field)
        guard point.fullName.isPresent || point.relativeName.isPresent || point.crlIssuer.isPresent else {
            throw DERError(.empty, in: field, at: element.start)
        }
        return point
    }

    /// Reads `DistributionPointName ::= CHOICE { fullName [0] GeneralNames, nameRelativeToCRLIssuer [1]
    /// RelativeDistinguishedName }`.
    func distributionPointName(
        _ explicit: DERElement, _ field: StaticString
    ) throws(DERError) -> (full: ByteRange, relative: ByteRange) {
        var choice = inside(explicit)
        let name = try choice.next(field)
        try choice.finish(field)
        switch name.tag {
        case DERTag.contextConstructed(0):
            try inside(name).checkGeneralNames(field, form: .name)
            return (name.contents, .absent)
        case DERTag.contextConstructed(1):
            try checkRelativeName(name, field)
            return (.absent, name.contents)
        default:
            throw name.unexpected(DERTag.contextConstructed(0), field)
        }
    }
}

extension Certificate {
    /// The locations of complete CRLs. Empty if the certificate doesn't have the extension.
    package var crlDistributionPoints: [DistributionPoint] { distributionPoints(.crlDistributionPoints) }

    /// The locations of delta CRLs (RFC 5280 § 4.2.1.15). Empty if the certificate doesn't have the extension.
    package var freshestCRL: [DistributionPoint] { distributionPoints(.freshestCRL) }

    private func distributionPoints(_ known: KnownExtension) -> [DistributionPoint] {
        guard storage.fields.extensions.has(known) else { return [] }
        return DistributionPoint.list(span, storage.fields.extensions.value(known))
    }
}

extension DistributionPoint {
    /// Returns the members of an extension, whose contents the parser has already checked. Empty if the extension is
    /// absent.
    static func list(_ span: Span<UInt8>, _ value: ByteRange) -> [DistributionPoint] {
        guard value.isPresent else { return [] }
        var points: [DistributionPoint] = []
        var outer = DERReader(span, value)
        guard var members = try? outer.nextSequence("distributionPoints") else { return [] }
        while !members.isAtEnd, let point = try? members.nextDistributionPoint("distributionPoints") {
            points.append(
                DistributionPoint(
                    fullName: GeneralName.list(span, point.fullName),
                    nameRelativeToCRLIssuer: point.relativeName.isPresent ? span.copy(point.relativeName) : nil,
                    reasons: point.reasons, crlIssuer: GeneralName.list(span, point.crlIssuer)))
        }
        return points
    }
}
