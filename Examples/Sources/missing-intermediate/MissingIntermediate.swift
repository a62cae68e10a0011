// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustTesting

/// A server that only sends its leaf, and a client that has the intermediate.
@main
struct MissingIntermediate {
    static func main() throws {
        let root = try TestAuthority.root()
        let issuing = try root.intermediate(.authority("Issuing CA 1"))
        let leaf = try issuing.issue(.leaf("api.example.com")).certificate

        // The server should send [leaf, issuing.certificate].
        var trust = Trust(presentedChain: [leaf], host: try Hostname("api.example.com"))
        trust.anchors = .only([root.certificate])
        trust.verifyDate = .at(TestAuthority.now)
        show("as sent", trust.evaluate())

        // The missing certificate, from your program's resources or from the CA's site.
        trust.intermediates = [issuing.certificate]
        show("with the intermediate", trust.evaluate())

        // An intermediate is only a candidate. Supplying it doesn't make it trusted.
        trust.anchors = .only([])
        show("without its root", trust.evaluate())
    }

    static func show(_ what: String, _ verdict: TrustVerdict) {
        print("\(what): \(verdict.result.rawValue)")
        if verdict.isTrusted { print("  " + verdict.path.map(\.description).joined(separator: " < ")) }
        for failure in verdict.failures { print("  \(failure.message)") }
    }
}
