// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting

// Servers that are to be trusted, some of them in spite of what they send.

extension LabScenario {
    /// P-256, one CA between leaf and root, everything in order.
    public static let good = LabScenario("good", "P-256 and everything in order", .trusted) { try $0.below() }

    /// RSA with 2048 bits all the way.
    public static let goodRSA = LabScenario("good-rsa", "RSA, 2048 bits", .trusted) { lab in
        let root = try lab.roots.rsaRoot()
        let leaf = try root.issue(
            lab.leaf { $0.keyUsage = [.digitalSignature, .keyEncipherment] }, key: LabKeys.rsa2048.get())
        return try lab.certificates(leaf, [], anchors: [root.certificate])
    }

    /// Ed25519 all the way. TLS clients have to offer it: OpenSSL and ``LabClient`` do, BoringSSL left to itself doesn't.
    public static let goodEd25519 = LabScenario("good-ed25519", "Ed25519", .trusted) { lab in
        let root = try lab.roots.root("Lab Ed25519 Root", key: .ed25519())
        let leaf = try root.issue(lab.leaf(), key: .ed25519())
        return try lab.certificates(leaf, [], anchors: [root.certificate])
    }

    /// Two CAs above the leaf, sent the wrong way round.
    public static let wrongOrder = LabScenario("wrong-order", "intermediates in the wrong order", .trusted) { lab in
        let issuing = try lab.intermediate.intermediate(lab.authority("Lab Issuing CA"))
        let leaf = try issuing.issue(lab.leaf())
        return try lab.certificates(leaf, [lab.root.certificate, lab.intermediate.certificate, issuing.certificate])
    }

    /// Certificates between leaf and CA that have nothing to do with either.
    public static let strangers = LabScenario("strangers", "certificates that do not belong there", .trusted) { lab in
        let stranger = try TestAuthority.root(lab.authority("Stranger"))
        let below = try stranger.intermediate(lab.authority("Stranger CA"))
        let leaf = try lab.intermediate.issue(lab.leaf())
        return try lab.certificates(
            leaf, [stranger.certificate, below.certificate, lab.intermediate.certificate])
    }

    /// One CA with two certificates, the first of them by a root that the client doesn't know.
    public static let crossSigned = LabScenario(
        "cross-signed", "a CA with certificates of two roots, one of them unknown", .trusted
    ) { lab in
        let unknown = try TestAuthority.root(lab.authority("Unknown Root"))
        let key = TestKey.p256()
        let underUnknown = try unknown.intermediate(lab.authority("Cross-signed CA"), key: key)
        let underRoot = try lab.root.intermediate(lab.authority("Cross-signed CA"), key: key)
        let leaf = try underRoot.issue(lab.leaf())
        return try lab.certificates(leaf, [underUnknown.certificate, underRoot.certificate])
    }
}
