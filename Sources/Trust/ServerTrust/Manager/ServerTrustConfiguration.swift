// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The configuration of a client's trust evaluation: the manager, and the settings that all its trust objects share. Every adapter
/// takes one.
///
/// ```swift
/// var trust = ServerTrustConfiguration(manager)
/// trust.anchors = .system(adding: [ourRoot])
/// let client = try TrustedHTTPClient(trust: trust)
/// ```
@dynamicMemberLookup
public struct ServerTrustConfiguration: Sendable {
    /// The manager, which finds the evaluator of each host.
    public var manager: ServerTrustManager

    /// The settings of each trust object. Each setting is also a property of the configuration: `configuration.anchors` is
    /// `configuration.settings.anchors`.
    public var settings: TrustSettings

    /// Whether clients over NIOSSL ask servers for an OCSP staple and for signed certificate timestamps; true by default.
    ///
    /// The clients read both from inside NIOSSL. This is experimental: with a version of NIOSSL that they don't know they read nothing (the
    /// article "Reading the handshake" of ServerTrustNIO). With false they request and read nothing: ``PresentedChain/staple`` is
    /// ``StapleState/unknown``, and the handshake has no timestamps. Required revocation then needs other evidence or refuses. A leaf that
    /// demands a staple (RFC 7633) has ``TrustCheck/staple`` in ``TrustVerdict/notChecked``.
    public var readsStaples = true

    /// Creates a configuration.
    /// - Parameters:
    ///   - manager: hosts and their evaluators.
    ///   - settings: the settings of evaluations; the defaults unless given.
    public init(_ manager: ServerTrustManager, settings: TrustSettings = TrustSettings()) {
        self.manager = manager
        self.settings = settings
    }

    /// The setting that the key path names.
    public subscript<Value>(dynamicMember setting: WritableKeyPath<TrustSettings, Value>) -> Value {
        get { settings[keyPath: setting] }
        set { settings[keyPath: setting] = newValue }
    }

    /// Returns a trust object for a presented chain.
    public func trust(presentedChain: PresentedChain, host: Hostname) -> Trust {
        Trust(presentedChain: presentedChain, host: host, settings: settings)
    }

    /// Evaluates a presented chain by the manager's rule for the host, and emits the verdict as events. Obtains missing evidence if
    /// ``TrustSettings/fetching`` has a source of it.
    ///
    /// Code that can't wait calls `manager.evaluate(configuration.trust(presentedChain: chain, host: host))`, which has no network.
    public func evaluate(_ presentedChain: PresentedChain, host: Hostname) async -> TrustVerdict {
        let trust = trust(presentedChain: presentedChain, host: host)
        guard let source = settings.fetching else { return manager.evaluate(trust) }
        return await manager.evaluate(trust, fetching: source)
    }

    /// Evaluates as ``evaluate(_:host:)``, without network.
    package func evaluateWithoutFetching(_ presentedChain: PresentedChain, host: Hostname) -> TrustVerdict {
        manager.evaluate(trust(presentedChain: presentedChain, host: host))
    }

    /// Returns the refusal of a host that the manager refuses regardless of its certificates: its rule denies it, or it has no rule and
    /// needs one. nil for a host whose server is evaluated.
    ///
    /// Adapters call this before they look up the name, so that a refused host isn't contacted. A returned verdict is emitted as
    /// events, as every verdict is: ``TrustEvent/evaluated(_:)`` and ``TrustEvent/refused(_:)``. Its ``TrustVerdict/path`` is empty.
    public func denial(of host: Hostname) -> TrustVerdict? { denial(of: host, isCleartext: false) }

    /// Returns the refusal of a host, as ``denial(of:)``.
    /// - Parameter isCleartext: whether the connection is without TLS. A host without a rule isn't refused then: rules are for servers
    ///   with certificates, and other settings decide about connections without TLS.
    package func denial(of host: Hostname, isCleartext: Bool) -> TrustVerdict? {
        // Most hosts aren't denied; for them the look-up is the whole cost.
        guard manager.denies(host) else { return nil }
        let trust = trust(presentedChain: PresentedChain([]), host: host)
        guard let verdict = manager.currentRules.denial(of: trust) else { return nil }
        if isCleartext, verdict.headline?.code == .hostNotListed { return nil }
        manager.emit(verdict, on: trust)
        return verdict
    }

    /// Returns the verdict after a client's delegate has answered a server trust challenge, with the evidence that
    /// ``TrustSettings/fetching`` obtains unless the delegate refuses. See ``ServerTrustManager/evaluate(_:delegate:)``.
    package func evaluate(
        _ presentedChain: PresentedChain, host: Hostname, delegate decision: DelegateDecision
    ) async -> TrustVerdict {
        let trust = trust(presentedChain: presentedChain, host: host)
        guard let source = settings.fetching, !decision.isRefusal else {
            return manager.evaluate(trust, delegate: decision)
        }
        return await manager.evaluate(trust, delegate: decision, fetching: source)
    }
}
