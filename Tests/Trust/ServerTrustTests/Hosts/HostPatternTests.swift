// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import Testing

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

    @Test("A pattern is read in its canonical form, and that form again", arguments: readRows)
    func read(text: String, kind: HostPattern.Kind, name: String, canonical: String) throws {
        let pattern = try HostPattern(text)
        #expect(pattern.kind == kind)
        #expect(pattern.name == name)
        #expect(pattern.description == canonical)
        #expect(try HostPattern(canonical) == pattern)
        #expect(try HostPattern(canonical).hashValue == pattern.hashValue)
    }

    @Test(
        "The pattern of a host is the one that is written like it",
        arguments: ["example.com", "192.0.2.1", "2001:db8::1"])
    func ofHost(text: String) throws {
        let host = try Hostname(text)
        #expect(try HostPattern(host) == HostPattern(text))
        #expect(HostPattern(host).matches(host))
    }

    static let refusedRows: [(text: String, reason: HostPatternError.Reason)] = [
        ("", .empty),
        ("*", .wildcardAlone), ("**", .wildcardAlone),
        ("*.", .wildcardAboveNothing), ("**.", .wildcardAboveNothing),
        ("***", .misplacedWildcard(label: "***")), ("***.example.com", .misplacedWildcard(label: "***")),
        ("*example.com", .misplacedWildcard(label: "*example")),
        ("api*.example.com", .misplacedWildcard(label: "api*")),
        ("a*i.example.com", .misplacedWildcard(label: "a*i")), ("**a.example.com", .misplacedWildcard(label: "**a")),
        ("a.*.example.com", .misplacedWildcard(label: "*")), ("*.*.example.com", .misplacedWildcard(label: "*")),
        ("**.*.example.com", .misplacedWildcard(label: "*")), ("*.**.example.com", .misplacedWildcard(label: "**")),
        ("example.*", .misplacedWildcard(label: "*")), ("example.com.*", .misplacedWildcard(label: "*")),
        ("*.a.b*", .misplacedWildcard(label: "b*")), (".*.example.com", .misplacedWildcard(label: "*")),
        (" *.example.com", .misplacedWildcard(label: " *")), ("192.0.2.*", .misplacedWildcard(label: "*")),
        ("*.192.0.2.1", .wildcardBeforeAddress), ("**.192.0.2.1", .wildcardBeforeAddress),
        ("*.2001:db8::1", .wildcardBeforeAddress), ("**.[::1]", .wildcardBeforeAddress),
        ("https://example.com", .hasScheme), ("https://*.example.com/", .hasScheme), ("https://*", .hasScheme),
        ("wss://[::1]:443/", .hasScheme),
        ("example.com:443", .hasPort), ("*.example.com:443", .hasPort), ("**.example.com:*", .hasPort),
        ("*:443", .hasPort), ("example.com:", .hasPort), (":443", .hasPort), ("192.0.2.1:443", .hasPort),
        ("[::1]:443", .hasPort), ("*.[::1]:443", .hasPort), ("https:example.com", .hasPort),
        ("example.com/", .hasPath), ("*.example.com/x", .hasPath), ("example.com:443/x", .hasPath),
        ("//example.com", .hasPath), ("/", .hasPath), ("example.com?x", .hasPath), ("example.com#x", .hasPath),
        ("192.0.2.0/24", .hasPath), ("2001:db8::/32", .hasPath), ("example.com/https://a", .hasPath),
    ]

    @Test("A text that is no pattern is refused, with the reason", arguments: refusedRows)
    func refused(text: String, reason: HostPatternError.Reason) {
        do throws(HostPatternError) {
            let pattern = try HostPattern(text)
            Issue.record("\(text) was read as \(pattern)")
        } catch {
            #expect(error.reason == reason)
            #expect(error.text == text)
        }
    }

    static let badNameRows: [(text: String, name: String, code: ErrorCode)] = [
        (".", ".", .hostLabelMalformed), ("a..b", "a..b", .hostLabelMalformed),
        ("*..example.com", ".example.com", .hostLabelMalformed),
        ("*..", ".", .hostLabelMalformed), ("**.example.com..", "example.com..", .hostLabelMalformed),
        (".example.com", ".example.com", .hostLabelMalformed), ("*.-a.example", "-a.example", .hostLabelMalformed),
        ("a b", "a b", .hostLabelMalformed), ("*. example.com", " example.com", .hostLabelMalformed),
        ("user@example.com", "user@example.com", .hostLabelMalformed), ("*.1.2", "1.2", .hostAddressMalformed),
        ("1.2.3", "1.2.3", .hostAddressMalformed), ("[::1", "[::1", .hostAddressMalformed),
        ("**.[example.com]", "[example.com]", .hostAddressMalformed), ("fe80::1%eth0", "fe80::1%eth0", .hostHasZone),
        ("*.bücher.example", "bücher.example", .hostNotASCII), ("*.\u{301}.example", "\u{301}.example", .hostNotASCII),
        ("**." + String(repeating: "a", count: 64), String(repeating: "a", count: 64), .hostTooLong),
    ]

    @Test("A name that no host has is refused as a host name is", arguments: badNameRows)
    func badName(text: String, name: String, code: ErrorCode) throws {
        let error = try #require(throws: HostPatternError.self) { try HostPattern(text) }
        guard case .host(let found) = error.reason else {
            Issue.record("\(text) was refused as \(error.reason)")
            return
        }
        #expect(found.code == code)
        #expect(found.text == name)
        #expect(error.text == text)
    }

    @Test("A pattern may be as long as a host name can be with the wildcard expanded")
    func lengths() throws {
        let label = String(repeating: "a", count: 63)
        let name251 = [label, label, label, String(repeating: "b", count: 59)].joined(separator: ".")
        #expect(name251.utf8.count == 251)
        #expect(try HostPattern("*." + name251).matches(Hostname("c." + name251)))
        #expect(try HostPattern("*." + name251 + ".").name == name251)
        let error = try #require(throws: HostPatternError.self) { try HostPattern("*." + name251 + "b") }
        #expect(error.reason == .noRoomForLabel)
        // The name itself is a host that this matches.
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
        // No part of a label, and no labels but the last, count.
        ("*.foo.com", "bar.foo.com.notfoo.com", false), ("**.foo.com", "bar.foo.com.notfoo.com", false),
        ("*.foo.com", "xfoo.com", false), ("**.foo.com", "xfoo.com", false), ("*.foo.com", "a.xfoo.com", false),
        ("**.foo.com", "a.xfoo.com", false), ("*.foo.com", "foo.com.evil", false),
        ("**.foo.com", "foo.com.evil", false),
        ("*.foo.com", "a.foo.com.evil", false), ("foo.com", "foo.com.evil", false), ("foo.com", "xfoo.com", false),
        ("**.foo.com", "foo.comm", false), ("**.foo.com", "oo.com", false),
        // Addresses are themselves.
        ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.10", false),
        ("192.0.2.1", "1.192.0.2.1.nip.io", false),
        ("2001:db8::1", "[2001:DB8:0:0::1]", true), ("[::1]", "::1", true), ("::1", "::2", false),
        ("192.0.2.1", "::ffff:192.0.2.1", false), ("**.com", "192.0.2.1", false), ("*.com", "::1", false),
    ]

    @Test("A pattern matches whole labels from the right, or an address", arguments: matchRows)
    func match(pattern: String, host: String, matches: Bool) throws {
        #expect(try HostPattern(pattern).matches(Hostname(host)) == matches)
    }

    @Test("Every pattern matches exactly the hosts that its labels say")
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

    @Test("A pattern is equal after reading its description again, and no text traps")
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
