// SPDX-License-Identifier: Apache-2.0

/// An extension that a trust store attaches to a certificate from the outside.
package enum AttachedExtension {
    /// Returns the contents of the OCTET STRING in an `Extension` (RFC 5280 § 4.1). If the bytes aren't an `Extension`,
    /// they are the contents themselves, as in older stores.
    /// - Parameters:
    ///   - der: the extension, or its contents.
    ///   - identifier: the identifier that the extension must have, or nil for any identifier.
    /// - Throws: ``DERError`` if the extension has another identifier.
    package static func value(of der: [UInt8], identifier: OID?) throws(DERError) -> [UInt8] {
        let view = der[...]
        var reader = DERReader(view.span)
        // Contents that are a SEQUENCE of identifiers begin in the same way, but don't contain an OCTET STRING.
        guard let element = try? reader.nextExtension(), reader.isAtEnd else { return der }
        let found = OID(checkedContents: view.span.copy(element.oid))
        if let identifier, identifier != found { throw DERError(.invalid("another identifier"), in: "extnID", at: 0) }
        return view.span.copy(element.value)
    }
}
