// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import ServerTrust
import ServerTrustTesting

// Valid chains for clients with pins or further requirements.

extension LabScenario {
    /// A server with the key of the client's backup pin.
    static let pinnedKeyRotatedToBackup = LabScenario(
        "pinned-key-rotated-to-backup", "the leaf's key now matches the backup pin", .trusted
    ) { lab in
        let leaf = try lab.intermediate.issue(lab.leaf())
        let old = try lab.intermediate.issue(lab.leaf())
        return try lab.certificates(
            leaf, [lab.intermediate.certificate], client: pins([old.certificate], backup: [leaf.certificate]))
    }

    /// A server with a new key from the same CA, which matches neither pin.
    public static let pinnedKeyReplaced = LabScenario(
        "pinned-key-replaced", "the leaf's key matches neither pin", .refused(.pinNotMatched)
    ) { lab in
        let leaf = try lab.intermediate.issue(lab.leaf())
        let old = try lab.intermediate.issue(lab.leaf())
        let reserve = try lab.intermediate.issue(lab.leaf())
        return try lab.certificates(
            leaf, [lab.intermediate.certificate], client: pins([old.certificate], backup: [reserve.certificate]))
    }

    /// A server whose CA is trusted, but isn't the one that the client requires.
    static let authorityChanged = LabScenario(
        "authority-changed", "issued by a CA other than the pinned one", .refused(.authorityNotMatched)
    ) { lab in
        let other = try lab.authorities.root("Other Root")
        return try lab.certificates(
            other.issue(lab.leaf()), [], anchors: [lab.root.certificate, other.certificate],
            client: .enforcing(CertificateAuthorityTrustEvaluator(authorities: [lab.root.certificate])))
    }

    /// An intercepting proxy whose CA the client trusts, in front of a server whose CA the client pins.
    public static let intercepted = LabScenario(
        "intercepted", "a middlebox with a CA that the machine trusts", .refused(.pinNotMatched)
    ) { lab in
        let proxy = try lab.authorities.root("Corporate Proxy Root")
        let reserve = try TestAuthority.root(lab.authority("Reserve Root"))
        return try lab.certificates(
            proxy.issue(lab.leaf()), [], anchors: [lab.root.certificate, proxy.certificate],
            client: pins([lab.root.certificate], backup: [reserve.certificate]))
    }

    /// A valid server that redirects to ``LabServer/redirectTarget``, a host under a CA that the client doesn't trust.
    static let redirectToAnotherAuthority = LabScenario(
        "redirect-to-another-authority", "redirects to a host under an unknown CA", .trusted
    ) { lab in
        let other = try TestAuthority.root(lab.authority("Unknown Root"))
        let host = "elsewhere.lab.test"
        let target = try lab.certificates(other.issue(lab.leaf(host)), [other.certificate], host: host)
        return try lab.certificates(
            lab.intermediate.issue(lab.leaf()), [lab.intermediate.certificate],
            redirectTarget: LabScenario("redirect-target", "under an unknown CA", .refused(.untrustedRoot)) { _ in
                target
            })
    }

    private static func pins(_ pins: [Certificate], backup: [Certificate]) throws -> ScenarioClient {
        .enforcing(
            SPKIPinsTrustEvaluator(
                try SPKIPinSet(pins: pins.map { SPKIPin($0) }, backup: backup.map { SPKIPin($0) })))
    }
}

#endif
