// SPDX-License-Identifier: Apache-2.0

/// The extensions of qualified certificates and of organizations' identifiers (RFC 3739, ETSI EN 319 412-5, TS 119 495,
/// CA/Browser Forum).
enum QualifiedExtensions {
    static let table: [String: Form] = [
        "1.3.6.1.5.5.7.1.3": .list(of: .identified("statement", statements, other: .unknown)),
        // `CABFOrganizationIdentifier ::= SEQUENCE { registrationSchemeIdentifier, registrationCountry,
        // registrationStateOrProvince [0] OPTIONAL, registrationReference }`.
        "2.23.140.3.1": .record([
            Field(.any, "scheme", .text), Field(.any, "country", .text),
            Field(.context(0), "state", Form { String(decoding: $0.contents.prefix(256), as: UTF8.self) }),
            Field(.any, "reference", .text),
        ]),
    ]

    private static let statements: [String: Form] = [
        "0.4.0.1862.1.2": Form { _, value, _ in
            let parts = value?.members.prefix(3).map(\.plain) ?? []
            guard parts.count == 3 else { return Detail.unknown(value?.whole ?? []) }
            return [Detail("", "\(parts[1]) × 10^\(parts[2]) \(parts[0])")]
        },
        "0.4.0.1862.1.3": .words,
        "0.4.0.1862.1.5": .list(
            of: Form { _, value, _ in
                let parts = value?.members.prefix(2).map(\.plain) ?? []
                return [Detail(parts.count > 1 ? parts[1] : "", parts.first ?? "")]
            }),
        "0.4.0.1862.1.6": identifiers,
        "1.3.6.1.5.5.7.11.2": identifiers,
        "0.4.0.1862.1.7": .list(of: Form { $0.string ?? $0.words }),
        // The roles of PSD2 and the authority that granted them (TS 119 495 § 5.1).
        "0.4.0.19495.2": .record([
            Field(.type(.sequence), "", .list(of: role)), Field(.any, "authority", .text),
            Field(.any, "authority identifier", .text),
        ]),
    ]

    private static let identifiers = Form.list(
        of: Form { _, value, _ in value?.oid == nil ? [Detail("", value?.words)] : [.identifier("", value)] })

    private static let role = Form { _, value, _ in
        var fields = FieldReader(value)
        let identifier = fields.any()
        return [Detail("role", fields.any()?.string, oid: identifier?.oid)]
    }
}
