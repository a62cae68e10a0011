// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// A certificate's fields for display (RFC 5280 § 4).
package struct CertificateDescription: Sendable {
    let signed: SignedDescription
    let der: [UInt8]

    /// - Parameter der: any bytes.
    package init(der: [UInt8]) {
        self.der = der
        signed = SignedDescription(der: der, Self.schema)
    }

    private static let schema = SignedDescription.Schema(
        object: "certificate", name: "tbsCertificate",
        fields: [
            Field(.explicit(0), "version", .version, absent: "1"),
            Field(.required(.integer, "serialNumber"), "serial number", serialNumber, absent: "missing"),
            Field(.required(.sequence, "signature algorithm"), "signature algorithm", .algorithm),
            Field(.required(.sequence, "issuer"), "issuer", .name()),
            .group(
                "validity",
                [
                    Field(.time("notBefore"), "not before", .validityTime, absent: "missing"),
                    Field(.time("notAfter"), "not after", .validityTime, absent: "missing"),
                ]),
            Field(.required(.sequence, "subject"), "subject", .name(ifEmpty: "empty")),
            Field(.required(.sequence, "subjectPublicKeyInfo"), "public key", .key, absent: "missing"),
            Field(.context(1), "issuer unique identifier", .hex(256)),
            Field(.context(2), "subject unique identifier", .hex(256)),
            Field(.explicit(3), "extensions", .extensions),
        ])

    /// A serial number in hexadecimal, and also in decimal if it is short.
    private static let serialNumber = Form { value in
        let hex = value.hex(maximum: 256)
        let sign = (value.contents.first ?? 0) >= 0x80 ? ", negative" : ""
        return value.number.map { "\(hex) (\($0))" } ?? hex + sign
    }

    /// Every field and every extension in words.
    var details: [Detail] {
        signed.fields.details + signed.signatureDetails + [
            Detail("SHA-256", fingerprint(der)), Detail("SHA-1", Hex.encode(Digests.insecureSHA1(of: der))),
        ] + signed.pinDetails + firefoxRefusals
    }
}

// MARK: - The facts that people ask for

extension CertificateDescription {
    var notBefore: Time? { signed.fields["not before"]?.time }
    var notAfter: Time? { signed.fields["not after"]?.time }

    /// The version, 1, 2 or 3, or nil if it can't be parsed.
    private var version: Int? {
        guard let version = signed.fields["version"] else { return 1 }
        return version.number.map { $0 &+ 1 }
    }

    /// Whether the basic constraints make the certificate a CA, or nil without that extension.
    var isCA: Bool? {
        signed.first("2.5.29.19").map { $0.details.contains { $0.label == "CA" && $0.value == "yes" } }
    }

    /// The path length of a CA in words, if it is limited.
    var pathLength: String? { signed.first("2.5.29.19")?.details.first { $0.label == "path length" }?.value }

    /// The identifiers of the extended key usages.
    var purposes: [String] { signed.first("2.5.29.37")?.details.compactMap(\.oid) ?? [] }

    /// The purposes in words: the extended key usages, or the key usages if there is no extended key usage.
    var usage: String {
        let purposes = signed.first("2.5.29.37")?.details.map { $0.oid.flatMap(OIDNames.words) ?? $0.value ?? "" } ?? []
        let role: String =
            switch isCA {
            case true?: "CA" + (pathLength.map { " (path length \($0))" } ?? "")
            case false?: "not a CA"
            case nil:
                version == 3
                    ? "not marked as a CA" : "version \(version.map { String($0) } ?? "unknown"), not marked as a CA"
            }
        let uses = purposes.isEmpty ? signed.values("2.5.29.15") : purposes
        return "\(role); \(uses.isEmpty ? "any use" : uses.joined(separator: ", "))"
    }

    /// The subject, or the first name of a certificate without a subject.
    package var title: String {
        if !signed.subject.isEmpty { return signed.subject.text }
        let serialNumber = signed.fields["serial number"]?.hex() ?? "unknown"
        return signed.names.first.map { clipped($0, to: 256) } ?? "serial number \(serialNumber)"
    }

    /// Whether subject and issuer have the same bytes. The signature isn't verified.
    var isSelfIssued: Bool { !signed.subject.isEmpty && signed.subject == signed.issuer }

    /// The facts for programs and for `--fields`, in order.
    package func facts(at now: Time) -> [Fact] {
        let access = signed.first("1.3.6.1.5.5.7.1.1")?.details ?? []
        func locations(_ method: String) -> [String] { access.filter { $0.oid == method }.compactMap(\.value) }
        let points = signed.first("2.5.29.31")?.details.flatMap(\.members) ?? []
        return [
            Fact("subject", .text(signed.subject.text)), Fact("issuer", .text(signed.issuer.text)),
            Fact("names", .list(signed.names)),
            Fact("serialNumber", .text(signed.fields["serial number"].map { $0.hex(maximum: 256) })),
            Fact("notBefore", .text(notBefore?.description)), Fact("notAfter", .text(notAfter?.description)),
            .daysLeft(until: notAfter, at: now),
            Fact("key", .text(signed.key?.words)), Fact("keyBits", .number(signed.key?.bits)),
            Fact("signature", .text(signed.algorithm.words)),
            Fact("keyUsage", .list(signed.values("2.5.29.15"))),
            Fact("extendedKeyUsage", .list(purposes.map { OIDNames.name(of: $0) ?? $0 })),
            Fact("usage", .text(usage)), Fact("isCA", .flag(isCA ?? false)), Fact("isSelfIssued", .flag(isSelfIssued)),
            Fact("version", .number(version)),
            Fact("subjectKeyIdentifier", .text(signed.values("2.5.29.14").first)),
            Fact(
                "authorityKeyIdentifier",
                .text(signed.first("2.5.29.35")?.details.first { $0.label == "key" }?.value)),
            Fact("ocsp", .list(locations("1.3.6.1.5.5.7.48.1"))),
            Fact("caIssuers", .list(locations("1.3.6.1.5.5.7.48.2"))),
            Fact("crl", .list(points.filter { $0.label == "URI" }.compactMap(\.value))),
            Fact("sha256", .text(fingerprint(der))),
            Fact("sha1", .text(Hex.encode(Digests.insecureSHA1(of: der)))), Fact("pin", .text(signed.key?.pin)),
        ]
    }
}
