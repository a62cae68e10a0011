// SPDX-License-Identifier: Apache-2.0

/// The extensions of qualified certificates and of organizations' identifiers (RFC 3739, ETSI EN 319 412-5, TS 119 495,
/// CA/Browser Forum).
enum QualifiedExtensions {
    static let table: [String: ExtensionDecoders.Decoder] = [
        "1.3.6.1.5.5.7.1.3": { value, _ in statements(value) },
        "2.23.140.3.1": { value, _ in organization(value) },
    ]

    private static func statements(_ value: ASN1Value) -> [Detail]? {
        guard value.isUniversal(.sequence) else { return nil }
        return value.members.map { statement in
            var fields = FieldReader(statement)
            let identifier = fields.any()
            let content = fields.any()
            return .identifier("statement", identifier, content.map { details($0, of: identifier?.oid) } ?? [])
        }
    }

    private static func details(_ value: ASN1Value, of statement: String?) -> [Detail] {
        switch statement {
        case "0.4.0.1862.1.2":
            let parts = value.members.prefix(3).map { $0.string ?? $0.words ?? "" }
            guard parts.count == 3 else { return Detail.unknown(value.whole) }
            return [Detail("", "\(parts[1]) × 10^\(parts[2]) \(parts[0])")]
        case "0.4.0.1862.1.3": return [Detail("", value.words)]
        case "0.4.0.1862.1.5":
            return value.members.map { entry in
                let parts = entry.members.prefix(2).map { $0.string ?? $0.words ?? "" }
                return Detail(parts.count > 1 ? parts[1] : "", parts.first ?? "")
            }
        case "0.4.0.1862.1.6", "1.3.6.1.5.5.7.11.2":
            return value.members.map { $0.oid == nil ? Detail("", $0.words) : .identifier("", $0) }
        case "0.4.0.1862.1.7": return value.members.map { Detail("", $0.string ?? $0.words) }
        case "0.4.0.19495.2": return paymentServices(value)
        default: return Detail.unknown(value.whole)
        }
    }

    /// Parses the roles of PSD2 and the authority that granted them (TS 119 495 § 5.1).
    private static func paymentServices(_ value: ASN1Value) -> [Detail] {
        var fields = FieldReader(value)
        let roles = fields.any()?.members.map { role -> Detail in
            var parts = FieldReader(role)
            let identifier = parts.any()
            return Detail("role", parts.any()?.string, oid: identifier?.oid)
        }
        return (roles ?? []) + [
            Detail("authority", fields.any()?.string), Detail("authority identifier", fields.any()?.string),
        ]
    }

    /// Parses `CABFOrganizationIdentifier ::= SEQUENCE { registrationSchemeIdentifier, registrationCountry,
    /// registrationStateOrProvince [0] OPTIONAL, registrationReference }`.
    private static func organization(_ value: ASN1Value) -> [Detail]? {
        guard value.isUniversal(.sequence) else { return nil }
        var fields = FieldReader(value)
        let scheme = Detail("scheme", fields.any()?.string)
        let country = Detail("country", fields.any()?.string)
        let state = fields.optional(context: 0).map { state in
            Detail("state", String(decoding: state.contents.prefix(256), as: UTF8.self))
        }
        return [scheme, country] + [state].compactMap { $0 } + [Detail("reference", fields.any()?.string)]
    }
}
