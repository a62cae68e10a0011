// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustTesting

/// An app's rules, tested with servers that they have to accept and to refuse: the contents of a test suite, as a
/// program.
///
/// The certificates are created in memory for a fixed date, and nothing uses the network.
@main
struct TrustDecisions {
    /// The app's rules. A test passes its own pins and anchors.
    static func rules(
        pins: [SPKIPin], backup: [SPKIPin], anchors: TrustAnchors
    ) throws -> ServerTrustConfiguration {
        let pinned = SPKIPinsTrustEvaluator(try SPKIPinSet(pins: pins, backup: backup))
        var trust = ServerTrustConfiguration(try ServerTrustManager(evaluators: ["api.example.com": pinned]))
        trust.anchors = anchors
        return trust
    }

    static func main() async throws {
        try await decisions()
        try await conformance()
        try await evidence()
    }

    static func decisions() async throws {
        let ours = try TestAuthority.root(.authority("Our CA"))
        let another = try TestAuthority.root(.authority("Another CA"))
        var trust = try rules(
            pins: [SPKIPin(ours.certificate)], backup: [SPKIPin(try TestAuthority.root().certificate)],
            anchors: .only([ours.certificate, another.certificate]))
        trust.verifyDate = .at(TestAuthority.now)

        let api = CertificateTemplate.leaf("api.example.com")
        let yesterday = TestAuthority.now.advanced(by: .days(-1))
        for (name, server, host) in [
            ("valid", try ours.issue(api), "api.example.com"),
            ("expired", try ours.issue(api.with { $0.notAfter = yesterday }), "api.example.com"),
            ("another name", try ours.issue(.leaf("www.example.com")), "api.example.com"),
            ("another trusted CA", try another.issue(api), "api.example.com"),
            ("a CA that isn't trusted", try TestAuthority.root().issue(api), "api.example.com"),
            ("a host without a rule", try ours.issue(.leaf("cdn.example.com")), "cdn.example.com"),
        ] {
            let chain = PresentedChain([server.certificate])
            let verdict = await trust.evaluate(chain, host: try Hostname(host))
            print("\(name): \(verdict.headline?.code.name ?? "trusted")")
        }
    }

    /// Tests that an app's own evaluator keeps the promises of the protocol.
    static func conformance() async throws {
        let root = try TestAuthority.root()
        func trust(_ template: CertificateTemplate) throws -> Trust {
            let leaf = try root.issue(template).certificate
            var trust = Trust(presentedChain: [leaf], host: try Hostname("api.example.com"))
            trust.anchors = .only([root.certificate])
            trust.verifyDate = .at(TestAuthority.now)
            return trust
        }
        let api = CertificateTemplate.leaf("api.example.com")
        let violations = try await EvaluatorConformance(
            OrganizationTrustEvaluator(), accepting: [trust(api.with { $0.organization = "Example" })],
            refusing: [trust(api)]
        ).run()
        print("violations of the evaluator: \(violations.count)")
    }

    /// Evaluates with a CA's site that is slow or unavailable.
    static func evidence() async throws {
        let root = try TestAuthority.root()
        let address = "http://ca.example.com/root.crl"
        let template = CertificateTemplate.leaf("api.example.com").with {
            $0.crlDistributionPoints = [TestDistributionPoint(stringLiteral: address)]
        }
        var trust = Trust(presentedChain: [try root.issue(template).certificate], host: try Hostname("api.example.com"))
        trust.anchors = .only([root.certificate])
        trust.verifyDate = .at(TestAuthority.now)
        trust.revocation = .required

        let fetcher = CannedFetcher()
        fetcher.fail(address, with: .fetchTimedOut)
        let coordinator = TrustFetchCoordinator(fetcher: fetcher, clock: { TestAuthority.now })
        let verdict = await trust.evaluate(fetching: coordinator)
        print("without the CRL: \(verdict.headline?.code.name ?? "trusted")")
    }
}

/// An app's own rule: leaves must have the organization in their subject.
struct OrganizationTrustEvaluator: TrustEvaluator {
    func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {
        guard path.leaf.subject.description.contains("O=Example") else {
            throw TrustFailures(TrustFailure(.evaluatorRefused, certificate: 0))
        }
    }

    /// Depends only on the path, so a manager may remember verdicts.
    var isRepeatable: Bool { true }
}
