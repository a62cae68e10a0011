// SPDX-License-Identifier: Apache-2.0

// Only this file decides what a folder's certificates contain. Callers choose names, purpose and days.
// ServerTrustTesting encodes the certificates, and the engine validates them before they are written to a file.

import PKIX
import ServerTrustTesting
@preconcurrency import X509

/// The certificates of an ``AuthorityFolder``.
enum FolderCertificate {
    /// The number of seconds between the start of validity and the date of issue. Clocks in containers and virtual
    /// machines may be slow.
    private static let backdating: Int64 = 3600

    /// Creates a root that can only issue leaves (path length 0). If `permitted` isn't empty, it can only issue for
    /// those subtrees.
    static func root(
        commonName: String?, permitted: [PermittedSubtree], days: Int, key: TestKey, at now: Time
    ) throws -> PKIX.Certificate {
        let serialNumber = randomSerialNumber()
        var template = CertificateTemplate(
            commonName: commonName ?? "servertrust CA \(Hex.encode(serialNumber.suffix(4)))")
        template.isAuthority = true
        template.maximumPathLength = 0
        template.keyUsage = [.keyCertSign, .cRLSign]
        template.permittedNames = permitted.map(\.name)
        template.excludedNames = excluded(permitted)
        template.serialNumber = serialNumber
        template.hasAuthorityKeyIdentifier = false
        (template.notBefore, template.notAfter) = validity(days, at: now, notBefore: nil)
        return try TestAuthority.root(template, key: key).certificate
    }

    static func leaf(
        _ names: [CertifiedName], _ purpose: IssuedPurpose, days: Int, publicKey: X509.Certificate.PublicKey,
        _ pointers: RevocationPointers, root: PKIX.Certificate, rootKey: TestKey, at now: Time
    ) throws -> PKIX.Certificate {
        // The common name is only for people, because verifiers use the subject alternative name. It has at most 64
        // characters (RFC 5280 § A.1). Without a dNSName, OpenSSL treats a common name that looks like a host as a DNS
        // name and applies the root's name constraints to it. A space in the common name prevents this.
        let first = names.first.map { if case .ip = $0.host.kind { "IP \($0)" } else { $0.description } } ?? ""
        var template = CertificateTemplate(commonName: first.utf8.count <= 64 ? first : "")
        template.isAuthority = false
        template.keyUsage = .digitalSignature
        template.extendedKeyUsage = [purpose == .serverAuth ? .serverAuth : .clientAuth]
        template.alternativeNames = names.map(\.generalName)
        template.crlDistributionPoints = pointers.crl.map { [TestDistributionPoint(stringLiteral: $0.url)] } ?? []
        template.ocspResponders = pointers.ocsp.map { [$0.url] } ?? []
        template.mustStaple = pointers.mustStaple
        template.serialNumber = randomSerialNumber()
        (template.notBefore, template.notAfter) = validity(days, at: now, notBefore: root.notBefore)
        return try TestAuthority(existing: TestIdentity(certificate: root, key: rootKey))
            .issue(template, publicKey: publicKey)
    }

    /// Returns the first and the last second of `days` that start an hour ago, both inclusive (RFC 5280 § 4.1.2.5).
    static func validity(_ days: Int, at now: Time, notBefore earliest: Time?) -> (notBefore: Time, notAfter: Time) {
        let start = now.advanced(by: -backdating)
        return (max(start, earliest ?? start), start.advanced(by: Int64(days) * 86_400 - 1))
    }

    /// Returns 16 bytes with 126 random bits. The number is positive and always has the same length (RFC 5280 §
    /// 4.1.2.2).
    private static func randomSerialNumber() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        bytes[0] = bytes[0] & 0x3f | 0x40
        return bytes
    }

    /// Returns the excluded subtrees of a root with permitted ones.
    ///
    /// A kind of name without a permitted subtree is excluded as a whole. RFC 5280 § 4.2.1.10 doesn't constrain a kind
    /// without any subtree, so a root for `example.com` could otherwise issue for every IP address.
    private static func excluded(_ permitted: [PermittedSubtree]) -> [PKIX.GeneralName] {
        guard !permitted.isEmpty else { return [] }
        var (hasDomain, lengths): (Bool, Set<Int>) = (false, [])
        for subtree in permitted {
            if case .ipAddress(let bytes) = subtree.name { lengths.insert(bytes.count) } else { hasDomain = true }
        }
        let networks = [8, 32].filter { !lengths.contains($0) }.map { [UInt8](repeating: 0, count: $0) }
        return (hasDomain ? [] : [.dnsName("")]) + networks.map { .ipAddress($0) }
    }
}

/// The names of a certificate request.
enum RequestedNames {
    /// Parses the DNS names and IP addresses in a request's subject alternative name, and its names of other kinds.
    ///
    /// The common name isn't used (RFC 9525 § 2). All other extensions of the request are ignored.
    static func read(
        _ request: CertificateRequest, file: String
    ) throws(AuthorityFolderError) -> (names: [CertifiedName], others: [String]) {
        var names: [CertifiedName] = []
        var others: [String] = []
        do {
            let parsed = try X509.CertificateSigningRequest(derEncoded: request.der)
            let alternatives = try parsed.attributes.extensionRequest?.extensions.subjectAlternativeNames
            for alternative in alternatives.map(Array.init) ?? [] {
                switch alternative {
                case .dnsName(let text): names.append(try CertifiedName(text))
                case .ipAddress(let octets):
                    if let address = IPAddress(bytes: Array(octets.bytes)) {
                        names.append(CertifiedName(address))
                    } else {
                        others.append(alternative.description)
                    }
                default: others.append(alternative.description)
                }
            }
        } catch {
            throw AuthorityFolderError(file, .malformed("the requested names can't be read: \(error)"))
        }
        return (names, others)
    }
}

/// The purpose of an issued certificate.
package enum IssuedPurpose: String, Sendable, Hashable, Codable {
    /// A server certificate.
    case serverAuth
    /// A client certificate.
    case clientAuth
}

/// The kinds of keys that an ``AuthorityFolder`` generates. Every TLS client supports them. P-521 and Ed25519 are
/// missing because browsers refuse both.
package enum IssuedKeyKind: String, Sendable, Hashable, CaseIterable {
    case p256
    case p384
    case rsa2048
    case rsa3072
    case rsa4096

    /// Generates a key.
    func make() throws -> TestKey {
        switch self {
        case .p256: .p256()
        case .p384: .p384()
        case .rsa2048: try .rsa(bits: 2048)
        case .rsa3072: try .rsa(bits: 3072)
        case .rsa4096: try .rsa(bits: 4096)
        }
    }
}
