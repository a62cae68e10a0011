// SPDX-License-Identifier: Apache-2.0

/// A place of a CRL, and the reasons that the CRL covers (RFC 5280 § 4.2.1.13).
package struct DistributionPoint: Sendable, Hashable {
    /// The field `distributionPoint.fullName`: names of one and the same CRL; empty if it is absent.
    package var fullName: [GeneralName]
    /// The field `distributionPoint.nameRelativeToCRLIssuer`, a RelativeDistinguishedName's contents in DER; nil if it
    /// is absent.
    package var nameRelativeToCRLIssuer: [UInt8]?
    /// The field `reasons`: bit n is ReasonFlags' bit n; nil for all reasons.
    package var reasons: UInt16?
    /// The field `cRLIssuer`; empty for the certificate's own issuer.
    package var crlIssuer: [GeneralName]
}

/// One distribution point as ranges; a field that the certificate omits is absent.
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

    /// Reads a point. By § 4.2.1.13 reasons alone are no point; one of the names must be present.
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
            throw DERError(
                .unexpectedTag(expected: DERTag.contextConstructed(0), found: name.tag), in: field, at: name.start)
        }
    }
}

extension Certificate {
    /// The places of complete CRLs; empty if the certificate has no such extension.
    package var crlDistributionPoints: [DistributionPoint] { distributionPoints(.crlDistributionPoints) }

    /// The places of delta CRLs (RFC 5280 § 4.2.1.15); empty if the certificate has no such extension.
    package var freshestCRL: [DistributionPoint] { distributionPoints(.freshestCRL) }

    private func distributionPoints(_ known: KnownExtension) -> [DistributionPoint] {
        guard storage.fields.extensions.has(known) else { return [] }
        return DistributionPoint.list(span, storage.fields.extensions.value(known))
    }
}

extension DistributionPoint {
    /// Returns the members of an extension whose contents were checked while parsing; none for an absent one.
    static func list(_ span: Span<UInt8>, _ value: ByteRange) -> [DistributionPoint] {
        guard value.isPresent else { return [] }
        var points: [DistributionPoint] = []
        var outer = DERReader(span, value)
        guard let sequence = try? outer.next(DERTag.sequence, "distributionPoints") else { return [] }
        var members = outer.inside(sequence)
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
