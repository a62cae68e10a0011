// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing

@testable import ServerTrust

@Suite("Host pattern")
struct HostPatternTests {
    static let readRows: [(text: String, kind: HostPattern.Kind, name: String, canonical: String)] = [
        ("api.example.com", .exact, "api.example.com", "api.example.com"),
        ("API.Example.COM.", .exact, "api.example.com", "api.example.com"),
        ("localhost", .exact, "localhost", "localhost"),
        ("_sip.example.com", .exact, "_sip.example.com", "_sip.example.com"),
        ("192.0.2.1", .exact, "192.0.2.1", "192.0.2.1"),
        ("2001:DB8:0::1", .exact, "2001:db8::1", "2001:db8::1"),
        ("[::1]", .exact, "::1", "::1"),
        ("::ffff:192.0.2.1", .exact, "::ffff:c000:201", "::ffff:c000:201"),
        ("*.example.com", .oneLabel, "example.com", "*.example.com"),
        ("*.Example.com.", .oneLabel, "example.com", "*.example.com"),
        ("*.internal", .oneLabel, "internal", "*.internal"),
        ("**.example.com", .anyDepth, "example.com", "**.example.com"),
        ("**.EXAMPLE.com.", .anyDepth, "example.com", "**.example.com"),
        ("**.com", .anyDepth, "com", "**.com"),
        ("**.xn--bcher-kva.example", .anyDepth, "xn--bcher-kva.example", "**.xn--bcher-kva.example"),
    ]

    @Test("A pattern is parsed into its canonical form, which parses into the same pattern", arguments: readRows)
    func read(text: String, kind: HostPattern.Kind, name: String, canonical: String) throws {
        let pattern = try HostPattern(text)
        #expect(pattern.kind == kind)
        #expect(pattern.name == name)
        #expect(pattern.description == canonical)
        #expect(try HostPattern(canonical) == pattern)
        #expect(try HostPattern(canonical).hashValue == pattern.hashValue)
    }

    @Test(
        "The pattern of a host equals the pattern parsed from its text",
        arguments: ["example.com", "192.0.2.1", "2001:db8::1"])
    func ofHost(text: String) throws {
        let host = try Hostname(text)
        #expect(try HostPattern(host) == HostPattern(text))
        #expect(HostPattern(host).matches(host))
    }

    static let refusedRows: [(text: String, code: ErrorCode, label: String?)] = [
        ("", .hostPatternEmpty, nil),
        ("*", .hostPatternWithoutName, nil), ("**", .hostPatternWithoutName, nil),
        ("*.", .hostPatternWithoutName, nil), ("**.", .hostPatternWithoutName, nil),
        ("***", .hostPatternWildcardMisplaced, "***"), ("***.example.com", .hostPatternWildcardMisplaced, "***"),
        ("*example.com", .hostPatternWildcardMisplaced, "*example"),
        ("api*.example.com", .hostPatternWildcardMisplaced, "api*"),
        ("a*i.example.com", .hostPatternWildcardMisplaced, "a*i"),
        ("**a.example.com", .hostPatternWildcardMisplaced, "**a"),
        ("a.*.example.com", .hostPatternWildcardMisplaced, "*"),
        ("*.*.example.com", .hostPatternWildcardMisplaced, "*"),
        ("**.*.example.com", .hostPatternWildcardMisplaced, "*"),
        ("*.**.example.com", .hostPatternWildcardMisplaced, "**"),
        ("example.*", .hostPatternWildcardMisplaced, "*"), ("example.com.*", .hostPatternWildcardMisplaced, "*"),
        ("*.a.b*", .hostPatternWildcardMisplaced, "b*"), (".*.example.com", .hostPatternWildcardMisplaced, "*"),
        (" *.example.com", .hostPatternWildcardMisplaced, " *"), ("192.0.2.*", .hostPatternWildcardMisplaced, "*"),
        ("*.192.0.2.1", .hostPatternWildcardBeforeAddress, nil),
        ("**.192.0.2.1", .hostPatternWildcardBeforeAddress, nil),
        ("*.2001:db8::1", .hostPatternWildcardBeforeAddress, nil), ("**.[::1]", .hostPatternWildcardBeforeAddress, nil),
        ("https://example.com", .hostPatternHasScheme, nil), ("https://*.example.com/", .hostPatternHasScheme, nil),
        ("https://*", .hostPatternHasScheme, nil), ("://example.com", .hostPatternHasScheme, nil),
        ("wss://[::1]:443/", .hostPatternHasScheme, nil),
        ("example.com:443", .hostPatternHasPort, nil), ("*.example.com:443", .hostPatternHasPort, nil),
        ("**.example.com:*", .hostPatternHasPort, nil),
        ("*:443", .hostPatternHasPort, nil), ("example.com:", .hostPatternHasPort, nil),
        (":443", .hostPatternHasPort, nil), ("192.0.2.1:443", .hostPatternHasPort, nil),
        ("[::1]:443", .hostPatternHasPort, nil), ("*.[::1]:443", .hostPatternHasPort, nil),
        ("https:example.com", .hostPatternHasPort, nil),
        ("example.com/", .hostPatternHasPath, nil), ("*.example.com/x", .hostPatternHasPath, nil),
        ("example.com:443/x", .hostPatternHasPath, nil),
        ("//example.com", .hostPatternHasPath, nil), ("/", .hostPatternHasPath, nil),
        ("example.com?x", .hostPatternHasPath, nil), ("example.com#x", .hostPatternHasPath, nil),
        ("192.0.2.0/24", .hostPatternHasPath, nil), ("2001:db8::/32", .hostPatternHasPath, nil),
        ("example.com/https://a", .hostPatternHasPath, nil),
    ]

    @Test("A string that isn't a pattern is rejected with the reason", arguments: refusedRows)
    func refused(text: String, code: ErrorCode, label: String?) {
        do throws(HostPatternError) {
            let pattern = try HostPattern(text)
            Issue.record("\(text) was read as \(pattern)")
        } catch {
            #expect(error.code == code)
            #expect(error.text == text)
            #expect(error.label == label && error.host == nil)
        }
    }

    static let badNameRows: [(text: String, name: String)] = [
        (".", "."), ("a..b", "a..b"),
        ("*..example.com", ".example.com"),
        ("*..", "."), ("**.example.com..", "example.com.."),
        (".example.com", ".example.com"), ("*.-a.example", "-a.example"),
        ("a b", "a b"), ("*. example.com", " example.com"),
        ("user@example.com", "user@example.com"), ("*.1.2", "1.2"),
        ("1.2.3", "1.2.3"), ("[::1", "[::1"),
        ("**.[example.com]", "[example.com]"), ("fe80::1%eth0", "fe80::1%eth0"),
        ("*.bücher.example", "bücher.example"), ("*.\u{301}.example", "\u{301}.example"),
        ("**." + String(repeating: "a", count: 64), String(repeating: "a", count: 64)),
    ]

    @Test("A pattern with an impossible name is rejected like a host name", arguments: badNameRows)
    func badName(text: String, name: String) throws {
        let error = try #require(throws: HostPatternError.self) { try HostPattern(text) }
        #expect(error.code == .hostPatternHostInvalid)
        let expected = try #require(throws: HostnameError.self) { try Hostname.withoutZone(name) }
        #expect(error.host == expected)
        #expect(error.text == text)
    }

    @Test("A pattern can be as long as a host name can be with the wildcard expanded")
    func lengths() throws {
        let label = String(repeating: "a", count: 63)
        let name251 = [label, label, label, String(repeating: "b", count: 59)].joined(separator: ".")
        #expect(name251.utf8.count == 251)
        #expect(try HostPattern("*." + name251).matches(Hostname("c." + name251)))
        #expect(try HostPattern("*." + name251 + ".").name == name251)
        let error = try #require(throws: HostPatternError.self) { try HostPattern("*." + name251 + "b") }
        #expect(error.code == .hostPatternTooLong)
        // The name itself is a host that this pattern matches.
        let name253 = [label, label, label, String(repeating: "b", count: 61)].joined(separator: ".")
        #expect(try HostPattern("**." + name253).matches(Hostname(name253)))
        #expect(throws: HostPatternError.self) { try HostPattern("**." + name253 + "b") }
    }

    static let matchRows: [(pattern: String, host: String, matches: Bool)] = [
        ("api.example.com", "api.example.com", true), ("api.example.com", "API.example.com.", true),
        ("api.example.com", "example.com", false), ("api.example.com", "v1.api.example.com", false),
        ("*.example.com", "api.example.com", true), ("*.example.com", "example.com", false),
        ("*.example.com", "v1.api.example.com", false), ("*.com", "example.com", true),
        ("**.example.com", "example.com", true), ("**.example.com", "api.example.com", true),
        ("**.example.com", "v1.api.example.com", true), ("**.example.com", "com", false),
        // Parts of a label don't count, and only the last labels do.
        ("*.foo.com", "bar.foo.com.notfoo.com", false), ("**.foo.com", "bar.foo.com.notfoo.com", false),
        ("*.foo.com", "xfoo.com", false), ("**.foo.com", "xfoo.com", false), ("*.foo.com", "a.xfoo.com", false),
        ("**.foo.com", "a.xfoo.com", false), ("*.foo.com", "foo.com.evil", false),
        ("**.foo.com", "foo.com.evil", false),
        ("*.foo.com", "a.foo.com.evil", false), ("foo.com", "foo.com.evil", false), ("foo.com", "xfoo.com", false),
        ("**.foo.com", "foo.comm", false), ("**.foo.com", "oo.com", false),
        // An address matches only itself.
        ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.10", false),
        ("192.0.2.1", "1.192.0.2.1.nip.io", false),
        ("2001:db8::1", "[2001:DB8:0:0::1]", true), ("[::1]", "::1", true), ("::1", "::2", false),
        ("192.0.2.1", "::ffff:192.0.2.1", false), ("**.com", "192.0.2.1", false), ("*.com", "::1", false),
    ]

    @Test("A pattern matches whole labels from the right, or an address", arguments: matchRows)
    func match(pattern: String, host: String, matches: Bool) throws {
        #expect(try HostPattern(pattern).matches(Hostname(host)) == matches)
    }

    @Test("Every pattern matches exactly the hosts that its labels describe")
    func allOfThem() throws {
        let labels = ["a", "b", "ab"]
        var names = labels.map { [$0] }
        for name in names { names += labels.map { [$0] + name } }
        for name in names where name.count == 2 { names += labels.map { [$0] + name } }
        #expect(names.count == 39)
        let hosts = try names.map { try Hostname($0.joined(separator: ".")) }
        for name in names {
            let text = name.joined(separator: ".")
            let (exact, oneLabel, anyDepth) =
                try (HostPattern(text), HostPattern("*." + text), HostPattern("**." + text))
            for (host, hostLabels) in zip(hosts, names) {
                #expect(exact.matches(host) == (hostLabels == name))
                #expect(oneLabel.matches(host) == (hostLabels.count > 1 && Array(hostLabels.dropFirst()) == name))
                #expect(anyDepth.matches(host) == (hostLabels.suffix(name.count) == name[...]))
            }
        }
    }

    @Test("A pattern equals the one parsed from its description, and no string causes a trap")
    func pieces() {
        let pieces = ["a", ".", "*", "**.", ":", "::", "1", "[", "]", "/", "-", "é", "\u{301}", "\u{0}", " "]
        var texts = [""]
        var readable = 0
        for _ in 0..<3 {
            texts = texts.flatMap { text in pieces.map { text + $0 } }
            for text in texts {
                guard let pattern = try? HostPattern(text) else { continue }
                readable += 1
                if (try? HostPattern(pattern.description)) != pattern { Issue.record("\(text) as \(pattern)") }
            }
        }
        #expect(readable > 10)
    }
}
