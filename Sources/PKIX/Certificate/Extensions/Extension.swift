// SPDX-License-Identifier: Apache-2.0

/// One extension as it stands in a certificate, known to this package or not.
public struct Extension: Sendable, Hashable {
    public var identifier: OID
    /// A critical extension that nobody understands makes the certificate unusable (RFC 5280 § 4.2).
    public var isCritical: Bool
    /// The contents of `extnValue`: DER of a type that the identifier decides.
    public var value: [UInt8]

    public init(identifier: OID, isCritical: Bool, value: [UInt8]) {
        self.identifier = identifier
        self.isCritical = isCritical
        self.value = value
    }
}

extension Certificate {
    /// All extensions in the certificate's order.
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
