// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The part of an OCSP message about one certificate (RFC 6960 §§ 4.1.1 and 4.2.1).
private struct OCSPEntry: Sendable {
    private let fields: Record
    private let id: Record

    fileprivate init(_ value: ASN1Value, _ schema: [Field]) {
        fields = Record(value, schema)
        id = Record(fields["id"], Self.certificateID)
    }

    /// `CertID ::= SEQUENCE { hashAlgorithm, issuerNameHash, issuerKeyHash, serialNumber }`.
    private static let certificateID = [
        Field(.any, "hash", .algorithm), Field(.any, "issuer name hash", .hex(), absent: "missing"),
        Field(.any, "issuer key hash", .hex(), absent: "missing"),
        Field(.any, "serial number", .hex(), absent: "missing"),
    ]
    /// `Request ::= SEQUENCE { reqCert CertID, singleRequestExtensions [0] OPTIONAL }`.
    fileprivate static let request = [Field(.any, "id", .hidden), Field(.explicit(0), "extensions", extensions)]
    /// `SingleResponse ::= SEQUENCE { certID, certStatus, thisUpdate, nextUpdate [0] OPTIONAL, singleExtensions [1]
    /// OPTIONAL }`.
    fileprivate static let answer = [
        Field(.any, "id", .hidden), Field(.any, "status", .hidden),
        Field(.any, "this update", .validityTime, absent: "missing"),
        Field(.explicit(0), "next update", .validityTime, absent: "none"),
        Field(.explicit(1), "extensions", extensions),
    ]
    /// The lines of extensions, without a line around them.
    private static let extensions = Form { _, value, _ in ExtensionDescription.list(value).map(\.detail) }

    var serialNumber: String { id["serial number"]?.hex() ?? "missing" }
    var thisUpdate: ASN1Value? { fields["this update"] }
    var nextUpdate: Time? { fields["next update"]?.time }

    /// `CertStatus ::= CHOICE { good [0], revoked [1] SEQUENCE { time, reason [0] OPTIONAL }, unknown [2] }`.
    var status: String {
        let value = fields["status"]
        switch value?.header.number {
        case 0: return "good"
        case 2: return "unknown"
        case 1:
            var fields = FieldReader(value)
            let time = fields.any()?.timeWords ?? "missing"
            let reason = fields.read(.explicit(0))?.number
            return "revoked at \(time)" + (reason.map { ", reason \(RevocationExtensions.reason($0))" } ?? "")
        default: return "malformed"
        }
    }

    /// The lines, with the serial number first.
    var details: [Detail] {
        let lines = id.details
        return [lines[lines.count - 1]] + lines.dropLast() + fields.details
    }
}

extension ObjectDescription {
    /// Describes an OCSP request (RFC 6960 § 4.1).
    static func request(_ der: [UInt8]) -> ObjectDescription {
        let whole = ASN1Value.whole(der, "OCSP request")
        var outer = FieldReader(whole.value)
        let request = outer.read(.required(.sequence, "tbsRequest"))
        let fields = Record(request, OCSPMessageFields.request, rest: .refused("the end"))
        let isSigned = outer.read(.context(0)) != nil
        let serials = OCSPMessageFields.requests(fields["entries"]).map(\.serialNumber)
        let shown = serials.prefix(8).joined(separator: ", ")
        let names = ExtensionDescription.list(fields["extensions"]).map(\.name)
        let digest = fingerprint(der)
        return ObjectDescription(
            .ocspRequest, title: "OCSP request", line: "OCSP request for \(shown)",
            summary: [
                Detail("serials", shown.isEmpty ? "none" : shown), Detail("signed", isSigned ? "yes" : "no"),
                Detail("extensions", names.joined(separator: ", ")), Detail("sha256", digest),
            ].filter { $0.value?.isEmpty == false },
            facts: [
                Fact("serialNumbers", .list(serials)), Fact("isSigned", .flag(isSigned)), Fact("sha256", .text(digest)),
            ],
            problems: whole.problems + outer.problems + fields.problems,
            details: { fields.details + [Detail("signed", isSigned ? "yes" : "no")] })
    }

    /// Describes an OCSP response (RFC 6960 § 4.2). Its signature isn't verified.
    static func response(_ der: [UInt8], at now: Time) -> ObjectDescription {
        let whole = ASN1Value.whole(der, "OCSP response")
        var outer = FieldReader(whole.value)
        let code = outer.read(.required(.enumerated, "responseStatus"))?.number
        let status = code.map { OCSPMessageFields.statuses[$0] ?? "unknown (\($0))" } ?? "malformed"
        var bytes = FieldReader(outer.read(.explicit(0)))
        let type = bytes.any()?.oid
        let inside = type == "1.3.6.1.5.5.7.48.1.1" ? bytes.any()?.inside : nil
        let basic = inside.map { SignedDescription($0, OCSPMessageFields.response) }
        let answers = OCSPMessageFields.answers(basic?.fields["answers"])
        let responder = OCSPMessageFields.responder(basic?.fields["responder"])
        let end = answers.compactMap(\.nextUpdate).min()
        let states = answers.map(\.status)
        let title = "OCSP response, \(status)"
        let digest = fingerprint(der)
        let signed = basic.map { basic in
            [Detail("responder", responder), Detail("signed", "with \(basic.algorithm.words)")]
        }
        return ObjectDescription(
            .ocspResponse, title: title, line: title + (states.isEmpty ? "" : ": \(states.joined(separator: ", "))"),
            summary: [Detail("status", status)] + answers.prefix(8).flatMap { $0.summary(at: now) } + (signed ?? [])
                + [Detail("sha256", digest)],
            facts: [
                Fact("status", .text(status)), Fact("certificateStatus", .list(states)),
                Fact("serialNumbers", .list(answers.map(\.serialNumber))), Fact("responder", .text(responder)),
                Fact("producedAt", .text(basic?.fields["produced at"]?.time?.description)),
                Fact("thisUpdate", .text(answers.compactMap { $0.thisUpdate?.time }.max()?.description)),
                Fact("nextUpdate", .text(end?.description)),
                .daysLeft(until: end, at: now),
                Fact("signature", .text(basic?.algorithm.words)), Fact("sha256", .text(digest)),
            ],
            problems: whole.problems + outer.problems + (basic?.problems ?? []),
            details: {
                guard let basic else { return [Detail("status", status)] }
                let certificates = basic.certificates?.members.map { CertificateDescription(der: Array($0.whole)) }
                return [Detail("status", status)] + basic.fields.details + basic.signatureDetails
                    + (certificates ?? []).map { Detail("certificate", $0.title, $0.details) }
            })
    }
}

extension OCSPEntry {
    fileprivate func summary(at now: Time) -> [Detail] {
        let until = nextUpdate.map { now > $0 ? "OUT OF DATE since \($0)" : "fresh until \($0)" }
        return [
            Detail("answer", "\(status), serial number \(serialNumber)"),
            Detail("validity", "\(until ?? "no next update"), from \(thisUpdate.map(\.timeWords) ?? "missing")"),
        ]
    }
}

/// The fields of OCSP messages (RFC 6960 §§ 4.1.1 and 4.2.1).
private enum OCSPMessageFields {
    static let request = [
        Field(.explicit(0), "version", .version, absent: "1"),
        Field(.explicit(1), "requestor", .nested(.generalName)),
        Field(
            .required(.sequence, "requestList"), "entries",
            Form { _, value, _ in requests(value).map { Detail("request", nil, $0.details) } }),
        Field(.explicit(2), "extensions", .extensions),
    ]

    static let response = SignedDescription.Schema(
        object: "response", name: "tbsResponseData",
        fields: [
            Field(.explicit(0), "version", .hidden),
            Field(.any, "responder", Form { responder($0) }, absent: "malformed"),
            Field(.time("producedAt"), "produced at", .validityTime, absent: "missing"),
            Field(
                .type(.sequence), "answers",
                Form { _, value, _ in answers(value).map { Detail("answer", $0.status, $0.details) } }),
            Field(.explicit(1), "extensions", .extensions),
        ])

    static let statuses = [
        0: "successful", 1: "malformedRequest", 2: "internalError", 3: "tryLater", 5: "sigRequired", 6: "unauthorized",
    ]

    static func requests(_ value: ASN1Value?) -> [OCSPEntry] {
        value?.members.map { OCSPEntry($0, OCSPEntry.request) } ?? []
    }

    static func answers(_ value: ASN1Value?) -> [OCSPEntry] {
        value?.members.map { OCSPEntry($0, OCSPEntry.answer) } ?? []
    }

    /// Returns the responder: `ResponderID ::= CHOICE { byName [1], byKey [2] }`.
    static func responder(_ value: ASN1Value?) -> String {
        switch value?.header.number {
        case 1: NameDescription(value?.inner).text
        case 2: "key \(value?.inner?.hex() ?? "missing")"
        default: "malformed"
        }
    }
}
