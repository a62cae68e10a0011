// SPDX-License-Identifier: Apache-2.0

/// One extension of a certificate, including extensions that this package doesn't know.
public struct Extension: Sendable, Hashable {
    /// The field `extnID`.
    public var identifier: OID
    /// Whether the extension is critical. A verifier must reject a certificate with a critical extension that it
    /// doesn't know (RFC 5280 § 4.2).
    public var isCritical: Bool
    /// The contents of `extnValue`: a DER encoding, whose type depends on the identifier.
    public var value: [UInt8]

    /// Creates an extension. Doesn't check `value`.
    public init(identifier: OID, isCritical: Bool, value: [UInt8]) {
        self.identifier = identifier
        self.isCritical = isCritical
        self.value = value
    }
}

extension Certificate {
    /// All extensions in the order of the certificate.
    public var extensions: [Extension] {
        let span = span
        var reader = DERReader(span, storage.fields.extensionList)
        var extensions: [Extension] = []
        while !reader.isAtEnd, let member = try? reader.nextExtension() {
            extensions.append(
                Extension(
                    identifier: OID(checkedContents: copy(member.oid)), isCritical: member.isCritical,
                    value: copy(member.value)))
        }
        return extensions
    }
}
