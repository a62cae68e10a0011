// SPDX-License-Identifier: Apache-2.0

/// The extensions about policies (RFC 5280 §§ 4.2.1.4, 4.2.1.5, 4.2.1.11, 4.2.1.14).
enum PolicyExtensions {
    static let table: [String: ExtensionDecoders.Decoder] = [
        "2.5.29.32": { value, _ in policies(value) },
        "1.3.6.1.4.1.311.21.10": { value, _ in policies(value) },
        "2.5.29.33": { value, _ in mappings(value) },
        "2.5.29.36": { value, _ in constraints(value) },
        "2.5.29.54": ExtensionDecoders.number,
    ]

    private static func policies(_ value: ASN1Value) -> [Detail]? {
        guard value.isUniversal(.sequence) else { return nil }
        return value.members.map { policy in
            var fields = FieldReader(policy)
            let identifier = fields.any()
            let qualifiers = fields.any()?.members.flatMap(qualifier) ?? []
            return .identifier("policy", identifier, qualifiers)
        }
    }

    /// Parses `PolicyQualifierInfo ::= SEQUENCE { policyQualifierId, qualifier ANY }`.
    private static func qualifier(_ value: ASN1Value) -> [Detail] {
        var fields = FieldReader(value)
        let type = fields.any()
        let content = fields.any()
        switch type?.oid {
        case "1.3.6.1.5.5.7.2.1":
            return [Detail("CPS", content.map { $0.string ?? $0.words ?? "" } ?? "missing")]
        case "1.3.6.1.5.5.7.2.2": return notice(content)
        default: return [.identifier("qualifier", type, content.map { Detail.unknown($0.whole) } ?? [])]
        }
    }

    /// Parses `UserNotice ::= SEQUENCE { noticeRef SEQUENCE { organization, noticeNumbers } OPTIONAL, explicitText
    /// OPTIONAL }`.
    private static func notice(_ value: ASN1Value?) -> [Detail] {
        var fields = FieldReader(value)
        var details: [Detail] = []
        if let reference = fields.optional(.sequence) {
            var parts = FieldReader(reference)
            let organization = parts.any()
            let numbers = parts.any()?.members.prefix(100).map { $0.words ?? "" } ?? []
            details.append(Detail("organization", organization.map { $0.string ?? $0.words ?? "" }))
            details.append(Detail("notice numbers", numbers.joined(separator: ", ")))
        }
        if let text = fields.any() { details.append(Detail("text", text.string ?? text.words)) }
        return [Detail("notice", details.isEmpty ? "empty" : nil, details)]
    }

    private static func mappings(_ value: ASN1Value) -> [Detail]? {
        guard value.isUniversal(.sequence) else { return nil }
        return value.members.map { mapping in
            var fields = FieldReader(mapping)
            return Detail("mapping", nil, [.identifier("issuer", fields.any()), .identifier("subject", fields.any())])
        }
    }

    private static func constraints(_ value: ASN1Value) -> [Detail]? {
        guard value.isUniversal(.sequence) else { return nil }
        return value.members.map { member in
            let count = String(ASN1Value.number(member.contents.prefix(8)))
            return switch member.header.number {
            case 0: Detail("explicit policy required after", count)
            case 1: Detail("mapping inhibited after", count)
            default: Detail("unknown field", member.header.name)
            }
        }
    }
}
