// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The extensions that point to other data (RFC 5280 §§ 4.2.1.13, 4.2.1.15, 4.2.2, 5.2.5).
enum PointerExtensions {
    static let table: [String: Form] = [
        "2.5.29.31": points,
        "2.5.29.46": points,
        "1.3.6.1.4.1.311.21.14": points,
        "1.3.6.1.5.5.7.1.1": accessDescriptions,
        "1.3.6.1.5.5.7.1.11": accessDescriptions,
        // IssuingDistributionPoint: the scope of a CRL.
        "2.5.29.28": .tagged([
            0: ("", pointName), 1: ("only user certificates", flag), 2: ("only CA certificates", flag),
            3: ("only some reasons", reasons), 4: ("indirect", flag), 5: ("only attribute certificates", flag),
        ]),
    ]

    private static let points = Form.list(
        "point",
        of: .nested(
            .tagged([0: ("", pointName), 1: ("reasons", reasons), 2: ("CRL issuer", .nested(.generalNames))])))

    /// `DistributionPointName ::= CHOICE { fullName [0], nameRelativeToCRLIssuer [1] }` in its explicit tag.
    private static let pointName = Form.tagged([0: ("", .generalNames), 1: ("relative name", relativeName)])

    private static let relativeName = Form { value in
        value.members.prefix(32).map { NameDescription.Attribute($0) }.map { "\($0.short ?? $0.oid)=\($0.value)" }
            .joined(separator: "+")
    }

    /// ReasonFlags (RFC 5280 § 4.2.1.13).
    private static let reasons = Form { value in
        value.bitNames([
            "unused", "keyCompromise", "cACompromise", "affiliationChanged", "superseded", "cessationOfOperation",
            "certificateHold", "privilegeWithdrawn", "aACompromise",
        ])?.joined(separator: ", ") ?? "malformed"
    }

    /// A BOOLEAN with an implicit tag.
    private static let flag = Form { $0.contents.contains { $0 != 0 } ? "yes" : "no" }

    /// `AuthorityInfoAccessSyntax ::= SEQUENCE OF SEQUENCE { accessMethod, accessLocation GeneralName }`.
    static let accessDescriptions = Form.list(
        of: Form { _, value, _ in
            var fields = FieldReader(value)
            let method = fields.any()
            let location = fields.any().map { GeneralNameDescription.detail($0) }
            let label = method?.oid.flatMap(OIDNames.words) ?? method?.oid ?? "malformed method"
            let kind = location.map { $0.label == "URI" ? "" : "\($0.label): " } ?? ""
            return [Detail(label, location.map { kind + ($0.value ?? "") } ?? "missing", oid: method?.oid)]
        })
}
