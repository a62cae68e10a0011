// SPDX-License-Identifier: Apache-2.0

import ServerTrustHTTP
import ServerTrustTesting

/// A server certificate, its intermediate and the root, all in memory.
struct Scene {
    static let name = "api.example.com"
    static let issuerAddress = "http://ca.example.com/ca.cer"

    let host: Hostname
    let root: TestAuthority
    let issuing: TestAuthority
    /// The leaf and the intermediate, as the server sends them.
    let presented: PresentedChain

    init() throws {
        host = try Hostname(Self.name)
        root = try TestAuthority.root(.authority("Company Root"))
        issuing = try root.intermediate(.authority("Company Issuing CA"))
        let leaf = try issuing.issue(
            .leaf(Self.name).with {
                $0.caIssuers = [Self.issuerAddress]
                // Fetchers refuse loopback unless an app allows it.
                $0.ocspResponders = ["http://127.0.0.1:1/ocsp"]
            })
        presented = PresentedChain(issuing.chain(leaf))
    }

    /// A connection to the server, evaluated with the root as the only anchor.
    var trust: Trust {
        var trust = Trust(presentedChain: presented, host: host)
        trust.anchors = .only([root.certificate])
        trust.verifyDate = .at(TestAuthority.now)
        return trust
    }

    /// Returns a source of evidence that has the intermediate certificate.
    func source() -> TrustFetchCoordinator {
        let fetcher = CannedFetcher()
        fetcher.answer(Self.issuerAddress, with: issuing.certificate.der)
        return TrustFetchCoordinator(fetcher: fetcher, clock: { TestAuthority.now })
    }
}

func outcome(_ verdict: TrustVerdict) -> String {
    verdict.isTrusted ? "trusted" : verdict.failures.map(\.code.name).joined(separator: ", ")
}

func row(_ title: String, _ verdict: TrustVerdict) { print("\(title): \(outcome(verdict))") }
