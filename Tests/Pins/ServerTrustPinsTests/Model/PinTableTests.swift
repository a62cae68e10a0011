// SPDX-License-Identifier: Apache-2.0

import PinTestSupport
import ServerTrust
import Testing

@testable import ServerTrustPins

@Suite struct PinTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let selection: PinConfiguration.Selection
        /// Domains, one per rule.
        let domains: [PinnedHosts?]
        let host: String
        /// The rules that apply.
        let rules: [Int]

        init(
            _ name: String, _ selection: PinConfiguration.Selection, _ domains: [PinnedHosts?], _ host: String,
            _ rules: [Int]
        ) {
            self.testDescription = name
            self.selection = selection
            self.domains = domains
            self.host = host
            self.rules = rules
        }
    }

    static func only(_ name: String) -> PinnedHosts? { (try? Hostname(name)).map(PinnedHosts.only) }
    static func with(_ name: String, _ below: PinnedHosts.Below) -> PinnedHosts? {
        (try? Hostname(name)).flatMap { .host($0, andBelow: below) }
    }
    static func below(_ name: String, _ below: PinnedHosts.Below) -> PinnedHosts? {
        (try? Hostname(name)).flatMap { .below($0, below) }
    }

    static let rows: [Row] = [
        Row("only the name", .mostSpecific, [only("a.test")], "a.test", [0]),
        Row("nothing below a single name", .mostSpecific, [only("a.test")], "b.a.test", []),
        Row("nothing above a name", .mostSpecific, [with("b.a.test", .anyDepth)], "a.test", []),
        Row("nothing that only has the same ending", .mostSpecific, [with("a.test", .anyDepth)], "ba.test", []),
        Row("one label below", .mostSpecific, [with("a.test", .oneLabel)], "b.a.test", [0]),
        Row("not two labels where one is meant", .mostSpecific, [with("a.test", .oneLabel)], "c.b.a.test", []),
        Row("any depth", .mostSpecific, [with("a.test", .anyDepth)], "d.c.b.a.test", [0]),
        Row("not the name if only subdomains are meant", .union, [below("a.test", .anyDepth)], "a.test", []),
        Row(
            "the longest name wins", .mostSpecific, [with("a.test", .anyDepth), with("b.a.test", .anyDepth)],
            "c.b.a.test", [1]),
        Row(
            "an exact name wins over a parent", .mostSpecific, [with("a.test", .anyDepth), only("b.a.test")],
            "b.a.test", [1]),
        Row(
            "below an exact name, its parent counts", .mostSpecific, [with("a.test", .anyDepth), only("b.a.test")],
            "c.b.a.test", [0]),
        Row(
            "for one name, the narrower rule wins", .mostSpecific, [with("a.test", .anyDepth), only("a.test")],
            "a.test", [1]),
        Row(
            "for one name, one label wins over any depth", .mostSpecific,
            [with("a.test", .anyDepth), below("a.test", .oneLabel)], "b.a.test", [1]),
        Row(
            "in a union, all of them count", .union, [with("a.test", .oneLabel), only("b.a.test")], "b.a.test", [0, 1]),
        Row(
            "in a union, rules that don't match don't count", .union,
            [with("a.test", .oneLabel), with("b.a.test", .oneLabel)], "c.b.a.test", [1]),
        Row("an address", .mostSpecific, [only("192.0.2.1"), with("2.1", .anyDepth)], "192.0.2.1", [0]),
    ]

    @Test("The configuration's selection decides which rules apply to a host", arguments: rows)
    func applyingRules(_ row: Row) throws {
        let pins = row.domains.indices.map { Pin(.key(TestPins.pin($0))) }
        var rules: [PinRule] = []
        for (index, domain) in row.domains.enumerated() {
            guard let domain else { continue }
            rules.append(try PinRule(hosts: [domain], pins: [pins[index]]))
        }
        let table = PinTable(try PinConfiguration(rules: rules, selection: row.selection))
        let found = table.rule(for: try Hostname(row.host))
        #expect(found?.pins.map(\.value) ?? [] == row.rules.map { pins[$0].value })
    }
}
