// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustTesting

/// Connecting to an address or an alias, and requiring the certificate of the name behind it.
@main
struct ServerNameOverride {
    static func main() throws {
        // Two servers of one CA, both behind the address 192.0.2.10.
        let root = try TestAuthority.root()
        let api = try root.issue(.leaf("api.example.com")).certificate
        let shop = try root.issue(.leaf("shop.example.com")).certificate

        // You connect to the address, so the engine compares the certificate with the address.
        var trust = Trust(presentedChain: [api], host: try Hostname("192.0.2.10"))
        trust.anchors = .only([root.certificate])
        trust.verifyDate = .at(TestAuthority.now)
        show("by address", trust.evaluate())

        // You still connect to the address, but the engine compares the certificate with this name.
        trust.identity = .name(try Hostname("api.example.com"))
        show("as api.example.com", trust.evaluate())

        // A certificate without this name is still refused.
        trust.presentedChain = PresentedChain([shop])
        show("another server", trust.evaluate())

        // The rule for the address has the name, for every client with this manager.
        let manager = try ServerTrustManager(evaluators: [
            "192.0.2.10": DefaultTrustEvaluator(expecting: Hostname("shop.example.com"))
        ])
        show("by rule", manager.evaluate(trust))
    }

    static func show(_ what: String, _ verdict: TrustVerdict) {
        print("\(what): \(verdict.result.rawValue)")
        for failure in verdict.failures { print("  \(failure.message)") }
    }
}
