// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import ServerTrustTesting

/// Servers with revoked certificates, and clients that check revocation with and without a source of evidence.
///
/// The servers are real lab servers on loopback, and so is the CA's site with its CRLs and its OCSP responder.
@main
struct Revocation {
    static func main() async throws {
        for scenario in [LabScenario.revokedByCRL, .revokedByOCSP] {
            let server = try await LabServer.start(scenario)
            print("\(scenario.summary):")

            // Best effort: a certificate without an answer counts as good.
            let bestEffort = RevocationTrustEvaluator()
            // Required: a certificate without a good answer is refused.
            let required = RevocationTrustEvaluator(.required)

            try await connect("best effort, no source", server, bestEffort, fetches: false)
            try await connect("required, no source", server, required, fetches: false)
            try await connect("best effort, with a source", server, bestEffort, fetches: true)
            await server.stop()
        }
        try evidenceAtHand()
    }

    /// Checks certificates of a private CA without a CRL address. The program has the file and doesn't use the network.
    static func evidenceAtHand() throws {
        let root = try TestAuthority.root()
        let leaf = try root.issue(.leaf("build.corp.example"))
        let crl = try root.identity.crl { $0.revoke(leaf.certificate, reason: .keyCompromise) }
        let empty = try root.identity.crl()

        print("a CRL at hand:")
        for (name, der) in [("that lists the certificate", crl.der), ("that doesn't", empty.der)] {
            var trust = Trust(presentedChain: [leaf.certificate], host: try Hostname("build.corp.example"))
            trust.anchors = .only([root.certificate])
            trust.verifyDate = .at(TestAuthority.now)
            trust.revocation = .required
            // Parse and index it once, and share it among any number of trust objects.
            trust.revocationData = RevocationData(lists: [try CertificateRevocationList(der: der)])
            let verdict = trust.evaluate()
            print("  \(name): \(verdict.headline?.code.name ?? "trusted")")
            for finding in verdict.revocation { print("    \(finding)") }
            if let date = verdict.unchangedUntil { print("    unchanged until \(date)") }
        }
    }

    static func connect(
        _ title: String, _ server: LabServer, _ evaluator: RevocationTrustEvaluator, fetches: Bool
    ) async throws {
        let host = server.host.description
        var trust = ServerTrustConfiguration(try ServerTrustManager(evaluators: [host: evaluator]))
        trust.anchors = .only(server.certificates.anchors)

        // The lab's CA is on loopback. By default, fetchers only connect to public addresses.
        let fetcher = try HTTPTrustFetcher(rules: AddressRules(allowedHosts: [Hostname("127.0.0.1")]))
        if fetches { trust.fetching = TrustFetchCoordinator(fetcher: fetcher) }

        var configuration = TrustedHTTPConfiguration()
        configuration.dnsOverride[host] = "127.0.0.1"
        let client = try TrustedHTTPClient(trust: trust, configuration: configuration)
        print("  \(title):")
        for warning in trust.warnings { print("    configuration: \(warning.code)") }
        do {
            let answer = try await client.exchange(
                HTTPClientRequest(url: server.url + "/"), deadline: .now() + .seconds(30))
            print("    status \(answer.response.status.code)")
            if let verdict = answer.server?.verdict {
                print("    not checked: \(verdict.notChecked.map(\.name).joined(separator: ", "))")
                for warning in verdict.warnings { print("    warning: \(warning)") }
            }
        } catch let refusal as TrustRefusal {
            print("    refused: \(refusal.headline.code)")
        }
        await client.shutdown()
        await fetcher.shutdown()
    }
}
