// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Extension values that the test authority can't create itself.
enum ExtensionBytes {
    /// Authority information access (RFC 5280 § 4.2.2.1).
    static func issuerAddresses(certificate: String, ocsp: String? = nil) -> Extension {
        var list = encode(0x30, oid("1.3.6.1.5.5.7.48.2") + encode(0x86, Array(certificate.utf8)))
        if let ocsp { list += encode(0x30, oid("1.3.6.1.5.5.7.48.1") + encode(0x86, Array(ocsp.utf8))) }
        return make("1.3.6.1.5.5.7.1.1", encode(0x30, list))
    }

    /// CRL distribution points with one entry (§ 4.2.1.13).
    static func revocationList(_ address: String) -> Extension {
        let name = encode(0xa0, encode(0xa0, encode(0x86, Array(address.utf8))))
        return make("2.5.29.31", encode(0x30, encode(0x30, name)))
    }

    /// Certificate policies without qualifiers (§ 4.2.1.4).
    static func policies(_ policies: [String]) -> Extension {
        make("2.5.29.32", encode(0x30, policies.flatMap { encode(0x30, oid($0)) }))
    }

    /// Extended key usage (§ 4.2.1.12).
    static func purposes(_ purposes: [String]) -> Extension { make("2.5.29.37", encode(0x30, purposes.flatMap(oid))) }

    /// An extension that no verifier knows and that isn't critical.
    static func unknown(_ identifier: String) -> Extension { make(identifier, [0x05, 0x00]) }

    /// Policy constraints: an explicit policy from here on (§ 4.2.1.11).
    static var requireExplicitPolicy: Extension {
        make("2.5.29.36", encode(0x30, encode(0x80, [0])), isCritical: true)
    }

    /// A subject key identifier, for any key (§ 4.2.1.2).
    static func subjectKeyIdentifier(_ identifier: [UInt8]) -> Extension {
        make("2.5.29.14", encode(0x04, identifier))
    }

    /// An authority key identifier, for any issuer (§ 4.2.1.1).
    static func authorityKeyIdentifier(_ identifier: [UInt8]) -> Extension {
        make("2.5.29.35", encode(0x30, encode(0x80, identifier)))
    }

    /// A general name of the form dNSName.
    static func dnsName(_ name: String) -> [UInt8] { encode(0x82, Array(name.utf8)) }

    /// A general name of the form directoryName with one common name.
    static func directoryName(_ commonName: String) -> [UInt8] {
        let attribute = encode(0x30, oid("2.5.4.3") + encode(0x0c, Array(commonName.utf8)))
        return encode(0xa4, encode(0x30, encode(0x31, attribute)))
    }

    /// Subject alternative names, encoded (§ 4.2.1.6).
    static func alternativeNames(_ names: [[UInt8]]) -> Extension {
        make("2.5.29.17", encode(0x30, Array(names.joined())))
    }

    /// Name constraints of encoded bases (§ 4.2.1.10).
    static func nameConstraints(permitted: [[UInt8]] = [], excluded: [[UInt8]] = []) -> Extension {
        var lists: [UInt8] = []
        if !permitted.isEmpty { lists += encode(0xa0, permitted.flatMap { encode(0x30, $0) }) }
        if !excluded.isEmpty { lists += encode(0xa1, excluded.flatMap { encode(0x30, $0) }) }
        return make("2.5.29.30", encode(0x30, lists), isCritical: true)
    }

    private static func make(_ identifier: String, _ value: [UInt8], isCritical: Bool = false) -> Extension {
        guard let identifier = OID(identifier) else { preconditionFailure("not an OID: \(identifier)") }
        return Extension(identifier: identifier, isCritical: isCritical, value: value)
    }

    private static func oid(_ dotted: String) -> [UInt8] {
        guard let identifier = OID(dotted) else { preconditionFailure("not an OID: \(dotted)") }
        return encode(0x06, identifier.der)
    }

    private static func encode(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        switch contents.count {
        case 0..<0x80: [tag, UInt8(contents.count)] + contents
        case 0x80..<0x100: [tag, 0x81, UInt8(contents.count)] + contents
        case 0x100..<0x1_0000: [tag, 0x82, UInt8(contents.count >> 8), UInt8(contents.count & 0xff)] + contents
        default:
            [
                tag, 0x83, UInt8(contents.count >> 16), UInt8(contents.count >> 8 & 0xff), UInt8(contents.count & 0xff),
            ] + contents
        }
    }
}
