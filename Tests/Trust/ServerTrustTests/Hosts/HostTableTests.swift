// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing

@testable import ServerTrust

@Suite("Host table")
struct HostTableTests {
    static let precedenceRows: [(host: String, patterns: [String], winner: String?)] = [
        ("a.b.example", ["**.example", "**.b.example", "*.b.example", "**.a.b.example", "a.b.example"], "a.b.example"),
        ("a.b.example", ["**.example", "**.b.example", "*.b.example", "**.a.b.example"], "**.a.b.example"),
        ("a.b.example", ["**.example", "**.b.example", "*.b.example"], "*.b.example"),
        ("a.b.example", ["*.b.example", "**.b.example", "**.example"], "*.b.example"),
        ("a.b.example", ["**.example", "**.b.example"], "**.b.example"),
        ("a.b.example", ["**.example", "*.example", "b.example"], "**.example"),
        ("a.b.example", ["*.example", "b.example", "*.a.b.example", "c.a.b.example"], nil),
        ("b.example", ["**.example", "*.example", "**.b.example"], "**.b.example"),
        ("example", ["*.example", "**.example"], "**.example"),
        ("example", ["*.example"], nil),
        ("xexample", ["*.example", "**.example", "example"], nil),
        ("bar.foo.com.notfoo.com", ["*.foo.com", "**.foo.com", "foo.com"], nil),
        ("192.0.2.1", ["192.0.2.2", "192.0.2.1", "::ffff:192.0.2.1"], "192.0.2.1"),
        ("::ffff:c000:201", ["192.0.2.1", "::ffff:192.0.2.1", "**.com"], "::ffff:192.0.2.1"),
        ("::2", ["::1", "**.com", "192.0.2.1"], nil),
        ("a.example", [], nil), ("192.0.2.1", [], nil),
    ]

    @Test("The most specific pattern applies, in any order", arguments: precedenceRows)
    func precedence(host: String, patterns: [String], winner: String?) throws {
        for order in [patterns, patterns.reversed()] {
            let table = try HostTable(order.map { (try HostPattern($0), $0) })
            let found = table.lookup(try Hostname(host))
            #expect(found?.value == winner)
            #expect(found?.index == winner.flatMap { order.firstIndex(of: $0) })
        }
    }

    @Test("A lookup has the same result as a search through all patterns", arguments: 0..<6)
    func agreesWithTheOracle(seed: Int) throws {
        var random = Repeatable(UInt64(200 + seed))
        // Only a few labels, so that many names share suffixes. Some labels have the same ending as others.
        let labels = ["a", "b", "ab", "eight-by", "nine-byte"]
        func name(_ longest: Int) -> String {
            (0..<Int.random(in: 1...longest, using: &random)).map { _ in labels.randomElement(using: &random) ?? "a" }
                .joined(separator: ".")
        }
        func address() -> String {
            Bool.random(using: &random)
                ? "192.0.2.\(Int.random(in: 0..<20, using: &random))" : "::\(Int.random(in: 0..<20, using: &random))"
        }
        var patterns: [HostPattern] = []
        for _ in 0..<250 {
            let text =
                switch Int.random(in: 0..<10, using: &random) {
                case 0: address()
                case 1...3: name(4)
                case 4...6: "*." + name(4)
                default: "**." + name(4)
                }
            let pattern = try HostPattern(text)
            if !patterns.contains(pattern) { patterns.append(pattern) }
        }
        let table = try HostTable(patterns.enumerated().map { ($1, $0) })
        var outcomes: [HostPattern.Kind?: Int] = [:]
        for _ in 0..<600 {
            let host = try Hostname(Int.random(in: 0..<10, using: &random) == 0 ? address() : name(6))
            let expected = mostSpecific(for: host, in: patterns)
            let found = table.lookup(host)
            #expect(found?.index == expected && found?.value == expected, "\(host)")
            outcomes[expected.map { patterns[$0].kind }, default: 0] += 1
        }
        // Each outcome occurs, so the agreement isn't by chance.
        for outcome in [nil, .exact, .oneLabel, .anyDepth] as [HostPattern.Kind?] {
            #expect(outcomes[outcome, default: 0] > 15)
        }
    }

    /// A literal implementation of the rule: the exact name, or otherwise the longest name. For the same name, one
    /// label takes precedence over any depth.
    private func mostSpecific(for host: Hostname, in patterns: [HostPattern]) -> Int? {
        func rank(_ index: Int) -> (Int, Int, Int) {
            let pattern = patterns[index]
            return (
                pattern.kind == .exact ? 1 : 0, pattern.name.utf8.count, pattern.kind == .oneLabel ? 1 : 0
            )
        }
        return patterns.indices.filter { patterns[$0].matches(host) }.max { rank($0) < rank($1) }
    }

    @Test("Of many patterns, the table finds each for exactly its hosts")
    func many() throws {
        let kinds = ["", "*.", "**."]
        let patterns = try (0..<3_000).map { try HostPattern("\(kinds[$0 % 3])n\($0).example") }
        let table = try HostTable(patterns.enumerated().map { ($1, $0) })
        #expect(table.count == 3_000)
        for index in 0..<3_000 {
            let prefix = ["", "a.", "a.b."][index % 3]
            #expect(table.lookup(try Hostname("\(prefix)n\(index).example"))?.index == index)
            // An absent name of the same length, and one label too many or too few for the kind.
            #expect(table.lookup(try Hostname("\(prefix)m\(index).example")) == nil)
            if index % 3 == 0 { #expect(table.lookup(try Hostname("a.n\(index).example")) == nil) }
            if index % 3 == 1 { #expect(table.lookup(try Hostname("n\(index).example")) == nil) }
        }
    }

    @Test("The table finds addresses by their bytes")
    func addresses() throws {
        let texts = (0..<500).map {
            $0 % 2 == 0 ? "10.0.\($0 / 256).\($0 % 256)" : "2001:db8::\(String($0, radix: 16))"
        }
        let table = try HostTable(texts.enumerated().map { (try HostPattern($1), $0) })
        for (index, text) in texts.enumerated() {
            #expect(table.lookup(try Hostname(text))?.index == index)
            #expect(table[index].pattern.description == text)
        }
        #expect(table.lookup(try Hostname("10.0.0.1")) == nil)
        #expect(table.lookup(try Hostname("2001:db8::2")) == nil)
    }

    @Test("The table finds names of up to 127 labels and 253 bytes", arguments: [1, 2, 62, 63, 64, 65, 125, 126, 127])
    func depth(labels: Int) throws {
        let name = Array(repeating: "a", count: labels).joined(separator: ".")
        let above = name.split(separator: ".").dropFirst().joined(separator: ".")
        for text in [name, "**." + name] + (above.isEmpty ? [] : ["*." + above, "**." + above]) {
            let table = try HostTable([(try HostPattern(text), 0)])
            #expect(table.lookup(try Hostname(name)) != nil, "\(text)")
            #expect(table.lookup(try Hostname("b")) == nil, "\(text)")
        }
        #expect(try HostTable([(try HostPattern("**.a"), 0)]).lookup(try Hostname(name)) != nil)
    }

    @Test("The table finds and distinguishes labels of every length", arguments: 1...62)
    func labelLength(count: Int) throws {
        let label = String(repeating: "a", count: count)
        let table = try HostTable([(try HostPattern("\(label).example"), 0), (try HostPattern("**.\(label)"), 1)])
        #expect(table.lookup(try Hostname("\(label).example"))?.index == 0)
        #expect(table.lookup(try Hostname("x.\(label)"))?.index == 1)
        #expect(table.lookup(try Hostname("b\(label.dropFirst()).example")) == nil)
        #expect(table.lookup(try Hostname("\(label.dropLast())b.example")) == nil)
        #expect(table.lookup(try Hostname("x\(label)")) == nil)
    }

    static let duplicateRows: [(patterns: [String], duplicate: String)] = [
        (["a.example", "A.example."], "a.example"),
        (["*.example", "b.example", "*.EXAMPLE"], "*.example"),
        (["**.example", "*.example", "example", "**.example"], "**.example"),
        (["::1", "a.example", "[0::1]"], "::1"),
        (["192.0.2.1", "192.0.2.1"], "192.0.2.1"),
        // The first repeated pattern is reported.
        (["a.example", "b.example", "c.example", "c.example", "b.example", "a.example"], "c.example"),
    ]

    @Test("A repeated pattern is refused in any spelling", arguments: duplicateRows)
    func duplicates(patterns: [String], duplicate: String) throws {
        let expected = HostTableError.duplicate(try HostPattern(duplicate))
        #expect(throws: expected) { try HostTable(patterns.map { (try HostPattern($0), 0) }) }
    }

    @Test("As a collection, the table contains the entries in their original order")
    func collection() throws {
        let texts = ["b.example", "**.a.example", "::1", "*.a.example", "a.example", "192.0.2.1", "a", "**.b.example"]
        let patterns = try texts.map { try HostPattern($0) }
        let table = try HostTable(zip(patterns, texts))
        #expect(table.map(\.pattern) == patterns)
        #expect(table.map(\.value) == texts)
        #expect(table.map(\.pattern.description) == texts)
        #expect(try HostTable<Int>([]).isEmpty)
    }
}

/// A generator that returns the same numbers in every run: Vigna's SplitMix64.
private struct Repeatable: RandomNumberGenerator {
    var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
        return z ^ z >> 31
    }
}
