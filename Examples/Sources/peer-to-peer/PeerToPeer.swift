// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustTesting

/// Two devices that exchanged their certificates when they were paired, and meet again at any address.
@main
struct PeerToPeer {
    static func main() throws {
        // The other device created this certificate and sent it when the devices were paired.
        let paired = try TestAuthority.selfSigned(.leaf("kitchen.local")).certificate
        // An impostor at its address may use the same name.
        let impostor = try TestAuthority.selfSigned(.leaf("kitchen.local")).certificate

        // Only this certificate is accepted. It is its own anchor, so it needs no CA, and no CA can vouch for another.
        let evaluator = try PinnedCertificatesTrustEvaluator(
            certificates: [paired], acceptSelfSigned: true,
            // The certificate identifies the peer. Its address changes from network to network.
            validateHost: false)

        for (who, certificate) in [("paired peer", paired), ("impostor", impostor)] {
            var trust = Trust(presentedChain: [certificate], host: try Hostname("192.0.2.77"))
            trust.verifyDate = .at(TestAuthority.now)
            let verdict = evaluator.evaluate(trust)
            print("\(who): \(verdict.result.rawValue)")
            for failure in verdict.failures { print("  \(failure.message)") }
            print("  not checked: " + verdict.notChecked.map(\.name).joined(separator: ", "))
        }

        // Dates are checked. When a device's certificate expires, you have to pair the devices again.
        var later = Trust(presentedChain: [paired], host: try Hostname("192.0.2.77"))
        later.verifyDate = .at(TestAuthority.notAfter.advanced(by: .seconds(1)))
        do {
            try evaluator.requireTrust(later)
        } catch {
            print("half a year later: \(error)")
        }
    }
}
