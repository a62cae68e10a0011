// SPDX-License-Identifier: Apache-2.0

/// The extensions about policies (RFC 5280 §§ 4.2.1.4, 4.2.1.5, 4.2.1.11, 4.2.1.14).
enum PolicyExtensions {
    static let table: [String: Form] = [
        "2.5.29.32": policies,
        "1.3.6.1.4.1.311.21.10": policies,
        // PolicyMappings.
        "2.5.29.33": .list(
            "mapping",
            of: .nested(.record([Field(.any, "issuer", .identifier), Field(.any, "subject", .identifier)]))),
        // PolicyConstraints.
        "2.5.29.36": .tagged([0: ("explicit policy required after", .count), 1: ("mapping inhibited after", .count)]),
        "2.5.29.54": .number,
    ]

    private static let policies = Form.list(of: .identified("policy", other: .list(of: qualifier)))

    /// `PolicyQualifierInfo ::= SEQUENCE { policyQualifierId, qualifier ANY }`.
    private static let qualifier = Form { _, value, problems in
        var fields = FieldReader(value)
        let type = fields.any()
        let content = fields.any()
        switch type?.oid {
        case "1.3.6.1.5.5.7.2.1": return Form.plain.details("CPS", content, absent: "missing", &problems)
        case "1.3.6.1.5.5.7.2.2":
            let details = Record(content, notice).details
            return [Detail("notice", details.isEmpty ? "empty" : nil, details)]
        default: return [.identifier("qualifier", type, Form.unknown.details("", content, &problems))]
        }
    }

    /// `UserNotice ::= SEQUENCE { noticeRef SEQUENCE { organization, noticeNumbers } OPTIONAL, explicitText OPTIONAL }`.
    private static let notice = [
        Field(
            .type(.sequence), "",
            .record([
                Field(.any, "organization", .plain),
                Field(
                    .any, "notice numbers",
                    Form { $0.members.prefix(100).map { $0.words ?? "" }.joined(separator: ", ") }, absent: ""),
            ])),
        Field(.last, "text", Form { $0.string ?? $0.words }),
    ]
}
