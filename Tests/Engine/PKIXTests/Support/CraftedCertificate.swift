// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Foundation
import PKIX
import ServerTrustTesting

/// A certificate built field by field, for cases that ``TestAuthority`` (rightly) can't create. A test can make each
/// field wrong. The others are correct.
struct CraftedCertificate {
    /// The field `[0]` with the version, or empty for v1.
    var version = ASN1.explicit(0, ASN1.integer(2))
    var serialNumber = ASN1.integer(0x1234_5678)
    /// The algorithm inside the signed part, or nil for the algorithm of the signer's key.
    var innerAlgorithm: [UInt8]?
    /// The algorithm next to the signature, or nil for the one inside.
    var outerAlgorithm: [UInt8]?
    var issuer = ASN1.name("Handmade Root")
    var notBefore = ASN1.time(TestAuthority.notBefore)
    var notAfter = ASN1.time(TestAuthority.notAfter)
    var subject = ASN1.name("Handmade Leaf")
    var publicKey: [UInt8] = SigningKey.shared.publicKey
    var uniqueIdentifiers: [UInt8] = []
    /// The extensions, or nil for no list at all.
    var extensions: [[UInt8]]?
    /// Bytes after the extensions.
    var trailer: [UInt8] = []

    func tbs(_ algorithm: [UInt8]) -> [UInt8] {
        ASN1.sequence(
            version, serialNumber, innerAlgorithm ?? algorithm, issuer, ASN1.sequence(notBefore, notAfter), subject,
            publicKey, uniqueIdentifiers,
            extensions.map { ASN1.explicit(3, ASN1.sequence($0)) } ?? [], trailer)
    }

    func der(signedBy key: SigningKey = .shared) throws -> [UInt8] {
        let tbs = tbs(key.algorithm)
        return ASN1.sequence(
            tbs, outerAlgorithm ?? innerAlgorithm ?? key.algorithm, ASN1.bits(try key.sign(tbs)))
    }

    func certificate(signedBy key: SigningKey = .shared) throws -> Certificate {
        try Certificate(der: der(signedBy: key))
    }

    /// Returns the certificate with these bytes as its signature. An attacker needs no key to create such a
    /// certificate.
    func unsigned(_ signature: [UInt8] = [0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01]) throws -> Certificate {
        let algorithm = innerAlgorithm ?? SigningKey.shared.algorithm
        return try Certificate(
            der: ASN1.sequence(tbs(algorithm), outerAlgorithm ?? algorithm, ASN1.bits(signature)))
    }

    /// Returns a copy with changes.
    func with(_ change: (inout CraftedCertificate) -> Void) -> CraftedCertificate {
        var copy = self
        change(&copy)
        return copy
    }

    static func authority(
        _ name: [UInt8] = ASN1.name("Handmade Root"), issuer: [UInt8]? = nil, key: SigningKey = .shared,
        _ extensions: [Extension] = []
    ) -> CraftedCertificate {
        var made = CraftedCertificate()
        made.subject = name
        made.issuer = issuer ?? name
        made.publicKey = key.publicKey
        made.extensions = ([.basicConstraints(), .authorityKeyUsage] + extensions).map(\.encoded)
        return made
    }

    static func leaf(
        issuer: [UInt8] = ASN1.name("Handmade Root"), key: SigningKey = .shared, dns: String = "www.example.com",
        _ extensions: [Extension] = []
    ) -> CraftedCertificate {
        var made = CraftedCertificate()
        made.issuer = issuer
        made.publicKey = key.publicKey
        made.extensions = ([.alternativeNames(ASN1.dns(dns))] + extensions).map(\.encoded)
        return made
    }
}

/// A key that signs ``CraftedCertificate`` values.
struct SigningKey: Sendable {
    /// The SubjectPublicKeyInfo.
    let publicKey: [UInt8]
    /// The AlgorithmIdentifier next to the signatures.
    let algorithm: [UInt8]
    let sign: @Sendable ([UInt8]) throws -> [UInt8]

    /// A key for every test that doesn't need its own.
    static let shared = p256()

    static func p256() -> SigningKey {
        let key = P256.Signing.PrivateKey()
        return SigningKey(
            publicKey: [UInt8](key.publicKey.derRepresentation), algorithm: ASN1.algorithm("1.2.840.10045.4.3.2")
        ) { [UInt8](try key.signature(for: $0).derRepresentation) }
    }

    static func p384() -> SigningKey {
        let key = P384.Signing.PrivateKey()
        return SigningKey(
            publicKey: [UInt8](key.publicKey.derRepresentation), algorithm: ASN1.algorithm("1.2.840.10045.4.3.3")
        ) { [UInt8](try key.signature(for: $0).derRepresentation) }
    }

    static func p521() -> SigningKey {
        let key = P521.Signing.PrivateKey()
        return SigningKey(
            publicKey: [UInt8](key.publicKey.derRepresentation), algorithm: ASN1.algorithm("1.2.840.10045.4.3.4")
        ) { [UInt8](try key.signature(for: $0).derRepresentation) }
    }

    static func ed25519() -> SigningKey {
        let key = Curve25519.Signing.PrivateKey()
        let algorithm = ASN1.algorithm("1.3.101.112")
        return SigningKey(
            publicKey: ASN1.publicKey(algorithm, [UInt8](key.publicKey.rawRepresentation)), algorithm: algorithm
        ) { [UInt8](try key.signature(for: $0)) }
    }

    /// ML-DSA-65 (RFC 9881).
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    static func mldsa65() throws -> SigningKey {
        let key = try MLDSA65.PrivateKey()
        let algorithm = ASN1.algorithm("2.16.840.1.101.3.4.3.18")
        return SigningKey(
            publicKey: ASN1.publicKey(algorithm, [UInt8](key.publicKey.rawRepresentation)), algorithm: algorithm
        ) { [UInt8](try key.signature(for: $0)) }
    }

    /// ML-DSA-87 (RFC 9881).
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    static func mldsa87() throws -> SigningKey {
        let key = try MLDSA87.PrivateKey()
        let publicKey = ASN1.publicKey(
            ASN1.algorithm("2.16.840.1.101.3.4.3.19"), [UInt8](key.publicKey.rawRepresentation))
        return SigningKey(publicKey: publicKey, algorithm: ASN1.algorithm("2.16.840.1.101.3.4.3.19")) {
            [UInt8](try key.signature(for: $0))
        }
    }

    /// RSA with SHA-256, either PKCS #1 v1.5 or PSS.
    static func rsa(_ pem: String = FixedKeys.rsa2048, isPSS: Bool = false) throws -> SigningKey {
        let key = try _RSA.Signing.PrivateKey(unsafePEMRepresentation: pem)
        let algorithm =
            isPSS
            ? ASN1.algorithm(
                "1.2.840.113549.1.1.10", ASN1.pssParameters(hash: ASN1.sha256, maskHash: ASN1.sha256, salt: 32))
            : ASN1.algorithm("1.2.840.113549.1.1.11", ASN1.null)
        return SigningKey(publicKey: [UInt8](key.publicKey.derRepresentation), algorithm: algorithm) {
            [UInt8](
                try key.signature(for: SHA256.hash(data: $0), padding: isPSS ? .PSS : .insecurePKCS1v1_5)
                    .rawRepresentation)
        }
    }

    /// Returns the key under another algorithm or another SubjectPublicKeyInfo.
    func with(
        publicKey: [UInt8]? = nil, algorithm: [UInt8]? = nil, sign: (@Sendable ([UInt8]) throws -> [UInt8])? = nil
    ) -> SigningKey {
        SigningKey(
            publicKey: publicKey ?? self.publicKey, algorithm: algorithm ?? self.algorithm, sign: sign ?? self.sign)
    }
}

/// A handwritten series of CAs from a root down, each with its own key.
struct CraftedChain {
    /// A CA in the series.
    struct Link {
        /// The CA's name. If two neighbors have the same name, the lower CA is self-issued.
        var name: String
        var subject: [UInt8]?
        var extensions: [Extension]

        init(_ name: String, subject: [UInt8]? = nil, _ extensions: [Extension] = []) {
            self.name = name
            self.subject = subject
            self.extensions = extensions
        }

        var encodedName: [UInt8] { subject ?? ASN1.name(name) }
    }

    let root: Certificate
    /// The intermediates, the root's child first.
    let intermediates: [Certificate]
    /// The name of the last CA.
    let issuer: [UInt8]
    let issuerKey: SigningKey

    private static let keys = (0..<12).map { _ in SigningKey.p256() }

    init(root rootLink: Link = Link("Handmade Root"), _ links: [Link] = []) throws {
        var name = rootLink.encodedName
        var key = Self.keys[0]
        self.root = try CraftedCertificate.authority(name, key: key, rootLink.extensions).certificate(signedBy: key)
        var intermediates: [Certificate] = []
        for (index, link) in links.enumerated() {
            let next = Self.keys[(index + 1) % Self.keys.count]
            intermediates.append(
                try CraftedCertificate.authority(link.encodedName, issuer: name, key: next, link.extensions)
                    .certificate(signedBy: key))
            (name, key) = (link.encodedName, next)
        }
        self.intermediates = intermediates
        self.issuer = name
        self.issuerKey = key
    }

    /// A leaf below the last CA.
    func leaf(_ change: (inout CraftedCertificate) -> Void = { _ in }) throws -> Certificate {
        try CraftedCertificate.leaf(issuer: issuer).with(change).certificate(signedBy: issuerKey)
    }

    func validate(_ leaf: Certificate, policy: ValidationPolicy = ValidationPolicy()) throws -> PathValidation {
        try PKIXTests.validate(leaf, intermediates, anchors: [root], policy: policy)
    }

    func codes(_ leaf: Certificate, policy: ValidationPolicy = ValidationPolicy()) throws -> [TrustFailure.Code] {
        try validate(leaf, policy: policy).codes
    }
}
