// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import ServerTrustTesting

// Trusted servers. Some of them send superfluous certificates, or certificates in the wrong order.

extension LabScenario {
    /// A valid chain with P-256 keys and one CA between the leaf and the root.
    public static let good = LabScenario("good", "a valid chain with P-256 keys", .trusted) { try $0.below() }

    /// A valid chain with 2048-bit RSA keys.
    static let goodRSA = LabScenario("good-rsa", "a valid chain with RSA keys of 2048 bits", .trusted) { lab in
        let root = try lab.authorities.rsaRoot()
        let leaf = try root.issue(
            lab.leaf { $0.keyUsage = [.digitalSignature, .keyEncipherment] }, key: SharedKeys.rsa2048.get())
        return try lab.certificates(leaf, [], anchors: [root.certificate])
    }

    /// A valid chain with Ed25519 keys. TLS clients have to offer Ed25519. OpenSSL and ``LabClient`` do. BoringSSL
    /// doesn't by default.
    static let goodEd25519 = LabScenario("good-ed25519", "a valid chain with Ed25519 keys", .trusted) { lab in
        let root = try lab.authorities.root("Lab Ed25519 Root", key: .ed25519())
        let leaf = try root.issue(lab.leaf(), key: .ed25519())
        return try lab.certificates(leaf, [], anchors: [root.certificate])
    }

    /// Two CAs above the leaf, sent in the wrong order.
    static let wrongOrder = LabScenario("wrong-order", "intermediates in the wrong order", .trusted) { lab in
        let issuing = try lab.intermediate.intermediate(lab.authority("Lab Issuing CA"))
        let leaf = try issuing.issue(lab.leaf())
        return try lab.certificates(leaf, [lab.root.certificate, lab.intermediate.certificate, issuing.certificate])
    }

    /// Unrelated certificates between the leaf and its CA.
    static let strangers = LabScenario("strangers", "unrelated certificates in the chain", .trusted) { lab in
        let unrelated = try TestAuthority.root(lab.authority("Stranger"))
        let below = try unrelated.intermediate(lab.authority("Stranger CA"))
        let leaf = try lab.intermediate.issue(lab.leaf())
        return try lab.certificates(
            leaf, [unrelated.certificate, below.certificate, lab.intermediate.certificate])
    }

    /// A CA with two certificates. The client doesn't trust the root that issued the first one.
    static let crossSigned = LabScenario(
        "cross-signed", "a CA certified by two roots, one of them unknown", .trusted
    ) { lab in
        let unknown = try TestAuthority.root(lab.authority("Unknown Root"))
        let key = TestKey.p256()
        let underUnknown = try unknown.intermediate(lab.authority("Cross-signed CA"), key: key)
        let underRoot = try lab.root.intermediate(lab.authority("Cross-signed CA"), key: key)
        let leaf = try underRoot.issue(lab.leaf())
        return try lab.certificates(leaf, [underUnknown.certificate, underRoot.certificate])
    }
}

#endif
