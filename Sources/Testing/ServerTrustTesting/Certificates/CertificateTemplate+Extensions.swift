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

    func x509Extensions(key: TestKey, issuerKey: TestKey) throws -> X509.Certificate.Extensions {
        var list: [X509.Certificate.Extension] = []
        if let isAuthority {
            let constraints: X509.BasicConstraints =
                isAuthority
                ? .isCertificateAuthority(maxPathLength: maximumPathLength) : .notCertificateAuthority
            list.append(try .init(constraints, critical: true))
        }
        if let keyUsage {
            list.append(
                try .init(
                    X509.KeyUsage(
                        digitalSignature: keyUsage.contains(.digitalSignature),
                        nonRepudiation: keyUsage.contains(.nonRepudiation),
                        keyEncipherment: keyUsage.contains(.keyEncipherment),
                        dataEncipherment: keyUsage.contains(.dataEncipherment),
                        keyAgreement: keyUsage.contains(.keyAgreement),
                        keyCertSign: keyUsage.contains(.keyCertSign), cRLSign: keyUsage.contains(.cRLSign),
                        encipherOnly: keyUsage.contains(.encipherOnly),
                        decipherOnly: keyUsage.contains(.decipherOnly)), critical: true))
        }
        if let extendedKeyUsage {
            let usages = try extendedKeyUsage.map {
                X509.ExtendedKeyUsage.Usage(oid: try ASN1ObjectIdentifier(dotRepresentation: $0.description))
            }
            list.append(try .init(X509.ExtendedKeyUsage(usages), critical: false))
        }
        list += try names()
        list += try pointers()
        if hasSubjectKeyIdentifier {
            list.append(try .init(X509.SubjectKeyIdentifier(hash: key.key.publicKey), critical: false))
        }
        if hasAuthorityKeyIdentifier {
            let issuer = X509.SubjectKeyIdentifier(hash: issuerKey.key.publicKey)
            list.append(
                try .init(X509.AuthorityKeyIdentifier(keyIdentifier: issuer.keyIdentifier), critical: false))
        }
        if hasOCSPNoCheck { list.append(.made(ExtensionIdentifiers.ocspNoCheck, DERWriter.null)) }
        for added in extensions {
            list.append(
                .init(
                    oid: try ASN1ObjectIdentifier(dotRepresentation: added.identifier.description),
                    critical: added.isCritical, value: added.value[...]))
        }
        return try X509.Certificate.Extensions(list)
    }

    /// Subject alternative name and name constraints.
    private func names() throws -> [X509.Certificate.Extension] {
        var list: [X509.Certificate.Extension] = []
        let alternative =
            dnsNames.map { PKIX.GeneralName.dns($0) } + ipAddresses.map { PKIX.GeneralName.ipAddress($0.bytes) }
            + alternativeNames
        if !alternative.isEmpty {
            let isSubjectEmpty =
                commonName.isEmpty && organization == nil && organizationalUnit == nil && country == nil
            list.append(
                .made(
                    ExtensionIdentifiers.subjectAlternativeName, isCritical: isSubjectEmpty,
                    DERWriter.sequence(try DERWriter.generalNames(alternative))))
        }
        let permitted = permittedDNSNames.map { PKIX.GeneralName.dns($0) } + permittedNames
        let excluded = excludedDNSNames.map { PKIX.GeneralName.dns($0) } + excludedNames
        if !permitted.isEmpty || !excluded.isEmpty {
            list.append(
                .made(
                    ExtensionIdentifiers.nameConstraints, isCritical: true,
                    DERWriter.sequence(try Self.subtrees(0, permitted), try Self.subtrees(1, excluded))))
        }
        return list
    }

    /// `[n] GeneralSubtrees`, only with the base: the minimum is 0 and there is no maximum (RFC 5280 § 4.2.1.10).
    private static func subtrees(_ number: UInt, _ names: [PKIX.GeneralName]) throws -> [UInt8] {
        guard !names.isEmpty else { return [] }
        return DERWriter.tagged(number, try names.flatMap { DERWriter.sequence(try DERWriter.generalName($0)) })
    }

    /// Policies, authority information access, distribution points and TLS features.
    private func pointers() throws -> [X509.Certificate.Extension] {
        var list: [X509.Certificate.Extension] = []
        if !policies.isEmpty {
            let members = try policies.map { DERWriter.sequence(try DERWriter.oid($0)) }
            list.append(.made(ExtensionIdentifiers.certificatePolicies, DERWriter.sequence(of: members)))
        }
        let access =
            caIssuers.map { (Identifiers.caIssuersAccess, $0) } + ocspResponders.map { (Identifiers.ocspAccess, $0) }
        if !access.isEmpty {
            let members = try access.map { method, uri in
                DERWriter.sequence(DERWriter.oid(method), try DERWriter.generalName(.uri(uri)))
            }
            list.append(.made(ExtensionIdentifiers.authorityInformationAccess, DERWriter.sequence(of: members)))
        }
        if !crlDistributionPoints.isEmpty {
            list.append(
                .made(
                    ExtensionIdentifiers.crlDistributionPoints,
                    DERWriter.sequence(of: try crlDistributionPoints.map { try $0.der() })))
        }
        if !freshestCRL.isEmpty {
            list.append(
                .made(
                    ExtensionIdentifiers.freshestCRL, DERWriter.sequence(of: try freshestCRL.map { try $0.der() })))
        }
        if !tlsFeatures.isEmpty {
            let members = tlsFeatures.map { DERWriter.integer(UInt64($0)) }
            list.append(.made(ExtensionIdentifiers.tlsFeature, DERWriter.sequence(of: members)))
        }
        return list
    }
}

extension X509.Certificate.Extension {
    fileprivate static func made(_ oid: ASN1ObjectIdentifier, isCritical: Bool = false, _ value: [UInt8]) -> Self {
        .init(oid: oid, critical: isCritical, value: value[...])
    }
}

#endif
