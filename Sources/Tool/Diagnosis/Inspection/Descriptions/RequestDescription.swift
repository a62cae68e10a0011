// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The fields of a certificate request for display (PKCS #10, RFC 2986 § 4).
struct RequestDescription: Sendable {
    let version: Int?
    let subject: NameDescription
    let key: KeyDescription?
    let attributes: [ASN1Value]
    /// The requested extensions, from the PKCS #9 and Microsoft attributes.
    let extensions: [ExtensionDescription]
    let algorithm: AlgorithmDescription
    let signature: ASN1Value?
    let der: [UInt8]
    let problems: [ASN1Problem]

    init(der: [UInt8]) {
        self.der = der
        let whole = try? ASN1Value(der)
        var outer = FieldReader(whole)
        let info = outer.required(.sequence, "certificationRequestInfo")
        algorithm = AlgorithmDescription(outer.required(.sequence, "signatureAlgorithm"))
        signature = outer.required(.bitString, "signature")
        var fields = FieldReader(info)
        version = fields.required(.integer, "version")?.number.map { $0 &+ 1 }
        subject = NameDescription(fields.required(.sequence, "subject"))
        key = fields.required(.sequence, "subjectPKInfo").map(KeyDescription.init)
        attributes = fields.optional(context: 0)?.members.prefix(100).map { $0 } ?? []
        extensions = attributes.filter(Self.holdsExtensions).flatMap { attribute in
            ExtensionDescription.list(Self.values(attribute)?.members.first { _ in true })
        }
        let broken = whole?.problem.map { [$0] } ?? []
        problems = broken + outer.problems + fields.problems + (key?.problems ?? []) + extensions.flatMap(\.problems)
    }

    private static func holdsExtensions(_ attribute: ASN1Value) -> Bool {
        var fields = FieldReader(attribute)
        let oid = fields.any()?.oid
        return oid == "1.2.840.113549.1.9.14" || oid == "1.3.6.1.4.1.311.2.1.14"
    }

    private static func values(_ attribute: ASN1Value) -> ASN1Value? {
        var fields = FieldReader(attribute)
        _ = fields.any()
        return fields.any()
    }

    /// The requested alternative names, or the common names if the request has no alternative names.
    var names: [String] {
        let names = extensions.first { $0.oid == "2.5.29.17" }?.details.map(GeneralNameDescription.plain) ?? []
        return names.isEmpty ? subject.values("2.5.4.3") : names
    }

    /// The result of verifying the signature with the request's own key, in words.
    var signatureStatus: String {
        switch (try? CertificateRequest(der: der))?.signatureStatus {
        case .valid: "valid"
        case .invalid: "invalid"
        case .notSupported: "not checked: the algorithm isn't supported"
        case nil: "not checked: the request is malformed"
        }
    }

    var facts: [Fact] {
        [
            Fact("subject", .text(subject.text)), Fact("names", .list(names)), Fact("key", .text(key?.words)),
            Fact("keyBits", .number(key?.bits)), Fact("signature", .text(algorithm.words)),
            Fact("signatureStatus", .text(signatureStatus)),
            Fact("sha256", .text(Hex.encode(Digests.sha256(der)))), Fact("pin", .text(key?.pin)),
        ]
    }

    var details: [Detail] {
        var details = [
            Detail("version", version.map { String($0) } ?? "malformed"),
            Detail("subject", subject.isEmpty ? "empty" : subject.text, subject.details),
            Detail("public key", key?.words ?? "missing", key?.details ?? []),
        ]
        let others = attributes.filter { !Self.holdsExtensions($0) }.map { attribute -> Detail in
            var fields = FieldReader(attribute)
            let type = fields.any()
            // A challenge password is a secret between the applicant and the CA.
            guard type?.oid != "1.2.840.113549.1.9.7" else {
                return .identifier("attribute", type, [Detail("", "present, not shown")])
            }
            let values = fields.any()?.members.prefix(32).flatMap { value -> [Detail] in
                value.header.isConstructed
                    ? Detail.unknown(value.whole) : [Detail("", value.string ?? value.words ?? "")]
            }
            return .identifier("attribute", type, values ?? [])
        }
        details += others
        if !extensions.isEmpty { details.append(Detail("requested extensions", nil, extensions.map(\.detail))) }
        details.append(algorithm.detail("signature algorithm"))
        details.append(
            Detail("signature", signature.map { ASN1Value.hex($0.contents.dropFirst(), maximum: 8192) } ?? "missing"))
        details.append(Detail("signature status", signatureStatus))
        if let key { details.append(Detail("pin", key.pin)) }
        return details
    }
}
