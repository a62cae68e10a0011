// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import ServerTrust
import ServerTrustTesting

// Servers whose certificates were published in logs, or weren't published as required, for clients that require
// publication. The root belongs to a root program, because private CAs don't need transparency.

extension LabScenario {
    /// A leaf with timestamps from two logs of two operators.
    static let transparent = transparency(
        "ct-good", "published in two logs of different operators", .trusted
    ) { $0.promised() }

    /// A leaf without timestamps.
    static let transparencyNone = transparency(
        "ct-none", "not published in any log", .refused(.transparencyNotMet)
    ) { _ in [] }

    /// A leaf with one timestamp, although two are required.
    static let transparencyTooFew = transparency(
        "ct-too-few", "published in one log, but two are required", .refused(.transparencyNotMet)
    ) { [$0.promised()[0]] }

    /// A leaf with timestamps from two logs of one operator.
    static let transparencyOneOperator = transparency(
        "ct-one-operator", "published in two logs of the same operator", .refused(.transparencyNotMet)
    ) { lab in
        lab.logs[1].operatorName = lab.logs[0].operatorName
        return lab.promised()
    }

    /// A leaf with a timestamp from a log that the client doesn't know.
    static let transparencyUnknownLog = transparency(
        "ct-unknown-log", "published in two logs, one of them not on the list", .refused(.transparencyNotMet)
    ) { lab in
        let unknown = lab.logs.removeLast()
        return lab.promised() + [unknown.timestamp(at: lab.issued)]
    }

    /// A leaf with a timestamp dated after the log's retirement.
    static let transparencyRetiredLog = transparency(
        "ct-retired-log", "one of two logs was retired before its timestamp", .refused(.transparencyNotMet)
    ) { lab in
        lab.logs[1].state = .retired(since: lab.issued.advanced(by: -86_400))
        return lab.promised()
    }

    /// A leaf with timestamps from two logs that were retired later.
    static let transparencyNoneInUse = transparency(
        "ct-logs-out-of-use", "both logs have been retired since then", .refused(.transparencyNotMet)
    ) { lab in
        for index in lab.logs.indices { lab.logs[index].state = .retired(since: lab.now.advanced(by: -86_400)) }
        return lab.promised()
    }

    /// A leaf with a timestamp that its log didn't sign.
    static let transparencyBadSignature = transparency(
        "ct-bad-signature", "one of two timestamps has a wrong signature", .refused(.transparencyNotMet)
    ) { lab in
        [lab.promised()[0], lab.promised()[1].with { $0.hasWrongSignature = true }]
    }

    /// A leaf with a timestamp dated tomorrow.
    static let transparencyFuture = transparency(
        "ct-future", "one of two timestamps is from tomorrow", .refused(.transparencyNotMet)
    ) { lab in
        [lab.promised()[0], lab.logs[1].timestamp(at: lab.now.advanced(by: 86_400))]
    }

    /// A leaf with timestamps that use the identifiers of the two logs whose private keys are public.
    static let transparencyMimic = transparency(
        "ct-mimic", "timestamps of two logs whose private keys are public", .refused(.transparencyNotMet)
    ) { lab in
        let mimics = CTLogList.mimics.sorted { $0.lexicographicallyPrecedes($1) }
        return mimics.map { mimic in lab.promised()[0].with { $0.logID = mimic } }
    }

    /// A leaf with timestamps from two tiled logs, for a client with Apple's policy.
    static let transparencyTiledOnly = transparency(
        "ct-tiled-only", "both logs are tiled, but one RFC 6962 log is required",
        .refused(.transparencyNotMet)
    ) { lab in
        for index in lab.logs.indices { lab.logs[index].isTiled = true }
        lab.policy = .apple
        return lab.promised()
    }

    /// A client that requires transparency but has no list of logs.
    static let transparencyNoLogList = LabScenario(
        "ct-no-log-list", "published, but the client has no list of logs", .refused(.transparencyLogListMissing)
    ) { fixture in
        let lab = try ScenarioLogs(fixture)
        let promised = lab.promised()
        var client = try fixture.client(trusting: [fixture.root.certificate: nil])
        client.transparency = TransparencySettings(logs: nil, policy: .chrome, mode: .require)
        return try fixture.below(client: client) { $0.timestamps = promised }
    }

    /// An unpublished leaf, for a client whose log list is too old to refuse anything.
    static let transparencyOldLogList = transparency(
        "ct-old-log-list", "not published, but the list of logs is out of date", .trusted
    ) { lab in
        lab.listDate = lab.now.advanced(by: -71 * 86_400)
        return []
    }

    /// An unpublished leaf, for a client that reports the problem without refusing the server.
    static let transparencyReportOnly = transparency(
        "ct-report-only", "not published, which the client only reports", .trusted
    ) { lab in
        lab.mode = .report
        return []
    }

    /// An unpublished leaf from a CA that isn't in a root program.
    static let transparencyPrivateAuthority = transparency(
        "ct-private-authority", "not published, because its CA is private", .trusted
    ) { lab in
        lab.isPublic = false
        return []
    }

    /// A leaf with timestamps from two logs, for a client that requires them in its rule for the host.
    static let transparencyByRule = transparency(
        "ct-rule-good", "published in two logs, as the host's rule requires", .trusted
    ) { lab in
        lab.isInRule = true
        return lab.promised()
    }

    /// A leaf without timestamps, for a client that requires them in its rule for the host.
    static let transparencyNoneByRule = transparency(
        "ct-rule-none", "not published, but the host's rule requires it", .refused(.transparencyNotMet)
    ) { lab in
        lab.isInRule = true
        return []
    }

    private static func transparency(
        _ name: String, _ summary: String, _ expected: LabOutcome,
        _ timestamps: @escaping @Sendable (inout ScenarioLogs) throws -> [TestTimestamp]
    ) -> LabScenario {
        LabScenario(name, summary, expected) { fixture in
            var lab = try ScenarioLogs(fixture)
            let timestamps = try timestamps(&lab)
            var client = try lab.isPublic ? fixture.client(trusting: [fixture.root.certificate: nil]) : ScenarioClient()
            try client.checkTransparency(lab)
            return try fixture.below(client: client) { $0.timestamps = timestamps }
        }
    }
}

/// The logs of a scenario, and the client's settings for them.
struct ScenarioLogs {
    let now: Time
    /// The date on which the leaf is issued.
    let issued: Time
    /// The two logs on the client's list, from different operators.
    var logs: [TestLog]
    var listDate: Time
    var policy = CTPolicy.chrome
    var mode = TransparencySettings.Mode.require
    var isPublic = true
    /// Whether the check is in the host's rule instead of the client's settings.
    var isInRule = false

    init(_ fixture: ScenarioFixture) throws {
        now = fixture.now
        issued = fixture.leaf().notBefore
        listDate = fixture.now.advanced(by: -86_400)
        logs = try [
            TestLog("Lab Log One", operatedBy: "Lab Operator One"),
            TestLog("Lab Log Two", operatedBy: "Lab Operator Two"),
        ]
    }

    /// Returns a timestamp from each log, dated at issuance.
    func promised() -> [TestTimestamp] { logs.map { $0.timestamp(at: issued) } }
}

extension ScenarioClient {
    /// Adds a transparency check.
    mutating func checkTransparency(_ lab: ScenarioLogs) throws {
        let json = try TestLog.list(lab.logs, at: lab.listDate)
        let list = try CTLogList(json: json, now: lab.now)
        logList = json
        if lab.isInRule {
            rule = .enforced(TransparencyTrustEvaluator(logs: list, policy: lab.policy, mode: lab.mode))
        } else {
            transparency = TransparencySettings(logs: list, policy: lab.policy, mode: lab.mode)
        }
    }
}

#endif
