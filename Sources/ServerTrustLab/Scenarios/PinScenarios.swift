// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustTesting

// Valid chains, and clients that ask for more than that.

extension LabScenario {
    /// The server went over to the key that was held in reserve.
    public static let pinnedKeyRotatedToBackup = LabScenario(
        "pinned-key-rotated-to-backup", "the leaf's key is now the backup pin's", .trusted
    ) { lab in
        let leaf = try lab.intermediate.issue(lab.leaf())
        let old = try lab.intermediate.issue(lab.leaf())
        return try lab.certificates(
            leaf, [lab.intermediate.certificate], evaluator: pins([old.certificate], backup: [leaf.certificate]))
    }

    /// The server has a new key of the same CA, and neither pin is it.
    public static let pinnedKeyReplaced = LabScenario(
        "pinned-key-replaced", "the leaf's key is neither pin's", .refused(.pinNotMatched)
    ) { lab in
        let leaf = try lab.intermediate.issue(lab.leaf())
        let old = try lab.intermediate.issue(lab.leaf())
        let reserve = try lab.intermediate.issue(lab.leaf())
        return try lab.certificates(
            leaf, [lab.intermediate.certificate], evaluator: pins([old.certificate], backup: [reserve.certificate]))
    }

    /// Two CAs are trusted, one is asked for, and the other issued.
    public static let authorityChanged = LabScenario(
        "authority-changed", "issued by another CA than the pinned one", .refused(.authorityNotMatched)
    ) { lab in
        let other = try lab.roots.root("Other Root")
        return try lab.certificates(
            other.issue(lab.leaf()), [], anchors: [lab.root.certificate, other.certificate],
            evaluator: CertificateAuthorityTrustEvaluator(authorities: [lab.root.certificate]))
    }

    /// A middle box with a CA that the machine trusts, in front of a server whose CA is pinned.
    public static let intercepted = LabScenario(
        "intercepted", "a middle box with a CA that the machine trusts", .refused(.pinNotMatched)
    ) { lab in
        let box = try lab.roots.root("Corporate Proxy Root")
        let reserve = try TestAuthority.root(lab.authority("Reserve Root"))
        return try lab.certificates(
            box.issue(lab.leaf()), [], anchors: [lab.root.certificate, box.certificate],
            evaluator: pins([lab.root.certificate], backup: [reserve.certificate]))
    }

    /// A good server that sends its clients on to a host under a CA that they don't trust: ``LabServer/redirectTarget``.
    public static let redirectToAnotherAuthority = LabScenario(
        "redirect-to-another-authority", "sends its clients on to a host under an unknown CA", .trusted
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

    private static func pins(_ pins: [Certificate], backup: [Certificate]) throws -> SPKIPinsTrustEvaluator {
        SPKIPinsTrustEvaluator(
            try SPKIPinSet(pins: pins.map { SPKIPin($0) }, backup: backup.map { SPKIPin($0) }))
    }
}
