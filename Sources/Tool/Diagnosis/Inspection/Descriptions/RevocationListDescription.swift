// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A CRL's fields for display (RFC 5280 § 5). Its signature isn't verified.
struct RevocationListDescription: Sendable {
    let signed: SignedDescription
    private let der: [UInt8]
    /// The number of entries.
    let count: Int
    /// The number of entries for each reason. Entries without a reason count as `unspecified`.
    private let reasons: [String: Int]

    /// The maximum number of entries that are described.
    private static let maximumEntries = 100_000

    init(der: [UInt8]) {
        self.der = der
        signed = SignedDescription(der: der, Self.schema)
        // One pass counts the entries and their reasons.
        var count = 0
        var reasons: [String: Int] = [:]
        if let entries = signed.fields["entries"]?.members {
            for entry in entries {
                count += 1
                let code = entry.members.dropFirst(2).first { _ in true }?.members.lazy.compactMap(Self.reason).first {
                    _ in true
                }
                reasons[RevocationExtensions.reason(code ?? 0), default: 0] += 1
            }
        }
        self.count = count
        self.reasons = reasons
    }

    private static let schema = SignedDescription.Schema(
        object: "CRL", name: "tbsCertList",
        fields: [
            Field(.type(.integer), "version", .version, absent: "1"),
            Field(.required(.sequence, "signature algorithm"), "signature algorithm", .algorithm),
            Field(.required(.sequence, "issuer"), "issuer", .name()),
            Field(.time("thisUpdate"), "this update", .validityTime, absent: "missing"),
            Field(.optionalTime, "next update", .validityTime, absent: "none"),
            Field(.type(.sequence), "entries", .hidden),
            Field(.explicit(0), "extensions", .extensions),
        ])

    /// Returns the number in a reason code extension, or nil for another extension.
    private static func reason(_ value: ASN1Value) -> Int? {
        var fields = FieldReader(value)
        guard fields.any()?.oid == "2.5.29.21" else { return nil }
        _ = fields.read(.type(.boolean))
        return fields.any()?.inside?.number
    }

    /// The CRL number (RFC 5280 § 5.2.3), if any.
    var number: String? { signed.first("2.5.29.20")?.details.first?.value }
    var isDelta: Bool { signed.first("2.5.29.27") != nil }
    var nextUpdate: Time? { signed.fields["next update"]?.time }

    /// The number of entries, and the number for each reason, the most frequent first.
    var countWords: String {
        let words = reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
        return "\(count)" + (count > 0 ? ": " + words.joined(separator: ", ") : "")
    }

    func facts(at now: Time) -> [Fact] {
        [
            Fact("issuer", .text(signed.issuer.text)),
            Fact("thisUpdate", .text(signed.fields["this update"]?.time?.description)),
            Fact("nextUpdate", .text(nextUpdate?.description)),
            Fact("daysLeft", .number(nextUpdate.map { Int(DaysLeft(until: $0, at: now).days) })),
            Fact("number", .text(number)), Fact("isDelta", .flag(isDelta)), Fact("entries", .number(count)),
            Fact("signature", .text(signed.algorithm.words)),
            Fact("version", .number((signed.fields["version"]?.number ?? 0) &+ 1)),
            Fact("sha256", .text(fingerprint(der))),
        ]
    }

    var details: [Detail] {
        signed.fields.details + [Detail("entries", countWords)] + entryDetails + signed.signatureDetails
            + [Detail("SHA-256", fingerprint(der))]
    }

    private var entryDetails: [Detail] {
        let entries = signed.fields["entries"]?.members.prefix(Self.maximumEntries).map { entry in
            var fields = FieldReader(entry)
            let serial = fields.any()?.hex() ?? "missing"
            let date = fields.any()?.timeWords ?? "missing"
            return Detail("revoked", "\(serial) at \(date)", ExtensionDescription.list(fields.any()).map(\.detail))
        }
        let rest = count - (entries?.count ?? 0)
        return (entries ?? []) + (rest > 0 ? [Detail("", "and \(rest) more entries, not shown")] : [])
    }
}
