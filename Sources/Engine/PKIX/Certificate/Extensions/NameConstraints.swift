// SPDX-License-Identifier: Apache-2.0

/// The names that a CA may or must not issue certificates for (RFC 5280 § 4.2.1.10).
struct NameConstraints: Sendable, Hashable {
    /// The permitted subtrees. If they include a form of name, every name of that form below the CA must be in one of
    /// them.
    var permittedSubtrees: [GeneralName]
    /// The excluded subtrees. Names below the CA must not be in any of them.
    var excludedSubtrees: [GeneralName]
}

extension DERReader {
    /// Checks `SEQUENCE { permittedSubtrees [0] GeneralSubtrees OPTIONAL, excludedSubtrees [1] GeneralSubtrees OPTIONAL
    /// }`.
    @_lifetime(self: copy self)
    mutating func checkNameConstraints() throws(DERError) {
        let sequence = try next(DERTag.sequence, "nameConstraints")
        // § 4.2.1.10: CAs must not issue an empty sequence.
        guard sequence.contentCount > 0 else { throw DERError(.empty, in: "nameConstraints", at: sequence.start) }
        var inner = inside(sequence)
        for number in UInt8(0)...1 {
            guard let subtrees = try inner.nextIf(DERTag.contextConstructed(number), "nameConstraints") else {
                continue
            }
            guard subtrees.contentCount > 0 else { throw DERError(.empty, in: "nameConstraints", at: subtrees.start) }
            var list = inner.inside(subtrees)
            while !list.isAtEnd { _ = try list.nextSubtreeBase() }
        }
        try inner.finish("nameConstraints")
    }

    /// Reads `GeneralSubtree ::= SEQUENCE { base GeneralName, minimum [0] BaseDistance DEFAULT 0, maximum [1]
    /// BaseDistance OPTIONAL }`.
    ///
    /// § 4.2.1.10: minimum is always 0 and maximum is always absent. Since 0 is the DEFAULT, DER encodes neither.
    @_lifetime(self: copy self)
    mutating func nextSubtreeBase() throws(DERError) -> DERElement {
        var inner = try nextSequence("nameConstraints.base")
        let base = try inner.nextGeneralName("nameConstraints.base", form: .constraint)
        guard inner.isAtEnd else {
            throw DERError(
                .invalid("minimum or maximum distance, which RFC 5280 doesn't allow"), in: "nameConstraints.base",
                at: inner.position)
        }
        if base.tag == GeneralNameTag.ipAddress { try checkMask(base) }
        return base
    }

    /// Reads the base of a subtree that the certificate's parser has already checked. Reads only tag and length again.
    @_lifetime(self: copy self)
    mutating func nextSubtreeBaseUnchecked() throws(DERError) -> DERElement {
        var inner = try nextSequence("nameConstraints.base")
        return try inner.next("nameConstraints.base")
    }

    /// Checks that the mask of an address range is a CIDR prefix (RFC 4632): ones, then zeros.
    private func checkMask(_ base: DERElement) throws(DERError) {
        var zeroSeen = false
        for index in (base.content + base.contentCount / 2)..<base.end {
            let byte = bytes[index]
            let ones = UInt8(truncatingIfNeeded: (~byte).leadingZeroBitCount)
            guard ones == 8 || byte << ones == 0, !zeroSeen || byte == 0 else {
                throw DERError(.invalid("address mask isn't a prefix"), in: "nameConstraints.base", at: index)
            }
            if ones < 8 { zeroSeen = true }
        }
    }

    /// Returns the contents of one of the two subtree lists of checked name constraints, or absent.
    static func subtrees(
        _ bytes: Span<UInt8>, _ value: ByteRange, excluded: Bool
    ) throws(DERError) -> ByteRange {
        var outer = DERReader(bytes, value)
        var inner = try outer.nextSequence("nameConstraints")
        let permitted = try inner.nextIf(DERTag.contextConstructed(0), "nameConstraints")
        if !excluded { return permitted?.contents ?? .absent }
        return try inner.nextIf(DERTag.contextConstructed(1), "nameConstraints")?.contents ?? .absent
    }
}

extension Certificate {
    /// The name constraints, or nil if the certificate doesn't have any.
    var nameConstraints: NameConstraints? {
        guard storage.fields.extensions.has(.nameConstraints) else { return nil }
        return NameConstraints(permittedSubtrees: subtrees(excluded: false), excludedSubtrees: subtrees(excluded: true))
    }

    private func subtrees(excluded: Bool) -> [GeneralName] {
        let span = span
        var names: [GeneralName] = []
        do throws(DERError) {
            let range = try DERReader.subtrees(
                span, storage.fields.extensions.value(.nameConstraints), excluded: excluded)
            var list = DERReader(span, range)
            while !list.isAtEnd { names.append(generalName(try list.nextSubtreeBase())) }
        } catch {
            assertionFailure("\(error) in an extension that the parser has checked")
        }
        return names
    }
}
