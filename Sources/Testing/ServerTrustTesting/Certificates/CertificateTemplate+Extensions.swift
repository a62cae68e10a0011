// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import SwiftASN1
@preconcurrency import X509

/// The encoding of a template's subject and extensions.
extension CertificateTemplate {
    func subject() throws -> X509.DistinguishedName {
        try X509.DistinguishedName.of(
            country: country, organization: organization, organizationalUnit: organizationalUnit,
            commonName: commonName.isEmpty ? nil : commonName)
    }

    func x509Extensions(
        publicKey: X509.Certificate.PublicKey, issuerKey: TestKey
    ) throws -> X509.Certificate.Extensions {
        let isSubjectEmpty = commonName.isEmpty && organization == nil && organizationalUnit == nil && country == nil
        let names =
            dnsNames.map { PKIX.GeneralName.dns($0) } + ipAddresses.map { PKIX.GeneralName.ipAddress($0.bytes) }
            + alternativeNames
        let access =
            caIssuers.map { (Identifiers.caIssuersAccess, $0) } + ocspResponders.map { (Identifiers.ocspAccess, $0) }
        // The fields in the order of the extensions. A field without a value has no extension.
        let fields: [(ASN1ObjectIdentifier, Bool, [UInt8])] = [
            (ExtensionIdentifiers.basicConstraints, true, basicConstraints),
            (ExtensionIdentifiers.keyUsage, true, keyUsageBits),
            (
                ExtensionIdentifiers.extendedKeyUsage, false,
                try extendedKeyUsage.map { DERWriter.sequence(of: try $0.map { try DERWriter.oid($0) }) } ?? []
            ),
            (
                ExtensionIdentifiers.subjectAlternativeName, isSubjectEmpty,
                Self.list(try names.map { try DERWriter.generalName($0) })
            ),
            (
                ExtensionIdentifiers.nameConstraints, true,
                Self.list(
                    try Self.subtrees(0, permittedDNSNames, permittedNames)
                        + Self.subtrees(1, excludedDNSNames, excludedNames))
            ),
            (
                ExtensionIdentifiers.certificatePolicies, false,
                Self.list(try policies.map { DERWriter.sequence(try DERWriter.oid($0)) })
            ),
            (
                ExtensionIdentifiers.authorityInformationAccess, false,
                Self.list(
                    try access.map { method, uri in
                        DERWriter.sequence(DERWriter.oid(method), try DERWriter.generalName(.uri(uri)))
                    })
            ),
            (
                ExtensionIdentifiers.crlDistributionPoints, false,
                Self.list(try crlDistributionPoints.map { try $0.der() })
            ),
            (ExtensionIdentifiers.freshestCRL, false, Self.list(try freshestCRL.map { try $0.der() })),
            (ExtensionIdentifiers.tlsFeature, false, Self.list(tlsFeatures.map { DERWriter.integer(UInt64($0)) })),
            (
                ExtensionIdentifiers.subjectKeyIdentifier, false,
                hasSubjectKeyIdentifier ? DERWriter.octets(publicKey.identifier) : []
            ),
            (
                ExtensionIdentifiers.authorityKeyIdentifier, false,
                hasAuthorityKeyIdentifier ? DERWriter.sequence(DERWriter.implicit(0, issuerKey.identifier)) : []
            ),
            (ExtensionIdentifiers.ocspNoCheck, false, hasOCSPNoCheck ? DERWriter.null : []),
        ]
        let added = try extensions.map {
            (try ASN1ObjectIdentifier(dotRepresentation: $0.identifier.description), $0.isCritical, $0.value)
        }
        return try X509.Certificate.Extensions(
            (fields.filter { !$0.2.isEmpty } + added).map { oid, isCritical, value in
                X509.Certificate.Extension(oid: oid, critical: isCritical, value: value[...])
            })
    }

    private var basicConstraints: [UInt8] {
        guard let isAuthority else { return [] }
        guard isAuthority else { return DERWriter.sequence() }
        return DERWriter.sequence([0x01, 0x01, 0xff], maximumPathLength.map { DERWriter.integer(UInt64($0)) } ?? [])
    }

    private var keyUsageBits: [UInt8] {
        guard let keyUsage else { return [] }
        return DERWriter.primitive(
            .bitString, DERWriter.namedBits((0..<16).filter { keyUsage.rawValue & 1 << UInt16($0) != 0 }))
    }

    /// Returns a SEQUENCE, or nothing without members.
    private static func list(_ members: [[UInt8]]) -> [UInt8] {
        members.isEmpty ? [] : DERWriter.sequence(of: members)
    }

    private static func subtrees(
        _ number: UInt, _ dnsNames: [String], _ others: [PKIX.GeneralName]
    ) throws -> [[UInt8]] {
        let names = dnsNames.map { PKIX.GeneralName.dns($0) } + others
        guard !names.isEmpty else { return [] }
        return [DERWriter.tagged(number, try names.flatMap { DERWriter.sequence(try DERWriter.generalName($0)) })]
    }
}

#endif
