// SPDX-License-Identifier: Apache-2.0

/// The extensions about the use of a key (RFC 5280 §§ 4.2.1.1 to 4.2.1.3, 4.2.1.9, 4.2.1.12).
enum UsageExtensions {
    static let table: [String: ExtensionDecoders.Decoder] = [
        "2.5.29.14": ExtensionDecoders.octets,
        "2.5.29.15": { value, _ in value.isUniversal(.bitString) ? ExtensionDecoders.bits(value, keyUsages) : nil },
        "2.5.29.16": { value, _ in privateKeyUsagePeriod(value) },
        "2.5.29.19": { value, problems in basicConstraints(value, &problems) },
        "2.5.29.35": { value, problems in authorityKeyIdentifier(value, &problems) },
        "2.5.29.37": { value, _ in identifiers(value) },
        "1.3.6.1.5.5.7.1.24": { value, _ in tlsFeatures(value) },
        "1.3.6.1.5.5.7.48.1.5": ExtensionDecoders.presence(
            "clients need not check the revocation status of this responder"),
        "2.5.29.56": ExtensionDecoders.presence("the CA publishes no revocation information"),
    ]

    /// The bits of KeyUsage (RFC 5280 § 4.2.1.3).
    private static let keyUsages = [
        "digitalSignature", "nonRepudiation", "keyEncipherment", "dataEncipherment", "keyAgreement", "keyCertSign",
        "cRLSign", "encipherOnly", "decipherOnly",
    ]

    /// Parses a SEQUENCE OF OBJECT IDENTIFIER.
    static func identifiers(_ value: ASN1Value) -> [Detail]? {
        guard value.isUniversal(.sequence) else { return nil }
        return value.members.map { .identifier("", $0) }
    }

    private static func basicConstraints(_ value: ASN1Value, _ problems: inout [ASN1Problem]) -> [Detail]? {
        guard value.isUniversal(.sequence) else { return nil }
        var fields = FieldReader(value)
        let isCA = fields.optional(.boolean)?.isTrue ?? false
        var details = [Detail("CA", isCA ? "yes" : "no")]
        if let length = fields.optional(.integer) { details.append(Detail("path length", length.words)) }
        if let other = fields.any() {
            problems.append(
                ASN1Problem(
                    .unexpected(expected: "the end of basicConstraints", found: other.header.name), at: other.start))
        }
        return details
    }

    private static func authorityKeyIdentifier(_ value: ASN1Value, _ problems: inout [ASN1Problem]) -> [Detail]? {
        guard value.isUniversal(.sequence) else { return nil }
        var fields = FieldReader(value)
        var details: [Detail] = []
        if let key = fields.optional(context: 0) { details.append(Detail("key", key.hex(maximum: 256))) }
        if let issuer = fields.optional(context: 1) {
            details.append(Detail("issuer", nil, GeneralNameDescription.details(issuer)))
        }
        if let serial = fields.optional(context: 2) { details.append(Detail("serial number", serial.hex())) }
        if let other = fields.any() { details.append(Detail("unknown field", other.header.name)) }
        problems += fields.problems
        return details.isEmpty ? [Detail("", "empty")] : details
    }

    private static func privateKeyUsagePeriod(_ value: ASN1Value) -> [Detail]? {
        guard value.isUniversal(.sequence) else { return nil }
        return value.members.map { member in
            let time = ASN1Value.time(generalized: member.contents)
            let words = time?.description ?? member.words ?? ""
            return Detail(member.isContext(0) ? "from" : member.isContext(1) ? "to" : "unknown field", words)
        }
    }

    /// Parses the list of TLS features (RFC 7633).
    private static func tlsFeatures(_ value: ASN1Value) -> [Detail]? {
        guard value.isUniversal(.sequence) else { return nil }
        return value.members.map { member in
            switch member.number {
            case 5: Detail("", "status_request (5): the server must staple an OCSP response")
            case 17: Detail("", "status_request_v2 (17)")
            case let number?: Detail("", "TLS extension \(number)")
            case nil: Detail("", member.words)
            }
        }
    }
}
