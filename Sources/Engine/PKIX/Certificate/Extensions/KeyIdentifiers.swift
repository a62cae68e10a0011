// SPDX-License-Identifier: Apache-2.0

/// The identifier of the issuer's signing key (RFC 5280 § 4.2.1.1). It is a hint for path building, never a proof.
public struct AuthorityKeyIdentifier: Sendable, Hashable {
    /// The field `keyIdentifier`, or nil if it is absent.
    public var keyIdentifier: [UInt8]?
    /// The field `authorityCertIssuer`, or an empty array if it is absent.
    var authorityCertIssuer: [GeneralName]
    /// The field `authorityCertSerialNumber`, or nil if it is absent.
    var authorityCertSerialNumber: SerialNumber?
}

extension DERReader {
    /// Reads `SEQUENCE { keyIdentifier [0] OPTIONAL, authorityCertIssuer [1] OPTIONAL, authorityCertSerialNumber [2]
    /// OPTIONAL }`.
    ///
    /// § 4.2.1.1 requires both issuer and serial number, or neither. No decision depends on them, so the parser
    /// also accepts one without the other.
    @_lifetime(self: copy self)
    mutating func nextAuthorityKeyIdentifier() throws(DERError) -> (key: ByteRange, hasIssuer: Bool) {
        let parts = try nextAuthorityKeyIdentifierParts()
        return (parts.key, parts.issuer.isPresent || parts.serial.isPresent)
    }

    @_lifetime(self: copy self)
    mutating func nextAuthorityKeyIdentifierParts() throws(DERError) -> (
        key: ByteRange, issuer: ByteRange, serial: ByteRange
    ) {
        let field: StaticString = "authorityKeyIdentifier"
        var inner = try nextSequence(field)
        let key = try inner.nextIf(DERTag.context(0), field)
        let issuer = try inner.nextIf(DERTag.contextConstructed(1), field)
        let serial = try inner.nextIf(DERTag.context(2), field)
        try inner.finish(field)
        if let issuer { try inner.inside(issuer).checkGeneralNames(field, form: .name) }
        if let serial { try inner.checkInteger(serial, field) }
        return (key?.contents ?? .absent, issuer?.contents ?? .absent, serial?.contents ?? .absent)
    }
}

extension Certificate {
    /// The identifier of this certificate's key, which the certificates that it issues refer to (RFC 5280 § 4.2.1.2).
    /// Nil if it is absent.
    public var subjectKeyIdentifier: [UInt8]? {
        storage.fields.extensions.has(.subjectKeyIdentifier)
            ? copy(storage.fields.extensions.subjectKeyIdentifier) : nil
    }

    /// The authority key identifier, or nil if the certificate doesn't have the extension.
    public var authorityKeyIdentifier: AuthorityKeyIdentifier? {
        guard storage.fields.extensions.has(.authorityKeyIdentifier) else { return nil }
        let span = span
        var reader = DERReader(span, storage.fields.extensions.value(.authorityKeyIdentifier))
        guard let parts = try? reader.nextAuthorityKeyIdentifierParts() else { return nil }
        var names: [GeneralName] = []
        var list = DERReader(span, parts.issuer)
        while !list.isAtEnd, let element = try? list.nextGeneralName("authorityCertIssuer", form: .name) {
            names.append(generalName(element))
        }
        return AuthorityKeyIdentifier(
            keyIdentifier: parts.key.isPresent ? copy(parts.key) : nil,
            authorityCertIssuer: names,
            authorityCertSerialNumber: parts.serial.isPresent ? SerialNumber(bytes: copy(parts.serial)) : nil)
    }
}
