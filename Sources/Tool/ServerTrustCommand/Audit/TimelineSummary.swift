// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The timelines of all records, in bounded memory.
struct TimelineSummary: Codable, Sendable, Equatable {
    /// The numbers of lines and connections.
    struct Count: Codable, Sendable, Equatable {
        var records = 0
        var connections = 0

        mutating func add(_ connections: Int) {
            records += 1
            self.connections = min(ReplayCount.maximum, self.connections + min(ReplayCount.maximum, connections))
        }
    }

    let period: ReplayPeriod
    /// The counts by the most severe kind of each record.
    private var counts: [TimelineKind: Count] = [:]
    /// The facts by host, soonest first. The name is empty for the records without a host.
    private(set) var hosts: [String: [TimelineFact]] = [:]
    /// The counts of the records whose hosts have no place in ``hosts``, by kind.
    private var unlisted: [TimelineKind: Count] = [:]
    /// The number of facts that have no place at a host. They are less severe or later than those that have.
    private(set) var further = 0
    /// The first break.
    private(set) var firstBreak: TimelineFact?
    /// The changes to the number of broken connections at the start of each part of the period.
    private var steps = [Int](repeating: 0, count: ReplayPeriod.parts + 1)

    /// The maximum number of facts of a host.
    static let maximumFacts = 4

    init(_ period: ReplayPeriod) { self.period = period }

    func count(_ kind: TimelineKind) -> Count { counts[kind] ?? Count() }
    func unlisted(_ kind: TimelineKind) -> Count { unlisted[kind] ?? Count() }
    /// The number of records whose hosts have no place in ``hosts``.
    var unlistedRecords: Int { unlisted.values.reduce(0) { $0 + $1.records } }

    /// The number of connections of all kinds.
    var connections: Int { TimelineKind.allCases.reduce(0) { $0 + count($1).connections } }

    /// The number of broken connections in each part of the period.
    var broken: [Int] {
        var sum = 0
        return steps.prefix(ReplayPeriod.parts).map { step in
            sum = max(0, min(ReplayCount.maximum, sum + step))
            return sum
        }
    }

    /// Counts the timeline of a line.
    mutating func add(_ facts: [TimelineFact], host: String?, connections: Int) {
        let kind = facts.map(\.kind).max { $0.rank < $1.rank } ?? .ok
        counts[kind, default: Count()].add(connections)
        for fact in facts where fact.kind == .breaks { addStep(fact, connections) }
        guard !facts.isEmpty else { return }
        let name = host.map { CountTable<ReplayCount>.name($0) } ?? ""
        guard hosts[name] != nil || hosts.count < CountTable<ReplayCount>.maximumRows else {
            unlisted[kind, default: Count()].add(connections)
            return
        }
        var known = hosts[name] ?? []
        for fact in facts { add(fact, to: &known) }
        hosts[name] = known
    }

    private mutating func addStep(_ fact: TimelineFact, _ connections: Int) {
        if firstBreak.map({ fact.from < $0.from }) ?? true { firstBreak = fact }
        let count = min(connections, ReplayCount.maximum)
        let end = fact.until.map { period.part(of: $0) } ?? ReplayPeriod.parts - 1
        for (place, change) in [(period.part(of: fact.from), count), (end + 1, -count)]
        where steps.indices.contains(place) {
            steps[place] = max(-ReplayCount.maximum, min(ReplayCount.maximum, steps[place] + change))
        }
    }

    /// Adds a fact to those of a host. Of several with the same kind and code, the soonest stays.
    private mutating func add(_ fact: TimelineFact, to known: inout [TimelineFact]) {
        if let place = known.firstIndex(where: { $0.isLike(fact) }) {
            var sooner = fact.from < known[place].from ? fact : known[place]
            sooner.cause.remedy = known[place].cause.remedy ?? fact.cause.remedy
            known[place] = sooner
        } else {
            known.append(fact)
        }
        if known.count > Self.maximumFacts {
            // The most severe stay. Of those that are equally severe, the soonest do.
            known.sort { $0.kind.rank != $1.kind.rank ? $0.kind.rank > $1.kind.rank : $0.from < $1.from }
            further += known.count - Self.maximumFacts
            known.removeLast(known.count - Self.maximumFacts)
        }
        known.sort { $0.comesBefore($1) }
    }
}
