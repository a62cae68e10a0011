// SPDX-License-Identifier: Apache-2.0

/// The extensions that contain names (RFC 5280 §§ 4.2.1.6 to 4.2.1.8 and 4.2.1.10).
enum NameExtensions {
    static let table: [String: ExtensionDecoders.Decoder] = [
        "2.5.29.17": { value, _ in names(value) },
        "2.5.29.18": { value, _ in names(value) },
        "2.5.29.29": { value, _ in names(value) },
        "2.5.29.9": { value, _ in directoryAttributes(value) },
        "2.5.29.30": { value, problems in nameConstraints(value, &problems) },
    ]

    private static func names(_ value: ASN1Value) -> [Detail]? {
        value.isUniversal(.sequence) ? GeneralNameDescription.details(value) : nil
    }

    private static func directoryAttributes(_ value: ASN1Value) -> [Detail]? {
        guard value.isUniversal(.sequence) else { return nil }
        return value.members.map { attribute in
            var fields = FieldReader(attribute)
            let type = fields.any()
            let values = fields.any()?.members.map {
                Detail("", $0.oid ?? $0.time?.description ?? $0.string ?? $0.words)
            }
            return .identifier("attribute", type, values ?? [])
        }
    }

    /// Parses `SEQUENCE { permittedSubtrees [0], excludedSubtrees [1] }`.
    private static func nameConstraints(_ value: ASN1Value, _ problems: inout [ASN1Problem]) -> [Detail]? {
        guard value.isUniversal(.sequence) else { return nil }
        var fields = FieldReader(value)
        var details: [Detail] = []
        for (number, label) in [(UInt64(0), "permitted"), (1, "excluded")] {
            guard let list = fields.optional(context: number) else { continue }
            details.append(Detail(label, nil, list.members.map(subtree)))
        }
        if let other = fields.any() { details.append(Detail("unknown field", other.header.name)) }
        problems += fields.problems
        return details.isEmpty ? [Detail("", "empty")] : details
    }

    /// Parses `GeneralSubtree ::= SEQUENCE { base GeneralName, minimum [0] DEFAULT 0, maximum [1] OPTIONAL }`.
    private static func subtree(_ value: ASN1Value) -> Detail {
        var fields = FieldReader(value)
        let base = fields.any().map { GeneralNameDescription.detail($0, isConstraint: true) } ?? Detail("", "missing")
        let minimum = fields.optional(context: 0).map {
            Detail("minimum", String(ASN1Value.number($0.contents.prefix(8))))
        }
        let maximum = fields.optional(context: 1).map {
            Detail("maximum", String(ASN1Value.number($0.contents.prefix(8))))
        }
        return Detail(base.label, base.value, oid: base.oid, [minimum, maximum].compactMap { $0 })
    }
}
