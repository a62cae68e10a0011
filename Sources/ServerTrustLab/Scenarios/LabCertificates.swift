// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustTesting

/// What a scenario is made of: what the server shows, and the settings with which its client judges.
public struct LabCertificates: Sendable {
    /// The name that the client asks for. It is in no DNS: connect to the address and give the name to TLS.
    public let host: Hostname

    /// What the server sends, leaf first, right or wrong as the scenario has it.
    public let chain: [Certificate]

    /// The leaf's key. A test key.
    public let key: TestKey

    /// What the client trusts.
    public let anchors: [Certificate]

    /// What the client asks beyond a valid path.
    public let evaluator: any TrustEvaluator

    /// Whether the client looks at revocation; only the scenarios that are about it do.
    public let revocation: RevocationCheck

    /// The CRLs and OCSP responses that the client has at hand: the bytes that the server's ``LabServer/repository`` has too.
    public let revocationData: RevocationData

    /// The date that the scenario plays at.
    public let verifyDate: Time

    /// Where the server sends its clients on to: a host under another CA, judged by the same anchors.
    let redirectTarget: LabScenario?

    /// What is to be had where the certificates point to.
    let publications: [LabPublication]

    /// A manager with one rule: ``evaluator`` for ``host``.
    public let manager: ServerTrustManager

    init(
        host: String, chain: [Certificate], key: TestKey, anchors: [Certificate],
        evaluator: any TrustEvaluator = DefaultTrustEvaluator(), revocation: LabRevocation = LabRevocation(),
        at now: Time, redirectTarget: LabScenario? = nil, publications: [LabPublication] = []
    ) throws {
        self.host = try Hostname(host)
        self.chain = chain
        self.key = key
        self.anchors = anchors
        self.evaluator = evaluator
        self.verifyDate = now
        self.redirectTarget = redirectTarget
        self.revocation = revocation.check
        self.revocationData = revocation.data
        self.publications = publications
        // Verdicts aren't remembered: each one is to be reached.
        self.manager = try ServerTrustManager(evaluators: [host: evaluator], memory: nil)
        self.trustAnchors = .only(anchors)
    }

    private let trustAnchors: TrustAnchors

    /// What an adapter needs to judge as the scenario's client does.
    public var configuration: ServerTrustConfiguration {
        var configuration = ServerTrustConfiguration(manager)
        configuration.anchors = trustAnchors
        configuration.verifyDate = .at(verifyDate)
        configuration.revocation = revocation
        configuration.revocationData = revocationData
        // The lab's servers can't.
        configuration.staple = .none
        return configuration
    }

    /// The trust object of the scenario's client for what a server presented, with the scenario's anchors and date.
    ///
    /// ``evaluator`` is not in it: ask ``manager``, or ``verdict(on:)``.
    public func trust(presentedChain: PresentedChain) -> Trust {
        configuration.trust(presentedChain: presentedChain, host: host)
    }

    /// What the scenario's client finds about what a server presented.
    public func verdict(on presentedChain: PresentedChain) -> TrustVerdict {
        manager.verdict(on: trust(presentedChain: presentedChain))
    }

    /// The pins that ``evaluator`` asks for, those in reserve last; empty if it asks for none.
    public var pins: [SPKIPin] {
        guard let set = (evaluator as? SPKIPinsTrustEvaluator)?.pins else { return [] }
        return set.pins + set.backup
    }

    /// The anchors, as `--cacert` and `-CAfile` take them.
    public var anchorsPEM: String { anchors.map { PEM.encode($0.der, label: "CERTIFICATE") }.joined() }
}

/// How a scenario's client looks at revocation, and what it has at hand.
struct LabRevocation {
    var check = RevocationCheck.off
    var data = RevocationData()
}
