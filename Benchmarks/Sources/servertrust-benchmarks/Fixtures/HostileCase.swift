// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting

/// A presented chain that makes path building or a check expensive, with the expected verdict.
struct HostileCase {
    static let hostname = "api.example.com"

    enum Expectation {
        /// No path is valid, so accepting would be wrong.
        case rejected
        /// A path is valid, but the validator may exhaust its budget before it finds the path.
        case validOrExhausted
    }

    /// The presented certificates, leaf first.
    var presented: [[UInt8]]
    var anchors: [Certificate]
    var host = hostname
    var time = TestAuthority.now
    var policy = ValidationPolicy()
    var expectation = Expectation.rejected
}

extension HostileCase {
    /// Creates a case of the public suite that has to be rejected.
    init(_ found: Corpus.Case) throws {
        self.init(
            presented: try ([found.peer_certificate] + found.untrusted_intermediates).map(Corpus.certificate),
            anchors: try found.trusted_certs.map { try Certificate(der: Corpus.certificate($0)) },
            host: found.expected_peer_name?.value ?? Self.hostname,
            time: try Time(rfc3339: found.validation_time ?? "2026-11-21T00:00:00Z"))
    }
}

/// The failure that prevents a set of hostile certificates from being trusted.
enum Obstacle: String, CaseIterable {
    case none = "valid"
    /// The anchor has the name and key identifier that the top certificates refer to, but another key.
    case wrongAnchorKey = "anchor of another key"
    /// No anchor has the name that the top certificates refer to.
    case unreachable = "anchor out of reach"
    /// The anchor excludes the leaf's name, so every path is built to its end and then rejected.
    case excludedName = "name excluded"
    /// The leaf names a presented issuer, with its key identifier, but was signed with another key.
    case wrongLeafSignature = "leaf signed by another key"
}

/// A source of keys. If creating a key takes seconds, it returns the same few keys in turn.
final class KeyRing {
    let kind: KeyKind
    private var pool: [TestKey] = []
    private var next = 0
    private var stranger: TestKey?

    init(_ kind: KeyKind) { self.kind = kind }

    func key() throws -> TestKey {
        guard kind == .rsa4096 || kind == .rsa2048 else { return try kind.make() }
        if pool.count < 4 { pool.append(try kind.make()) }
        next += 1
        return pool[next % pool.count]
    }

    /// Returns a key that ``key()`` never returns. It is always the same.
    func foreignKey() throws -> TestKey {
        let key = try stranger ?? kind.make()
        stranger = key
        return key
    }
}

extension TestAuthority {
    /// Returns an authority that pretends to be this one: the same name and key identifier with another key.
    func impostor(_ template: CertificateTemplate, key: TestKey) throws -> TestAuthority {
        try .root(
            template.with {
                $0.hasSubjectKeyIdentifier = false
                $0.hasAuthorityKeyIdentifier = false
                $0.extensions.append(ExtensionBytes.subjectKeyIdentifier(certificate.subjectKeyIdentifier ?? []))
            }, key: key)
    }

    /// Returns a leaf that the impostor signed but that names this authority as its issuer, including the key
    /// identifier.
    func forgedLeaf(_ authority: CertificateTemplate, leaf: CertificateTemplate, key: TestKey) throws -> Certificate {
        try impostor(authority, key: key).issue(
            leaf.with {
                $0.hasAuthorityKeyIdentifier = false
                $0.extensions.append(ExtensionBytes.authorityKeyIdentifier(certificate.subjectKeyIdentifier ?? []))
            }
        ).certificate
    }
}
