// SPDX-License-Identifier: Apache-2.0

// Only this file decides what a folder's certificates contain. Callers choose names, purpose and days.
// swift-certificates encodes the certificates, and the engine validates them before they are written to a file.

import Foundation
import PKIX
import ServerTrustTesting
import SwiftASN1
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
        let serial = randomSerialNumber()
        let name = try X509.DistinguishedName {
            CommonName(commonName ?? "servertrust CA \(Hex.encode(serial.suffix(4)))")
        }
        let extensions = try X509.Certificate.Extensions {
            Critical(X509.BasicConstraints.isCertificateAuthority(maxPathLength: 0))
            Critical(X509.KeyUsage(keyCertSign: true, cRLSign: true))
            if let constraints = constraints(permitted) { Critical(constraints) }
            X509.SubjectKeyIdentifier(hash: key.key.publicKey)
        }
        return try make(
            serial, key.key.publicKey, name, extensions, validity(days, at: now, notBefore: nil), issuer: name, key)
    }

    static func leaf(
        _ names: [CertifiedName], _ purpose: IssuedPurpose, days: Int, publicKey: X509.Certificate.PublicKey,
        _ pointers: RevocationPointers, root: PKIX.Certificate, rootKey: TestKey, at now: Time
    ) throws -> PKIX.Certificate {
        // The common name is only for people, because verifiers use the subject alternative name. It has at most 64
        // characters (RFC 5280 § A.1). Without a dNSName, OpenSSL treats a common name that looks like a host as a DNS
        // name and applies the root's name constraints to it. A space in the common name prevents this.
        let first = names.first.map { if case .ip = $0.host.kind { "IP \($0)" } else { $0.description } } ?? ""
        let hasCommonName = (1...64).contains(first.utf8.count)
        let subject = try X509.DistinguishedName { if hasCommonName { CommonName(first) } }
        let alternatives = X509.SubjectAlternativeNames(names.map(alternative))
        var extensions = try X509.Certificate.Extensions {
            Critical(X509.BasicConstraints.notCertificateAuthority)
            Critical(X509.KeyUsage(digitalSignature: true))
            try X509.ExtendedKeyUsage([purpose == .serverAuth ? .serverAuth : .clientAuth])
            // RFC 5280 § 4.2.1.6: the extension is critical if the subject is empty.
            if hasCommonName { alternatives } else { Critical(alternatives) }
            X509.SubjectKeyIdentifier(hash: publicKey)
            X509.AuthorityKeyIdentifier(
                keyIdentifier: X509.SubjectKeyIdentifier(hash: rootKey.key.publicKey).keyIdentifier)
        }
        for pointer in pointers.extensions() { try extensions.append(pointer) }
        let issuer = try X509.Certificate(derEncoded: root.der).subject
        return try make(
            randomSerialNumber(), publicKey, subject, extensions, validity(days, at: now, notBefore: root.notBefore),
            issuer: issuer, rootKey)
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

    private static func make(
        _ serial: [UInt8], _ publicKey: X509.Certificate.PublicKey, _ subject: X509.DistinguishedName,
        _ extensions: X509.Certificate.Extensions, _ validity: (notBefore: Time, notAfter: Time),
        issuer: X509.DistinguishedName, _ issuerKey: TestKey
    ) throws -> PKIX.Certificate {
        let certificate = try X509.Certificate(
            version: .v3, serialNumber: X509.Certificate.SerialNumber(bytes: serial), publicKey: publicKey,
            notValidBefore: date(validity.notBefore), notValidAfter: date(validity.notAfter), issuer: issuer,
            subject: subject, extensions: extensions, issuerPrivateKey: issuerKey.key)
        var serializer = DER.Serializer()
        try certificate.serialize(into: &serializer)
        return try PKIX.Certificate(der: serializer.serializedBytes)
    }

    private static func date(_ time: Time) -> Date { Date(timeIntervalSince1970: Double(time.secondsSinceEpoch)) }

    private static func alternative(_ name: CertifiedName) -> X509.GeneralName {
        switch name.host.kind {
        case .dns: .dnsName(name.description)
        case .ip(let address): .ipAddress(ASN1OctetString(contentBytes: address.bytes[...]))
        }
    }

    /// Returns the name constraints, if any.
    ///
    /// A kind of name without a permitted subtree is excluded as a whole. RFC 5280 § 4.2.1.10 doesn't constrain a kind
    /// without any subtree, so a root for `example.com` could otherwise issue for every IP address.
    private static func constraints(_ permitted: [PermittedSubtree]) -> X509.NameConstraints? {
        guard !permitted.isEmpty else { return nil }
        var constraints = X509.NameConstraints(permittedSubtrees: [], excludedSubtrees: [])
        var lengths: Set<Int> = []
        var hasDomain = false
        for subtree in permitted {
            switch subtree.name {
            case .dnsName(let domain):
                hasDomain = true
                constraints.permittedSubtrees.append(.dnsName(domain))
            case .ipAddress(let bytes):
                lengths.insert(bytes.count)
                constraints.permittedSubtrees.append(.ipAddress(ASN1OctetString(contentBytes: bytes[...])))
            default: break
            }
        }
        if !hasDomain { constraints.excludedSubtrees.append(.dnsName("")) }
        for length in [8, 32] where !lengths.contains(length) {
            let all = [UInt8](repeating: 0, count: length)
            constraints.excludedSubtrees.append(.ipAddress(ASN1OctetString(contentBytes: all[...])))
        }
        return constraints
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
