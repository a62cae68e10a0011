// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustTesting

/// Three lab servers, and the name of a server that no rule allows.
struct Upstreams {
    /// A root that the machine trusts.
    let publicRoot: Certificate
    /// Another root that the machine trusts. Its owner intercepts connections.
    let middleBox: Certificate
    /// The root of the company's own CA.
    let companyRoot: Certificate
    let servers: [String: LabServer]

    /// The hosts of the servers.
    var hosts: [String] { servers.values.map(\.host.description) }

    /// The names, with the scheme, host and port of their upstreams.
    var addresses: [String: String] {
        servers.mapValues(\.url).merging(["other": "https://other.lab.test"]) { url, _ in url }
    }

    static func start() async throws -> Upstreams {
        let now = Time.now()
        let longAgo = now.advanced(by: .days(-365))
        let publicRoot = try TestAuthority.root(.authority("Public Root").valid(around: now))
        let middleBox = try TestAuthority.root(.authority("Middle Box Root").valid(around: now))
        let company = try TestAuthority.root(.authority("Company Root").valid(around: now))

        func server(_ host: String, _ authority: TestAuthority, around date: Time) async throws -> LabServer {
            let leaf = try authority.issue(.leaf(host).valid(around: date))
            return try await LabServer.start(.custom(host: host, leaf: leaf, anchors: [authority.certificate]))
        }
        return Upstreams(
            publicRoot: publicRoot.certificate, middleBox: middleBox.certificate, companyRoot: company.certificate,
            servers: [
                "news": try await server("news.lab.test", publicRoot, around: now),
                "billing": try await server("billing.lab.test", middleBox, around: now),
                "reports": try await server("reports.corp.test", company, around: longAgo),
            ])
    }

    /// Returns a rule for each upstream. The service refuses every other host before it connects.
    func trust() throws -> ServerTrustConfiguration {
        let pins = try SPKIPinSet(pins: [SPKIPin(publicRoot)], backup: [SPKIPin(companyRoot)])
        let manager = try ServerTrustManager(evaluators: [
            "news.lab.test": DefaultTrustEvaluator(),
            "billing.lab.test": SPKIPinsTrustEvaluator(pins),
            "**.corp.test": CertificateAuthorityTrustEvaluator(onlyAnchors: [companyRoot]),
        ])
        var trust = ServerTrustConfiguration(manager)
        trust.anchors = .only([publicRoot, middleBox])
        return trust
    }
}
