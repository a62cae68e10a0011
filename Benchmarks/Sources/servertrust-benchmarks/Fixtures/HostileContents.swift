// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting

/// Chains with a short and ordinary structure whose contents make a check expensive.
enum HostileContents {
    private static let key = TestKey.p256()

    /// Returns a case with a leaf with as many dNSNames as its issuer has constraints. Only the last constraint
    /// excludes a name.
    static func nameConstraints(_ count: Int) throws -> HostileCase {
        let names = (0..<count).map { "t\($0).example.com" }
        return try constrained(
            host: names[0], names: names.map { ExtensionBytes.dnsName($0) },
            excluded: (0..<count).map { ExtensionBytes.dnsName("x\($0).example.net") })
    }

    /// Returns a case with names of maximum length that only differ at the start, so that every comparison reads both
    /// completely.
    static func longNames(_ count: Int) throws -> HostileCase {
        let labels = (0..<3).map { _ in String(repeating: "a", count: 62) }.joined(separator: ".")
        func name(_ prefix: String, _ number: Int) -> String {
            prefix + String(repeating: "0", count: 5 - String(number).count) + "\(number)." + labels + ".example.com"
        }
        return try constrained(
            host: name("t", 0), names: (0..<count).map { ExtensionBytes.dnsName(name("t", $0)) },
            excluded: (0..<count).map { ExtensionBytes.dnsName(name("x", $0)) })
    }

    /// Returns a case with directory names that aren't ASCII and differ in their last character.
    static func directoryNames(_ count: Int, length: Int) throws -> HostileCase {
        func name(_ letter: String, _ number: Int) -> [UInt8] {
            ExtensionBytes.directoryName(String(repeating: letter, count: length) + " \(number)")
        }
        return try constrained(
            host: HostileCase.hostname,
            names: [ExtensionBytes.dnsName(HostileCase.hostname)] + (0..<count).map { name("é", $0) },
            excluded: (0..<count).map { name("É", $0 + count) })
    }

    /// Returns a case with a leaf below a root, with an extension in addition to its names or instead of them.
    private static func leaf(_ extensions: [Extension], host: String = HostileCase.hostname, strict: Bool) throws
        -> HostileCase
    {
        let root = try TestAuthority.root(.authority("Hostile Root"), key: key)
        let leaf = try root.issue(
            .leaf().with {
                $0.extendedKeyUsage = nil
                $0.extensions = extensions
            })
        return HostileCase(
            presented: [leaf.certificate.der], anchors: [root.certificate], host: host,
            policy: ValidationPolicy(isStrict: strict))
    }

    /// Returns a case with an extended key usage with two-byte object identifiers, without the required one.
    static func purposes(_ count: Int, strict: Bool) throws -> HostileCase {
        let names = ExtensionBytes.alternativeNames([ExtensionBytes.dnsName(HostileCase.hostname)])
        return try leaf([names, ExtensionBytes.purposes((0..<count).map { "1.3.\($0 % 40)" })], strict: strict)
    }

    /// Returns a case with alternative names of three letters that don't include the host.
    static func alternativeNames(_ count: Int, strict: Bool) throws -> HostileCase {
        let digits = (0..<4096).map { String($0 + 4096, radix: 16) }.map {
            ExtensionBytes.dnsName(String($0.suffix(3)))
        }
        let names = (0..<count).map { digits[$0 % digits.count] }
        return try leaf([ExtensionBytes.alternativeNames(names)], strict: strict)
    }

    /// Returns a case with wildcards that match the host but aren't allowed to.
    static func wildcards(_ count: Int, strict: Bool) throws -> HostileCase {
        let name = ExtensionBytes.dnsName("*.co.uk")
        return try leaf(
            [ExtensionBytes.alternativeNames((0..<count).map { _ in name })], host: "a.co.uk", strict: strict)
    }

    /// Returns a case with names that the issuer's constraints don't permit. All of them are reported.
    static func wrongNames(_ count: Int) throws -> HostileCase {
        let template = CertificateTemplate.authority("Hostile Issuer").with {
            $0.extensions = [ExtensionBytes.nameConstraints(permitted: [ExtensionBytes.dnsName("example.net")])]
        }
        let root = try TestAuthority.root(.authority("Hostile Root"), key: key)
        let issuer = try root.intermediate(template)
        let names = (0..<count).map { ExtensionBytes.dnsName("n\($0).example") }
        let leaf = try issuer.issue(.leaf().with { $0.extensions = [ExtensionBytes.alternativeNames(names)] })
        return HostileCase(
            presented: [leaf.certificate.der, issuer.certificate.der], anchors: [root.certificate])
    }

    /// Returns a case with certificates with many unknown extensions, in a chain that leads to no anchor.
    static func unknownExtensions(_ count: Int, each: Int) throws -> HostileCase {
        let unknown = (0..<each).map { ExtensionBytes.unknown("1.3.6.1.4.1.99999.\($0)") }
        let root = try TestAuthority.root(.authority("Hostile Root"), key: key)
        let authority = CertificateTemplate.authority("Hostile Issuer").with { $0.extensions = unknown }
        let certificates = try (0..<count).map { _ in try root.issue(authority, key: key).certificate.der }
        let leaf = try TestAuthority.root(.authority("Hostile Issuer")).issue(.leaf(HostileCase.hostname))
        return HostileCase(presented: [leaf.certificate.der] + certificates, anchors: [root.certificate])
    }

    /// The anchor has another key than the signer, so no other invalid signature is needed.
    private static func constrained(host: String, names: [[UInt8]], excluded: [[UInt8]]) throws -> HostileCase {
        let template = CertificateTemplate.authority("Hostile Root")
        let root = try TestAuthority.root(template, key: key)
        let intermediate = try root.intermediate(
            .authority("Hostile Issuer").with { $0.extensions = [ExtensionBytes.nameConstraints(excluded: excluded)] })
        let leaf = try intermediate.issue(
            .leaf().with {
                $0.commonName = "Hostile Leaf"
                $0.extensions = [ExtensionBytes.alternativeNames(names)]
            })
        return HostileCase(
            presented: [leaf.certificate.der, intermediate.certificate.der],
            anchors: [try root.impostor(template, key: .p256()).certificate], host: host)
    }

    /// Returns a case with a long path below many certificates of one CA. Each certificate creates a separate path. The
    /// CA's key doesn't fit the algorithm of its supposed signature, so the validator rejects a path without verifying
    /// a signature.
    static func fan(_ count: Int, depth: Int, policies: Int) throws -> HostileCase {
        let identifiers = (0..<policies).map { "1.3.6.1.4.1.99999.\($0)" }
        func authority(_ name: String) -> CertificateTemplate {
            .authority(name).with {
                guard policies > 0 else { return }
                $0.extensions = [ExtensionBytes.policies(identifiers), ExtensionBytes.requireExplicitPolicy]
            }
        }
        let root = try TestAuthority.root(.authority("Hostile Root"), key: key)
        let key = try TestKey.rsa(bits: 2048)
        var certificates = try (0..<count).map { _ in try root.issue(authority("Hostile Top"), key: key).certificate }
        var issuer = try TestAuthority.root(.authority("Hostile Top"))
        for layer in 0..<(depth - 3) {
            issuer = try issuer.intermediate(authority("Layer \(layer)"))
            certificates.append(issuer.certificate)
        }
        let leaf = try issuer.issue(
            .leaf(HostileCase.hostname).with {
                if policies > 0 { $0.extensions = [ExtensionBytes.policies(["1.3.6.1.4.1.99998.1"])] }
            })
        return HostileCase(
            presented: [leaf.certificate.der] + certificates.map(\.der), anchors: [root.certificate])
    }

    /// Returns a case with certificates that only differ in their serial number.
    static func nearlyEqual(_ count: Int) throws -> HostileCase {
        let root = try TestAuthority.root(.authority("Hostile Root"), key: key)
        let serial: [UInt8] = [0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58]
        let issuer = try root.intermediate(.authority("Hostile Issuer").with { $0.serialNumber = serial })
        let leaf = try TestAuthority.root(.authority("Hostile Issuer")).issue(.leaf(HostileCase.hostname))
        let original = issuer.certificate.der
        guard let place = original.indices.first(where: { original[$0...].starts(with: serial) }) else {
            throw WrongAnswer(contender: "hostile", what: "no serial number")
        }
        let copies = (0..<count).map { number in
            var copy = original
            copy[place + 6] = UInt8(number >> 8)
            copy[place + 7] = UInt8(number & 0xff)
            return copy
        }
        return HostileCase(presented: [leaf.certificate.der] + copies, anchors: [root.certificate])
    }

    /// Returns a case with CAs that all certify each other, with long names that aren't ASCII and differ in their last
    /// character.
    static func longNamedClique(of count: Int, length: Int) throws -> HostileCase {
        let root = try TestAuthority.root(.authority("Hostile Root"), key: key)
        let templates = (0..<count).map {
            CertificateTemplate.authority(String(repeating: "é", count: length) + "\($0)")
        }
        let authorities = try templates.map { try TestAuthority.root($0) }
        var certificates: [Certificate] = []
        for (subject, template) in templates.enumerated() {
            for (issuer, authority) in authorities.enumerated() where issuer != subject {
                certificates.append(try authority.issue(template, key: authorities[subject].identity.key).certificate)
            }
        }
        certificates.append(try root.issue(templates[count - 1], key: authorities[count - 1].identity.key).certificate)
        let leaf = try authorities[0].issue(.leaf(HostileCase.hostname))
        return HostileCase(
            presented: [leaf.certificate.der] + certificates.map(\.der),
            anchors: [
                try root.impostor(.authority("Hostile Root"), key: .p256()).certificate
            ])
    }

    /// Returns a case with CAs of one long name that is spelled differently as issuer and as subject, so that no
    /// comparison ends early.
    static func spellings(_ count: Int, issuer: String, subject: String) throws -> HostileCase {
        let root = try TestAuthority.root(.authority("Hostile Root"), key: key)
        let authority = try TestAuthority.root(.authority(issuer), key: key)
        let template = CertificateTemplate.authority(subject)
        var certificates = try (0..<count).map { _ in try authority.issue(template).certificate }
        certificates.append(try root.issue(template).certificate)
        let leaf = try authority.issue(.leaf(HostileCase.hostname))
        return HostileCase(
            presented: [leaf.certificate.der] + certificates.map(\.der), anchors: [root.certificate])
    }
}
