// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An evaluator that checks whether certificates of public CAs were published in logs (Certificate Transparency, RFC
/// 6962).
///
/// ```swift
/// let logs = try CTLogList(json: bytes, now: .now())
/// TransparencyTrustEvaluator(logs: logs, policy: .mozilla)                     // reports: TrustVerdict.transparency, .reported
/// TransparencyTrustEvaluator(logs: logs, policy: .mozilla, mode: .require)     // refuses what doesn't comply
/// ```
/// Start in report mode. You supply the list of logs and have to update it: if it is older than the policy allows,
/// nothing is checked any more. If the trust object's own settings have a check, that check also takes place. This
/// evaluator can only make the evaluation stricter.
public struct TransparencyTrustEvaluator: BuiltInTrustEvaluator {
    /// The check.
    package let settings: TransparencySettings

    /// Creates an evaluator.
    /// - Parameters:
    ///   - logs: the list of logs.
    ///   - policy: the policy.
    ///   - mode: the effect of a certificate that doesn't comply. By default, it is only reported.
    ///   - exemptHosts: the hosts to exempt from the check. None by default.
    public init(
        logs: CTLogList, policy: CTPolicy, mode: TransparencySettings.Mode = .report,
        exemptHosts: [HostPattern] = []
    ) {
        self.settings = TransparencySettings(logs: logs, policy: policy, mode: mode, exemptHosts: exemptHosts)
    }

    init(_ settings: TransparencySettings) { self.settings = settings }

    /// Accepts every path. The check itself is part of the evaluation.
    public func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {}

    /// True: the result depends only on the path, the timestamps and the list.
    public var isRepeatable: Bool { true }

    func variants(of trust: Trust) -> [Trust]? {
        var checked = trust
        checked.settings.transparency = settings
        guard let given = trust.settings.transparency, given != settings else { return [checked] }
        return [checked, trust]
    }
}
