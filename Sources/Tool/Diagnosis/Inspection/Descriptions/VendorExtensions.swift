// SPDX-License-Identifier: Apache-2.0

/// The extensions of Netscape, Microsoft and Entrust.
enum VendorExtensions {
    static let table: [String: ExtensionDecoders.Decoder] = [
        "2.16.840.1.113730.1.1": { value, _ in
            value.isUniversal(.bitString) ? ExtensionDecoders.bits(value, netscapeTypes) : nil
        },
        "2.16.840.1.113730.1.2": ExtensionDecoders.text,
        "2.16.840.1.113730.1.3": ExtensionDecoders.text,
        "2.16.840.1.113730.1.4": ExtensionDecoders.text,
        "2.16.840.1.113730.1.7": ExtensionDecoders.text,
        "2.16.840.1.113730.1.8": ExtensionDecoders.text,
        "2.16.840.1.113730.1.12": ExtensionDecoders.text,
        "2.16.840.1.113730.1.13": ExtensionDecoders.text,
        "1.3.6.1.4.1.311.20.2": ExtensionDecoders.text,
        "1.3.6.1.4.1.311.21.1": { value, _ in authorityVersion(value) },
        "1.3.6.1.4.1.311.21.2": ExtensionDecoders.octets,
        "1.3.6.1.4.1.311.21.3": ExtensionDecoders.number,
        "1.3.6.1.4.1.311.21.4": ExtensionDecoders.time,
        "1.3.6.1.4.1.311.21.7": { value, _ in template(value) },
        "1.3.6.1.5.5.7.1.31": ExtensionDecoders.octets,
        "1.2.840.113533.7.65.0": { value, _ in entrustVersion(value) },
    ]

    private static let netscapeTypes = [
        "SSL client", "SSL server", "S/MIME", "object signing", "reserved", "SSL CA", "S/MIME CA", "object signing CA",
    ]

    /// Parses the version of a CA. The low 16 bits are the number of its certificate, the bits above are the number of
    /// its key.
    private static func authorityVersion(_ value: ASN1Value) -> [Detail]? {
        guard let number = value.number, number >= 0 else { return nil }
        return [Detail("", "V\(number & 0xffff).\(number >> 16)")]
    }

    /// Parses `SEQUENCE { templateID OBJECT IDENTIFIER, major INTEGER, minor INTEGER OPTIONAL }`.
    private static func template(_ value: ASN1Value) -> [Detail]? {
        guard value.isUniversal(.sequence) else { return nil }
        var fields = FieldReader(value)
        let identifier = Detail.identifier("template", fields.any())
        let major = fields.optional(.integer).map { Detail("major version", $0.words) }
        let minor = fields.optional(.integer).map { Detail("minor version", $0.words) }
        return [identifier] + [major, minor].compactMap { $0 }
    }

    private static func entrustVersion(_ value: ASN1Value) -> [Detail]? {
        guard value.isUniversal(.sequence) else { return nil }
        var fields = FieldReader(value)
        let version = fields.any()
        let flags = fields.optional(.bitString)
        return [Detail("version", version.map { $0.string ?? $0.words ?? "" }), Detail("flags", flags?.words)]
    }
}
