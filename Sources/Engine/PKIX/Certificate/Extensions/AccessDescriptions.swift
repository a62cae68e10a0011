// SPDX-License-Identifier: Apache-2.0

/// The address of a service or document of the issuer or subject (RFC 5280 § 4.2.2).
public struct AccessDescription: Sendable, Hashable {
    /// The `accessMethod`: `OID.ocspAccess`, `OID.caIssuersAccess`, …
    public var method: OID
    /// The `accessLocation`.
    public var location: GeneralName
}

extension OID {
    /// The access method `id-ad-ocsp` (RFC 5280 § 4.2.2.1).
    package static let ocspAccess = OID(checkedContents: [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x01])
    /// The access method `id-ad-caIssuers` (RFC 5280 § 4.2.2.1).
    package static let caIssuersAccess = OID(checkedContents: [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x02])
}

extension DERReader {
    /// Checks `SEQUENCE SIZE (1..MAX) OF AccessDescription`.
    @_lifetime(self: copy self)
    mutating func checkAccessDescriptions(_ field: StaticString) throws(DERError) {
        let list = try next(DERTag.sequence, field)
        guard list.contentCount > 0 else { throw DERError(.empty, in: field, at: list.start) }
        var inner = inside(list)
        while !inner.isAtEnd { _ = try inner.nextAccessDescription(field) }
    }

    @_lifetime(self: copy self)
    mutating func nextAccessDescription(
        _ field: StaticString
    ) throws(DERError) -> (method: ByteRange, location: DERElement) {
        var inner = try nextSequence(field)
        let method = try inner.nextObjectIdentifier(field)
        let location = try inner.nextGeneralName(field, form: .name)
        try inner.finish(field)
        return (method, location)
    }
}

extension Certificate {
    /// The addresses of OCSP responders and issuer certificates. Empty if the certificate doesn't have the extension.
    public var authorityInformationAccess: [AccessDescription] { accessDescriptions(.authorityInformationAccess) }

    /// The addresses of the subject's services. Empty if the certificate doesn't have the extension.
    public var subjectInformationAccess: [AccessDescription] { accessDescriptions(.subjectInformationAccess) }

    private func accessDescriptions(_ known: KnownExtension) -> [AccessDescription] {
        guard storage.fields.extensions.has(known) else { return [] }
        return list(known) { (reader) throws(DERError) in
            let (method, location) = try reader.nextAccessDescription(known.name)
            return AccessDescription(
                method: OID(checkedContents: copy(method)), location: generalName(location))
        }
    }
}
