// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The configuration of a client's trust evaluation: the manager, and the settings that all its trust objects share.
/// Pass one to any adapter.
///
/// ```swift
/// var trust = ServerTrustConfiguration(manager)
/// trust.anchors = .system(adding: [ourRoot])
/// let client = try TrustedHTTPClient(trust: trust)
/// ```
@dynamicMemberLookup
public struct ServerTrustConfiguration: Sendable {
    /// The manager that selects each host's evaluator.
    public var manager: ServerTrustManager

    /// The settings of each trust object. Each setting is also a property of the configuration: `configuration.anchors`
    /// is `configuration.settings.anchors`.
    public var settings: TrustSettings

    /// Whether clients that use NIOSSL request an OCSP staple and signed certificate timestamps from servers. The
    /// default is true.
    ///
    /// Clients read both from inside NIOSSL. This is experimental: with an unknown version of NIOSSL, they read nothing
    /// (see the article "Reading the handshake" of ServerTrustNIO). If false, clients request and read nothing:
    /// ``PresentedChain/staple`` is ``StapleState/unknown``, and the handshake has no timestamps. Required revocation
    /// then needs other evidence, or refuses. For a leaf that demands a staple (RFC 7633), ``TrustVerdict/notChecked``
    /// contains ``TrustCheck/staple``.
    public var readsStaples = true

    /// Creates a configuration.
    /// - Parameters:
    ///   - manager: hosts and their evaluators.
    ///   - settings: the settings of evaluations. By default, each setting has its default value.
    public init(_ manager: ServerTrustManager, settings: TrustSettings = TrustSettings()) {
        self.manager = manager
        self.settings = settings
    }

    /// The setting at the key path.
    public subscript<Value>(dynamicMember setting: WritableKeyPath<TrustSettings, Value>) -> Value {
        get { settings[keyPath: setting] }
        set { settings[keyPath: setting] = newValue }
    }

    /// Returns a trust object for a presented chain.
    public func trust(presentedChain: PresentedChain, host: Hostname) -> Trust {
        Trust(presentedChain: presentedChain, host: host, settings: settings)
    }

    /// Evaluates a presented chain by the manager's rule for the host, and emits events for the verdict. Fetches
    /// missing evidence if ``TrustSettings/fetching`` is set.
    ///
    /// If your code can't wait, call `manager.evaluate(configuration.trust(presentedChain: chain, host: host))`, which
    /// doesn't use the network.
    public func evaluate(_ presentedChain: PresentedChain, host: Hostname) async -> TrustVerdict {
        let trust = trust(presentedChain: presentedChain, host: host)
        guard let source = settings.fetching else { return manager.evaluate(trust) }
        return await manager.evaluate(trust, fetching: source)
    }

    /// Evaluates like ``evaluate(_:host:)``, but without using the network.
    package func evaluateWithoutFetching(_ presentedChain: PresentedChain, host: Hostname) -> TrustVerdict {
        manager.evaluate(trust(presentedChain: presentedChain, host: host))
    }

    /// Returns the refusal of a host that the manager refuses whatever its certificates: its rule denies it, or it has
    /// no rule and needs one. Returns nil for a host whose server must be evaluated.
    ///
    /// Adapters call this before they look up the name, so that a refused host isn't contacted. As for every verdict,
    /// the manager emits the events ``TrustEvent/evaluated(_:)`` and ``TrustEvent/refused(_:)`` for a returned verdict.
    /// Its ``TrustVerdict/path`` is empty.
    public func denial(of host: Hostname) -> TrustVerdict? { denial(of: host, isCleartext: false) }

    /// Returns the refusal of a host. See ``denial(of:)``.
    /// - Parameter isCleartext: whether the connection doesn't use TLS. If so, a host without a rule isn't refused:
    ///   rules apply to servers with certificates, and other settings decide about connections without TLS.
    package func denial(of host: Hostname, isCleartext: Bool) -> TrustVerdict? {
        // Most hosts aren't denied. For them, this lookup is the only cost.
        guard manager.denies(host) else { return nil }
        let trust = trust(presentedChain: PresentedChain([]), host: host)
        let rules = manager.currentRules
        guard let verdict = rules.denial(of: trust) else { return nil }
        if isCleartext, verdict.headline?.code == .hostNotListed { return nil }
        manager.emit(verdict, on: trust, by: rules)
        return verdict
    }

    /// Returns the verdict after a client's delegate has responded to a server trust challenge. Fetches missing
    /// evidence with ``TrustSettings/fetching`` unless the delegate refuses the server. See
    /// ``ServerTrustManager/evaluateWithoutFetching(_:delegate:)``.
    package func evaluateAfterDelegate(
        _ presentedChain: PresentedChain, host: Hostname, _ decision: DelegateDecision
    ) async -> TrustVerdict {
        let trust = trust(presentedChain: presentedChain, host: host)
        guard let source = settings.fetching, !decision.isRefusal else {
            return manager.evaluateWithoutFetching(trust, delegate: decision)
        }
        return await manager.evaluateFetching(trust, delegate: decision, from: source)
    }
}
