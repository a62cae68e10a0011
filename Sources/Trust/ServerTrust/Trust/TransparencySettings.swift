// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The settings of an evaluation's transparency check: the list of logs, the policy, and what happens to a certificate
/// that doesn't comply.
///
/// ```swift
/// let logs = try CTLogList(json: bytes, now: .now())
/// configuration.transparency = TransparencySettings(logs: logs, policy: .mozilla)     // reports, and refuses nothing
/// ```
/// The result is ``TrustVerdict/transparency``. Private CAs don't publish their certificates, so only certificates with
/// a public anchor are checked. Timestamps with valid signatures also tell the certificate's date of issuance, which
/// some conditions of root programs require.
public struct TransparencySettings: Sendable, Hashable {
    /// The effect of a certificate that doesn't comply.
    public enum Mode: String, Sendable, Hashable, CaseIterable, Codable {
        /// The evaluation lists the failure in ``TrustVerdict/reported``, and refuses nothing.
        case report
        /// The evaluation refuses the path.
        case require
    }

    /// The list of logs, or nil if you have none.
    public var logs: CTLogList?
    /// The policy.
    public var policy: CTPolicy
    /// The effect of a certificate that doesn't comply. ``Mode/report`` by default.
    public var mode: Mode
    /// The hosts that aren't checked. None by default.
    public var exemptHosts: [HostPattern]
    /// Whether certificates whose anchor isn't public are checked too.
    package var includesPrivateAnchors = false
    /// Whether a list counts at any age.
    package var ignoresListAge = false

    /// Creates settings.
    /// - Parameters:
    ///   - logs: the list of logs. Without a list nothing is checked, and ``Mode/require`` refuses every public
    ///     certificate.
    ///   - policy: the policy.
    ///   - mode: what happens to a certificate that doesn't comply. By default, the evaluation only reports it.
    ///   - exemptHosts: the hosts that aren't checked. None by default.
    public init(logs: CTLogList?, policy: CTPolicy, mode: Mode = .report, exemptHosts: [HostPattern] = []) {
        self.logs = logs
        self.policy = policy
        self.mode = mode
        self.exemptHosts = exemptHosts
    }
}
