// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An extension of a certificate, request, CRL, CRL entry or OCSP message in words (RFC 5280 §§ 4.2 and 5.2).
struct ExtensionDescription: Sendable {
    /// The identifier in dotted decimal, or nil if it is malformed.
    let oid: String?
    /// The name in the extension's standard, or the identifier if the name isn't known.
    let name: String
    let isCritical: Bool
    /// The value in words, or in hexadecimal and ASN.1 for unknown extensions.
    let details: [Detail]
    /// The fields that don't match the extension's grammar.
    let problems: [ASN1Problem]

    /// Parses `Extension ::= SEQUENCE { extnID, critical BOOLEAN DEFAULT FALSE, extnValue OCTET STRING }`.
    init(_ whole: ASN1Value) {
        var fields = FieldReader(whole)
        oid = fields.required(.objectIdentifier, "extnID")?.oid
        isCritical = fields.optional(.boolean)?.isTrue ?? false
        let string = fields.required(.octetString, "extnValue")
        name = oid.flatMap(OIDNames.name) ?? oid ?? "malformed identifier"
        let value = string?.inside
        var problems = fields.problems
        let contents = string?.contents ?? []
        let decoder = oid.flatMap { ExtensionDecoders.table[$0] }
        if let decoder, let value, let known = decoder(value, &problems) {
            details = known.isEmpty ? [Detail("", "empty")] : known
            if value.next < value.bytes.count, value.next < string?.end ?? 0 {
                problems.append(ASN1Problem(.invalid("bytes after the end of the value of \(name)"), at: value.next))
            }
            if let problem = value.problem { problems.append(problem) }
        } else {
            if decoder != nil {
                let words = value.map { "found \($0.header.name)" } ?? "no value"
                problems.append(
                    ASN1Problem(.invalid("\(name) has the wrong type: \(words)"), at: string?.content ?? whole.start))
            }
            details = Detail.unknown(contents)
        }
        self.problems = problems
    }

    /// The extension as a line, with its value as nested lines.
    var detail: Detail {
        let label = oid == name ? name : "\(name) (\(oid ?? ""))"
        return Detail(label, isCritical ? "critical" : nil, oid: oid, details)
    }

    /// Parses all extensions in a SEQUENCE.
    static func list(_ value: ASN1Value?) -> [ExtensionDescription] {
        value?.members.map { ExtensionDescription($0) } ?? []
    }
}

/// The decoders of known extensions, by identifier.
enum ExtensionDecoders {
    /// A decoder that returns the lines for an extension's value, or nil for a value of the wrong type.
    typealias Decoder = @Sendable (ASN1Value, inout [ASN1Problem]) -> [Detail]?

    static let table: [String: Decoder] = UsageExtensions.table.merging(NameExtensions.table) { $1 }
        .merging(PolicyExtensions.table) { $1 }.merging(PointerExtensions.table) { $1 }
        .merging(TransparencyExtensions.table) { $1 }.merging(VendorExtensions.table) { $1 }
        .merging(QualifiedExtensions.table) { $1 }.merging(RevocationExtensions.table) { $1 }

    /// A decoder for text in any string type.
    static let text: Decoder = { value, _ in value.string.map { [Detail("", $0)] } }

    /// A decoder for a number.
    static let number: Decoder = { value, _ in
        value.isUniversal(.integer) ? [Detail("", value.words)] : nil
    }

    /// A decoder for bytes in an OCTET STRING.
    static let octets: Decoder = { value, _ in
        value.isUniversal(.octetString) ? [Detail("", value.hex(maximum: 256))] : nil
    }

    /// A decoder for a time.
    static let time: Decoder = { value, _ in
        value.isUniversal(.generalizedTime) || value.isUniversal(.utcTime)
            ? [Detail("", value.time?.description ?? value.words)] : nil
    }

    /// Returns a decoder for an extension that has a meaning merely by being present.
    static func presence(_ words: String) -> Decoder {
        { value, _ in value.isUniversal(.null) ? [Detail("", words)] : nil }
    }

    /// Returns the names of the set bits. Bits without a name are written as `bit 9`.
    static func bits(_ value: ASN1Value, _ names: [String]) -> [Detail]? {
        value.setBits.map { bits in
            bits.isEmpty
                ? [Detail("", "none")]
                : bits.map { Detail("", $0 < names.count ? names[$0] : "bit \($0)") }
        }
    }
}
