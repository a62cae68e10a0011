// SPDX-License-Identifier: Apache-2.0

/// The rule of a ``ServerTrustManager`` for a host.
public struct HostRule: Sendable {
    enum Kind: Sendable {
        case enforced(any TrustEvaluator)
        case reportOnly(any TrustEvaluator)
        case denied
    }

    let kind: Kind

    /// Creates a rule that enforces an evaluator.
    public static func enforced(_ evaluator: any TrustEvaluator) -> HostRule { HostRule(kind: .enforced(evaluator)) }

    /// Creates a rule that only reports the servers its evaluator would refuse (``TrustVerdict/reported``,
    /// ``TrustEvent/reportOnlyMismatch(_:)``). Default evaluation decides, including the host name. Use this rule to
    /// try out pins on real traffic before they can lock users out.
    public static func reportOnly(_ evaluator: any TrustEvaluator) -> HostRule {
        HostRule(kind: .reportOnly(evaluator))
    }

    /// The rule that refuses the host, whatever its certificates.
    public static let denied = HostRule(kind: .denied)

    /// The evaluator that decides or reports, or nil for a rule that denies the host.
    package var evaluator: (any TrustEvaluator)? {
        switch kind {
        case .enforced(let evaluator), .reportOnly(let evaluator): evaluator
        case .denied: nil
        }
    }
}
