// SPDX-License-Identifier: Apache-2.0

import PKIX

/// How a client's connections are judged: the manager, and what its trust objects have in common. Every adapter takes one.
///
/// ```swift
/// var trust = ServerTrustConfiguration(manager)
/// trust.anchors = .system(adding: [ourRoot])
/// let client = try TrustedHTTPClient(trust: trust)
/// ```
public struct ServerTrustConfiguration: Sendable {
    /// Hosts to evaluators.
    public var manager: ServerTrustManager

    /// What trust ends in; the system's anchors unless told otherwise.
    public var anchors = TrustAnchors.system

    /// Further candidates for path building. They gain no trust by it.
    public var intermediates: [Certificate] = []

    /// Profile, purpose, strictness, certificate policies and budget.
    public var policy = ValidationPolicy()

    /// The date that is asked about; the machine's clock unless told otherwise.
    public var verifyDate = VerifyDate.now

    /// Whether certificates are checked for having been withdrawn; not unless told otherwise. A host's rule may ask for it as well
    /// (``RevocationTrustEvaluator``).
    public var revocation = RevocationCheck.off

    /// What is known about it beforehand: CRLs and OCSP responses.
    public var revocationData = RevocationData()

    /// What is known about OCSP staples. TLS libraries that don't ask for them can't say, and a certificate that promises one is
    /// told as unchecked; with ``StapleState/none`` it is refused.
    public var staple = StapleState.unknown

    /// Where missing issuers and revocation data are fetched from by ``fetchingVerdict(on:host:)``; nil, unless given, to use no
    /// network.
    public var resources: TrustResources?

    public init(_ manager: ServerTrustManager) { self.manager = manager }

    /// The trust object for what a server presented.
    public func trust(presentedChain: PresentedChain, host: Hostname) -> Trust {
        var trust = Trust(presentedChain: presentedChain, host: host)
        trust.anchors = anchors
        trust.intermediates = intermediates
        trust.policy = policy
        trust.verifyDate = verifyDate
        trust.revocation = revocation
        trust.revocationData = revocationData
        trust.staple = staple
        return trust
    }

    /// What the manager finds about what a server presented: now, on this thread, without network.
    public func verdict(on presentedChain: PresentedChain, host: Hostname) -> TrustVerdict {
        manager.verdict(on: trust(presentedChain: presentedChain, host: host))
    }

    /// What the manager finds about what a server presented, with what ``resources`` can get; without them the same as
    /// ``verdict(on:host:)``.
    ///
    /// Under another name, because in an asynchronous function it would be taken in the place of the one without network.
    public func fetchingVerdict(on presentedChain: PresentedChain, host: Hostname) async -> TrustVerdict {
        let trust = trust(presentedChain: presentedChain, host: host)
        guard let resources else { return manager.verdict(on: trust) }
        return await manager.verdict(on: trust, fetching: resources)
    }

    /// The verdict on a host that the manager refuses whatever its server presents: its rule denies it, or it has no rule and needs
    /// one. nil for a host whose server is evaluated.
    ///
    /// Adapters ask before the name is looked up, so that a refused host isn't contacted. A verdict that is returned is emitted as
    /// an event, as every verdict is: ``TrustEvent/evaluated(_:)`` and ``TrustEvent/refused(_:)``. Its ``TrustVerdict/path`` is empty.
    public func denial(of host: Hostname) -> TrustVerdict? { denial(of: host, isCleartext: false) }

    /// - Parameter isCleartext: whether the host is asked without TLS. A host without a rule isn't refused then: rules are about
    ///   servers with certificates, and which hosts are asked in the clear is settled elsewhere.
    package func denial(of host: Hostname, isCleartext: Bool) -> TrustVerdict? {
        // Most hosts aren't denied, and a look-up is all that they cost.
        guard manager.denies(host) else { return nil }
        let trust = trust(presentedChain: PresentedChain([]), host: host)
        guard let verdict = manager.currentDemands.denial(of: trust) else { return nil }
        if isCleartext, verdict.headline?.code == .hostNotListed { return nil }
        manager.tell(verdict, on: trust)
        return verdict
    }

    /// The verdict after a client's delegate has answered the challenge of a server, with what ``resources`` can get where the
    /// answer leaves it to that. See ``ServerTrustManager/verdict(on:delegate:)``.
    package func verdict(
        on presentedChain: PresentedChain, host: Hostname, delegate decision: DelegateDecision
    ) async -> TrustVerdict {
        let trust = trust(presentedChain: presentedChain, host: host)
        guard let resources, !decision.isRefusal else { return manager.verdict(on: trust, delegate: decision) }
        return await manager.verdict(on: trust, delegate: decision, fetching: resources)
    }
}
