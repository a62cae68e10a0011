// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The source of an adapter's verdicts: synchronous on the event loop, or in a task beside it.
///
/// Verdicts come from the engine either way, so that a source can choose an evaluator and can't make up a verdict.
///
/// An adapter calls ``denial(of:)`` before it looks up a host's name, and ``evaluate(_:host:)`` once for each connection, before it sends a
/// byte of a request. It throws ``TrustRefusal`` for a verdict that isn't trusted.
public struct VerdictSource: Sendable {
    package enum Kind: Sendable {
        case immediate(@Sendable (PresentedChain, Hostname) -> TrustVerdict)
        case waiting(@Sendable (PresentedChain, Hostname) async -> TrustVerdict)
    }

    package let kind: Kind
    /// Whether clients over NIOSSL ask servers for an OCSP staple and for signed certificate timestamps: the setting of the configuration, or
    /// true. See ``ServerTrustConfiguration/readsStaples``.
    public var readsStaples = true
    /// The flag says that the host is asked in the clear.
    private let denies: @Sendable (Hostname, _ isCleartext: Bool) -> TrustVerdict?
    /// Called by an adapter that is about to repeat a request; does nothing unless set.
    package var reportRepeat: @Sendable (RepeatedRequest) -> Void = { _ in }

    /// Evaluates by a configuration: on the event loop if it has no network, in a task if it has (`TrustSettings.fetching`).
    ///
    /// Emits `ServerTrustConfiguration.warnings` as events, each once for a manager.
    public init(_ trust: ServerTrustConfiguration) {
        trust.emitWarnings()
        self.readsStaples = trust.readsStaples
        self.denies = { trust.denial(of: $0, isCleartext: $1) }
        self.kind =
            trust.settings.fetching == nil
            ? .immediate { chain, host in trust.evaluateWithoutFetching(chain, host: host) }
            : .waiting { chain, host in await trust.evaluate(chain, host: host) }
        reportRepeats(to: trust)
    }

    /// Makes the repeats of requests events of the configuration's manager.
    package mutating func reportRepeats(to trust: ServerTrustConfiguration) {
        reportRepeat = { [events = trust.manager.events] in events.emit(.requestRepeated($0)) }
    }

    /// Asked on the event loop, which stands still meanwhile: it must not wait for anything.
    /// - Parameters:
    ///   - verdict: evaluates the chain that a server presented; it computes, about a tenth of a millisecond.
    ///   - denying: asked before a host is contacted, and doesn't wait: the verdict on a host that is refused before its server presents a
    ///     certificate, nil for any other. Without it every host is contacted, and refused by its verdict.
    public static func immediate(
        _ verdict: @escaping @Sendable (PresentedChain, Hostname) -> TrustVerdict,
        denying: @escaping @Sendable (Hostname) -> TrustVerdict? = { _ in nil }
    ) -> VerdictSource {
        VerdictSource(kind: .immediate(verdict), denying)
    }

    /// Asked in a task, while the handshake waits and the event loop goes on.
    /// - Parameters:
    ///   - verdict: evaluates the chain that a server presented. It may wait: for a missing issuer, a CRL, a person. Its task is canceled
    ///     when the connection ends first.
    ///   - denying: asked before a host is contacted, and doesn't wait: the verdict on a host that is refused before its server presents a
    ///     certificate, nil for any other. Without it every host is contacted, and refused by its verdict.
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

    /// Returns the refusal of a host that isn't contacted: its rule denies it, or it has no rule and needs one. nil for a host whose server
    /// is to be evaluated.
    ///
    /// Adapters call it before they look up the name. The manager emits its events about a refusal.
    public func denial(of host: Hostname) -> TrustVerdict? { denies(host, false) }

    /// Returns the refusal of a host, as ``denial(of:)``.
    /// - Parameter isCleartext: whether the connection is without TLS. A host without a rule isn't refused then.
    package func denial(of host: Hostname, isCleartext: Bool) -> TrustVerdict? { denies(host, isCleartext) }

    /// Returns the verdict on the chain that a server presented.
    ///
    /// It may wait as long as the source does: the adapter limits the time, and cancels the task when the connection ends first. A server
    /// without a verdict is refused.
    /// - Parameters:
    ///   - presentedChain: the certificates as the server sent them, leaf first.
    ///   - host: the host of the request, not the address that was connected to.
    public func evaluate(_ presentedChain: PresentedChain, host: Hostname) async -> TrustVerdict {
        switch kind {
        case .immediate(let verdict): verdict(presentedChain, host)
        case .waiting(let verdict): await verdict(presentedChain, host)
        }
    }
}
