// SPDX-License-Identifier: Apache-2.0

import PKIX

/// How a client's connections are judged: the manager, and what its trust objects have in common. Every adapter takes one.
///
/// ```swift
/// var trust = ServerTrustConfiguration(manager)
/// trust.anchors = .system(adding: [ourRoot])
/// let client = try TrustedHTTPClient(trust: trust)
/// ```
@dynamicMemberLookup
public struct ServerTrustConfiguration: Sendable {
    /// Hosts to evaluators.
    public var manager: ServerTrustManager

    /// The settings of each of its trust objects. Each can be read and written by its name on the configuration as well:
    /// `configuration.anchors`.
    public var settings: TrustSettings

    /// Creates a configuration.
    /// - Parameters:
    ///   - manager: hosts and their evaluators.
    ///   - settings: the settings of evaluations; the defaults unless given.
    public init(_ manager: ServerTrustManager, settings: TrustSettings = TrustSettings()) {
        self.manager = manager
        self.settings = settings
    }

    /// The setting of a name.
    public subscript<Value>(dynamicMember setting: WritableKeyPath<TrustSettings, Value>) -> Value {
        get { settings[keyPath: setting] }
        set { settings[keyPath: setting] = newValue }
    }

    /// The trust object for what a server presented.
    public func trust(presentedChain: PresentedChain, host: Hostname) -> Trust {
        Trust(presentedChain: presentedChain, host: host, settings: settings)
    }

    /// What the manager finds about what a server presented: now, on this thread, without network.
    public func verdict(on presentedChain: PresentedChain, host: Hostname) -> TrustVerdict {
        manager.verdict(on: trust(presentedChain: presentedChain, host: host))
    }

    /// What the manager finds about what a server presented, with the evidence that ``TrustSettings/fetching`` obtains; without a source as
    /// ``verdict(on:host:)``.
    ///
    /// Under another name, because in an asynchronous function it would be taken in the place of the one without network.
    public func fetchingVerdict(on presentedChain: PresentedChain, host: Hostname) async -> TrustVerdict {
        let trust = trust(presentedChain: presentedChain, host: host)
        guard let source = settings.fetching else { return manager.verdict(on: trust) }
        return await manager.verdict(on: trust, fetching: source)
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
        guard let verdict = manager.currentRules.denial(of: trust) else { return nil }
        if isCleartext, verdict.headline?.code == .hostNotListed { return nil }
        manager.emit(verdict, on: trust)
        return verdict
    }

    /// The verdict after a client's delegate has answered the challenge of a server, with the evidence that ``TrustSettings/fetching`` obtains where the
    /// answer leaves it to that. See ``ServerTrustManager/verdict(on:delegate:)``.
    package func verdict(
        on presentedChain: PresentedChain, host: Hostname, delegate decision: DelegateDecision
    ) async -> TrustVerdict {
        let trust = trust(presentedChain: presentedChain, host: host)
        guard let source = settings.fetching, !decision.isRefusal else {
            return manager.verdict(on: trust, delegate: decision)
        }
        return await manager.verdict(on: trust, delegate: decision, fetching: source)
    }
}
