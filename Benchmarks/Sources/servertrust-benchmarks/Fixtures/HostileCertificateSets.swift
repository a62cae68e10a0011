// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting

/// Sets of cross-signed CAs and of CAs with the same name, each with each obstacle (RFC 4158's bad cases, and attacks
/// derived from them).
struct HostileCertificateSets {
    private let ring: KeyRing
    private let obstacle: Obstacle
    private let root: TestAuthority
    private let anchors: [Certificate]
    private let leafTemplate = CertificateTemplate.leaf(HostileCase.hostname)

    init(_ ring: KeyRing, _ obstacle: Obstacle) throws {
        self.ring = ring
        self.obstacle = obstacle
        let template = CertificateTemplate.authority("Hostile Root").with {
            if obstacle == .excludedName { $0.excludedDNSNames = ["example.com"] }
        }
        self.root = try .root(template, key: ring.key())
        self.anchors =
            switch obstacle {
            case .none, .excludedName, .wrongLeafSignature: [root.certificate]
            case .wrongAnchorKey: [try root.impostor(template, key: ring.foreignKey()).certificate]
            case .unreachable:
                [try TestAuthority.root(.authority("Unrelated Root"), key: ring.foreignKey()).certificate]
            }
    }

    private func finish(
        _ issuer: TestAuthority, _ template: CertificateTemplate, _ certificates: [Certificate],
        leaf: CertificateTemplate? = nil
    ) throws -> HostileCase {
        let leaf = leaf ?? leafTemplate
        let certificate =
            obstacle == .wrongLeafSignature
            ? try issuer.forgedLeaf(template, leaf: leaf, key: ring.foreignKey()) : try issuer.issue(leaf).certificate
        return HostileCase(
            presented: [certificate.der] + certificates.map(\.der), anchors: anchors,
            expectation: obstacle == .none ? .validOrExhausted : .rejected)
    }

    /// Returns a case with layers of two CAs, each certified by both CAs of the layer above: 2 to the power of `depth`
    /// paths.
    func layered(depth: Int) throws -> HostileCase {
        var upper = [root]
        var certificates: [Certificate] = []
        var lowest = CertificateTemplate.authority("")
        for layer in (0..<depth).reversed() {
            var authorities: [TestAuthority] = []
            for side in ["B", "A"] {
                let template = CertificateTemplate.authority("Layer \(layer) \(side)")
                let key = try ring.key()
                let crossSigned = try upper.map { try $0.intermediate(template, key: key) }
                certificates += crossSigned.map(\.certificate)
                authorities.append(crossSigned[0])
                lowest = template
            }
            upper = authorities
        }
        return try finish(upper[1], lowest, certificates)
    }

    /// Returns a case with CAs that all certify each other, with one of them below the root.
    func clique(of count: Int) throws -> HostileCase {
        let templates = (0..<count).map { CertificateTemplate.authority("Clique \($0)") }
        let authorities = try templates.map { try TestAuthority.root($0, key: ring.key()) }
        var certificates: [Certificate] = []
        for subject in 0..<count {
            for issuer in 0..<count where issuer != subject {
                certificates.append(
                    try authorities[issuer].issue(templates[subject], key: authorities[subject].identity.key)
                        .certificate)
            }
        }
        certificates.append(
            try root.issue(templates[count - 1], key: authorities[count - 1].identity.key).certificate)
        return try finish(authorities[0], templates[0], certificates)
    }

    enum Hints: String, CaseIterable {
        case absent = "no key identifiers"
        case honest = "key identifiers"
        /// All issuers have the key identifier that the leaf refers to.
        case forged = "equal key identifiers"
    }

    /// Returns a case with CAs below the root that have the same name but different keys. The last of them issued the
    /// leaf.
    func sameNamed(_ count: Int, _ hints: Hints) throws -> HostileCase {
        let identifier = [UInt8](repeating: 0x5a, count: 20)
        let template = CertificateTemplate.authority("Hostile Issuer").with {
            $0.hasSubjectKeyIdentifier = hints == .honest
            if hints == .forged { $0.extensions = [ExtensionBytes.subjectKeyIdentifier(identifier)] }
        }
        let issuers = try (0..<count).map { _ in try root.intermediate(template, key: ring.key()) }
        let leaf = leafTemplate.with {
            $0.hasAuthorityKeyIdentifier = hints == .honest
            if hints == .forged { $0.extensions = [ExtensionBytes.authorityKeyIdentifier(identifier)] }
        }
        let last = issuers[count - 1]
        if obstacle == .wrongLeafSignature, hints != .honest {
            // The name and hints are already equal, but the key differs.
            let other = try TestAuthority.root(template, key: ring.foreignKey())
            return HostileCase(
                presented: [try other.issue(leaf).certificate.der] + issuers.map(\.certificate.der), anchors: anchors)
        }
        return try finish(last, template, issuers.map(\.certificate), leaf: leaf)
    }

    /// Returns a case with CAs of the same name that certify each other. Judging by the names, each certificate could
    /// have issued every other.
    func sameNamedClique(of count: Int) throws -> HostileCase {
        let template = CertificateTemplate.authority("Hostile Issuer")
        let authorities = try (0..<count).map { _ in try TestAuthority.root(template, key: ring.key()) }
        var certificates: [Certificate] = []
        for subject in authorities {
            for issuer in authorities where issuer.certificate != subject.certificate {
                certificates.append(try issuer.issue(template, key: subject.identity.key).certificate)
            }
        }
        certificates.append(try root.issue(template, key: authorities[count - 1].identity.key).certificate)
        return try finish(authorities[0], template, certificates)
    }
}
