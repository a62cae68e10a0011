// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// An object of a file in words, for people and for programs.
///
/// ```swift
/// for object in InspectionReader.read(bytes, name: "chain.pem").objects {
///     let description = ObjectDescription(object, at: now)
///     print(description.title)                                 // certificate CN=www.example.com
///     for line in description.summary { print(line.label, line.value ?? "") }
///     for fact in description.facts { print(fact.name, fact.texts) }
///     for detail in description.details { print(detail.label) }   // every field
/// }
/// ```
///
/// A description doesn't decide anything. The only signature that it verifies is a request's, with the request's own
/// key. Texts are printable and limited in length.
package struct ObjectDescription: Sendable {
    /// The stable name of the object's kind, or `unknown` for contents of an unknown kind.
    package let kind: String
    /// The kind and the name of the object.
    package private(set) var title: String
    /// The most important lines.
    package private(set) var summary: [Detail]
    /// The object on one line.
    package private(set) var line: String
    /// The named values for programs, in a stable order.
    package private(set) var facts: [Fact]
    /// The fields that don't match the object's grammar.
    package private(set) var problems: [String]
    /// The next step to fix the first problem, if any.
    package private(set) var remedy: String?
    private var makeDetails: @Sendable () -> [Detail]

    /// Every field in words. Each access creates them again.
    package var details: [Detail] { makeDetails() }

    init(
        _ kind: ObjectKind?, title: String, line: String? = nil, summary: [Detail] = [], facts: [Fact] = [],
        problems: [ASN1Problem] = [], details: @escaping @Sendable () -> [Detail] = { [] }
    ) {
        self.kind = kind?.rawValue ?? "unknown"
        // Names may be as long as a megabyte.
        self.title = clipped(title, to: 1024)
        self.summary = summary
        self.line = clipped(line ?? title, to: 2048)
        self.facts = facts
        self.problems = problems.map(\.description)
        self.makeDetails = details
    }

    /// Returns the description with the names of logs in the details of timestamps.
    /// - Parameter logs: the names by base64 identifier, empty without a list of logs.
    package func naming(_ logs: [String: String]) -> ObjectDescription {
        guard !logs.isEmpty else { return self }
        var named = self
        named.makeDetails = { makeDetails().map { $0.naming(logs) } }
        return named
    }

    /// - Parameters:
    ///   - object: an object of a file.
    ///   - now: the current date. Remaining days count from this date.
    package init(_ object: InspectedObject, at now: Time) {
        switch object.content {
        case .parsed(.publicKey(let key)): self = .key(key)
        case .parsed:
            self = Self.fields(object.der, as: object.kind, at: now) ?? ObjectDescription(object.kind, title: "object")
        case .trustedCertificate(let trusted): self = .trusted(trusted, at: now)
        case .privateKey(let facts): self = .key(facts)
        case .parameters(let parameters): self = .parameters(parameters)
        case .unreadable(let problem): self = .unreadable(problem, object.der, at: now)
        }
    }

    /// The names of all facts of all kinds of objects, in order.
    package static let factNames: [String] = {
        let now = Time(secondsSinceEpoch: 0)
        let samples: [ObjectDescription] = [
            .certificate([], at: now), .list([], at: now), .signingRequest([]), .request([]), .response([], at: now),
            .key(PrivateKeyFacts(format: .pkcs8, algorithm: nil)), .parameters(.dsa),
        ]
        var names: [String] = ["kind", "title"]
        for name in samples.flatMap(\.facts).map(\.name) + ["alias", "trusted", "rejected"] where !names.contains(name)
        {
            names.append(name)
        }
        return names
    }()
}

extension ObjectDescription {
    /// Describes a certificate.
    static func certificate(_ der: [UInt8], at now: Time) -> ObjectDescription {
        let certificate = CertificateDescription(der: der)
        let signed = certificate.signed
        let validity = TimeDescription.validity(from: certificate.notBefore, to: certificate.notAfter, at: now)
        let key = signed.key?.words ?? "unreadable key"
        var shownNames = signed.names.prefix(8).joined(separator: ", ")
        if signed.names.count > 8 { shownNames += " and \(signed.names.count - 8) more" }
        return ObjectDescription(
            .certificate, title: "certificate \(certificate.title)",
            line: "\(signed.names.first ?? certificate.title), \(validity), "
                + "\(certificate.isSelfIssued ? "self-issued" : "by " + signed.issuer.shortText), \(key)",
            summary: [
                Detail("names", signed.names.isEmpty ? "none" : shownNames),
                Detail("issuer", certificate.isSelfIssued ? "itself" : signed.issuer.text),
                Detail("validity", validity), Detail("key", "\(key), signature \(signed.algorithm.words)"),
                Detail("usage", certificate.usage), Detail("sha256", fingerprint(der)),
            ] + signed.pinDetails + certificate.missingAlgorithms + certificate.firefoxRefusals,
            facts: certificate.facts(at: now), problems: signed.problems, details: { certificate.details })
    }
}

// MARK: - Keys, trust settings, and objects that can't be parsed

// Secret bytes never reach a description because the parser discards them.

extension ObjectDescription {
    /// Describes a public key.
    static func key(_ key: SubjectPublicKeyInfo) -> ObjectDescription {
        let description = (try? ASN1Value(key.der)).map(KeyDescription.init)
        return keyObject(.publicKey, description?.words ?? "unreadable", description, problems: description?.problems)
    }

    /// Describes a private key by its public facts.
    static func key(_ facts: PrivateKeyFacts) -> ObjectDescription {
        let publicKey = facts.publicKey.flatMap { try? ASN1Value($0.der) }.map(KeyDescription.init)
        let size = facts.curve ?? facts.bits.map { "\($0) bits" }
        let words =
            publicKey?.words ?? facts.algorithm.map { $0 + (size.map { " \($0)" } ?? "") }
            ?? "unknown kind because the key is encrypted"
        let notes = [
            Detail("format", facts.format.words), Detail("encrypted", facts.isEncrypted ? "yes" : "no"),
        ]
        var object = keyObject(.privateKey, words, publicKey, bits: facts.bits, notes: notes)
        object.summary.append(Detail("secret", "not shown"))
        object.facts += [
            Fact("format", .text(facts.format.rawValue)), Fact("isEncrypted", .flag(facts.isEncrypted)),
        ]
        return object
    }

    private static func keyObject(
        _ kind: ObjectKind, _ words: String, _ key: KeyDescription?, bits: Int? = nil, notes: [Detail] = [],
        problems: [ASN1Problem]? = nil
    ) -> ObjectDescription {
        let title = "\(kind == .privateKey ? "private" : "public") key, \(words)"
        let pin = key?.pin
        let shown = notes.isEmpty ? [] : notes + [Detail("key", words)]
        return ObjectDescription(
            kind, title: title, line: title + (pin.map { ", \($0)" } ?? ""),
            summary: [Detail("key", words)] + notes
                + [Detail("pin", pin ?? "unknown: the public key isn't known")],
            facts: [
                Fact("key", .text(words)), Fact("keyBits", .number(key?.bits ?? bits)), Fact("pin", .text(pin)),
            ],
            problems: problems ?? [],
            details: { shown + (key.map { $0.details + [Detail("pin", $0.pin)] } ?? []) })
    }

    /// Describes key parameters.
    static func parameters(_ parameters: KeyParameters) -> ObjectDescription {
        ObjectDescription(
            .parameters, title: parameters.rawValue, summary: [Detail("kind", parameters.rawValue)],
            facts: [Fact("parameters", .text(parameters.rawValue))])
    }

    /// Describes a certificate with OpenSSL's trust settings.
    static func trusted(_ trusted: TrustedCertificate, at now: Time) -> ObjectDescription {
        let object = certificate(trusted.certificate.der, at: now)
        func words(_ oids: [OID]) -> String {
            "for " + oids.map { OIDNames.words(for: $0.description) ?? $0.description }.joined(separator: ", ")
        }
        let settings = [
            Detail("trusted", trusted.trusted.map(words) ?? "for every purpose"),
            trusted.rejected.isEmpty ? nil : Detail("rejected", words(trusted.rejected)),
            trusted.alias.map { Detail("alias", $0) },
        ].compactMap { $0 }
        var description = ObjectDescription(
            .trustedCertificate, title: "trusted " + object.title, line: object.line + ", with trust settings",
            summary: object.summary + settings,
            facts: object.facts + [
                Fact("alias", .text(trusted.alias)),
                Fact("trusted", .list(trusted.trusted?.map(\.description) ?? [])),
                Fact("rejected", .list(trusted.rejected.map(\.description))),
            ],
            details: { object.details + [Detail("trust settings", nil, settings)] })
        description.problems = object.problems
        return description
    }

    /// Describes contents that can't be parsed, or the readable parts of a damaged object. Their problem comes first.
    static func unreadable(_ problem: InspectionProblem, _ der: [UInt8], at now: Time) -> ObjectDescription {
        var object: ObjectDescription
        if !der.isEmpty, let damaged = fields(der, as: problem.kind, at: now) {
            object = damaged
            object.title = clipped(object.title + " (malformed)", to: 1024)
            object.line = clipped(object.line + ", MALFORMED: " + problem.description, to: 2048)
        } else {
            object = ObjectDescription(
                problem.kind, title: problem.kind?.words ?? "unreadable", line: problem.description)
        }
        object.problems.insert(problem.description, at: 0)
        object.remedy = problem.remedy
        return object
    }

    /// Describes the fields of an object, or returns nil for a kind whose fields aren't described.
    private static func fields(_ der: [UInt8], as kind: ObjectKind?, at now: Time) -> ObjectDescription? {
        switch kind {
        case .certificate, .trustedCertificate: certificate(der, at: now)
        case .certificateRevocationList: list(der, at: now)
        case .certificateRequest: signingRequest(der)
        case .ocspRequest: request(der)
        case .ocspResponse: response(der, at: now)
        default: nil
        }
    }
}

extension PrivateKeyFacts.Format {
    fileprivate var words: String {
        switch self {
        case .pkcs8: "PKCS #8"
        case .encryptedPKCS8: "PKCS #8, encrypted"
        case .pkcs1: "PKCS #1 (RSA PRIVATE KEY)"
        case .sec1: "SEC 1 (EC PRIVATE KEY)"
        case .dsa: "OpenSSL's DSA format"
        }
    }
}

extension NameDescription {
    /// The common name, or else the organization, or else the whole name.
    var shortText: String { values("2.5.4.3").first ?? values("2.5.4.10").first ?? text }
}
