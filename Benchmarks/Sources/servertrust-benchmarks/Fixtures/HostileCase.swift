// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting

/// A presented chain that makes path building or a check expensive, with the expected verdict.
struct HostileCase {
    static let hostname = "api.example.com"

    enum Expectation {
        /// No path holds, so that accepting would be wrong.
        case rejected
        /// A path holds; not to find it within the budget is allowed.
        case validOrExhausted
    }

    /// Leaf first.
    var presented: [[UInt8]]
    var anchors: [Certificate]
    var host = hostname
    var time = TestAuthority.now
    var policy = ValidationPolicy()
    var expectation = Expectation.rejected
}

extension HostileCase {
    /// A case of the public suite that is to be refused.
    init(_ found: Corpus.Case) throws {
        self.init(
            presented: try ([found.peer_certificate] + found.untrusted_intermediates).map(Corpus.certificate),
            anchors: try found.trusted_certs.map { try Certificate(der: Corpus.certificate($0)) },
            host: found.expected_peer_name?.value ?? Self.hostname,
            time: try Time(rfc3339: found.validation_time ?? "2026-11-21T00:00:00Z"))
    }
}

/// The failure that keeps a set of hostile certificates from being trusted.
enum Obstacle: String, CaseIterable {
    case none = "valid"
    /// The anchor has the name and key identifier that the top certificates ask for, and another key.
    case wrongAnchorKey = "anchor of another key"
    /// No anchor has the name that the top certificates ask for.
    case unreachable = "anchor out of reach"
    /// The anchor excludes the leaf's name, so every path is built to its end and refused.
    case excludedName = "name excluded"
    /// The leaf names a present issuer, with its key identifier, and was signed with another key.
    case wrongLeafSignature = "leaf signed by another key"
}

/// Makes keys, or where making them takes seconds hands out the same few in turn.
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

    /// A key that ``key()`` never hands out; always the same.
    func foreignKey() throws -> TestKey {
        let key = try stranger ?? kind.make()
        stranger = key
        return key
    }
}

extension TestAuthority {
    /// An authority that says it is this one: the same name and key identifier with another key.
    func impostor(_ template: CertificateTemplate, key: TestKey) throws -> TestAuthority {
        try .root(
            template.with {
                $0.hasSubjectKeyIdentifier = false
                $0.hasAuthorityKeyIdentifier = false
                $0.extensions.append(ExtensionBytes.subjectKeyIdentifier(certificate.subjectKeyIdentifier ?? []))
            }, key: key)
    }

    /// A leaf below the impostor that names this authority as its issuer, key identifier and all.
    func forgedLeaf(_ authority: CertificateTemplate, leaf: CertificateTemplate, key: TestKey) throws -> Certificate {
        try impostor(authority, key: key).issue(
            leaf.with {
                $0.hasAuthorityKeyIdentifier = false
                $0.extensions.append(ExtensionBytes.authorityKeyIdentifier(certificate.subjectKeyIdentifier ?? []))
            }
        ).certificate
    }
}
