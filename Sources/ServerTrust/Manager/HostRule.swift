// SPDX-License-Identifier: Apache-2.0

/// What a ``ServerTrustManager`` does about a host.
public struct HostRule: Sendable {
    enum Kind: Sendable {
        case enforced(any TrustEvaluator)
        case reportOnly(any TrustEvaluator)
        case denied
    }

    let kind: Kind

    /// The evaluator decides.
    public static func enforced(_ evaluator: any TrustEvaluator) -> HostRule { HostRule(kind: .enforced(evaluator)) }

    /// The evaluator is asked and what it would refuse is told (``TrustVerdict/reported``,
    /// ``TrustEvent/reportOnlyMismatch(_:)``), but the default evaluation decides, host name included. To try out pins on
    /// real traffic before they can lock anybody out.
    public static func reportOnly(_ evaluator: any TrustEvaluator) -> HostRule {
        HostRule(kind: .reportOnly(evaluator))
    }

    /// The host is refused, whatever its certificates are.
    public static let denied = HostRule(kind: .denied)

    /// The evaluator that decides or reports; nil for a rule that denies.
    public var evaluator: (any TrustEvaluator)? {
        switch kind {
        case .enforced(let evaluator), .reportOnly(let evaluator): evaluator
        case .denied: nil
        }
    }
}
