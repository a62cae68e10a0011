// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import ServerTrust
import ServerTrustTesting

/// The certificates of a scenario's server, and the trust settings of its client.
public struct LabCertificates: Sendable {
    /// The name that the client verifies. It isn't in DNS. Connect to the server's address, and send the name in TLS.
    public let host: Hostname

    /// The certificates that the server sends, leaf first.
    public let chain: [Certificate]

    /// The leaf's private key. Use it only for tests.
    public let key: TestKey

    /// The client's anchors (the roots it trusts).
    public let anchors: [Certificate]

    /// The client's settings, apart from its anchors.
    package let client: ScenarioClient

    /// The date of the scenario.
    package let verifyDate: Time

    /// The scenario of the redirect's target: a host under another CA, evaluated with the same anchors.
    let redirectTarget: LabScenario?

    /// The resources at the URLs that the certificates point to.
    let publishedResources: [PublishedResource]

    /// The leaf's signer, or nil for certificates that the caller supplied.
    let signer: TestSigner?

    /// Returns the client's CRLs and OCSP responses for another leaf from the same issuer, or nil if they don't depend
    /// on the leaf.
    let evidence: (@Sendable (Certificate) throws -> RevocationData)?

    /// The client's manager. In most scenarios, it has one rule, for ``host``.
    public let manager: ServerTrustManager

    init(
        host: String, chain: [Certificate], key: TestKey, anchors: [Certificate],
        client: ScenarioClient = ScenarioClient(), at now: Time, redirectTarget: LabScenario? = nil,
        publishedResources: [PublishedResource] = [], signer: TestSigner? = nil,
        evidence: (@Sendable (Certificate) throws -> RevocationData)? = nil
    ) throws {
        self.host = try Hostname(host)
        self.chain = chain
        self.key = key
        self.anchors = anchors
        self.client = client
        self.verifyDate = now
        self.redirectTarget = redirectTarget
        self.publishedResources = publishedResources
        self.signer = signer
        self.evidence = evidence
        // The manager has no verdict cache, so it evaluates every connection.
        self.manager = try ServerTrustManager(rules: client.rule.map { [host: $0] } ?? [:], memory: nil)
        self.trustAnchors = client.trustAnchors(anchors)
    }

    /// The client's evaluator, which is ``DefaultTrustEvaluator`` in most scenarios.
    var evaluator: any TrustEvaluator { client.rule?.evaluator ?? DefaultTrustEvaluator() }

    /// The CRLs and OCSP responses that the client has. The server's ``LabServer/repository`` publishes the same bytes.
    var revocationData: RevocationData { client.revocationData }

    private let trustAnchors: TrustAnchors

    /// The configuration for an adapter that should evaluate servers as the scenario's client does.
    public var configuration: ServerTrustConfiguration {
        var configuration = ServerTrustConfiguration(manager)
        configuration.anchors = trustAnchors
        configuration.verifyDate = .at(verifyDate)
        configuration.policy = client.policy
        configuration.settings.systemEvaluator = client.system
        configuration.revocation.mode = client.revocation
        configuration.revocationData = client.revocationData
        configuration.settings.transparency = client.transparency
        configuration.settings.denied = client.denied
        return configuration
    }

    /// Returns the trust object of the scenario's client for a presented chain, with the scenario's anchors and date.
    ///
    /// It doesn't include `evaluator`. For that, use ``manager`` or ``evaluate(_:)``.
    func trust(presentedChain: PresentedChain) -> Trust {
        configuration.trust(presentedChain: presentedChain, host: host)
    }

    /// Returns the verdict of the scenario's client on a presented chain.
    package func evaluate(_ presentedChain: PresentedChain) -> TrustVerdict {
        manager.evaluate(trust(presentedChain: presentedChain))
    }

    /// The pins of `evaluator`, backup pins last. Empty if it has none.
    public var pins: [SPKIPin] {
        guard let set = (evaluator as? SPKIPinsTrustEvaluator)?.pins else { return [] }
        return set.pins + set.backup
    }

    /// The anchors in PEM, as `curl --cacert` and `openssl -CAfile` read them.
    package var anchorsPEM: String { anchors.map { PEM.encode($0.der, label: "CERTIFICATE") }.joined() }
}

#endif
