// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The rule by which timestamps suffice: how many, of which logs, of how many operators. A value, so that a new rule needs no new code.
///
/// Under each policy a timestamp counts only if its log is on the list, its signature is valid and it isn't later than the verify date, and logs
/// that are pending or rejected don't count. Each log counts once. A timestamp of a retired log counts if it is embedded, and both it and the
/// certificate's earliest timestamp of a log in use are from before the retirement.
///
/// The states of logs are those of the list, at any verify date, and the rules are those of today: past chains are compared with the rules
/// that their certificates would have to meet now.
public struct CTPolicy: Sendable, Hashable {
    /// The number of embedded timestamps that certificates up to a lifetime need.
    package struct Requirement: Sendable, Hashable {
        /// The longest lifetime, notAfter minus notBefore; nil for any.
        package var maximumLifetime: Duration?
        /// The number of timestamps of different logs.
        package var count: Int
        /// The number of timestamps of one operator that count towards ``count``; nil for all.
        package var maximumPerOperator: Int?

        /// Creates a requirement.
        package init(maximumLifetime: Duration?, count: Int, maximumPerOperator: Int? = nil) {
            self.maximumLifetime = maximumLifetime
            self.count = count
            self.maximumPerOperator = maximumPerOperator
        }
    }

    /// The name, for verdicts.
    public var name: String
    /// The requirements on embedded timestamps, the shortest lifetime first. The last one is for longer lifetimes, too.
    package var embedded: [Requirement]
    /// The number of logs with a state of today's use that embedded timestamps need: qualified, usable or read-only. 1 by default.
    package var embeddedInUse = 1
    /// The number of timestamps of different logs in use that suffice where they come in the handshake or in an OCSP response.
    package var separate: Int
    /// Whether timestamps of OCSP responses count. True by default.
    package var countsOCSP = true
    /// Whether embedded timestamps count beside those of the handshake and of OCSP, of which one is needed at least. False by default.
    package var countsEmbeddedBesideSeparate = false
    /// The number of operators among the timestamps that count; operators at the dates of the timestamps.
    package var minimumOperators: Int
    /// Whether embedded timestamps add operators to those of the handshake and of OCSP. False by default.
    package var countsOperatorsOfAllOrigins = false
    /// Whether one of the logs has to be of RFC 6962 rather than of tiles. False by default.
    package var needsRFC6962Log = false
    /// Whether the leaf has to end within the dates that a log takes, and timestamps of a read-only log have to be from before its closing.
    /// False by default.
    package var checksLogDates = false
    /// The age of a list from which on nothing is checked, in whole seconds, rounded down.
    package var maximumListAge: Duration

    /// Creates a policy; the other properties have their defaults.
    package init(
        name: String, embedded: [Requirement], separate: Int, minimumOperators: Int, maximumListAge: Duration
    ) {
        self.name = name
        self.embedded = embedded
        self.separate = separate
        self.minimumOperators = minimumOperators
        self.maximumListAge = maximumListAge
    }

    /// Chrome's policy since April 2026: two timestamps up to 180 days, otherwise three, of two operators; lists count for 70 days.
    ///
    /// Source: `ct_policy.md` and `chrome_ct_policy_enforcer.cc`. Timestamps of OCSP responses don't count since Chrome 148. Until 2026-04-15 one
    /// log had to be of RFC 6962; that rule isn't applied to past verify dates.
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

    /// Firefox's policy from version 135 on: as Chrome's, with timestamps of OCSP responses.
    ///
    /// Source: `security/ct/CTPolicyEnforcer.cpp`.
    public static let mozilla = CTPolicy(
        name: "mozilla",
        embedded: [Requirement(maximumLifetime: .days(180), count: 2), Requirement(maximumLifetime: nil, count: 3)],
        separate: 2,
        minimumOperators: 2, maximumListAge: .days(70))

    /// Apple's published policy: two timestamps of two operators up to 180 days, otherwise three of which two at most of one operator, one
    /// log of RFC 6962; lists count for 60 days.
    ///
    /// Source: support article 103214. Apple's open code enforces neither the operators nor the log of RFC 6962, and does compare dates with those
    /// of logs. The article counts the last second of a lifetime, so that it has 180 days and one second where this has 180 days.
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

    /// The policies with a name.
    package static let all: [CTPolicy] = [.chrome, .mozilla, .apple]

    /// Returns the policy of that name; nil if there is none.
    package static func named(_ name: String) -> CTPolicy? { all.first { $0.name == name } }
}
