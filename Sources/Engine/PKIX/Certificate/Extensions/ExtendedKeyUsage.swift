// SPDX-License-Identifier: Apache-2.0

extension DERReader {
    /// Checks `SEQUENCE SIZE (1..MAX) OF KeyPurposeId`.
    @_lifetime(self: copy self)
    mutating func checkExtendedKeyUsage() throws(DERError) {
        let list = try next(DERTag.sequence, "extKeyUsage")
        guard list.contentCount > 0 else { throw DERError(.empty, in: "extKeyUsage", at: list.start) }
        var inner = inside(list)
        while !inner.isAtEnd { _ = try inner.nextObjectIdentifier("extKeyUsage") }
    }
}

extension Certificate {
    /// The purposes of RFC 5280 § 4.2.1.12. Nil if the certificate doesn't have the extension and so may be used for
    /// any purpose.
    public var extendedKeyUsage: [OID]? {
        guard storage.fields.extensions.has(.extendedKeyUsage) else { return nil }
        return list(.extendedKeyUsage) { (reader) throws(DERError) in
            OID(checkedContents: copy(try reader.nextObjectIdentifier("extKeyUsage")))
        }
    }

    /// Returns the members of a SEQUENCE OF extension. The parser has already checked the contents, so there can be no
    /// error.
    func list<Member>(
        _ known: KnownExtension, _ member: (inout DERReader) throws(DERError) -> Member
    ) -> [Member] {
        let span = span
        var outer = DERReader(span, storage.fields.extensions.value(known))
        var members: [Member] = []
        do throws(DERError) {
            var inner = try outer.nextSequence(known.name)
            while !inner.isAtEnd { members.append(try member(&inner)) }
        } catch {
            assertionFailure("\(error) in an extension that the parser has checked")
        }
        return members
    }
}
