// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import ServerTrust

/// The outcome of a connection to a lab server, either as the scenario expects it or as a client reports it.
public enum LabOutcome: Sendable, Hashable, CustomStringConvertible {
    /// The chain is trusted, and the client may send its request.
    case trusted
    /// The chain is refused, with the code of the verdict's headline.
    case refused(TrustFailure.Code)
    /// The connection ended before the server presented a chain.
    case noHandshake

    /// Creates the outcome for a verdict.
    public init(_ verdict: TrustVerdict) {
        // Every refusing verdict has a headline. A verdict without one would still be a refusal.
        self = verdict.isTrusted ? .trusted : .refused(verdict.headline?.code ?? .evaluatorRefused)
    }

    /// Whether the chain is trusted.
    public var isTrusted: Bool { self == .trusted }

    /// `trusted`, the name of the failure code, or `no handshake`.
    public var description: String {
        switch self {
        case .trusted: "trusted"
        case .refused(let code): code.name
        case .noHandshake: "no handshake"
        }
    }
}

#endif
