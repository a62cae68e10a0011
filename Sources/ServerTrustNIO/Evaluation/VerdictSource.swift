import PKIX
import ServerTrust

/// Where an adapter gets its verdicts: at once on the event loop, or from a task beside it.
///
/// Verdicts come from the engine either way, so that a source can choose whom to ask and not what is answered.
public struct VerdictSource: Sendable {
    /// Computes, and waits for nothing: about a tenth of a millisecond on the event loop.
    public typealias Immediate = @Sendable (PresentedChain, Hostname) -> TrustVerdict
    /// May wait: for a missing issuer, a CRL, a person. Its task is cancelled when nobody waits for it any more.
    public typealias Waiting = @Sendable (PresentedChain, Hostname) async -> TrustVerdict

    enum Kind: Sendable {
        case immediate(Immediate)
        case waiting(Waiting)
    }

    let kind: Kind

    /// What a configuration finds: on the event loop if it has no network, in a task if it has (`ServerTrustConfiguration.resources`).
    public init(_ trust: ServerTrustConfiguration) {
        self.kind =
            trust.resources == nil
            ? .immediate { chain, host in trust.verdict(on: chain, host: host) }
            : .waiting { chain, host in await trust.fetchingVerdict(on: chain, host: host) }
    }

    /// Asked on the event loop, which stands still meanwhile: it must not wait for anything.
    public static func immediate(_ verdict: @escaping Immediate) -> VerdictSource {
        VerdictSource(kind: .immediate(verdict))
    }

    /// Asked in a task, while the handshake waits and the event loop goes on.
    public static func waiting(_ verdict: @escaping Waiting) -> VerdictSource {
        VerdictSource(kind: .waiting(verdict))
    }

    private init(kind: Kind) { self.kind = kind }

    /// Asks about one server, from a task.
    public func verdict(on presentedChain: PresentedChain, host: Hostname) async -> TrustVerdict {
        switch kind {
        case .immediate(let verdict): verdict(presentedChain, host)
        case .waiting(let verdict): await verdict(presentedChain, host)
        }
    }
}
