// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The extensions that point to other data (RFC 5280 §§ 4.2.1.13, 4.2.1.15, 4.2.2, 5.2.5).
enum PointerExtensions {
    static let table: [String: ExtensionDecoders.Decoder] = [
        "2.5.29.31": { value, _ in points(value) },
        "2.5.29.46": { value, _ in points(value) },
        "1.3.6.1.4.1.311.21.14": { value, _ in points(value) },
        "1.3.6.1.5.5.7.1.1": { value, _ in accessDescriptions(value) },
        "1.3.6.1.5.5.7.1.11": { value, _ in accessDescriptions(value) },
        "2.5.29.28": { value, _ in issuingDistributionPoint(value) },
    ]

    /// The bits of ReasonFlags (RFC 5280 § 4.2.1.13).
    private static let reasons = [
        "unused", "keyCompromise", "cACompromise", "affiliationChanged", "superseded", "cessationOfOperation",
        "certificateHold", "privilegeWithdrawn", "aACompromise",
    ]

    private static func points(_ value: ASN1Value) -> [Detail]? {
        guard value.isUniversal(.sequence) else { return nil }
        return value.members.map { point in
            Detail(
                "point", nil,
                point.members.flatMap { field -> [Detail] in
                    switch field.header.number {
                    case 0: pointName(field)
                    case 1: [Detail("reasons", reasonWords(field))]
                    case 2: [Detail("CRL issuer", nil, GeneralNameDescription.details(field))]
                    default: [Detail("unknown field", field.header.name)]
                    }
                })
        }
    }

    /// Parses `DistributionPointName ::= CHOICE { fullName [0], nameRelativeToCRLIssuer [1] }` in its explicit tag.
    private static func pointName(_ field: ASN1Value) -> [Detail] {
        field.members.flatMap { choice -> [Detail] in
            switch choice.header.number {
            case 0: return GeneralNameDescription.details(choice)
            case 1:
                let attributes = choice.members.prefix(32).map { NameDescription.Attribute($0) }
                return [
                    Detail(
                        "relative name", attributes.map { "\($0.short ?? $0.oid)=\($0.value)" }.joined(separator: "+"))
                ]
            default: return [Detail("unknown field", choice.header.name)]
            }
        }
    }

    private static func reasonWords(_ field: ASN1Value) -> String {
        ExtensionDecoders.bits(field, reasons)?.compactMap(\.value).joined(separator: ", ") ?? "malformed"
    }

    private static func accessDescriptions(_ value: ASN1Value) -> [Detail]? {
        guard value.isUniversal(.sequence) else { return nil }
        return value.members.map { description in
            var fields = FieldReader(description)
            let method = fields.any()
            let location = fields.any().map(GeneralNameDescription.detail)
            let label = method?.oid.flatMap(OIDNames.words) ?? method?.oid ?? "malformed method"
            let kind = location.map { $0.label == "URI" ? "" : "\($0.label): " } ?? ""
            return Detail(label, location.map { kind + ($0.value ?? "") } ?? "missing", oid: method?.oid)
        }
    }

    /// Parses the scope of a CRL (RFC 5280 § 5.2.5).
    private static func issuingDistributionPoint(_ value: ASN1Value) -> [Detail]? {
        guard value.isUniversal(.sequence) else { return nil }
        let details = value.members.flatMap { field -> [Detail] in
            let flag = field.contents.contains { $0 != 0 } ? "yes" : "no"
            return switch field.header.number {
            case 0: pointName(field)
            case 1: [Detail("only user certificates", flag)]
            case 2: [Detail("only CA certificates", flag)]
            case 3: [Detail("only some reasons", reasonWords(field))]
            case 4: [Detail("indirect", flag)]
            case 5: [Detail("only attribute certificates", flag)]
            default: [Detail("unknown field", field.header.name)]
            }
        }
        return details.isEmpty ? [Detail("", "empty")] : details
    }
}
