// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A rule for sufficient timestamps: their number, their logs and the number of operators. A policy is a value, so a
/// new rule needs no new code.
///
/// Under each policy, a timestamp counts only if all of these are true:
/// - Its log is on the list and isn't pending or rejected.
/// - Its signature is valid.
/// - It isn't later than the verify date.
///
/// Each log counts once. A timestamp of a retired log counts only if it is embedded and is from before the retirement.
/// The certificate's earliest timestamp of a log in use must also be from before the retirement.
///
/// At any verify date, the states of logs are those of the list, and the rules are today's. An evaluation of a past
/// chain applies the rules that its certificates would have to meet now.
public struct CTPolicy: Sendable, Hashable {
    /// The number of embedded timestamps that certificates with up to a maximum lifetime need.
    package struct Requirement: Sendable, Hashable {
        /// The longest lifetime, notAfter minus notBefore, or nil for no limit.
        var maximumLifetime: Duration?
        /// The number of timestamps from different logs.
        package var count: Int
        /// The maximum number of timestamps of one operator that count toward ``count``, or nil for no limit.
        var maximumPerOperator: Int?
    }

    /// The name, which verdicts contain.
    public var name: String
    /// The requirements on embedded timestamps, the shortest lifetime first. The last one also applies to longer
    /// lifetimes.
    var embedded: [Requirement]
    /// The number of embedded timestamps that must be from logs in use today: qualified, usable or read-only. The
    /// default is 1.
    var embeddedInUse = 1
    /// The number of timestamps from different logs in use that suffice in the handshake or in an OCSP response.
    var separate: Int
    /// Whether timestamps in OCSP responses count. The default is true.
    var countsOCSP = true
    /// Whether embedded timestamps count together with those from the handshake and from OCSP, if there is at least one
    /// of the latter. The default is false.
    var countsEmbeddedBesideSeparate = false
    /// The minimum number of operators among the timestamps that count. A log's operator is the one at the date of the
    /// timestamp.
    var minimumOperators: Int
    /// Whether embedded timestamps add operators to those from the handshake and from OCSP. The default is false.
    var countsOperatorsOfAllOrigins = false
    /// Whether at least one of the logs must be an RFC 6962 log, not a tiled log. The default is false.
    var needsRFC6962Log = false
    /// Whether the leaf must expire within the dates that a log accepts, and timestamps of a read-only log must be from
    /// before its closing. The default is false.
    var checksLogDates = false
    /// The age of a list, in whole seconds rounded down, at which checks stop.
    var maximumListAge: Duration

    /// Creates a policy with the default values of the other properties.
    init(
        name: String, embedded: [Requirement], separate: Int, minimumOperators: Int, maximumListAge: Duration
    ) {
        self.name = name
        self.embedded = embedded
        self.separate = separate
        self.minimumOperators = minimumOperators
        self.maximumListAge = maximumListAge
    }

    /// Chrome's policy since April 2026: two timestamps for lifetimes up to 180 days, otherwise three, from two
    /// operators. Lists are valid for 70 days.
    ///
    /// Source: `ct_policy.md` and `chrome_ct_policy_enforcer.cc`. Since Chrome 148, timestamps in OCSP responses don't
    /// count. Until 2026-04-15, one log had to be an RFC 6962 log. That rule isn't applied to past verify dates.
    public static let chrome: CTPolicy = {
        var policy = CTPolicy(
            name: "chrome",
            embedded: [
                Requirement(maximumLifetime: .days(180), count: 2), Requirement(maximumLifetime: nil, count: 3),
            ], separate: 2,
            minimumOperators: 2, maximumListAge: .days(70))
        policy.countsOCSP = false
        policy.countsOperatorsOfAllOrigins = true
        return policy
    }()

    /// Firefox's policy from version 135 on: like Chrome's, but timestamps in OCSP responses count.
    ///
    /// Source: `security/ct/CTPolicyEnforcer.cpp`.
    public static let mozilla = CTPolicy(
        name: "mozilla",
        embedded: [Requirement(maximumLifetime: .days(180), count: 2), Requirement(maximumLifetime: nil, count: 3)],
        separate: 2,
        minimumOperators: 2, maximumListAge: .days(70))

    /// Apple's published policy. Lists are valid for 60 days.
    ///
    /// For lifetimes up to 180 days, it requires two timestamps from two operators, otherwise three with at most two
    /// from one operator. One log must be an RFC 6962 log.
    ///
    /// Source: support article 103214. Apple's open source code checks neither the operators nor the RFC 6962 log, but
    /// it compares dates with those of logs. The article counts the last second of a lifetime, so its 180 days and one
    /// second are 180 days here.
    public static let apple: CTPolicy = {
        var policy = CTPolicy(
            name: "apple",
            embedded: [
                Requirement(maximumLifetime: .days(180), count: 2, maximumPerOperator: 1),
                Requirement(maximumLifetime: nil, count: 3, maximumPerOperator: 2),
            ], separate: 2, minimumOperators: 1, maximumListAge: .days(60))
        policy.countsEmbeddedBesideSeparate = true
        policy.needsRFC6962Log = true
        policy.checksLogDates = true
        return policy
    }()

    /// All named policies.
    package static let all: [CTPolicy] = [.chrome, .mozilla, .apple]

    /// Returns the policy with a name, or nil if no policy has it.
    package static func named(_ name: String) -> CTPolicy? { all.first { $0.name == name } }
}
