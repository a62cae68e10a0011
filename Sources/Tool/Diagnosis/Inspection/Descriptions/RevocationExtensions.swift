// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The extensions of CRLs, their entries, and OCSP messages (RFC 5280 §§ 5.2 and 5.3, RFC 6960 § 4.4).
enum RevocationExtensions {
    static let table: [String: ExtensionDecoders.Decoder] = [
        "2.5.29.20": ExtensionDecoders.number,
        "2.5.29.27": ExtensionDecoders.number,
        "2.5.29.21": { value, _ in value.number.map { [Detail("", reason($0))] } },
        "2.5.29.23": { value, _ in value.oid == nil ? nil : [.identifier("", value)] },
        "2.5.29.24": ExtensionDecoders.time,
        "2.5.29.60": ExtensionDecoders.time,
        "1.3.6.1.5.5.7.48.1.2": { value, _ in
            [Detail("", value.isUniversal(.octetString) ? value.hex() : ASN1Value.hex(value.whole))]
        },
        "1.3.6.1.5.5.7.48.1.3": { value, _ in listReference(value) },
        "1.3.6.1.5.5.7.48.1.4": { value, _ in UsageExtensions.identifiers(value) },
        "1.3.6.1.5.5.7.48.1.6": ExtensionDecoders.time,
        "1.3.6.1.5.5.7.48.1.7": { value, _ in serviceLocator(value) },
        "1.3.6.1.5.5.7.48.1.9": ExtensionDecoders.presence("answers revoked for certificates that were never issued"),
    ]

    /// Returns the name of a CRLReason, or the number of an unknown reason.
    static func reason(_ number: Int) -> String { RevocationReason(rawValue: number)?.name ?? "unknown (\(number))" }

    /// Parses `CrlID ::= SEQUENCE { crlUrl [0], crlNum [1], crlTime [2] }` (RFC 6960 § 4.4.2).
    private static func listReference(_ value: ASN1Value) -> [Detail]? {
        guard value.isUniversal(.sequence) else { return nil }
        return value.members.map { field in
            let inner = field.members.first { _ in true }
            let words = inner.map { $0.string ?? $0.time?.description ?? $0.words ?? "" } ?? "missing"
            return switch field.header.number {
            case 0: Detail("CRL", words)
            case 1: Detail("CRL number", words)
            case 2: Detail("CRL time", words)
            default: Detail("unknown field", words)
            }
        }
    }

    /// Parses `ServiceLocator ::= SEQUENCE { issuer Name, locator AuthorityInfoAccessSyntax }`.
    private static func serviceLocator(_ value: ASN1Value) -> [Detail]? {
        guard value.isUniversal(.sequence) else { return nil }
        var fields = FieldReader(value)
        let issuer = Detail("issuer", NameDescription(fields.any()).text)
        var problems: [ASN1Problem] = []
        let locator = fields.any().flatMap { ExtensionDecoders.table["1.3.6.1.5.5.7.1.1"]?($0, &problems) }
        return [issuer] + (locator ?? [])
    }
}
