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

    public init(_ manager: ServerTrustManager) { self.manager = manager }

    /// The trust object for what a server presented.
    public func trust(presentedChain: PresentedChain, host: Hostname) -> Trust {
        var trust = Trust(presentedChain: presentedChain, host: host)
        trust.anchors = anchors
        trust.intermediates = intermediates
        trust.policy = policy
        trust.verifyDate = verifyDate
        return trust
    }

    /// What the manager finds about what a server presented: now, on this thread, without network.
    public func verdict(on presentedChain: PresentedChain, host: Hostname) -> TrustVerdict {
        manager.verdict(on: trust(presentedChain: presentedChain, host: host))
    }
}
