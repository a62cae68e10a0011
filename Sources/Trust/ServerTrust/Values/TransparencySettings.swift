// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustLists

/// The transparency check of an evaluation: the list of logs, the policy, and the effect of a certificate that doesn't comply.
///
/// ```swift
/// let logs = try CTLogList(json: bytes, now: .now())
/// configuration.transparency = TransparencySettings(logs: logs, policy: .mozilla)     // reports, and refuses nothing
/// ```
/// The result is ``TrustVerdict/transparency``. Certificates of private CAs are not published, so the check is one of certificates with
/// a public anchor alone. The timestamps of valid signatures also date certificates for conditions of root programs.
public struct TransparencySettings: Sendable, Hashable {
    /// The effect of a certificate that doesn't comply.
    public enum Mode: String, Sendable, Hashable, CaseIterable, Codable {
        /// The failure is among ``TrustVerdict/reported``, and refuses nothing.
        case report
        /// The path is refused.
        case require
    }

    /// The list of logs; nil if none is at hand.
    public var logs: CTLogList?
    /// The policy.
    public var policy: CTPolicy
    /// The effect of a certificate that doesn't comply; ``Mode/report`` by default.
    public var mode: Mode
    /// The hosts without a check; none by default.
    public var exemptHosts: [HostPattern]
    /// Whether certificates with other anchors than public ones are checked as well.
    package var includesPrivateAnchors = false
    /// Whether lists count at any age.
    package var ignoresListAge = false

    /// Creates settings.
    /// - Parameters:
    ///   - logs: the list of logs. Without one nothing is checked, and under ``Mode/require`` every public certificate is refused.
    ///   - policy: the policy.
    ///   - mode: the effect of a certificate that doesn't comply; report only by default.
    ///   - exemptHosts: the hosts without a check; none by default.
    public init(logs: CTLogList?, policy: CTPolicy, mode: Mode = .report, exemptHosts: [HostPattern] = []) {
        self.logs = logs
        self.policy = policy
        self.mode = mode
        self.exemptHosts = exemptHosts
    }
}
