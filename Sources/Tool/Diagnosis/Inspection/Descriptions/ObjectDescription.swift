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
    package let title: String
    /// The most important lines.
    package let summary: [Detail]
    /// The object on one line.
    package let line: String
    /// The named values for programs, in a stable order.
    package let facts: [Fact]
    /// The fields that don't match the object's grammar.
    package let problems: [String]
    /// The next step to fix the first problem, if any.
    package let remedy: String?
    private let makeDetails: @Sendable () -> [Detail]

    /// Every field in words. Each access creates them again.
    package var details: [Detail] { makeDetails() }

    init(
        kind: String, title: String, summary: [Detail], line: String, facts: [Fact], problems: [String] = [],
        remedy: String? = nil, details: @escaping @Sendable () -> [Detail] = { [] }
    ) {
        self.kind = kind
        // Names may be as long as a megabyte.
        self.title = clipped(title, to: 1024)
        self.summary = summary
        self.line = clipped(line, to: 2048)
        self.facts = facts
        self.problems = problems
        self.remedy = remedy
        self.makeDetails = details
    }

    /// Returns the description with the names of logs in the details of timestamps.
    /// - Parameter logs: the names by base64 identifier, empty without a list of logs.
    package func naming(_ logs: [String: String]) -> ObjectDescription {
        guard !logs.isEmpty else { return self }
        let makeDetails = makeDetails
        return ObjectDescription(
            kind: kind, title: title, summary: summary, line: line, facts: facts, problems: problems, remedy: remedy,
            details: { makeDetails().map { $0.naming(logs) } })
    }

    /// - Parameters:
    ///   - object: an object of a file.
    ///   - now: the current date. Remaining days count from this date.
    package init(_ object: InspectedObject, at now: Time) {
        switch object.content {
        case .certificate: self = .certificate(object.der, at: now)
        case .trustedCertificate(let trusted): self = .trusted(trusted, at: now)
        case .certificateRevocationList: self = .list(object.der, at: now)
        case .ocspRequest: self = .request(object.der)
        case .ocspResponse: self = .response(object.der, at: now)
        case .certificateRequest: self = .signingRequest(object.der)
        case .publicKey(let key): self = .key(key)
        case .privateKey(let facts): self = .key(facts)
        case .parameters(let parameters): self = .parameters(parameters)
        case .malformed(let malformed): self = .malformed(malformed, object.der, at: now)
        case .locked(let problem), .foreign(let problem): self = .problem(problem)
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
        let validity = TimeDescription.validity(
            from: certificate.notBefore?.time, to: certificate.notAfter?.time, at: now)
        let names = certificate.names
        var shownNames = names.prefix(8).joined(separator: ", ")
        if names.count > 8 { shownNames += " and \(names.count - 8) more" }
        var summary = [
            Detail("names", names.isEmpty ? "none" : shownNames),
            Detail("issuer", certificate.isSelfIssued ? "itself" : certificate.issuer.text),
            Detail("validity", validity), Detail("key", certificate.keyAndSignature),
            Detail("usage", certificate.usage), Detail("sha256", Hex.encode(Digests.sha256(der))),
        ]
        if let key = certificate.key { summary.append(Detail("pin", key.pin)) }
        summary += certificate.firefoxRefusals
        return ObjectDescription(
            kind: ObjectKind.certificate.rawValue, title: "certificate \(certificate.title)", summary: summary,
            line: "\(names.first ?? certificate.title), \(validity), "
                + "\(certificate.isSelfIssued ? "self-issued" : "by " + certificate.issuer.shortText), "
                + (certificate.key?.words ?? "unreadable key"),
            facts: certificate.facts(at: now), problems: certificate.problems.map(\.description),
            details: { certificate.details })
    }

    /// Describes a CRL.
    static func list(_ der: [UInt8], at now: Time) -> ObjectDescription {
        let list = RevocationListDescription(der: der)
        let next = list.nextUpdate?.time.map { end in
            (now > end ? "OUT OF DATE since " : "next update \(TimeDescription.relative(end, at: now)) (") + "\(end)"
                + (now > end ? "" : ")")
        }
        let kind = list.isDelta ? "delta CRL" : "CRL"
        let number = list.number.map { " number \($0)" } ?? ""
        return ObjectDescription(
            kind: ObjectKind.certificateRevocationList.rawValue, title: "\(kind) of \(list.issuer.text)",
            summary: [
                Detail("issuer", list.issuer.text),
                Detail("issued", CertificateDescription.words(list.thisUpdate) + number.replacingPrefix(" ", ", ")),
                Detail("validity", next ?? "no next update"),
                Detail("entries", "\(list.count)" + (list.count > 0 ? ": \(list.reasonWords)" : "")),
                Detail("signed", "with \(list.algorithm.words)"),
                Detail("sha256", Hex.encode(Digests.sha256(der))),
            ],
            line:
                "\(kind)\(number) of \(list.issuer.shortText), \(counted(list.count, "entry", plural: "entries")), \(next ?? "no next update")",
            facts: list.facts(at: now), problems: list.problems.map(\.description), details: { list.details })
    }

    /// Describes a certificate request.
    static func signingRequest(_ der: [UInt8]) -> ObjectDescription {
        let request = RequestDescription(der: der)
        let name = request.subject.isEmpty ? request.names.first ?? "without a subject" : request.subject.text
        let names = request.names.prefix(8).joined(separator: ", ")
        var summary = [
            Detail("subject", request.subject.isEmpty ? "empty" : request.subject.text),
            Detail("names", names.isEmpty ? "none" : names), Detail("key", request.key?.words ?? "unreadable key"),
            Detail("signed", "with \(request.algorithm.words), \(request.signatureStatus)"),
            Detail("sha256", Hex.encode(Digests.sha256(der))),
        ]
        if let key = request.key { summary.append(Detail("pin", key.pin)) }
        return ObjectDescription(
            kind: ObjectKind.certificateRequest.rawValue, title: "certificate request \(name)", summary: summary,
            line: "certificate request of \(name), \(request.key?.words ?? "unreadable key")", facts: request.facts,
            problems: request.problems.map(\.description), details: { request.details })
    }

    /// Describes an OCSP request.
    static func request(_ der: [UInt8]) -> ObjectDescription {
        let request = OCSPRequestDescription(der: der)
        let serials = request.requests.prefix(8).map(\.id.serialNumber).joined(separator: ", ")
        return ObjectDescription(
            kind: ObjectKind.ocspRequest.rawValue, title: "OCSP request",
            summary: [
                Detail("serials", serials.isEmpty ? "none" : serials),
                Detail("signed", request.isSigned ? "yes" : "no"),
                Detail("extensions", request.extensions.map(\.name).joined(separator: ", ")),
                Detail("sha256", Hex.encode(Digests.sha256(der))),
            ].filter { $0.value?.isEmpty == false },
            line: "OCSP request for \(serials)", facts: request.facts, problems: request.problems.map(\.description),
            details: { request.details })
    }

    /// Describes an OCSP response.
    static func response(_ der: [UInt8], at now: Time) -> ObjectDescription {
        let response = OCSPResponseDescription(der: der)
        var summary = [Detail("status", response.status)]
        for answer in response.answers.prefix(8) {
            summary.append(Detail("answer", "\(answer.status), serial number \(answer.id.serialNumber)"))
            let end = answer.nextUpdate?.time
            let until = end.map { now > $0 ? "OUT OF DATE since \($0)" : "fresh until \($0)" } ?? "no next update"
            summary.append(Detail("validity", "\(until), from \(CertificateDescription.words(answer.thisUpdate))"))
        }
        if let algorithm = response.algorithm {
            summary += [response.responder, Detail("signed", "with \(algorithm.words)")]
        }
        summary.append(Detail("sha256", Hex.encode(Digests.sha256(der))))
        let words = response.answers.map(\.status).joined(separator: ", ")
        return ObjectDescription(
            kind: ObjectKind.ocspResponse.rawValue, title: "OCSP response, \(response.status)", summary: summary,
            line: "OCSP response, \(response.status)" + (words.isEmpty ? "" : ": \(words)"),
            facts: response.facts(at: now), problems: response.problems.map(\.description),
            details: { response.details })
    }
}

extension NameDescription {
    /// The common name, or else the organization, or else the whole name.
    var shortText: String { values("2.5.4.3").first ?? values("2.5.4.10").first ?? text }
}

extension String {
    fileprivate func replacingPrefix(_ prefix: String, _ other: String) -> String {
        hasPrefix(prefix) ? other + dropFirst(prefix.count) : self
    }
}
