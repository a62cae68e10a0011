// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The extensions of CRLs, their entries, and OCSP messages (RFC 5280 §§ 5.2 and 5.3, RFC 6960 § 4.4).
enum RevocationExtensions {
    static let table: [String: Form] = [
        "2.5.29.20": .number,
        "2.5.29.27": .number,
        "2.5.29.21": Form { $0.number.map(reason) },
        "2.5.29.23": Form(.objectIdentifier) { _, value, _ in value?.oid == nil ? nil : [.identifier("", value)] },
        "2.5.29.24": .time,
        "2.5.29.60": .time,
        "1.3.6.1.5.5.7.48.1.2": Form { $0.isUniversal(.octetString) ? $0.hex() : ASN1Value.hex($0.whole) },
        // `CrlID ::= SEQUENCE { crlUrl [0], crlNum [1], crlTime [2] }` (RFC 6960 § 4.4.2).
        "1.3.6.1.5.5.7.48.1.3": .tagged(
            [0: ("CRL", inner), 1: ("CRL number", inner), 2: ("CRL time", inner)], other: inner),
        "1.3.6.1.5.5.7.48.1.4": .list(of: .identifier),
        "1.3.6.1.5.5.7.48.1.6": .time,
        // `ServiceLocator ::= SEQUENCE { issuer Name, locator AuthorityInfoAccessSyntax }`.
        "1.3.6.1.5.5.7.48.1.7": .record([
            Field(.any, "issuer", Form { NameDescription($0).text }, absent: ""),
            Field(.type(.sequence), "", PointerExtensions.accessDescriptions),
        ]),
        "1.3.6.1.5.5.7.48.1.9": .presence("answers revoked for certificates that were never issued"),
    ]

    /// Returns the name of a CRLReason, or the number of an unknown reason.
    static func reason(_ number: Int) -> String { RevocationReason(rawValue: number)?.name ?? "unknown (\(number))" }

    /// A value with an explicit tag.
    private static let inner = Form { value in
        value.inner.map { $0.string ?? $0.time?.description ?? $0.words ?? "" } ?? "missing"
    }
}
