// SPDX-License-Identifier: Apache-2.0

/// A rule of a ``ServerTrustManager`` for a host.
public struct HostRule: Sendable {
    enum Kind: Sendable {
        case enforced(any TrustEvaluator)
        case reportOnly(any TrustEvaluator)
        case denied
    }

    let kind: Kind

    /// Creates a rule whose evaluator decides.
    public static func enforced(_ evaluator: any TrustEvaluator) -> HostRule { HostRule(kind: .enforced(evaluator)) }

    /// Creates a rule whose evaluator reports the servers that it would refuse (``TrustVerdict/reported``,
    /// ``TrustEvent/reportOnlyMismatch(_:)``), while default evaluation decides, host name included. It tries out pins on real traffic
    /// before they can lock users out.
    public static func reportOnly(_ evaluator: any TrustEvaluator) -> HostRule {
        HostRule(kind: .reportOnly(evaluator))
    }

    /// The rule that refuses the host regardless of its certificates.
    public static let denied = HostRule(kind: .denied)

    /// The evaluator that decides or reports; nil for a rule that denies.
    package var evaluator: (any TrustEvaluator)? {
        switch kind {
        case .enforced(let evaluator), .reportOnly(let evaluator): evaluator
        case .denied: nil
        }
    }
}
