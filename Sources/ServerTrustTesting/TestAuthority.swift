import Foundation
import PKIX
import SwiftASN1
@preconcurrency import X509

/// A certificate with its private key.
public struct TestIdentity: Sendable {
    public let certificate: PKIX.Certificate
    public let key: TestKey
}

/// A private certificate authority in memory, for tests and demonstrations.
///
/// Certificates are made by swift-certificates, an implementation independent of the engine under test. Dates are fixed
/// and serial numbers are counted, so that two runs differ in their keys alone.
public final class TestAuthority: Sendable {
    /// The verify date that tests use: inside the validity of everything a template makes unless told otherwise.
    public static let now = Time(secondsSinceEpoch: 1_795_000_000)  // 2026-11-18T11:06:40Z
    /// 90 days before ``now``.
    public static let notBefore = now.advanced(by: -90 * 86_400)
    /// 90 days after ``now``.
    public static let notAfter = now.advanced(by: 90 * 86_400)

    public let identity: TestIdentity
    public var certificate: PKIX.Certificate { identity.certificate }

    private let subject: X509.DistinguishedName

    private init(identity: TestIdentity, subject: X509.DistinguishedName) {
        self.identity = identity
        self.subject = subject
    }

    /// A self-signed root.
    public static func root(
        _ template: CertificateTemplate = .authority("Test Root"), key: TestKey = .p256()
    ) throws -> TestAuthority {
        let subject = try template.subject()
        let certificate = try make(template, key: key, issuer: subject, issuerKey: key)
        return TestAuthority(identity: TestIdentity(certificate: certificate, key: key), subject: subject)
    }

    /// A CA below this one. Given the key of another CA it is a cross-signed one.
    public func intermediate(
        _ template: CertificateTemplate = .authority("Test Intermediate"), key: TestKey = .p256()
    ) throws -> TestAuthority {
        TestAuthority(identity: try issue(template, key: key), subject: try template.subject())
    }

    /// Any certificate, signed by this authority.
    public func issue(_ template: CertificateTemplate, key: TestKey = .p256()) throws -> TestIdentity {
        TestIdentity(
            certificate: try Self.make(template, key: key, issuer: subject, issuerKey: identity.key), key: key)
    }

    /// A certificate signed by its own key that is no CA's.
    public static func selfSigned(_ template: CertificateTemplate, key: TestKey = .p256()) throws -> TestIdentity {
        TestIdentity(certificate: try make(template, key: key, issuer: template.subject(), issuerKey: key), key: key)
    }
}

// MARK: - Making certificates

extension TestAuthority {
    private static func make(
        _ template: CertificateTemplate, key: TestKey, issuer: X509.DistinguishedName, issuerKey: TestKey
    ) throws -> PKIX.Certificate {
        let serial: X509.Certificate.SerialNumber =
            template.serialNumber.map { X509.Certificate.SerialNumber(bytes: $0[...]) }
            ?? X509.Certificate.SerialNumber(bytes: SerialNumbers.next()[...])
        let algorithm: X509.Certificate.SignatureAlgorithm? = template.signsWithSHA1 ? .sha1WithRSAEncryption : nil
        let arguments = (
            version: template.version == 1 ? X509.Certificate.Version.v1 : .v3,
            notBefore: Date(timeIntervalSince1970: TimeInterval(template.notBefore.secondsSinceEpoch)),
            notAfter: Date(timeIntervalSince1970: TimeInterval(template.notAfter.secondsSinceEpoch)),
            extensions: template.version == 1
                ? X509.Certificate.Extensions() : try template.x509Extensions(key: key, issuerKey: issuerKey)
        )
        let certificate: X509.Certificate
        if let algorithm {
            certificate = try X509.Certificate(
                version: arguments.version, serialNumber: serial, publicKey: key.key.publicKey,
                notValidBefore: arguments.notBefore, notValidAfter: arguments.notAfter, issuer: issuer,
                subject: template.subject(), signatureAlgorithm: algorithm, extensions: arguments.extensions,
                issuerPrivateKey: issuerKey.key)
        } else {
            certificate = try X509.Certificate(
                version: arguments.version, serialNumber: serial, publicKey: key.key.publicKey,
                notValidBefore: arguments.notBefore, notValidAfter: arguments.notAfter, issuer: issuer,
                subject: template.subject(), extensions: arguments.extensions, issuerPrivateKey: issuerKey.key)
        }
        var serializer = DER.Serializer()
        try certificate.serialize(into: &serializer)
        return try PKIX.Certificate(der: serializer.serializedBytes)
    }
}

/// Serial numbers that differ within the process and need no randomness.
private enum SerialNumbers {
    private static let lock = NSLock()
    nonisolated(unsafe) private static var last: UInt64 = 0x1000_0000_0000_0000

    /// Eight bytes, positive. `last` is read and written under `lock` alone.
    static func next() -> [UInt8] {
        lock.withLock {
            last += 1
            return withUnsafeBytes(of: last.bigEndian) { Array($0) }
        }
    }
}

extension CertificateTemplate {
    func subject() throws -> X509.DistinguishedName {
        try X509.DistinguishedName {
            if let organization { OrganizationName(organization) }
            if !commonName.isEmpty { CommonName(commonName) }
        }
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
        if !dnsNames.isEmpty || !ipAddresses.isEmpty {
            let names =
                dnsNames.map { X509.GeneralName.dnsName($0) }
                + ipAddresses.map { X509.GeneralName.ipAddress(ASN1OctetString(contentBytes: $0.bytes[...])) }
            list.append(try .init(SubjectAlternativeNames(names), critical: commonName.isEmpty))
        }
        if !permittedDNSNames.isEmpty || !excludedDNSNames.isEmpty {
            var constraints = X509.NameConstraints(permittedSubtrees: [], excludedSubtrees: [])
            constraints.permittedSubtrees = permittedDNSNames.map { .dnsName($0) }
            constraints.excludedSubtrees = excludedDNSNames.map { .dnsName($0) }
            list.append(try .init(constraints, critical: true))
        }
        if hasSubjectKeyIdentifier {
            list.append(try .init(X509.SubjectKeyIdentifier(hash: key.key.publicKey), critical: false))
        }
        if hasAuthorityKeyIdentifier {
            let issuer = X509.SubjectKeyIdentifier(hash: issuerKey.key.publicKey)
            list.append(
                try .init(X509.AuthorityKeyIdentifier(keyIdentifier: issuer.keyIdentifier), critical: false))
        }
        for added in extensions {
            list.append(
                .init(
                    oid: try ASN1ObjectIdentifier(dotRepresentation: added.identifier.description),
                    critical: added.isCritical, value: added.value[...]))
        }
        return try X509.Certificate.Extensions(list)
    }
}
