// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// A certificate's fields for display. It also works for certificates that the strict parser refuses (RFC 5280 § 4).
///
/// Don't base any decision on a description. Its parser accepts BER and damaged values, and lists the invalid positions
/// in ``problems``.
package struct CertificateDescription: Sendable {
    /// The version, 1, 2 or 3, or nil if it can't be parsed.
    let version: Int?
    let serialNumber: ASN1Value?
    /// The algorithm inside the signed part.
    let innerAlgorithm: AlgorithmDescription
    let issuer: NameDescription
    let notBefore: ASN1Value?
    let notAfter: ASN1Value?
    let subject: NameDescription
    let key: KeyDescription?
    let issuerUniqueID: ASN1Value?
    let subjectUniqueID: ASN1Value?
    let extensions: [ExtensionDescription]
    /// The algorithm next to the signature.
    let algorithm: AlgorithmDescription
    let signature: ASN1Value?
    let der: [UInt8]
    /// The fields that don't comply with RFC 5280, each with its offset.
    let problems: [ASN1Problem]

    /// - Parameter der: any bytes.
    package init(der: [UInt8]) {
        self.der = der
        var problems: [ASN1Problem] = []
        var whole: ASN1Value?
        do throws(ASN1Problem) {
            let value = try ASN1Value(der)
            if let problem = value.problem { problems.append(problem) }
            if value.next < der.count {
                problems.append(ASN1Problem(.invalid("bytes after the end of the certificate"), at: value.next))
            }
            whole = value
        } catch {
            problems.append(error)
        }
        var outer = FieldReader(whole)
        let signed = outer.required(.sequence, "tbsCertificate")
        algorithm = AlgorithmDescription(outer.required(.sequence, "signatureAlgorithm"))
        signature = outer.required(.bitString, "signature")
        var fields = FieldReader(signed)
        let stated = fields.optional(context: 0)?.members.first { _ in true }
        version = stated == nil ? 1 : stated?.number.map { $0 &+ 1 }
        serialNumber = fields.required(.integer, "serialNumber")
        innerAlgorithm = AlgorithmDescription(fields.required(.sequence, "signature algorithm"))
        issuer = NameDescription(fields.required(.sequence, "issuer"))
        var validity = FieldReader(fields.required(.sequence, "validity"))
        notBefore = validity.requiredTime("notBefore")
        notAfter = validity.requiredTime("notAfter")
        subject = NameDescription(fields.required(.sequence, "subject"))
        key = fields.required(.sequence, "subjectPublicKeyInfo").map(KeyDescription.init)
        issuerUniqueID = fields.optional(context: 1)
        subjectUniqueID = fields.optional(context: 2)
        let list = fields.optional(context: 3)?.members.first { _ in true }
        extensions = ExtensionDescription.list(list)
        while let other = fields.any() {
            fields.add([ASN1Problem(.unexpected(expected: "the end", found: other.header.name), at: other.start)])
        }
        problems += outer.problems + fields.problems + validity.problems
        problems += (key?.problems ?? []) + extensions.flatMap(\.problems)
        self.problems = Array(problems.prefix(100))
    }

    /// Returns the extension with that identifier, or nil if the certificate doesn't contain it.
    func first(_ oid: String) -> ExtensionDescription? { extensions.first { $0.oid == oid } }

    /// Returns the values of the extension with that identifier, one per line. Empty if the certificate doesn't contain
    /// the extension.
    func values(_ oid: String) -> [String] { first(oid)?.details.compactMap(\.value) ?? [] }
}

// MARK: - The facts that people ask for

extension CertificateDescription {
    /// The subject alternative names. DNS names and addresses have no prefix for their kind.
    var alternativeNames: [String] { first("2.5.29.17")?.details.map(GeneralNameDescription.plain) ?? [] }

    /// The names that identify a server or person. Without alternative names, these are the common names.
    var names: [String] {
        let names = alternativeNames
        return names.isEmpty ? subject.values("2.5.4.3") : names
    }

    /// Whether the basic constraints make the certificate a CA, or nil without that extension.
    var isCA: Bool? {
        first("2.5.29.19").map { $0.details.contains { $0.label == "CA" && $0.value == "yes" } }
    }

    /// The purposes in words: the extended key usages, or the key usages if there is no extended key usage.
    var usage: String {
        let purposes = first("2.5.29.37")?.details.map { $0.oid.flatMap(OIDNames.words) ?? $0.value ?? "" } ?? []
        let operations = values("2.5.29.15")
        let role: String =
            switch isCA {
            case true?:
                "CA"
                    + (first("2.5.29.19")?.details.first { $0.label == "path length" }?.value.map {
                        " (path length \($0))"
                    } ?? "")
            case false?: "not a CA"
            case nil:
                version == 3
                    ? "not marked as a CA" : "version \(version.map { String($0) } ?? "unknown"), not marked as a CA"
            }
        let uses = purposes.isEmpty ? operations : purposes
        return ([role] + [uses.isEmpty ? "any use" : uses.joined(separator: ", ")]).joined(separator: "; ")
    }

    /// The subject, or the first name of a certificate without a subject.
    package var title: String {
        if !subject.isEmpty { return subject.text }
        return names.first.map { clipped($0, to: 256) } ?? "serial number \(serialNumber?.hex() ?? "unknown")"
    }

    /// Whether subject and issuer have the same bytes. The signature isn't verified.
    var isSelfIssued: Bool { !subject.isEmpty && subject == issuer }

    /// The kind of key and the signature algorithm.
    var keyAndSignature: String { "\(key?.words ?? "unreadable key"), signature \(algorithm.words)" }

    /// The facts for programs and for `--fields`, in order.
    package func facts(at now: Time) -> [Fact] {
        let end = notAfter?.time
        return [
            Fact("subject", .text(subject.text)), Fact("issuer", .text(issuer.text)), Fact("names", .list(names)),
            Fact("serialNumber", .text(serialNumber.map { $0.hex(maximum: 256) })),
            Fact("notBefore", .text(notBefore?.time?.description)), Fact("notAfter", .text(end?.description)),
            Fact("daysLeft", .number(end.map { TimeDescription.daysLeft(until: $0, at: now) })),
            Fact("key", .text(key?.words)), Fact("keyBits", .number(key?.bits)),
            Fact("signature", .text(algorithm.words)),
            Fact("keyUsage", .list(values("2.5.29.15"))),
            Fact(
                "extendedKeyUsage", .list(first("2.5.29.37")?.details.compactMap { $0.oid.map(Self.shortName) } ?? [])),
            Fact("usage", .text(usage)), Fact("isCA", .flag(isCA ?? false)), Fact("isSelfIssued", .flag(isSelfIssued)),
            Fact("version", .number(version)),
            Fact("subjectKeyIdentifier", .text(values("2.5.29.14").first)),
            Fact("authorityKeyIdentifier", .text(first("2.5.29.35")?.details.first { $0.label == "key" }?.value)),
            Fact("ocsp", .list(accessLocations("1.3.6.1.5.5.7.48.1"))),
            Fact("caIssuers", .list(accessLocations("1.3.6.1.5.5.7.48.2"))),
            Fact("crl", .list(listLocations)),
            Fact("sha256", .text(Hex.encode(Digests.sha256(der)))),
            Fact("sha1", .text(Hex.encode(Digests.insecureSHA1(of: der)))), Fact("pin", .text(key?.pin)),
        ]
    }

    private static func shortName(_ oid: String) -> String { OIDNames.name(of: oid) ?? oid }

    private func accessLocations(_ method: String) -> [String] {
        first("1.3.6.1.5.5.7.1.1")?.details.filter { $0.oid == method }.compactMap(\.value) ?? []
    }

    private var listLocations: [String] {
        first("2.5.29.31")?.details.flatMap(\.members).filter { $0.label == "URI" }.compactMap(\.value) ?? []
    }
}

// MARK: - Every field

extension CertificateDescription {
    /// Every field and every extension in words.
    var details: [Detail] {
        var details = [
            Detail("version", version.map { String($0) } ?? "malformed"),
            Detail("serial number", serialNumber.map(Self.serialWords) ?? "missing"),
            innerAlgorithm.detail("signature algorithm"),
            Detail("issuer", issuer.text, issuer.details),
            Detail("not before", Self.words(notBefore)), Detail("not after", Self.words(notAfter)),
            Detail("subject", subject.isEmpty ? "empty" : subject.text, subject.details),
            Detail("public key", key?.words ?? "missing", key?.details ?? []),
        ]
        if let id = issuerUniqueID { details.append(Detail("issuer unique identifier", id.hex(maximum: 256))) }
        if let id = subjectUniqueID { details.append(Detail("subject unique identifier", id.hex(maximum: 256))) }
        if !extensions.isEmpty { details.append(Detail("extensions", nil, extensions.map(\.detail))) }
        if algorithm != innerAlgorithm { details.append(algorithm.detail("outer signature algorithm")) }
        details.append(
            Detail("signature", signature.map { ASN1Value.hex($0.contents.dropFirst(), maximum: 8192) } ?? "missing"))
        details.append(Detail("SHA-256", Hex.encode(Digests.sha256(der))))
        details.append(Detail("SHA-1", Hex.encode(Digests.insecureSHA1(of: der))))
        if let key { details.append(Detail("pin", key.pin)) }
        return details + firefoxRefusals
    }

    static func words(_ value: ASN1Value?) -> String {
        guard let value else { return "missing" }
        return value.time?.description ?? "not a time: " + (value.words ?? "")
    }

    /// Returns a serial number in hexadecimal, and also in decimal if it is short.
    static func serialWords(_ value: ASN1Value) -> String {
        let hex = value.hex(maximum: 256)
        let sign = (value.contents.first ?? 0) >= 0x80 ? ", negative" : ""
        return value.number.map { "\(hex) (\($0))" } ?? hex + sign
    }
}
