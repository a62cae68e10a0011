// SPDX-License-Identifier: Apache-2.0

/// The extensions about the use of a key (RFC 5280 §§ 4.2.1.1 to 4.2.1.3, 4.2.1.9, 4.2.1.12).
enum UsageExtensions {
    static let table: [String: Form] = [
        "2.5.29.14": .octets,
        "2.5.29.15": .bits([
            "digitalSignature", "nonRepudiation", "keyEncipherment", "dataEncipherment", "keyAgreement",
            "keyCertSign", "cRLSign", "encipherOnly", "decipherOnly",
        ]),
        // PrivateKeyUsagePeriod.
        "2.5.29.16": .tagged([0: ("from", implicitTime), 1: ("to", implicitTime)], other: implicitTime),
        // BasicConstraints.
        "2.5.29.19": .record(
            [
                Field(.type(.boolean), "CA", Form { $0.isTrue ? "yes" : "no" }, absent: "no"),
                Field(.type(.integer), "path length", .words),
            ], rest: .refused("the end of basicConstraints")),
        // AuthorityKeyIdentifier.
        "2.5.29.35": .record(
            [
                Field(.context(0), "key", .hex(256)), Field(.context(1), "issuer", .nested(.generalNames)),
                Field(.context(2), "serial number", .hex()),
            ], rest: .shown),
        "2.5.29.37": .list(of: .identifier),
        // The TLS features (RFC 7633).
        "1.3.6.1.5.5.7.1.24": .list(
            of: Form { $0.number.map { features[$0] ?? "TLS extension \($0)" } ?? $0.words }),
        "1.3.6.1.5.5.7.48.1.5": .presence("clients need not check the revocation status of this responder"),
        "2.5.29.56": .presence("the CA publishes no revocation information"),
    ]

    /// A GeneralizedTime with an implicit tag.
    private static let implicitTime = Form { ASN1Value.time(generalized: $0.contents)?.description ?? $0.words ?? "" }

    private static let features = [
        5: "status_request (5): the server must staple an OCSP response", 17: "status_request_v2 (17)",
    ]
}
