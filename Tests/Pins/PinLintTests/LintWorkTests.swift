// SPDX-License-Identifier: Apache-2.0

import PinTestSupport
import ServerTrust
import ServerTrustTesting
import Testing

@testable import PinLint
@testable import ServerTrustPins

/// Counts the linter's work. No test measures time.
@Suite("The linter's work")
struct LintWorkTests {
    private static func rule(_ host: String, _ below: PinnedHosts.Below, _ pins: Range<Int>) throws -> PinRule {
        let name = try Hostname(host)
        let hosts = try #require(PinnedHosts.host(name, andBelow: below))
        return try PinRule(hosts: [hosts], pins: pins.map { Pin(.key(TestPins.pin($0))) })
    }

    private static func context(_ rules: [PinRule]) throws -> PinLintContext {
        let configuration = try PinConfiguration(rules: rules, selection: .union)
        let source = PinLintSource(file: "f", format: .json, configuration)
        let linter = PinLinter(at: TestAuthority.now)
        var context = PinLintContext(
            source, configuration, linter: linter, known: KnownCertificates(linter),
            authorities: KnownCertificates(authorities: []), mistakes: PinMistakes([]),
            successors: SuccessorIndex([]))
        context.checkAll()
        return context
    }

    @Test("Twice the rules take twice the work if their hosts don't overlap") func apart() throws {
        let works = try [100, 200, 400].map { count in
            try Self.context((0..<count).map { try Self.rule("h\($0).a.test", .nothing, 1..<2) }).meter.work
        }
        #expect(works[0] > 0)
        #expect(works[1] < works[0] * 22 / 10 && works[2] < works[1] * 22 / 10, "\(works)")
    }

    @Test("Rules with hosts that all overlap cause an error instead of quadratic work") func together() throws {
        let few = try Self.context((0..<50).map { _ in try Self.rule("a.test", .anyDepth, 1..<3) })
        #expect(!few.findings.contains { $0.rule == .unreadable(.pinFileTooLarge) })
        let parents = try (0..<1_000).map { _ in try Self.rule("a.test", .anyDepth, 1..<3) }
        let children = try (0..<1_000).map { try Self.rule("h\($0).a.test", .nothing, 3..<5) }
        let many = try Self.context(parents + children)
        #expect(many.meter.isExhausted)
        let found = many.findings.filter { $0.rule == .unreadable(.pinFileTooLarge) }
        #expect(found.count == 1 && found.first?.severity == .error)
    }

    @Test("A table has a rule for a host exactly if it returns one") func rulesOfTables() throws {
        let table = PinTable(
            try PinConfiguration(
                rules: [
                    Self.rule("a.test", .oneLabel, 1..<2), Self.rule("b.test", .anyDepth, 1..<2),
                    Self.rule("b.test", .nothing, 2..<3), Self.rule("c.b.test", .nothing, 3..<4),
                ], selection: .union))
        let rows: [(String, pins: Int)] = [
            ("a.test", 1), ("x.a.test", 1), ("y.x.a.test", 0), ("b.test", 2), ("x.b.test", 1), ("y.x.b.test", 1),
            ("c.b.test", 2), ("x.c.b.test", 1), ("test", 0), ("d.test", 0),
        ]
        for (host, pins) in rows {
            let name = try Hostname(host)
            #expect(table.hasRule(for: name) == (pins > 0), "\(host)")
            #expect(table.rule(for: name)?.pins.count ?? 0 == pins, "\(host)")
        }
    }

    @Test(
        "An organization's name identifies a CA's successors, unless it takes too long to compare",
        arguments: [
            ("Example", 1), ("A" + String(repeating: "\u{301}\u{316}", count: 15), 1),
            ("A" + String(repeating: "\u{301}\u{316}", count: 16), 0),
        ])
    func organizations(name: String, count: Int) throws {
        let authorities = try ["A", "B"].map { name in try TestAuthority.root(.authority("Root \(name)")) }
            .map { root in try root.intermediate(.authority("CA").with { $0.organization = name }).certificate }
        let index = SuccessorIndex(authorities)
        #expect(index.successors(of: authorities[0], at: TestAuthority.now).count == count)
    }
}
