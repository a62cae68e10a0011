// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import ServerTrustTesting

/// A private CA instead of the system's anchors, and in addition to them.
///
///     SSL_CERT_FILE=Files/public-roots.pem custom-ca Files/public-chain.pem www.example.com
///
/// reads the chain of a server that the system's anchors trust. `SSL_CERT_FILE` replaces them with a root of `Files/`,
/// so that the output is the same on every machine.
@main
struct CustomCA {
    static func main() throws {
        guard CommandLine.arguments.count == 3 else {
            print("usage: custom-ca PUBLIC-CHAIN.pem HOST")
            exit(64)
        }
        let file = CommandLine.arguments[1]
        let publicHost = try Hostname(CommandLine.arguments[2])
        let publicChain = try CertificateFile.certificates(
            in: [UInt8](Data(contentsOf: URL(fileURLWithPath: file))), name: file)

        let ourRoot = try TestAuthority.root(.authority("Our Root"))
        let ourHost = try Hostname("build.corp.example")
        let ourChain = [try ourRoot.issue(.leaf("build.corp.example")).certificate]

        // Create these once and keep them: all trust objects share the store inside.
        let alone = TrustAnchors.only([ourRoot.certificate])
        let beside = TrustAnchors.system(adding: [ourRoot.certificate])

        for (name, anchors) in [("our CA alone", alone), ("the system's and ours", beside), ("the system's", .system)] {
            print("\(name):")
            for (chain, host) in [(ourChain, ourHost), (publicChain, publicHost)] {
                var trust = Trust(presentedChain: chain, host: host)
                trust.anchors = anchors
                trust.verifyDate = .at(TestAuthority.now)
                let verdict = trust.evaluate()
                print("  \(host): \(verdict.headline?.message ?? "trusted")")
            }
        }
    }
}
