// SPDX-License-Identifier: Apache-2.0

/// The extensions that contain names (RFC 5280 §§ 4.2.1.6 to 4.2.1.8 and 4.2.1.10).
enum NameExtensions {
    static let table: [String: Form] = [
        "2.5.29.17": .generalNames,
        "2.5.29.18": .generalNames,
        "2.5.29.29": .generalNames,
        // SubjectDirectoryAttributes.
        "2.5.29.9": .list(
            of: .identified(
                "attribute", other: .list(of: Form { $0.oid ?? $0.time?.description ?? $0.string ?? $0.words }))),
        // NameConstraints.
        "2.5.29.30": .record(
            [
                Field(.context(0), "permitted", .nested(.list(of: subtree))),
                Field(.context(1), "excluded", .nested(.list(of: subtree))),
            ], rest: .shown),
    ]

    /// `GeneralSubtree ::= SEQUENCE { base GeneralName, minimum [0] DEFAULT 0, maximum [1] OPTIONAL }`.
    private static let subtree = Form { _, value, _ in
        let record = Record(
            value,
            [
                Field(.any, "base", .hidden), Field(.context(0), "minimum", .count),
                Field(.context(1), "maximum", .count),
            ])
        let base = record["base"].map { GeneralNameDescription.detail($0, isConstraint: true) }
        return [Detail(base?.label ?? "", base?.value ?? "missing", oid: base?.oid, record.details)]
    }
}
