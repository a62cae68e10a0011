// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The identifier of a certificate in OCSP (RFC 6960 § 4.1.1).
struct OCSPCertificateDescription: Sendable {
    let hash: AlgorithmDescription
    let nameHash: String
    let keyHash: String
    let serialNumber: String

    init(_ value: ASN1Value?) {
        var fields = FieldReader(value)
        hash = AlgorithmDescription(fields.any())
        nameHash = fields.any()?.hex() ?? "missing"
        keyHash = fields.any()?.hex() ?? "missing"
        serialNumber = fields.any()?.hex() ?? "missing"
    }

    var details: [Detail] {
        [
            Detail("serial number", serialNumber), hash.detail("hash"), Detail("issuer name hash", nameHash),
            Detail("issuer key hash", keyHash),
        ]
    }
}

/// The fields of an OCSP request for display (RFC 6960 § 4.1).
struct OCSPRequestDescription: Sendable {
    let version: Int
    let requestor: Detail?
    let requests: [(id: OCSPCertificateDescription, extensions: [ExtensionDescription])]
    let extensions: [ExtensionDescription]
    let isSigned: Bool
    let der: [UInt8]
    let problems: [ASN1Problem]

    init(der: [UInt8]) {
        self.der = der
        var outer = FieldReader(try? ASN1Value(der))
        var fields = FieldReader(outer.required(.sequence, "tbsRequest"))
        isSigned = outer.optional(context: 0) != nil
        version = (fields.optional(context: 0)?.members.first { _ in true }?.number ?? 0) &+ 1
        let name = fields.optional(context: 1)?.members.first { _ in true }
        requestor = name.map(GeneralNameDescription.detail)
        let list = fields.required(.sequence, "requestList")
        requests = (list?.members ?? ASN1Members([], from: 0, to: 0)).map { request in
            var parts = FieldReader(request)
            let id = OCSPCertificateDescription(parts.any())
            let single = parts.optional(context: 0)?.members.first { _ in true }
            return (id, ExtensionDescription.list(single))
        }
        extensions = ExtensionDescription.list(fields.optional(context: 2)?.members.first { _ in true })
        problems = outer.problems + fields.problems
    }

    var facts: [Fact] {
        [
            Fact("serialNumbers", .list(requests.map(\.id.serialNumber))), Fact("isSigned", .flag(isSigned)),
            Fact("sha256", .text(Hex.encode(Digests.sha256(der)))),
        ]
    }

    var details: [Detail] {
        var details = [Detail("version", String(version))]
        if let requestor { details.append(Detail("requestor", nil, [requestor])) }
        details += requests.map { Detail("request", nil, $0.id.details + $0.extensions.map(\.detail)) }
        if !extensions.isEmpty { details.append(Detail("extensions", nil, extensions.map(\.detail))) }
        return details + [Detail("signed", isSigned ? "yes" : "no")]
    }
}

/// The fields of an OCSP response for display (RFC 6960 § 4.2). Its signature isn't verified.
struct OCSPResponseDescription: Sendable {
    /// The answer for one certificate.
    struct Single: Sendable {
        let id: OCSPCertificateDescription
        let status: String
        let thisUpdate: ASN1Value?
        let nextUpdate: ASN1Value?
        let extensions: [ExtensionDescription]
    }
    /// The status of the response in words, such as `successful` or `tryLater`.
    let status: String
    let type: String?
    let responder: Detail
    let producedAt: ASN1Value?
    let answers: [Single]
    let extensions: [ExtensionDescription]
    let algorithm: AlgorithmDescription?
    let signature: ASN1Value?
    /// The certificates in the response.
    let certificates: [CertificateDescription]
    let der: [UInt8]
    let problems: [ASN1Problem]

    init(der: [UInt8]) {
        self.der = der
        var outer = FieldReader(try? ASN1Value(der))
        let code = outer.required(.enumerated, "responseStatus")?.number
        status = code.map { Self.statuses[$0] ?? "unknown (\($0))" } ?? "malformed"
        var bytes = FieldReader(outer.optional(context: 0)?.members.first { _ in true })
        type = bytes.any()?.oid
        let basic = type == "1.3.6.1.5.5.7.48.1.1" ? bytes.any()?.inside : nil
        var parts = FieldReader(basic)
        let signed = basic == nil ? nil : parts.required(.sequence, "tbsResponseData")
        algorithm = basic == nil ? nil : AlgorithmDescription(parts.required(.sequence, "signatureAlgorithm"))
        signature = parts.optional(.bitString)
        let list = parts.optional(context: 0)?.members.first { _ in true }
        certificates = list?.members.map { CertificateDescription(der: Array($0.whole)) } ?? []
        var fields = FieldReader(signed)
        _ = fields.optional(context: 0)
        responder = Self.responder(fields.any())
        producedAt = signed == nil ? nil : fields.requiredTime("producedAt")
        let answers = fields.optional(.sequence)?.members ?? ASN1Members([], from: 0, to: 0)
        self.answers = answers.map { Single($0) }
        extensions = ExtensionDescription.list(fields.optional(context: 1)?.members.first { _ in true })
        problems = outer.problems + parts.problems + fields.problems
    }

    private static let statuses = [
        0: "successful", 1: "malformedRequest", 2: "internalError", 3: "tryLater", 5: "sigRequired", 6: "unauthorized",
    ]

    /// Parses `ResponderID ::= CHOICE { byName [1], byKey [2] }`.
    private static func responder(_ value: ASN1Value?) -> Detail {
        let inner = value?.members.first { _ in true }
        return switch value?.header.number {
        case 1: Detail("responder", NameDescription(inner).text)
        case 2: Detail("responder", "key \(inner?.hex() ?? "missing")")
        default: Detail("responder", "malformed")
        }
    }

    func facts(at now: Time) -> [Fact] {
        let end = answers.compactMap { $0.nextUpdate?.time }.min()
        return [
            Fact("status", .text(status)), Fact("certificateStatus", .list(answers.map(\.status))),
            Fact("serialNumbers", .list(answers.map(\.id.serialNumber))), Fact("responder", .text(responder.value)),
            Fact("producedAt", .text(producedAt?.time?.description)),
            Fact("thisUpdate", .text(answers.compactMap { $0.thisUpdate?.time }.max()?.description)),
            Fact("nextUpdate", .text(end?.description)),
            Fact("daysLeft", .number(end.map { TimeDescription.daysLeft(until: $0, at: now) })),
            Fact("signature", .text(algorithm?.words)), Fact("sha256", .text(Hex.encode(Digests.sha256(der)))),
        ]
    }

    var details: [Detail] {
        var details = [Detail("status", status)]
        guard let algorithm else { return details }
        details += [responder, Detail("produced at", CertificateDescription.words(producedAt))]
        details += answers.map { Detail("answer", $0.status, $0.details) }
        if !extensions.isEmpty { details.append(Detail("extensions", nil, extensions.map(\.detail))) }
        details.append(algorithm.detail("signature algorithm"))
        details.append(
            Detail("signature", signature.map { ASN1Value.hex($0.contents.dropFirst(), maximum: 8192) } ?? "missing"))
        return details + certificates.map { Detail("certificate", $0.title, $0.details) }
    }
}

extension OCSPResponseDescription.Single {
    /// Parses `SingleResponse ::= SEQUENCE { certID, certStatus, thisUpdate, nextUpdate [0] OPTIONAL, singleExtensions
    /// [1] OPTIONAL }`.
    init(_ value: ASN1Value) {
        var fields = FieldReader(value)
        id = OCSPCertificateDescription(fields.any())
        status = Self.status(fields.any())
        thisUpdate = fields.any()
        nextUpdate = fields.optional(context: 0)?.members.first { _ in true }
        extensions = ExtensionDescription.list(fields.optional(context: 1)?.members.first { _ in true })
    }

    private static func status(_ value: ASN1Value?) -> String {
        switch value?.header.number {
        case 0: return "good"
        case 2: return "unknown"
        case 1:
            var fields = FieldReader(value)
            let time = CertificateDescription.words(fields.any())
            let reason = fields.optional(context: 0)?.members.first { _ in true }?.number
            return "revoked at \(time)" + (reason.map { ", reason \(RevocationExtensions.reason($0))" } ?? "")
        default: return "malformed"
        }
    }

    var details: [Detail] {
        id.details + [
            Detail("this update", CertificateDescription.words(thisUpdate)),
            Detail("next update", nextUpdate.map { CertificateDescription.words($0) } ?? "none"),
        ] + extensions.map(\.detail)
    }
}
