// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import ServerTrustTesting

// Chains that don't end in an anchor, or that break a rule along the way.

extension LabScenario {
    /// A self-signed leaf.
    public static let selfSigned = LabScenario("self-signed", "a self-signed certificate", .refused(.selfSignedLeaf)) {
        lab in
        try lab.certificates(TestAuthority.selfSigned(lab.leaf()), [])
    }

    /// A complete chain, including a root that the client doesn't trust.
    public static let untrustedRoot = LabScenario(
        "untrusted-root", "a root that isn't trusted", .refused(.untrustedRoot)
    ) { lab in
        let unknown = try TestAuthority.root(lab.authority("Unknown Root"))
        return try lab.certificates(unknown.issue(lab.leaf()), [unknown.certificate])
    }

    /// Only the leaf, without the URL of its CA's certificate.
    public static let missingIntermediate = LabScenario(
        "missing-intermediate", "the server doesn't send the CA's certificate", .refused(.unknownIssuer)
    ) { lab in
        try lab.certificates(lab.intermediate.issue(lab.leaf()), [])
    }

    /// Only the leaf, with the URL of its CA's certificate (RFC 5280 § 4.2.2.1), which the repository publishes. The
    /// scenario's client fetches nothing and refuses the server. Desktop browsers fetch the certificate. curl and
    /// OpenSSL don't.
    static let servedIntermediate = LabScenario(
        "served-intermediate", "the client has to fetch the CA's certificate", .refused(.unknownIssuer),
        usesRepository: true
    ) { lab in
        let name = "lab-ca.cer"
        let leaf = try lab.intermediate.issue(lab.leaf { $0.caIssuers = ["\(lab.repository)/\(name)"] })
        return try lab.certificates(
            leaf, [], publishedResources: [PublishedResource(name, .issuer(lab.intermediate.certificate))])
    }

    /// A leaf issued by a version 1 certificate, which has no basic constraints.
    static let version1Issuer = LabScenario(
        "version-1-issuer", "issued by a version 1 certificate", .refused(.certificateVersionNotAllowed)
    ) { lab in
        let old = try lab.root.intermediate(lab.authority("Old CA") { $0.version = 1 })
        return try lab.certificates(old.issue(lab.leaf()), [old.certificate])
    }

    /// A CA below another one whose path length is 0.
    static let pathLengthExceeded = LabScenario(
        "path-length-exceeded", "one CA too many", .refused(.pathLengthExceeded)
    ) { lab in
        let last = try lab.root.intermediate(lab.authority("Last CA") { $0.maximumPathLength = 0 })
        let tooDeep = try last.intermediate(lab.authority("One Too Many"))
        return try lab.certificates(tooDeep.issue(lab.leaf()), [tooDeep.certificate, last.certificate])
    }

    /// Forty valid CAs, each below the previous one. The chain is deeper than the engine's limit of 32 certificates.
    static let hugeChain = LabScenario(
        "huge-chain", "a chain of forty CAs", .refused(.depthBudgetExceeded)
    ) { lab in
        var authorities = [lab.intermediate]
        var current = lab.intermediate
        for number in 2...40 {
            current = try current.intermediate(lab.authority("Lab CA \(number)"))
            authorities.append(current)
        }
        return try lab.certificates(current.issue(lab.leaf()), authorities.reversed().map(\.certificate))
    }

    /// Six layers of CAs. Each layer has three keys with one name, and all three CAs in the layer above certify each of
    /// them. The CAs at the top have the anchor's name but none of its signatures. A client without a budget has 3⁶
    /// candidate paths. Without key identifiers, it may have to verify every signature. The engine's budget of steps
    /// runs out, and the verdict's headline is about the bad signatures.
    static let hostilePathSet = LabScenario(
        "hostile-path-set", "a maze of CAs that is built to waste time", .refused(.signatureInvalid)
    ) { lab in
        func template(_ layer: Int) -> CertificateTemplate {
            lab.authority("Maze \(layer)") {
                $0.hasSubjectKeyIdentifier = false
                $0.hasAuthorityKeyIdentifier = false
            }
        }
        var above = try (0..<3).map { _ in try TestAuthority.root(lab.authority("Lab Root")) }
        var maze: [Certificate] = []
        for layer in 1...6 {
            let keys = (0..<3).map { _ in TestKey.p256() }
            var below: [TestAuthority] = []
            for key in keys {
                let certified = try above.map { try $0.intermediate(template(layer), key: key) }
                maze += certified.map(\.certificate)
                below += certified.prefix(1)
            }
            above = below
        }
        let leaf = try above[0].issue(lab.leaf { $0.hasAuthorityKeyIdentifier = false })
        return try lab.certificates(leaf, maze)
    }
}

#endif
