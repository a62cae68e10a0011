// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// What comes of connecting to a lab server: expected by its scenario, or found by whoever connected.
public enum LabFinding: Sendable, Hashable, CustomStringConvertible {
    /// The chain is trusted, and a request may go out.
    case trusted
    /// The chain is refused; the code of the headline.
    case refused(TrustFailure.Code)
    /// The connection ended before there was a chain to judge.
    case noHandshake

    /// What a verdict says.
    public init(_ verdict: TrustVerdict) {
        // A verdict that isn't trusted has a headline; one without is still refused.
        self = verdict.isTrusted ? .trusted : .refused(verdict.headline?.code ?? .evaluatorRefused)
    }

    public var isTrusted: Bool { self == .trusted }

    /// `trusted`, the name of the code, or `no handshake`.
    public var description: String {
        switch self {
        case .trusted: "trusted"
        case .refused(let code): code.name
        case .noHandshake: "no handshake"
        }
    }
}
