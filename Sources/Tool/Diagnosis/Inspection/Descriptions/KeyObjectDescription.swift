// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

// Keys, trust settings, and objects that can't be parsed. Secret bytes never reach a description because the parser
// discards them.

extension ObjectDescription {
    /// Describes a public key.
    static func key(_ key: SubjectPublicKeyInfo) -> ObjectDescription {
        guard let value = try? ASN1Value(key.der) else { return keyFacts("public key", "unreadable", nil, nil, []) }
        let description = KeyDescription(value)
        let object = keyFacts("public key", description.words, description.bits, description.pin, [])
        return ObjectDescription(
            kind: ObjectKind.publicKey.rawValue, title: object.title, summary: object.summary, line: object.line,
            facts: object.facts, problems: description.problems.map(\.description),
            details: { description.details + [Detail("pin", description.pin)] })
    }

    /// Describes a private key by its public facts.
    static func key(_ facts: PrivateKeyFacts) -> ObjectDescription {
        let publicKey = facts.publicKey.flatMap { try? ASN1Value($0.der) }.map(KeyDescription.init)
        let size = facts.curve ?? facts.bits.map { "\($0) bits" }
        let words =
            publicKey?.words ?? facts.algorithm.map { $0 + (size.map { " \($0)" } ?? "") }
            ?? "unknown kind because the key is encrypted"
        let notes = [
            Detail("format", formatWords(facts.format)), Detail("encrypted", facts.isEncrypted ? "yes" : "no"),
        ]
        let object = keyFacts("private key", words, publicKey?.bits ?? facts.bits, publicKey?.pin, notes)
        return ObjectDescription(
            kind: ObjectKind.privateKey.rawValue, title: object.title,
            summary: object.summary + [Detail("secret", "not shown")], line: object.line,
            facts: object.facts + [
                Fact("format", .text(facts.format.rawValue)), Fact("isEncrypted", .flag(facts.isEncrypted)),
            ],
            details: {
                notes + [Detail("key", words)] + (publicKey?.details ?? [])
                    + (publicKey.map { [Detail("pin", $0.pin)] } ?? [])
            })
    }

    private static func keyFacts(
        _ name: String, _ words: String, _ bits: Int?, _ pin: String?, _ notes: [Detail]
    ) -> ObjectDescription {
        let pins = [Detail("pin", pin ?? "unknown: the public key isn't known")]
        return ObjectDescription(
            kind: name, title: "\(name), \(words)", summary: [Detail("key", words)] + notes + pins,
            line: "\(name), \(words)" + (pin.map { ", \($0)" } ?? ""),
            facts: [Fact("key", .text(words)), Fact("keyBits", .number(bits)), Fact("pin", .text(pin))])
    }

    private static func formatWords(_ format: PrivateKeyFacts.Format) -> String {
        switch format {
        case .pkcs8: "PKCS #8"
        case .encryptedPKCS8: "PKCS #8, encrypted"
        case .pkcs1: "PKCS #1 (RSA PRIVATE KEY)"
        case .sec1: "SEC 1 (EC PRIVATE KEY)"
        case .dsa: "OpenSSL's DSA format"
        }
    }

    /// Describes key parameters.
    static func parameters(_ parameters: KeyParameters) -> ObjectDescription {
        ObjectDescription(
            kind: ObjectKind.parameters.rawValue, title: parameters.rawValue,
            summary: [Detail("kind", parameters.rawValue)], line: parameters.rawValue,
            facts: [Fact("parameters", .text(parameters.rawValue))])
    }

    /// Describes a certificate with OpenSSL's trust settings.
    static func trusted(_ trusted: TrustedCertificate, at now: Time) -> ObjectDescription {
        let object = certificate(trusted.certificate.der, at: now)
        func words(_ oids: [OID]) -> [String] { oids.map { OIDNames.words(for: $0.description) ?? $0.description } }
        var settings = [
            Detail("trusted", trusted.trusted.map { "for " + words($0).joined(separator: ", ") } ?? "for every purpose")
        ]
        if !trusted.rejected.isEmpty {
            settings.append(Detail("rejected", "for " + words(trusted.rejected).joined(separator: ", ")))
        }
        if let alias = trusted.alias { settings.append(Detail("alias", alias)) }
        let trustDetails = settings
        return ObjectDescription(
            kind: ObjectKind.trustedCertificate.rawValue, title: "trusted " + object.title,
            summary: object.summary + settings, line: object.line + ", with trust settings",
            facts: object.facts + [
                Fact("alias", .text(trusted.alias)),
                Fact("trusted", .list(trusted.trusted?.map(\.description) ?? [])),
                Fact("rejected", .list(trusted.rejected.map(\.description))),
            ],
            problems: object.problems, details: { object.details + [Detail("trust settings", nil, trustDetails)] })
    }

    /// Describes the readable parts of a damaged object, starting with its problem.
    static func malformed(_ malformed: MalformedObject, _ der: [UInt8], at now: Time) -> ObjectDescription {
        let readable: ObjectDescription? =
            switch malformed.kind {
            case _ where der.isEmpty: nil
            case .certificate, .trustedCertificate: certificate(der, at: now)
            case .certificateRevocationList: list(der, at: now)
            case .certificateRequest: signingRequest(der)
            case .ocspRequest: request(der)
            case .ocspResponse: response(der, at: now)
            default: nil
            }
        let problem = malformed.problem.description
        guard let readable else { return self.problem(malformed.problem) }
        return ObjectDescription(
            kind: readable.kind, title: readable.title + " (malformed)", summary: readable.summary,
            line: readable.line + ", MALFORMED: " + problem, facts: readable.facts,
            problems: [problem] + readable.problems, remedy: malformed.problem.remedy, details: { readable.details })
    }

    /// Describes contents that can't be parsed.
    static func problem(_ problem: InspectionProblem) -> ObjectDescription {
        let words = problem.description
        return ObjectDescription(
            kind: problem.kind?.rawValue ?? "unknown", title: problem.kind?.words ?? "unreadable", summary: [],
            line: words, facts: [], problems: [words], remedy: problem.remedy)
    }
}
