// SPDX-License-Identifier: Apache-2.0

import Foundation
import PinTestSupport
import ServerTrust
import Testing

@testable import ServerTrustPins

/// Hosts that an app always pins, whatever a list contains.
@Suite("Hosts that are always pinned") struct AlwaysPinnedHostsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let pattern: String
        /// The hosts of rules, each with its mode.
        let rules: [(hosts: String, mode: String)]
        let isPinned: Bool

        init(_ name: String, _ pattern: String, _ rules: [(hosts: String, mode: String)], isPinned: Bool) {
            self.testDescription = name
            self.pattern = pattern
            self.rules = rules
            self.isPinned = isPinned
        }
    }

    static let enforced = "enforced"

    static let rows: [Row] = [
        Row("the name by a rule for it", "example.com", [("example.com", enforced)], isPinned: true),
        Row("the name by a rule for its domain", "api.example.com", [("**.example.com", enforced)], isPinned: true),
        Row("the name by a wildcard", "api.example.com", [("*.example.com", enforced)], isPinned: true),
        Row("two labels below a wildcard", "v1.api.example.com", [("*.example.com", enforced)], isPinned: false),
        Row("a name in different case", "api.example.com", [("API.Example.COM", enforced)], isPinned: true),
        Row("an address", "192.0.2.1", [("192.0.2.1", enforced)], isPinned: true),
        Row("another address", "192.0.2.1", [("192.0.2.2", enforced)], isPinned: false),
        Row("a name that ends with another name", "example.com", [("notexample.com", enforced)], isPinned: false),
        Row("a domain by itself", "**.example.com", [("**.example.com", enforced)], isPinned: true),
        Row("a domain by the one above", "**.api.example.com", [("**.example.com", enforced)], isPinned: true),
        Row("a domain narrowed to its name", "**.example.com", [("example.com", enforced)], isPinned: false),
        Row("a domain narrowed to one label", "**.example.com", [("*.example.com", enforced)], isPinned: false),
        Row(
            "a domain narrowed to its name and one label", "**.example.com",
            [("example.com", enforced), ("*.example.com", enforced)], isPinned: false),
        Row(
            "a hole in a domain", "**.example.com",
            [("**.example.com", enforced), ("static.example.com", "unpinned")], isPinned: false),
        Row(
            "a hole far below a domain", "**.example.com",
            [("**.example.com", enforced), ("*.b.a.example.com", "reportOnly")], isPinned: false),
        Row(
            "a hole above only the host", "**.api.example.com",
            [("**.api.example.com", enforced), ("**.example.com", "reportOnly")], isPinned: true),
        Row(
            "a separate rule below a domain", "**.example.com",
            [("**.example.com", enforced), ("api.example.com", enforced)], isPinned: true),
        Row("a wildcard by itself", "*.example.com", [("*.example.com", enforced)], isPinned: true),
        Row("a wildcard by the domain", "*.example.com", [("**.example.com", enforced)], isPinned: true),
        Row(
            "a wildcard two labels below a wildcard", "*.api.example.com", [("*.example.com", enforced)],
            isPinned: false),
        Row(
            "a hole one label below a wildcard", "*.example.com",
            [("*.example.com", enforced), ("static.example.com", "unpinned")], isPinned: false),
        Row(
            "a hole two labels below a wildcard, which it doesn't cover", "*.example.com",
            [("*.example.com", enforced), ("a.static.example.com", "unpinned")], isPinned: true),
    ]

    /// Returns a configuration with a pin in each rule that may have one.
    private static func configuration(_ rules: [(hosts: String, mode: String)]) throws -> PinConfiguration {
        let rules = rules.map { rule in
            let pins =
                rule.mode == "unpinned"
                ? "" : #","pins":[{"key":"\#(TestPins.pin(1))","scope":"anywhere","role":"inUse"}]"#
            return #"{"mode":"\#(rule.mode)","hosts":["\#(rule.hosts)"]\#(pins)}"#
        }
        let text = """
            {"schemaVersion":1,"selection":"mostSpecific","unlistedHosts":"evaluatedByDefault",\
            "rules":[\(rules.joined(separator: ","))]}
            """
        return try PinConfiguration(json: Array(text.utf8), file: "pins")
    }

    @Test("A pattern is pinned if each of its hosts is pinned", arguments: rows)
    func patterns(_ row: Row) throws {
        let configuration = try Self.configuration(row.rules)
        let floor = AlwaysPinnedHosts(patterns: [try HostPattern(row.pattern)])
        #expect(refusal { try floor.check(configuration) } == (row.isPinned ? nil : .pinListHostUnpinned))
        #expect(try AlwaysPinnedHosts(patterns: []).check(configuration) == ())
    }

    @Test("The result for a pattern matches the rules for its hosts", arguments: rows)
    func hosts(_ row: Row) throws {
        // Names up to three labels below each name in a row.
        let table = PinTable(try Self.configuration(row.rules))
        let pattern = try HostPattern(row.pattern)
        var names = Set(["example.com", "api.example.com", "static.example.com", "a.example.com", "b.a.example.com"])
        for _ in 0..<3 { names.formUnion(names.flatMap { ["x.\($0)", "static.\($0)"] }) }
        names.formUnion(["192.0.2.1", "v1.api.example.com", "api.example.com"])
        let hosts = try names.map { try Hostname($0) }.filter { pattern.matches($0) }
        #expect(!hosts.isEmpty)
        #expect(hosts.allSatisfy { table.rule(for: $0)?.mode == .enforced } == row.isPinned)
    }

    @Test("Pins that fail closed when they expire, and anchors that need pins, count as firm")
    func firm() throws {
        let fixture = try RootFixture()
        for text in [
            #""expires":{"at":"2127-01-01T00:00:00Z","afterwards":"refused"},"mode":"enforced""#,
            #""anchors":[{"source":"system","overridesPins":false}],"mode":"enforced""#,
            #""reportURIs":["https://reports.example.com"],"mode":"enforced""#,
        ] {
            var listState = try fixture.listState()
            let list = try SignedPinList.signed(
                try fixture.altered(RootAttackTests.mode, text), by: [fixture.office])
            _ = try listState.accept(list, at: ListFixture.now)
            #expect(listState.sequence == 6)
        }
    }

    @Test("Without always-pinned hosts, a list may drop any host")
    func none() throws {
        let fixture = try RootFixture()
        let list = try SignedPinList.signed(
            try fixture.altered(#""name":"api.example.com""#, #""name":"www.example.com""#), by: [fixture.office])
        #expect(try fixture.builtIn(alwaysPinned: []).verify(list, at: ListFixture.now).sequence == 6)
        #expect(refusal { _ = try fixture.builtIn().verify(list, at: ListFixture.now) } == .pinListHostUnpinned)
    }

    @Test("An app doesn't start with a built-in list that doesn't pin its hosts")
    func builtIn() throws {
        try withFolder { folder in
            let fixture = try RootFixture()
            let builtIn = try fixture.builtIn(alwaysPinned: ["api.example.com", "www.example.com"])
            #expect(refusal { _ = try fixture.lists.store(folder, builtIn: builtIn) } == .pinListHostUnpinned)
            let document = try BuiltInPinList(try fixture.list(5), alwaysPinned: [HostPattern("www.example.com")])
            #expect(refusal { _ = try fixture.lists.store(folder, builtIn: document) } == .pinListHostUnpinned)
            #expect(
                try fixture.lists.store(
                    folder, builtIn: BuiltInPinList(fixture.list(5), alwaysPinned: [HostPattern("api.example.com")])
                ).sequence == 5)
        }
    }

    @Test("A stored list that doesn't pin a new release's host yields to the built-in list, but isn't lost")
    func release() throws {
        try withFolder { folder in
            let fixture = try RootFixture()
            let old = try fixture.lists.store(folder, builtIn: try fixture.builtIn(alwaysPinned: []))
            let list = try SignedPinList.signed(
                try fixture.altered(#""name":"api.example.com""#, #""name":"www.example.com""#), by: [fixture.office])
            try old.accept(list.bytes, at: ListFixture.now)
            let store = try fixture.lists.store(folder, builtIn: try fixture.builtIn())
            #expect(store.fileProblem?.code == .pinListHostUnpinned)
            #expect(store.list == nil)
            #expect(FileManager.default.fileExists(atPath: store.file))
            try store.accept(try fixture.list(7).bytes, at: ListFixture.now)
            #expect(store.sequence == 7)
        }
    }
}
