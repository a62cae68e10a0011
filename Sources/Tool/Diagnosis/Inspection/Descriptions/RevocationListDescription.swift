// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A CRL's fields for display (RFC 5280 § 5). Its signature isn't verified.
struct RevocationListDescription: Sendable {
    let version: Int
    let innerAlgorithm: AlgorithmDescription
    let issuer: NameDescription
    let thisUpdate: ASN1Value?
    let nextUpdate: ASN1Value?
    /// The list of entries, or nil for an empty list.
    let entries: ASN1Value?
    let extensions: [ExtensionDescription]
    let algorithm: AlgorithmDescription
    let signature: ASN1Value?
    let der: [UInt8]
    let problems: [ASN1Problem]
    /// The number of entries.
    let count: Int
    /// The number of entries for each reason. Entries without a reason count as `unspecified`.
    let reasons: [String: Int]

    /// The maximum number of entries that are described.
    static let maximumEntries = 100_000

    init(der: [UInt8]) {
        self.der = der
        let whole = try? ASN1Value(der)
        var outer = FieldReader(whole)
        let signed = outer.required(.sequence, "tbsCertList")
        algorithm = AlgorithmDescription(outer.required(.sequence, "signatureAlgorithm"))
        signature = outer.required(.bitString, "signature")
        var fields = FieldReader(signed)
        version = (fields.optional(.integer)?.number ?? 0) &+ 1
        innerAlgorithm = AlgorithmDescription(fields.required(.sequence, "signature algorithm"))
        issuer = NameDescription(fields.required(.sequence, "issuer"))
        thisUpdate = fields.requiredTime("thisUpdate")
        nextUpdate = fields.next?.time == nil ? nil : fields.any()
        entries = fields.optional(.sequence)
        extensions = ExtensionDescription.list(fields.optional(context: 0)?.members.first { _ in true })
        if let other = fields.any() {
            fields.add([ASN1Problem(.unexpected(expected: "the end", found: other.header.name), at: other.start)])
        }
        (count, reasons) = Self.statistics(entries)
        let broken = whole?.problem.map { [$0] } ?? []
        problems = Array((broken + outer.problems + fields.problems + extensions.flatMap(\.problems)).prefix(100))
    }

    /// Counts the entries and their reasons in one pass.
    private static func statistics(_ entries: ASN1Value?) -> (Int, [String: Int]) {
        var count = 0
        var reasons: [String: Int] = [:]
        for entry in entries?.members ?? ASN1Members([], from: 0, to: 0) {
            count += 1
            let code = entry.members.dropFirst(2).first { _ in true }?.members.lazy.compactMap(Self.reason).first { _ in
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
        _ = fields.optional(.boolean)
        return fields.any()?.inside?.number
    }

    /// The CRL number (RFC 5280 § 5.2.3), if any.
    var number: String? { extensions.first { $0.oid == "2.5.29.20" }?.details.first?.value }
    var isDelta: Bool { extensions.contains { $0.oid == "2.5.29.27" } }

    /// The number of entries for each reason in words, the most frequent first.
    var reasonWords: String {
        reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
            .joined(separator: ", ")
    }

    func facts(at now: Time) -> [Fact] {
        let end = nextUpdate?.time
        return [
            Fact("issuer", .text(issuer.text)), Fact("thisUpdate", .text(thisUpdate?.time?.description)),
            Fact("nextUpdate", .text(end?.description)),
            Fact("daysLeft", .number(end.map { TimeDescription.daysLeft(until: $0, at: now) })),
            Fact("number", .text(number)), Fact("isDelta", .flag(isDelta)), Fact("entries", .number(count)),
            Fact("signature", .text(algorithm.words)), Fact("version", .number(version)),
            Fact("sha256", .text(Hex.encode(Digests.sha256(der)))),
        ]
    }

    var details: [Detail] {
        var details = [
            Detail("version", String(version)), innerAlgorithm.detail("signature algorithm"),
            Detail("issuer", issuer.text, issuer.details),
            Detail("this update", CertificateDescription.words(thisUpdate)),
            Detail("next update", nextUpdate.map { CertificateDescription.words($0) } ?? "none"),
        ]
        if !extensions.isEmpty { details.append(Detail("extensions", nil, extensions.map(\.detail))) }
        details.append(Detail("entries", "\(count)" + (count > 0 ? ": " + reasonWords : "")))
        details += entryDetails
        if algorithm != innerAlgorithm { details.append(algorithm.detail("outer signature algorithm")) }
        details.append(
            Detail("signature", signature.map { ASN1Value.hex($0.contents.dropFirst(), maximum: 8192) } ?? "missing"))
        details.append(Detail("SHA-256", Hex.encode(Digests.sha256(der))))
        return details
    }

    private var entryDetails: [Detail] {
        var details: [Detail] = []
        for entry in (entries?.members ?? ASN1Members([], from: 0, to: 0)).prefix(Self.maximumEntries) {
            var fields = FieldReader(entry)
            let serial = fields.any()
            let date = fields.any()
            let extensions = ExtensionDescription.list(fields.any())
            details.append(
                Detail(
                    "revoked", "\(serial?.hex() ?? "missing") at \(CertificateDescription.words(date))",
                    extensions.map(\.detail)))
        }
        if count > details.count { details.append(Detail("", "and \(count - details.count) more entries, not shown")) }
        return details
    }
}
