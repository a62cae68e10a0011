// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension ObjectDescription {
    /// Describes a CRL. Its signature isn't verified.
    static func list(_ der: [UInt8], at now: Time) -> ObjectDescription {
        let signed = SignedDescription(der: der, RevocationListFields.schema)
        let (count, reasons) = RevocationListFields.reasons(signed)
        let nextUpdate = signed.fields["next update"]?.time
        let next = nextUpdate.map { end in
            now > end
                ? "OUT OF DATE since \(end)" : "next update \(TimeDescription.relative(end, at: now)) (\(end))"
        }
        let isDelta = signed.first("2.5.29.27") != nil
        let kind = isDelta ? "delta CRL" : "CRL"
        // The CRL number (RFC 5280 § 5.2.3).
        let number = signed.first("2.5.29.20")?.details.first?.value
        let numberWords = number.map { "number \($0)" }
        let issued = signed.fields["this update"]?.timeWords ?? "missing"
        // The most frequent reason comes first.
        let frequencies = reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
        let countWords = "\(count)" + (count > 0 ? ": " + frequencies.joined(separator: ", ") : "")
        let issuer = signed.issuer
        let digest = fingerprint(der)
        return ObjectDescription(
            .certificateRevocationList, title: "\(kind) of \(issuer.text)",
            line: [
                [kind, numberWords].compactMap { $0 }.joined(separator: " ") + " of \(issuer.shortText)",
                counted(count, "entry", plural: "entries"), next ?? "no next update",
            ].joined(separator: ", "),
            summary: [
                Detail("issuer", issuer.text),
                Detail("issued", [issued, numberWords].compactMap { $0 }.joined(separator: ", ")),
                Detail("validity", next ?? "no next update"), Detail("entries", countWords),
                Detail("signed", "with \(signed.algorithm.words)"), Detail("sha256", digest),
            ],
            facts: [
                Fact("issuer", .text(issuer.text)),
                Fact("thisUpdate", .text(signed.fields["this update"]?.time?.description)),
                Fact("nextUpdate", .text(nextUpdate?.description)),
                .daysLeft(until: nextUpdate, at: now),
                Fact("number", .text(number)), Fact("isDelta", .flag(isDelta)), Fact("entries", .number(count)),
                Fact("signature", .text(signed.algorithm.words)),
                Fact("version", .number((signed.fields["version"]?.number ?? 0) &+ 1)),
                Fact("sha256", .text(digest)),
            ],
            problems: signed.problems,
            details: {
                signed.fields.details + [Detail("entries", countWords)]
                    + RevocationListFields.entryDetails(signed, count: count) + signed.signatureDetails
                    + [Detail("SHA-256", digest)]
            })
    }
}

/// The fields of a CRL (RFC 5280 § 5).
private enum RevocationListFields {
    /// The maximum number of entries that are described.
    private static let maximumEntries = 100_000

    static let schema = SignedDescription.Schema(
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

    /// Returns the number of entries in one pass, and the number for each reason. Entries without a reason count as
    /// `unspecified`.
    static func reasons(_ signed: SignedDescription) -> (count: Int, reasons: [String: Int]) {
        var count = 0
        var reasons: [String: Int] = [:]
        guard let entries = signed.fields["entries"]?.members else { return (0, [:]) }
        for entry in entries {
            count += 1
            let code = entry.members.dropFirst(2).first { _ in true }?.members.lazy.compactMap(reason).first { _ in
                true
            }
            reasons[RevocationExtensions.reason(code ?? 0), default: 0] += 1
        }
        return (count, reasons)
    }

    /// Returns the number in a reason code extension, or nil for another extension.
    private static func reason(_ value: ASN1Value) -> Int? {
        var fields = FieldReader(value)
        guard fields.any()?.oid == "2.5.29.21" else { return nil }
        _ = fields.read(.type(.boolean))
        return fields.any()?.inside?.number
    }

    static func entryDetails(_ signed: SignedDescription, count: Int) -> [Detail] {
        let entries = signed.fields["entries"]?.members.prefix(maximumEntries).map { entry in
            var fields = FieldReader(entry)
            let serial = fields.any()?.hex() ?? "missing"
            let date = fields.any()?.timeWords ?? "missing"
            return Detail("revoked", "\(serial) at \(date)", ExtensionDescription.list(fields.any()).map(\.detail))
        }
        let rest = count - (entries?.count ?? 0)
        return (entries ?? []) + (rest > 0 ? [Detail("", "and \(rest) more entries, not shown")] : [])
    }
}
