// SPDX-License-Identifier: Apache-2.0

/// An extension that a trust store attaches to a certificate from outside of it.
package enum AttachedExtension {
    /// Returns the contents of an extension's OCTET STRING out of `Extension` (RFC 5280 § 4.1); bytes that aren't one are the contents
    /// themselves, as older stores write them.
    /// - Parameters:
    ///   - der: the extension, or its contents.
    ///   - identifier: the identifier that the extension has to have; nil for any.
    /// - Throws: ``DERError`` for an extension of another identifier.
    package static func value(of der: [UInt8], identifier: OID?) throws(DERError) -> [UInt8] {
        let view = der[...]
        var reader = DERReader(view.span)
        // Contents that are a SEQUENCE of identifiers begin alike, and have no OCTET STRING.
        guard let element = try? reader.nextExtension(), reader.isAtEnd else { return der }
        let found = OID(checkedContents: view.span.copy(element.oid))
        if let identifier, identifier != found { throw DERError(.invalid("another identifier"), in: "extnID", at: 0) }
        return view.span.copy(element.value)
    }
}
