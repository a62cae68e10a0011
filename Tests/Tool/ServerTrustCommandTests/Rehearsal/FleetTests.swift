// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting
import Testing

/// Changes to a fleet that `audit --replay` rehearses with records, and the same changes made to the inputs.
@Suite("Rehearsals of a fleet compared with the engine", .timeLimit(.minutes(60)))
struct FleetTests {
    /// The JSON of a rehearsal.
    struct Answer: Decodable {
        struct Host: Decodable {
            let name: String?
            let outcome: String
            let code: String?
            let reason: String?
            let records: [String: Int]
        }
        let outcome: String
        let hosts: [Host]
    }

    /// The results of rehearsals that were compared.
    struct Comparison {
        var changes = 0
        var rows = 0
        var differences: [String] = []
        /// The reasons why rehearsals didn't know the answer, with their numbers of rows.
        var unknown: [String: Int] = [:]
        /// The number of rows with each first code.
        var codes: [String: Int] = [:]
        var unknownCount: Int { unknown.values.reduce(0, +) }

        /// Compares the rehearsal of a change with the change itself.
        mutating func add(_ change: FleetChange, to fleet: Fleet) throws {
            let outcome = try Tool.run(["audit", "--replay", fleet.records, "--format", "json"] + change.options)
            guard let answer = try? outcome.json([Answer].self).first else {
                differences.append("\(change.name): exit \(outcome.status) \(outcome.errors)\(change.options)")
                return
            }
            changes += 1
            let status: [String: Int32] = ["ok": 0, "breaks": 1, "notKnown": 3]
            if status[answer.outcome] != outcome.status {
                differences.append("\(change.name): exit \(outcome.status) for \(answer.outcome)")
            }
            let hosts = Dictionary(grouping: answer.hosts) { $0.name ?? "" }
            for service in fleet.services {
                let name = service.host.description
                guard let host = hosts[name]?.first, hosts[name]?.count == 1 else {
                    differences.append("\(change.name): \(hosts[name]?.count ?? 0) rows of \(name)")
                    continue
                }
                rows += 1
                try compare(host, service, fleet, change)
            }
        }

        private mutating func compare(
            _ host: Answer.Host, _ service: FleetService, _ fleet: Fleet, _ change: FleetChange
        ) throws {
            guard host.outcome != "notKnown" else {
                unknown[host.reason.map(Self.kind) ?? "none", default: 0] += 1
                return
            }
            var situation = service.situation
            try change.make(&situation, service)
            let real = try situation.verdict()
            let wasTrusted = fleet.recorded[service.host.description]?.isTrusted == true
            let outcome = wasTrusted && !real.isTrusted ? "breaks" : "ok"
            let code = outcome == "breaks" ? real.failures.first?.code.name : nil
            let records =
                wasTrusted
                ? (real.isTrusted ? "stillTrusted" : "newlyRefused")
                : (real.isTrusted ? "newlyTrusted" : "stillRefused")
            codes[real.failures.first?.code.name ?? "trusted", default: 0] += 1
            guard host.outcome != outcome || host.code != code || host.records[records] != 1 else { return }
            differences.append(
                "\(change.name): \(host.name ?? "") of \(service.authority.issuer.certificate) with \(situation.pins.words): "
                    + "rehearsed \(host.outcome) \(host.code ?? "") \(host.reason ?? "") \(host.records.filter { $0.value > 0 }.keys.sorted()), "
                    + "found \(outcome) \(records) \(real.failures.first.map { "\($0.code.name) \($0)" } ?? "trusted")")
        }

        /// Returns a reason without names.
        private static func kind(_ reason: String) -> String {
            reason.split(separator: " ").filter { !$0.contains(where: { $0.isUppercase || $0.isNumber || $0 == "=" }) }
                .joined(separator: " ")
        }
    }

    @Test("Every service has the rehearsed verdict and first code when a change or two are made")
    func changes() async throws {
        let folder = try TemporaryFolder.make()
        defer { folder.remove() }
        var fleet = try Fleet(folder, seed: 60, services: 48)
        try await fleet.record()
        let changes = try FleetChanges(fleet).all
        var comparison = Comparison()
        for change in changes { try comparison.add(change, to: fleet) }
        for change in Self.pairs(of: changes, count: 40, &fleet.random) { try comparison.add(change, to: fleet) }
        #expect(comparison.differences == [])
        #expect(changes.count >= 100)
        #expect(comparison.changes == changes.count + 40)
        // Most of these rows are of pinned certificates, and of moves to roots that no machine trusts.
        #expect(comparison.unknownCount * 20 < comparison.rows, "\(comparison.unknown)")
    }

    @Test("Random fleets have the rehearsed verdicts and first codes")
    func randomFleets() async throws {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["SERVERTRUST_FLEETS"].flatMap { Int($0) } ?? 1
        let seed = environment["SERVERTRUST_FLEETS_SEED"].flatMap { UInt64($0) } ?? 1
        var comparison = Comparison()
        for number in 0..<count {
            let folder = try TemporaryFolder.make()
            defer { folder.remove() }
            var fleet = try Fleet(folder, seed: seed &+ UInt64(number), services: 24)
            try await fleet.record()
            let changes = try FleetChanges(fleet).all
            let single = (0..<6).compactMap { _ in changes.randomElement(using: &fleet.random) }
            for change in single + Self.pairs(of: changes, count: 6, &fleet.random) {
                try comparison.add(change, to: fleet)
            }
            if !comparison.differences.isEmpty {
                Issue.record("SERVERTRUST_FLEETS_SEED=\(seed &+ UInt64(number)): \(comparison.differences)")
                comparison.differences = []
            }
        }
        #expect(comparison.changes == 12 * count)
        #expect(comparison.unknownCount * 10 < comparison.rows, "\(comparison.unknown)")
        guard count > 1 else { return }
        print(
            "\(count) fleets, \(comparison.changes) changes, \(comparison.rows) answers, not known: \(comparison.unknown), "
                + "first codes: \(comparison.codes)")
    }

    /// Returns random pairs of changes.
    static func pairs(of changes: [FleetChange], count: Int, _ random: inout Generator) -> [FleetChange] {
        var pairs: [FleetChange] = []
        while pairs.count < count, let first = changes.randomElement(using: &random),
            let second = changes.randomElement(using: &random)
        {
            if first.isCompatible(with: second) { pairs.append(first + second) }
        }
        return pairs
    }
}

extension FleetSituation.Pins {
    var words: String {
        switch self {
        case .none: "no pins"
        case .keys(let keys): "\(keys.count) pins"
        case .file(let file): "pins in \(file.format)"
        }
    }
}
