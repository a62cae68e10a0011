// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The counts and examples of a replay, in bounded memory.
struct ReplaySummary: Codable, Sendable, Equatable {
    private(set) var total = ReplayCount()
    private(set) var hosts = CountTable<ReplayCount>()
    private(set) var rules = CountTable<ReplayCount>()
    /// The counts by the code that explains the outcome: the replay's first failure, or the recorded one of a peer that
    /// is newly trusted.
    private(set) var codes = CountTable<ReplayCount>()
    /// The counts of lines that aren't reproducible by the reason.
    private(set) var obstacles = CountTable<ReplayCount>()
    /// The number of lines whose outcome is a forecast.
    private(set) var forecasts = 0
    /// The hosts with a notable outcome.
    private(set) var details: [String: HostDetails] = [:]
    /// The first examples of each outcome that has any, for different hosts.
    private(set) var examples: [ReplayExample] = []
    /// The changes that had an effect on a record, and the hosts of the pin file that a record has.
    private(set) var used: Set<String> = []
    /// The timelines of the records, or nil without `--until`.
    private(set) var timeline: TimelineSummary?

    /// - Parameter timeline: the empty timelines, or nil for none.
    init(timeline: TimelineSummary? = nil) { self.timeline = timeline }

    /// The maximum number of examples of an outcome.
    static let maximumExamples = 3

    /// The notable lines of one host.
    struct HostDetails: Codable, Sendable, Equatable {
        /// The first line that is newly refused, or without one, the first that can't be replayed, is newly trusted or has
        /// other details.
        var example: ReplayExample?
        /// The earliest evaluated date of a newly refused line, in seconds since 1970. `--shift` may move it to a year
        /// that has no text.
        var since: Int64?
    }

    /// Counts a line.
    mutating func add(_ finding: ReplayFinding) {
        let result = finding.result
        total.add(result)
        if result.outcome != .unreadable {
            hosts.add(finding.host, result)
            rules.add(finding.rule, result)
        }
        if let code = finding.code { codes.add(code, result) }
        if let obstacle = finding.obstacle { obstacles.add(obstacle, result) }
        used.formUnion(finding.used)
        if finding.isForecast { forecasts += 1 }
        addDetails(finding)
        if let facts = finding.timeline {
            timeline?.add(facts, host: finding.host, connections: finding.result.connections)
        }
        guard let example = finding.example else { return }
        let known = examples.filter { $0.result == example.result && $0.hasOtherDetails == example.hasOtherDetails }
        let isKnown = example.host != nil && known.contains { $0.host == example.host }
        if known.count < Self.maximumExamples, !isKnown { examples.append(example) }
    }

    private mutating func addDetails(_ finding: ReplayFinding) {
        let isRefused = finding.result.outcome == .newlyRefused
        guard isRefused || finding.example != nil, finding.result.outcome != .unreadable else { return }
        let name = finding.host.map { CountTable<ReplayCount>.name($0) } ?? ""
        guard name.isEmpty || hosts.hasRow(name) else { return }
        var known = details[name] ?? HostDetails()
        if isRefused, let date = finding.date?.secondsSinceEpoch { known.since = min(known.since ?? date, date) }
        let isWorse = known.example.map { $0.result.rank > finding.result.outcome.rank } ?? true
        if isWorse, let example = finding.example { known.example = example }
        details[name] = known
    }

    /// The rows of a table with a number of an outcome, most connections first.
    static func rows(
        of table: CountTable<ReplayCount>, with outcome: ReplayOutcome
    ) -> [CountTable<ReplayCount>.Row] {
        table.rows.filter { $0.count.lines(outcome) > 0 }.ranked { $0.connections(outcome) }
    }
}

/// The result of one line.
struct ReplayFinding: Sendable {
    var result: ReplayResult
    var host: String?
    /// The pattern of the recorded rule.
    var rule: String?
    var code: String?
    /// The reason why the line isn't reproducible, or nil.
    var obstacle: String?
    var used: Set<String> = []
    /// Whether the outcome assumes a signature that doesn't exist.
    var isForecast = false
    /// The record, if it is asked for and trusted, and names its host.
    var record: TrustRecord?
    /// The evaluated date, or nil without an evaluation.
    var date: Time?
    /// The intervals in which the record isn't simply trusted, or nil without a timeline.
    var timeline: [TimelineFact]?
    /// The description of the line, or nil if the report needs no more examples of its outcome.
    var example: ReplayExample?
}

/// The cause of an outcome, and what to do about it.
struct ReplayCause: Codable, Sendable, Equatable {
    /// The code of the first failure.
    var code: String?
    /// The failure, or the reason why the answer isn't known.
    var reason: String?
    var remedy: ReplayRemedy?
}

/// A line with a noteworthy outcome. Texts come from records and are cut, but not escaped.
struct ReplayExample: Codable, Sendable, Equatable {
    var result: ReplayOutcome
    var hasOtherDetails = false
    var file: String
    var line: Int
    var id: String?
    var host: String?
    var rule: String?
    var connections: Int
    /// The recorded verdict, or nil for an unreadable line.
    var before: Verdict?
    /// The replay's verdict, or nil if there isn't one.
    var after: Verdict?
    /// The replay's first failure, or the reason why a line can't be replayed.
    var cause = ReplayCause()

    /// The verdict and its codes.
    struct Verdict: Codable, Sendable, Equatable {
        var isTrusted: Bool
        var codes: [String]

        /// The maximum number of codes. A verdict has more only if a record is hostile.
        static let maximumCodes = 20

        init(isTrusted: Bool, codes: [String]) {
            self.isTrusted = isTrusted
            self.codes = codes.prefix(Self.maximumCodes).map { CountTable<ReplayCount>.name($0) }
        }

        /// `trusted`, or `refused: CODES`. Each code occurs once.
        var words: String {
            var seen: Set<String> = []
            return isTrusted
                ? "trusted" : "refused: " + codes.filter { seen.insert($0).inserted }.joined(separator: ", ")
        }
    }

    /// The place of the line: `records.ndjson:17`.
    var place: String { "\(file):\(line)" }
}

/// A measure of one party against a refusal in a rehearsal.
struct ReplayRemedy: Codable, Sendable, Equatable {
    /// The party that can act, or nil for the reader of the report.
    var party: Advice.Party?
    /// One or two sentences.
    var text: String

    /// Returns the remedy, or its start if it is long.
    func abridged(toBytes maximum: Int) -> ReplayRemedy {
        ReplayRemedy(party: party, text: text.abridged(toBytes: maximum))
    }
}
