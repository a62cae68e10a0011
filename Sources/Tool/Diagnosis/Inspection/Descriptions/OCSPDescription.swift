// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The part of an OCSP message about one certificate (RFC 6960 §§ 4.1.1 and 4.2.1).
struct OCSPEntry: Sendable {
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

/// The fields of an OCSP request for display (RFC 6960 § 4.1).
struct OCSPRequestDescription: Sendable {
    private let fields: Record
    let entries: [OCSPEntry]
    let extensions: [ExtensionDescription]
    let isSigned: Bool
    private let der: [UInt8]
    let problems: [ASN1Problem]

    init(der: [UInt8]) {
        self.der = der
        let whole = ASN1Value.whole(der, "OCSP request")
        var outer = FieldReader(whole.value)
        fields = Record(outer.read(.required(.sequence, "tbsRequest")), Self.schema, rest: .refused("the end"))
        isSigned = outer.read(.context(0)) != nil
        entries = fields["entries"]?.members.map { OCSPEntry($0, OCSPEntry.request) } ?? []
        extensions = ExtensionDescription.list(fields["extensions"])
        problems = whole.problems + outer.problems + fields.problems
    }

    private static let schema = [
        Field(.explicit(0), "version", .version, absent: "1"),
        Field(.explicit(1), "requestor", .nested(.generalName)),
        Field(.required(.sequence, "requestList"), "entries", entryLines),
        Field(.explicit(2), "extensions", .extensions),
    ]

    private static let entryLines = Form { _, value, _ in
        value?.members.map { Detail("request", nil, OCSPEntry($0, OCSPEntry.request).details) } ?? []
    }

    var facts: [Fact] {
        [
            Fact("serialNumbers", .list(entries.map(\.serialNumber))), Fact("isSigned", .flag(isSigned)),
            Fact("sha256", .text(fingerprint(der))),
        ]
    }

    var details: [Detail] { fields.details + [Detail("signed", isSigned ? "yes" : "no")] }
}

/// The fields of an OCSP response for display (RFC 6960 § 4.2). Its signature isn't verified.
struct OCSPResponseDescription: Sendable {
    /// The status of the response in words, such as `successful` or `tryLater`.
    let status: String
    /// The basic response, or nil without one.
    let basic: SignedDescription?
    let answers: [OCSPEntry]
    private let der: [UInt8]
    let problems: [ASN1Problem]

    init(der: [UInt8]) {
        self.der = der
        let whole = ASN1Value.whole(der, "OCSP response")
        var outer = FieldReader(whole.value)
        let code = outer.read(.required(.enumerated, "responseStatus"))?.number
        status = code.map { Self.statuses[$0] ?? "unknown (\($0))" } ?? "malformed"
        var bytes = FieldReader(outer.read(.explicit(0)))
        let type = bytes.any()?.oid
        let inside = type == "1.3.6.1.5.5.7.48.1.1" ? bytes.any()?.inside : nil
        basic = inside.map { SignedDescription($0, Self.schema) }
        answers = basic?.fields["answers"]?.members.map { OCSPEntry($0, OCSPEntry.answer) } ?? []
        problems = whole.problems + outer.problems + (basic?.problems ?? [])
    }

    private static let schema = SignedDescription.Schema(
        object: "response", name: "tbsResponseData",
        fields: [
            Field(.explicit(0), "version", .hidden),
            Field(.any, "responder", Form { responderWords($0) }, absent: "malformed"),
            Field(.time("producedAt"), "produced at", .validityTime, absent: "missing"),
            Field(.type(.sequence), "answers", answerLines),
            Field(.explicit(1), "extensions", .extensions),
        ])

    private static let statuses = [
        0: "successful", 1: "malformedRequest", 2: "internalError", 3: "tryLater", 5: "sigRequired", 6: "unauthorized",
    ]

    /// The responder: `ResponderID ::= CHOICE { byName [1], byKey [2] }`.
    var responder: String { Self.responderWords(basic?.fields["responder"]) }

    private static func responderWords(_ value: ASN1Value?) -> String {
        switch value?.header.number {
        case 1: NameDescription(value?.inner).text
        case 2: "key \(value?.inner?.hex() ?? "missing")"
        default: "malformed"
        }
    }

    private static let answerLines = Form { _, value, _ in
        value?.members.map { member in
            let entry = OCSPEntry(member, OCSPEntry.answer)
            return Detail("answer", entry.status, entry.details)
        } ?? []
    }

    func facts(at now: Time) -> [Fact] {
        let end = answers.compactMap(\.nextUpdate).min()
        return [
            Fact("status", .text(status)), Fact("certificateStatus", .list(answers.map(\.status))),
            Fact("serialNumbers", .list(answers.map(\.serialNumber))),
            Fact("responder", .text(responder)),
            Fact("producedAt", .text(basic?.fields["produced at"]?.time?.description)),
            Fact("thisUpdate", .text(answers.compactMap { $0.thisUpdate?.time }.max()?.description)),
            Fact("nextUpdate", .text(end?.description)),
            Fact("daysLeft", .number(end.map { Int(DaysLeft(until: $0, at: now).days) })),
            Fact("signature", .text(basic?.algorithm.words)), Fact("sha256", .text(fingerprint(der))),
        ]
    }

    var details: [Detail] {
        guard let basic else { return [Detail("status", status)] }
        let certificates = basic.certificates?.members.map { CertificateDescription(der: Array($0.whole)) } ?? []
        return [Detail("status", status)] + basic.fields.details + basic.signatureDetails
            + certificates.map { Detail("certificate", $0.title, $0.details) }
    }
}
