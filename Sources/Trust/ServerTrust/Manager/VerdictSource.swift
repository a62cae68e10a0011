// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The source of an adapter's verdicts. It computes them on the event loop or in a task.
///
/// In both cases the engine creates the verdicts. A source can choose an evaluator, but it can't make up a verdict.
///
/// Unlike a configuration, a source has no settings to change. So a client can tell whether a verdict that it keeps is
/// from before a change of the rules.
///
/// An adapter calls ``denial(of:)`` before it looks up a host's name. It calls ``evaluate(_:host:)`` once for each
/// connection, before it sends a byte of a request, and throws ``TrustRefusal`` unless the verdict is trusted.
public struct VerdictSource: Sendable {
    package enum Kind: Sendable {
        case immediate(@Sendable (PresentedChain, Hostname) -> TrustVerdict)
        case waiting(@Sendable (PresentedChain, Hostname) async -> TrustVerdict)
    }

    package private(set) var kind: Kind
    /// Whether clients that use NIOSSL request an OCSP staple and signed certificate timestamps from servers. Taken
    /// from the configuration, otherwise true. See ``ServerTrustConfiguration/readsStaples``.
    public var readsStaples = true
    /// Returns the refusal of a host. The flag is true if the connection doesn't use TLS.
    private let denies: @Sendable (Hostname, _ isCleartext: Bool) -> TrustVerdict?
    /// A closure that adapters call before they repeat a request. By default, it does nothing.
    package private(set) var reportRepeat: @Sendable (RepeatedRequest) -> Void = { _ in }
    /// The manager whose rules decide. Nil for closures that don't follow a manager.
    private var manager: ServerTrustManager?
    private var ownRevision = TrustRevision()

    /// Creates a source from a configuration. It evaluates in a task if the configuration can fetch
    /// (`TrustSettings.fetching`), otherwise on the event loop.
    ///
    /// Emits `ServerTrustConfiguration.warnings` as events, each once per manager.
    public init(_ trust: ServerTrustConfiguration) {
        trust.emitWarnings()
        self.readsStaples = trust.readsStaples
        self.denies = { trust.denial(of: $0, isCleartext: $1) }
        self.kind =
            trust.settings.fetching == nil
            ? .immediate { chain, host in trust.evaluateWithoutFetching(chain, host: host) }
            : .waiting { chain, host in await trust.evaluate(chain, host: host) }
        follow(trust.manager)
    }

    /// Makes clients evaluate their open connections again when a manager's rules change, and emits the manager's event
    /// for each repeated request.
    ///
    /// Call it if the closures of the source use the manager. A source from a configuration already does this.
    public mutating func follow(_ manager: ServerTrustManager) {
        self.manager = manager
        reportRepeat = { [events = manager.events] in events.emit(.requestRepeated($0)) }
    }

    /// The rules that a verdict depends on now. Read it before an evaluation, and compare it before you use the verdict
    /// later.
    package var revision: TrustRevision { manager.map { ownRevision.with($0) } ?? ownRevision }

    /// Makes all earlier verdicts count as verdicts from before a change.
    package mutating func renew() { ownRevision = TrustRevision() }

    /// Observes changes of the rules. Returns nil if the source doesn't follow a manager.
    /// - Parameter observer: called after each change, on the thread that made the change. It must not wait.
    package func observeChanges(_ observer: @escaping @Sendable () -> Void) -> RuleChanges.Observation? {
        manager?.changes.observe(observer)
    }

    /// Returns this source with verdicts that are already known.
    /// - Parameter known: returns the verdict on a chain, or nil if the source has to evaluate it.
    package func knowing(_ known: @escaping @Sendable (PresentedChain) -> TrustVerdict?) -> VerdictSource {
        var source = self
        switch kind {
        case .immediate(let verdict): source.kind = .immediate { known($0) ?? verdict($0, $1) }
        case .waiting(let verdict):
            source.kind = .waiting { chain, host in
                if let verdict = known(chain) { return verdict }
                return await verdict(chain, host)
            }
        }
        return source
    }

    /// Creates a source that evaluates on the event loop and blocks it meanwhile. The closures must not wait for
    /// anything.
    /// - Parameters:
    ///   - verdict: evaluates the chain that a server presented. This is pure computation of about a tenth of a
    ///     millisecond.
    ///   - denying: called before a host is contacted, and must not wait. Returns the verdict on a host that is refused
    ///     before its server presents a certificate, or nil for any other host. By default, every host is contacted,
    ///     and its verdict decides.
    public static func immediate(
        _ verdict: @escaping @Sendable (PresentedChain, Hostname) -> TrustVerdict,
        denying: @escaping @Sendable (Hostname) -> TrustVerdict? = { _ in nil }
    ) -> VerdictSource {
        VerdictSource(kind: .immediate(verdict), denying)
    }

    /// Creates a source that evaluates in a task. The handshake waits for it, but the event loop doesn't.
    /// - Parameters:
    ///   - verdict: evaluates the chain that a server presented. It may wait for a missing issuer, a CRL, or a user's
    ///     decision. Its task is canceled if the connection ends first.
    ///   - denying: called before a host is contacted, and must not wait. Returns the verdict on a host that is refused
    ///     before its server presents a certificate, or nil for any other host. By default, every host is contacted,
    ///     and its verdict decides.
    public static func waiting(
        _ verdict: @escaping @Sendable (PresentedChain, Hostname) async -> TrustVerdict,
        denying: @escaping @Sendable (Hostname) -> TrustVerdict? = { _ in nil }
    ) -> VerdictSource {
        VerdictSource(kind: .waiting(verdict), denying)
    }

    private init(kind: Kind, _ denies: @escaping @Sendable (Hostname) -> TrustVerdict?) {
        self.kind = kind
        self.denies = { host, isCleartext in
            guard let verdict = denies(host), !verdict.isTrusted else { return nil }
            return isCleartext && verdict.headline?.code == .hostNotListed ? nil : verdict
        }
    }

    /// Returns the refusal of a host that must not be contacted: its rule denies it, or it has no rule and needs one.
    /// Returns nil for a host whose server must be evaluated.
    ///
    /// Adapters call it before they look up the name. The manager emits the events of a refusal.
    public func denial(of host: Hostname) -> TrustVerdict? { denies(host, false) }

    /// Returns the refusal of a host. See ``denial(of:)``.
    /// - Parameter isCleartext: whether the connection doesn't use TLS. If so, a host without a rule isn't refused.
    package func denial(of host: Hostname, isCleartext: Bool) -> TrustVerdict? { denies(host, isCleartext) }

    /// Returns the verdict on the chain that a server presented.
    ///
    /// It may wait as long as the source does. The adapter limits the time, and cancels the task if the connection ends
    /// first. A server without a verdict is refused.
    /// - Parameters:
    ///   - presentedChain: the certificates as the server sent them, leaf first.
    ///   - host: the host of the request, not the address of the connection.
    public func evaluate(_ presentedChain: PresentedChain, host: Hostname) async -> TrustVerdict {
        switch kind {
        case .immediate(let verdict): verdict(presentedChain, host)
        case .waiting(let verdict): await verdict(presentedChain, host)
        }
    }
}
