// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The source of an adapter's verdicts: synchronous on the event loop, or in a task beside it.
///
/// Verdicts come from the engine either way, so that a source can choose an evaluator and can't make up a verdict.
public struct VerdictSource: Sendable {
    /// Computes, and waits for nothing: about a tenth of a millisecond on the event loop.
    public typealias Immediate = @Sendable (PresentedChain, Hostname) -> TrustVerdict
    /// May wait: for a missing issuer, a CRL, a person. Its task is cancelled when the connection ends first.
    public typealias Waiting = @Sendable (PresentedChain, Hostname) async -> TrustVerdict
    /// Looks the host up in the rules, without waiting: the verdict on a host that is refused before its server presents a certificate, nil for
    /// any other.
    public typealias Denial = @Sendable (Hostname) -> TrustVerdict?

    enum Kind: Sendable {
        case immediate(Immediate)
        case waiting(Waiting)
    }

    let kind: Kind
    /// The flag says that the host is asked in the clear.
    private let denies: @Sendable (Hostname, _ isCleartext: Bool) -> TrustVerdict?

    /// Evaluates by a configuration: on the event loop if it has no network, in a task if it has (`TrustSettings.fetching`).
    public init(_ trust: ServerTrustConfiguration) {
        self.denies = { trust.denial(of: $0, isCleartext: $1) }
        self.kind =
            trust.settings.fetching == nil
            ? .immediate { chain, host in trust.verdict(on: chain, host: host) }
            : .waiting { chain, host in await trust.fetchingVerdict(on: chain, host: host) }
    }

    /// Asked on the event loop, which stands still meanwhile: it must not wait for anything.
    /// - Parameters:
    ///   - verdict: evaluates the chain that a server presented.
    ///   - denying: asked before a host is contacted; without it every host is, and refused by its verdict.
    public static func immediate(
        _ verdict: @escaping Immediate, denying: @escaping Denial = { _ in nil }
    ) -> VerdictSource {
        VerdictSource(kind: .immediate(verdict), denying)
    }

    /// Asked in a task, while the handshake waits and the event loop goes on.
    /// - Parameters:
    ///   - verdict: evaluates the chain that a server presented.
    ///   - denying: asked before a host is contacted; without it every host is, and refused by its verdict.
    public static func waiting(
        _ verdict: @escaping Waiting, denying: @escaping Denial = { _ in nil }
    ) -> VerdictSource {
        VerdictSource(kind: .waiting(verdict), denying)
    }

    private init(kind: Kind, _ denies: @escaping Denial) {
        self.kind = kind
        self.denies = { host, isCleartext in
            guard let verdict = denies(host), !verdict.isTrusted else { return nil }
            return isCleartext && verdict.headline?.code == .hostNotListed ? nil : verdict
        }
    }

    /// The verdict on a host that is refused before its server presents a certificate; nil for a host whose server is to be evaluated. For
    /// clients to ask before they look a name up. A manager emits its events about it.
    public func denial(of host: Hostname) -> TrustVerdict? { denies(host, false) }

    /// - Parameter isCleartext: whether the host is asked without TLS: then a host without a rule isn't refused.
    package func denial(of host: Hostname, isCleartext: Bool) -> TrustVerdict? { denies(host, isCleartext) }

    /// Asks about one server, from a task.
    public func verdict(on presentedChain: PresentedChain, host: Hostname) async -> TrustVerdict {
        switch kind {
        case .immediate(let verdict): verdict(presentedChain, host)
        case .waiting(let verdict): await verdict(presentedChain, host)
        }
    }
}
