// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import Foundation
import PKIX
import SwiftASN1
@preconcurrency import X509

/// A private certificate authority in memory, for tests and demonstrations.
///
/// ```swift
/// let root = try TestAuthority.root()
/// let intermediate = try root.intermediate()
/// let leaf = try intermediate.issue(.leaf("www.example.com", "192.0.2.1"))
/// let chain = intermediate.chain(leaf)                                   // as a server sends it
/// let crl = try intermediate.crl { $0.revoke(leaf.certificate, reason: .keyCompromise) }
/// let staple = try intermediate.ocspResponse { $0.add(leaf.certificate) }
/// let crossSigned = try intermediate.crossSigned(by: .root(.authority("Other Root")))
/// ```
/// swift-certificates creates the certificates. It is independent of the engine under test. Dates are fixed, and each
/// authority counts its serial numbers, so two runs differ only in their keys and signatures.
///
/// Not checked: whether a certificate makes sense. You can create a CA without the cA flag, dates in the wrong order,
/// or names outside constraints. The verifier under test has to detect such faults.
public final class TestAuthority: Sendable {
    /// The verify date of tests, inside a template's default validity period.
    public static let now = Time(secondsSinceEpoch: 1_795_000_000)  // 2026-11-18T11:06:40Z
    /// 90 days before ``now``.
    public static let notBefore = now.advanced(by: .days(-90))
    /// 90 days after ``now``.
    public static let notAfter = now.advanced(by: .days(90))

    /// The CA's certificate and key.
    public let identity: TestIdentity
    /// The CA's certificate.
    public var certificate: PKIX.Certificate { identity.certificate }
    /// The CA's private key.
    public var key: TestKey { identity.key }
    /// This CA's certificate and the certificates above it, with the root last.
    public let path: [PKIX.Certificate]

    private let template: CertificateTemplate
    private let subject: X509.DistinguishedName
    private let serialNumbers: SerialCounter

    private init(
        identity: TestIdentity, above: [PKIX.Certificate], template: CertificateTemplate,
        subject: X509.DistinguishedName, serialNumbers: SerialCounter
    ) {
        self.identity = identity
        self.path = [identity.certificate] + above
        self.template = template
        self.subject = subject
        self.serialNumbers = serialNumbers
    }

    /// Creates a CA from an existing certificate and key. Its serial numbers start at 1, so a template for a certificate
    /// needs its own.
    package convenience init(existing identity: TestIdentity) throws {
        let subject = try X509.Certificate(derEncoded: identity.certificate.der).subject
        self.init(
            identity: identity, above: [], template: .authority(""), subject: subject,
            serialNumbers: SerialCounter(root: identity.certificate.subject.der))
    }

    /// Creates a self-signed root. Its own serial number is the first in its sequence.
    public static func root(
        _ template: CertificateTemplate = .authority("Test Root"), key: TestKey = .p256()
    ) throws -> TestAuthority {
        let subject = try template.subject()
        let serialNumbers = SerialCounter(root: try subject.der())
        let certificate = try make(
            template, publicKey: key.key.publicKey, issuer: subject, issuerKey: key, serialNumbers: serialNumbers)
        return TestAuthority(
            identity: TestIdentity(certificate: certificate, key: key), above: [], template: template,
            subject: subject, serialNumbers: serialNumbers)
    }

    /// Creates a CA below this one. For a CA that already has a certificate, use ``crossSigned(by:_:)``.
    public func intermediate(
        _ template: CertificateTemplate = .authority("Test Intermediate"), key: TestKey = .p256()
    ) throws -> TestAuthority {
        let identity = try issue(template, key: key)
        let subject = try template.subject()
        let serialNumbers = serialNumbers.below(
            serialNumber: identity.certificate.serialNumber.bytes, name: try subject.der())
        return TestAuthority(
            identity: identity, above: path, template: template, subject: subject, serialNumbers: serialNumbers)
    }

    /// Returns this CA with a certificate from `issuer` for the same name and key. Certificates that either CA issues
    /// verify under both.
    ///
    /// Both CAs share one sequence of serial numbers. This is how a root becomes an intermediate.
    /// - Parameters:
    ///   - issuer: the CA that signs the certificate.
    ///   - change: the changes to the template. The serial number is always new.
    public func crossSigned(
        by issuer: TestAuthority, _ change: (inout CertificateTemplate) -> Void = { _ in }
    ) throws -> TestAuthority {
        var template = template
        template.serialNumber = nil
        // The algorithm has to fit the issuer's key.
        template.signatureAlgorithm = nil
        template.signsWithSHA1 = false
        change(&template)
        return TestAuthority(
            identity: try issuer.issue(template, key: key), above: issuer.path, template: template,
            subject: try template.subject(), serialNumbers: serialNumbers)
    }

    /// Issues a certificate.
    /// - Throws: errors from swift-certificates for a field that can't be encoded, or an algorithm that doesn't fit the
    ///   key.
    public func issue(_ template: CertificateTemplate, key: TestKey = .p256()) throws -> TestIdentity {
        TestIdentity(
            certificate: try issue(template, publicKey: key.key.publicKey), key: key,
            signer: TestSigner(template, key: identity.key))
    }

    /// Issues a certificate for a public key, whose private key others may have.
    package func issue(
        _ template: CertificateTemplate, publicKey: X509.Certificate.PublicKey
    ) throws -> PKIX.Certificate {
        try Self.make(
            template, publicKey: publicKey, issuer: subject, issuerKey: identity.key, serialNumbers: serialNumbers)
    }

    /// Creates a self-signed certificate. Its serial number depends only on its subject.
    public static func selfSigned(_ template: CertificateTemplate, key: TestKey = .p256()) throws -> TestIdentity {
        let subject = try template.subject()
        let serialNumbers = SerialCounter(root: try subject.der())
        return TestIdentity(
            certificate: try make(
                template, publicKey: key.key.publicKey, issuer: subject, issuerKey: key, serialNumbers: serialNumbers),
            key: key, signer: TestSigner(template, key: key))
    }

    /// Returns the chain that a server sends for a leaf from this authority: the leaf, then every CA except the root.
    ///
    /// Not checked: whether this authority issued the leaf.
    public func chain(_ leaf: TestIdentity) -> [PKIX.Certificate] { [leaf.certificate] + path.dropLast() }
}

// MARK: - Making certificates

extension TestAuthority {
    private static func make(
        _ template: CertificateTemplate, publicKey: X509.Certificate.PublicKey, issuer: X509.DistinguishedName,
        issuerKey: TestKey, serialNumbers: SerialCounter
    ) throws -> PKIX.Certificate {
        let template = template.with { $0.serialNumber = $0.serialNumber ?? serialNumbers.next() }
        return try PKIX.Certificate(
            der: template.timestamps.isEmpty
                ? encode(template, publicKey: publicKey, issuer: issuer, issuerKey: issuerKey)
                : template.embeddingTimestamps(issuerKey: issuerKey) {
                    try encode($0, publicKey: publicKey, issuer: issuer, issuerKey: issuerKey)
                })
    }

    /// Returns the encoding of a certificate without embedded timestamps.
    private static func encode(
        _ template: CertificateTemplate, publicKey: X509.Certificate.PublicKey, issuer: X509.DistinguishedName,
        issuerKey: TestKey
    ) throws -> [UInt8] {
        let algorithm = TestSigner(template, key: issuerKey).algorithm
        // swift-certificates doesn't support RSASSA-PSS, or ECDSA with SHA-1 or NULL. Signatures with these algorithms
        // replace this one later.
        let signedFirst =
            switch algorithm.form {
            case .x509(let algorithm): algorithm
            case .pss, .pssSHA1: X509.Certificate.SignatureAlgorithm.sha256WithRSAEncryption
            case .ecdsaSHA1, .ecdsaNull: X509.Certificate.SignatureAlgorithm.ecdsaWithSHA256
            }
        let certificate = try X509.Certificate(
            version: template.version == 1 ? .v1 : .v3,
            serialNumber: X509.Certificate.SerialNumber(bytes: template.serialNumber ?? []),
            publicKey: publicKey,
            notValidBefore: Date(timeIntervalSince1970: TimeInterval(template.notBefore.secondsSinceEpoch)),
            notValidAfter: Date(timeIntervalSince1970: TimeInterval(template.notAfter.secondsSinceEpoch)),
            issuer: issuer, subject: template.subject(), signatureAlgorithm: signedFirst,
            extensions: template.version == 1
                ? X509.Certificate.Extensions()
                : try template.x509Extensions(publicKey: publicKey, issuerKey: issuerKey),
            issuerPrivateKey: issuerKey.key)
        var serializer = DER.Serializer()
        try certificate.serialize(into: &serializer)
        let der = serializer.serializedBytes
        let isReplaced = [.pss, .pssSHA1, .ecdsaSHA1, .ecdsaNull].contains(algorithm.form)
        guard isReplaced || !template.encoding.isUsual else { return der }
        return try template.encoding.apply(to: der, template, with: algorithm, by: issuerKey)
    }
}

extension DERWriter {
    /// `SEQUENCE { toBeSigned, AlgorithmIdentifier, BIT STRING, further }`
    ///
    /// - Parameter isBroken: whether the last bit of the signature is flipped.
    static func signed(
        _ toBeSigned: [UInt8], by key: TestKey, _ algorithm: TestSignatureAlgorithm, isBroken: Bool = false,
        further: [UInt8] = []
    ) throws -> [UInt8] {
        var signature = try key.sign(toBeSigned, algorithm)
        if isBroken, let last = signature.indices.last { signature[last] ^= 1 }
        return sequence(toBeSigned, algorithm.identifier, bits(signature), further)
    }
}

#endif
