// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting

/// Hostile input: the time until the answer, including parsing, and the answer.
struct HostileBenchmark: Benchmark {
    let name = "hostile"
    let summary = "certificates made to be expensive, from bytes to the answer"
    var countsInstructions: Bool { false }

    private static let limit = 50.0

    /// A case that is created when its turn comes, because all cases together need hundreds of megabytes.
    private struct Planned {
        var name: String
        var make: () throws -> HostileCase
    }

    func run(_ settings: Settings) async throws -> Section {
        var section = Section(
            benchmark: name, title: "\(summary), ms",
            columns: ["bytes", "parsing", "validation", "slowest", "within 50 ms", "answer"])
        var slowest = (name: "none", milliseconds: 0.0)
        for planned in try plan() where settings.includes(planned.name) {
            let hostile = try planned.make()
            let outcome = try measure(hostile, planned.name, runs: min(settings.rounds, 7))
            if outcome.slowest > slowest.milliseconds { slowest = (planned.name, outcome.slowest) }
            section.rows.append(
                Section.Row(
                    name: planned.name,
                    cells: [
                        .number(Double(hostile.presented.reduce(0) { $0 + $1.count }), decimals: 0),
                        .number(outcome.parsing, decimals: 2), .number(outcome.validation, decimals: 2),
                        .number(outcome.slowest, decimals: 2), .text(outcome.slowest <= Self.limit ? "OK" : "OVER"),
                        .text(outcome.answer),
                    ]))
        }
        section.claims.append(
            Section.Claim(what: "slowest: \(slowest.name)", value: slowest.milliseconds, limit: Self.limit, unit: "ms"))
        return section
    }

    private func plan() throws -> [Planned] {
        var plan: [Planned] = []
        func add(_ name: String, _ make: @escaping () throws -> HostileCase) {
            plan.append(Planned(name: name, make: make))
        }
        for kind in KeyKind.allCases {
            let ring = KeyRing(kind)
            for obstacle in Obstacle.allCases {
                func addSet(_ name: String, _ make: @escaping (HostileCertificateSets) throws -> HostileCase) {
                    add("\(name), \(kind.label), \(obstacle.rawValue)") {
                        try make(try HostileCertificateSets(ring, obstacle))
                    }
                }
                addSet("2 x 16 layers") { try $0.layered(depth: 16) }
                addSet("clique of 8") { try $0.clique(of: 8) }
                for hints in HostileCertificateSets.Hints.allCases {
                    addSet("100 same-named issuers, \(hints.rawValue)") { try $0.sameNamed(100, hints) }
                }
                addSet("same-named clique of 10") { try $0.sameNamedClique(of: 10) }
            }
        }
        add("2048 names x 2048 constraints") { try HostileContents.nameConstraints(2048) }
        for found in try Corpus.cases() where found.id.hasPrefix("pathological::") && !found.id.contains("expired") {
            add("x509-limbo \(found.id)") { try HostileCase(found) }
        }
        add("500 long names x 500 constraints") { try HostileContents.longNames(500) }
        add("128 directory names x 128 constraints, 2000 bytes each, not ASCII") {
            try HostileContents.directoryNames(128, length: 1000)
        }
        add("2000 certificates of one CA on a path of 31") { try HostileContents.fan(2000, depth: 31, policies: 0) }
        add("1000 certificates of one CA on a path of 31, 100 policies each") {
            try HostileContents.fan(1000, depth: 31, policies: 100)
        }
        add("1000 certificates of 26 unknown extensions") { try HostileContents.unknownExtensions(1000, each: 26) }
        for strict in [false, true] {
            let rules = strict ? ", strict rules" : ""
            add("170,000 purposes\(rules)") { try HostileContents.purposes(170_000, strict: strict) }
            add("170,000 alternative names\(rules)") { try HostileContents.alternativeNames(170_000, strict: strict) }
            add("80,000 wildcards above a public suffix\(rules)") {
                try HostileContents.wildcards(80_000, strict: strict)
            }
        }
        for count in [10_000, 60_000] {
            add("\(count) names that are not permitted") { try HostileContents.wrongNames(count) }
        }
        add("8000 certificates that differ in their serial number") { try HostileContents.nearlyEqual(8000) }
        func spelled(_ letter: String, bytes: Int) -> String {
            String(repeating: letter, count: bytes / letter.utf8.count)
        }
        add("800 CAs of one name of 2000 bytes, in two spellings") {
            try HostileContents.spellings(800, issuer: spelled("A", bytes: 2000), subject: spelled("a", bytes: 2000))
        }
        add("100 CAs of one name of 2000 bytes, in two spellings, not ASCII") {
            try HostileContents.spellings(100, issuer: spelled("É", bytes: 2000), subject: spelled("é", bytes: 2000))
        }
        add("clique of 12, names of 2000 bytes, not ASCII") {
            try HostileContents.longNamedClique(of: 12, length: 1000)
        }
        return plan
    }

    private struct Outcome {
        var parsing: Double
        var validation: Double
        /// Parsing and validation of the slowest run together.
        var slowest: Double
        var answer: String
    }

    private func measure(_ hostile: HostileCase, _ name: String, runs: Int) throws -> Outcome {
        let validator = PathValidator(anchors: hostile.anchors, policy: hostile.policy, memory: nil)
        let host = try Hostname(hostile.host)
        var parsing: [Double] = []
        var validation: [Double] = []
        var answer = ""
        let begin = ProcessorTime.now()
        // Cases that take seconds aren't repeated.
        while parsing.count < runs, parsing.isEmpty || ProcessorTime.now() - begin < 1e9 {
            let start = ProcessorTime.now()
            let chain = hostile.presented.compactMap { try? Certificate(der: $0) }
            let parsed = ProcessorTime.now()
            guard chain.count == hostile.presented.count,
                let outcome = validator.validate(chain: chain, host: host, at: hostile.time)
            else { throw WrongAnswer(contender: name, what: "a certificate can't be parsed") }
            let done = ProcessorTime.now()
            parsing.append((parsed - start) / 1e6)
            validation.append((done - parsed) / 1e6)
            answer = try judge(outcome, hostile, name)
        }
        return Outcome(
            parsing: parsing.quantile(0.5),
            validation: validation.quantile(0.5),
            slowest: zip(parsing, validation).map { $0 + $1 }.max() ?? .nan, answer: answer)
    }

    /// Returns the codes of the headline failure and of the budget.
    private func judge(_ outcome: PathValidation, _ hostile: HostileCase, _ name: String) throws -> String {
        switch outcome {
        case .valid(let path):
            guard hostile.expectation == .validOrExhausted else {
                throw WrongAnswer(contender: name, what: "accepted")
            }
            return "valid, path of \(path.certificates.count)"
        case .rejected(let rejection):
            let budgets: Set<TrustFailure.Code> = [
                .signatureBudgetExceeded, .stepBudgetExceeded, .comparisonBudgetExceeded, .depthBudgetExceeded,
                .byteBudgetExceeded, .workBudgetExceeded,
            ]
            let exhausted = rejection.failures.map(\.code).first { budgets.contains($0) }
            guard hostile.expectation == .rejected || exhausted != nil else {
                throw WrongAnswer(contender: name, what: "rejected: \(rejection.headline.message)")
            }
            var answer = "\(rejection.headline.code)"
            if let exhausted, exhausted != rejection.headline.code { answer += ", \(exhausted)" }
            return "\(answer) (\(rejection.paths.count) paths kept)"
        }
    }
}
