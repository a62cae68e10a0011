// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustTesting

/// Pinning the CA: the server may renew its certificate as often as it likes, from this CA or from the reserve CA.
@main
struct CAPinning {
    static func main() throws {
        // Two public CAs and a third one. The machine trusts all of them.
        let root = try TestAuthority.root(.authority("Public Root"))
        let ours = try root.intermediate(.authority("Our CA's issuer"))
        let reserve = try root.intermediate(.authority("Reserve CA's issuer"))
        let other = try root.intermediate(.authority("Another CA's issuer"))

        // In your app, write the pins as text, such as "sha256/C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=".
        let pins = try SPKIPinSet(pins: [SPKIPin(ours.certificate)], backup: [SPKIPin(reserve.certificate)])
        let manager = try ServerTrustManager(evaluators: [
            // The key of any CA in the path, including the anchor, but not the leaf's.
            "api.example.com": SPKIPinsTrustEvaluator(pins, scope: .authority),
            // The same with the CA's certificate, without a backup. Any certificate with its name and key matches.
            "**.example.org": CertificateAuthorityTrustEvaluator(authorities: [ours.certificate]),
        ])

        for (who, issuer) in [("our CA", ours), ("renewed", ours), ("reserve CA", reserve), ("another CA", other)] {
            for name in ["api.example.com", "www.example.org"] {
                let leaf = try issuer.issue(.leaf(name)).certificate
                var trust = Trust(presentedChain: [leaf, issuer.certificate], host: try Hostname(name))
                trust.anchors = .only([root.certificate])
                trust.verifyDate = .at(TestAuthority.now)

                let verdict = manager.evaluate(trust)
                let backup = verdict.matchedPin?.isBackup == true ? " by the backup pin" : ""
                print("\(who), \(name): \(verdict.headline?.code.name ?? "trusted")\(backup)")
            }
        }
    }
}
