// SPDX-License-Identifier: Apache-2.0

import Crypto
import PKIX
import ServerTrustTesting

/// The DER that these tests need for certificates.
enum DERPieces {
    static func value(_ tag: UInt8, _ contents: [UInt8]...) -> [UInt8] {
        let contents = contents.flatMap { $0 }
        guard contents.count >= 0x80 else { return [tag, UInt8(contents.count)] + contents }
        return [tag, 0x82, UInt8(contents.count >> 8), UInt8(contents.count & 0xff)] + contents
    }

    /// The consecutive values in the contents of `value`.
    static func members(of value: [UInt8]) -> [[UInt8]] {
        var members: [[UInt8]] = []
        var rest = value[headerLength(value[...])...]
        while !rest.isEmpty {
            let header = headerLength(rest)
            let end = rest.startIndex + header + contentsLength(rest)
            members.append([UInt8](rest[..<end]))
            rest = rest[end...]
        }
        return members
    }

    private static func headerLength(_ value: ArraySlice<UInt8>) -> Int {
        let length = value[value.startIndex + 1]
        return length < 0x80 ? 2 : 2 + Int(length & 0x7f)
    }

    private static func contentsLength(_ value: ArraySlice<UInt8>) -> Int {
        let length = value[value.startIndex + 1]
        guard length >= 0x80 else { return Int(length) }
        return value.dropFirst(2).prefix(Int(length & 0x7f)).reduce(0) { $0 << 8 | Int($1) }
    }
}

extension Extension {
    /// The certificatePolicies extension (RFC 5280 § 4.2.1.4) with policies without qualifiers.
    static func certificatePolicies(_ policies: OID...) -> Extension {
        Extension(
            identifier: OID("2.5.29.32") ?? .anyPolicy, isCritical: false,
            value: DERPieces.value(
                0x30, policies.flatMap { DERPieces.value(0x30, DERPieces.value(0x06, $0.der)) }))
    }
}

extension TestAuthority {
    /// Returns the certificate with another subject, signed again by this authority, whose key must be P-256.
    func reissue(
        _ certificate: Certificate, subject: [(attribute: String, value: String)]
    ) throws -> Certificate {
        let name = DERPieces.value(
            0x30,
            subject.flatMap { attribute, value in
                let type = OID(attribute)?.der ?? []
                return DERPieces.value(
                    0x31, DERPieces.value(0x30, DERPieces.value(0x06, type), DERPieces.value(0x0c, [UInt8](value.utf8)))
                )
            })
        let outer = DERPieces.members(of: certificate.der)
        var tbs = DERPieces.members(of: outer[0])
        tbs[5] = name
        let signed = DERPieces.value(0x30, tbs.flatMap { $0 })
        let key = try P256.Signing.PrivateKey(pemRepresentation: identity.key.pemRepresentation())
        let signature = [UInt8](try key.signature(for: signed).derRepresentation)
        return try Certificate(
            der: DERPieces.value(0x30, signed, outer[1], DERPieces.value(0x03, [0x00], signature)))
    }
}
