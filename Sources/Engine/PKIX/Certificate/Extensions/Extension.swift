// SPDX-License-Identifier: Apache-2.0

/// One extension of a certificate, known to this package or not.
public struct Extension: Sendable, Hashable {
    /// The field `extnID`.
    public var identifier: OID
    /// Whether the extension is critical: one that a verifier doesn't know makes the certificate unusable (RFC 5280 §
    /// 4.2).
    public var isCritical: Bool
    /// The contents of `extnValue`: DER of a type that the identifier determines.
    public var value: [UInt8]

    /// Creates an extension; `value` is not checked.
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
