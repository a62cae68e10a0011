// SPDX-License-Identifier: Apache-2.0

import PKIX

extension ObjectDescription {
    /// Describes a certificate request.
    static func signingRequest(_ der: [UInt8]) -> ObjectDescription {
        let signed = SignedDescription(der: der, RequestFields.schema)
        let status = RequestFields.signatureStatus(der)
        let subject = signed.subject.text
        let name = signed.subject.isEmpty ? signed.names.first ?? "without a subject" : subject
        let names = signed.names.prefix(8).joined(separator: ", ")
        let key = signed.key?.words ?? "unreadable key"
        let digest = fingerprint(der)
        return ObjectDescription(
            .certificateRequest, title: "certificate request \(name)",
            line: "certificate request of \(name), \(key)",
            summary: [
                Detail("subject", signed.subject.isEmpty ? "empty" : subject),
                Detail("names", names.isEmpty ? "none" : names), Detail("key", key),
                Detail("signed", "with \(signed.algorithm.words), \(status)"), Detail("sha256", digest),
            ] + signed.pinDetails,
            facts: [
                Fact("subject", .text(subject)), Fact("names", .list(signed.names)),
                Fact("key", .text(signed.key?.words)), Fact("keyBits", .number(signed.key?.bits)),
                Fact("signature", .text(signed.algorithm.words)), Fact("signatureStatus", .text(status)),
                Fact("sha256", .text(digest)), Fact("pin", .text(signed.key?.pin)),
            ],
            problems: signed.problems,
            details: {
                let extensions = signed.extensions.map(\.detail)
                return signed.fields.details
                    + (extensions.isEmpty ? [] : [Detail("requested extensions", nil, extensions)])
                    + signed.signatureDetails + [Detail("signature status", status)] + signed.pinDetails
            })
    }
}

/// The fields of a certificate request (PKCS #10, RFC 2986 § 4).
private enum RequestFields {
    static let schema = SignedDescription.Schema(
        object: "request", name: "certificationRequestInfo",
        fields: [
            Field(.required(.integer, "version"), "version", .version, absent: "malformed"),
            Field(.required(.sequence, "subject"), "subject", .name(ifEmpty: "empty")),
            Field(.required(.sequence, "subjectPKInfo"), "public key", .key, absent: "missing"),
            Field(.context(0), "attributes", otherAttributes),
        ],
        extensions: { fields in
            attributes(fields["attributes"], withExtensions: true).flatMap { attribute in
                ExtensionDescription.list(attribute.members.dropFirst().first { _ in true }?.inner)
            }
        })

    /// Returns the attributes that contain extensions, those of PKCS #9 and Microsoft, or all others.
    private static func attributes(_ value: ASN1Value?, withExtensions: Bool) -> [ASN1Value] {
        let attributes = value?.members.prefix(100).map { $0 } ?? []
        return attributes.filter { attribute in
            let oid = attribute.inner?.oid
            return (oid == "1.2.840.113549.1.9.14" || oid == "1.3.6.1.4.1.311.2.1.14") == withExtensions
        }
    }

    /// The attributes without extensions.
    private static let otherAttributes = Form { _, value, problems in
        attributes(value, withExtensions: false).flatMap { attribute.details("", $0, &problems) }
    }

    private static let attribute = Form.identified(
        "attribute",
        // A challenge password is a secret between the applicant and the CA.
        ["1.2.840.113549.1.9.7": Form { _ in "present, not shown" }],
        other: .list(
            of: Form { _, value, _ in
                guard let value, value.header.isConstructed else { return [Detail("", value?.plain)] }
                return Detail.unknown(value.whole)
            }, maximum: 32))

    /// Returns the result of verifying the signature with the request's own key, in words.
    static func signatureStatus(_ der: [UInt8]) -> String {
        switch (try? CertificateRequest(der: der))?.signatureStatus {
        case .valid: "valid"
        case .invalid: "invalid"
        case .notSupported: "not checked: the algorithm isn't supported"
        case nil: "not checked: the request is malformed"
        }
    }
}
