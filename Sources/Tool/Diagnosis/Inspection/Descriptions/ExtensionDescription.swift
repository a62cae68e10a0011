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

    /// The forms of known extensions, by identifier.
    private static let forms: [String: Form] = [
        UsageExtensions.table, NameExtensions.table, PolicyExtensions.table, PointerExtensions.table,
        TransparencyExtensions.table, VendorExtensions.table, QualifiedExtensions.table, RevocationExtensions.table,
    ].reduce(into: [:]) { $0.merge($1) { $1 } }

    /// Parses `Extension ::= SEQUENCE { extnID, critical BOOLEAN DEFAULT FALSE, extnValue OCTET STRING }`.
    init(_ whole: ASN1Value) {
        var fields = FieldReader(whole)
        oid = fields.read(.required(.objectIdentifier, "extnID"))?.oid
        isCritical = fields.read(.type(.boolean))?.isTrue ?? false
        let string = fields.read(.required(.octetString, "extnValue"))
        name = oid.flatMap(OIDNames.name) ?? oid ?? "malformed identifier"
        let value = string?.inside
        var problems = fields.problems
        let form = oid.flatMap { Self.forms[$0] }
        if let form, let value, let known = form.extensionLines(value, &problems) {
            details = known.isEmpty ? [Detail("", "empty")] : known
            if value.next < value.bytes.count, value.next < string?.end ?? 0 {
                problems.append(ASN1Problem(.invalid("bytes after the end of the value of \(name)"), at: value.next))
            }
            if let problem = value.problem { problems.append(problem) }
        } else {
            if form != nil {
                let words = value.map { "found \($0.header.name)" } ?? "no value"
                problems.append(
                    ASN1Problem(.invalid("\(name) has the wrong type: \(words)"), at: string?.content ?? whole.start))
            }
            details = Detail.unknown(string?.contents ?? [])
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
