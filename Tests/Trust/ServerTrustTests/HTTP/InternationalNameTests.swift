// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ServerTrust

@Suite("Hosts with letters outside ASCII")
struct InternationalNameTests {
    @Test(
        "The origin of a URL has A-labels",
        arguments: [
            ("bücher.example", "xn--bcher-kva.example"), ("BÜCHER.Example", "xn--bcher-kva.example"),
            ("bu\u{308}cher.example", "xn--bcher-kva.example"),
            // Nontransitional processing (UTS 46 § 4).
            ("faß.example", "xn--fa-hia.example"), ("FAẞ.example", "xn--fa-hia.example"),
            ("νίκος.example", "xn--kxawhkp.example"),
            // A joiner after a virama (RFC 5892 appendix A).
            ("\u{915}\u{94d}\u{200d}\u{937}.example", "xn--11b2ezcw70k.example"),
            ("السعودية.example", "xn--mgberp4a5d4ar.example"), ("א1.example", "xn--1-zhc.example"),
            ("例え.テスト", "xn--r8jz45g.xn--zckzah"), ("ü", "xn--tda"),
            // ASCII labels stay what they are, and so do letters that look like other letters.
            ("WWW.ü.xn--BCHER-KVA.example", "www.xn--tda.xn--bcher-kva.example"),
            ("аpple.example", "xn--pple-43d.example"),
        ])
    func converted(host: String, expected: String) throws {
        for (authority, header, port) in [(host, expected, 443), ("\(host):8443", "\(expected):8443", 8443)] {
            let origin = try RequestTarget("https://\(authority)/ü?ü").origin
            #expect(origin.host.description == expected)
            #expect(origin.resolverName == expected)
            #expect(origin.hostHeader == header)
            #expect(origin.port == port)
        }
        #expect(try RequestTarget("https://\(host)./").origin.resolverName == "\(expected).")
        #expect(Origin(url: "https://user@\(host)/")?.host.description == expected)
    }

    /// Hosts that Foundation's parser rejects, or that would turn into another name or an address.
    private static let unclearHosts = [
        // Full stops.
        "a\u{3002}b", "a\u{ff0e}b", "a\u{ff61}b", "a\u{2024}b", "a\u{fe52}b", "ü\u{3002}example", "ß\u{ff0e}de",
        // Addresses.
        "127\u{3002}0\u{3002}0\u{3002}1", "\u{2460}.1.1.1", "\u{ff11}\u{ff12}\u{ff17}.0.0.1", "\u{ff10}x7f.1",
        "\u{2603}.example", "\u{1f600}.example", "a\u{2260}b.example", "ü.1", "ü.0x1", "ü.127.0.0.1", "[ü]", "[::1]ü",
        "ü:1:2",
        // Other names.
        "\u{fb03}.example", "\u{2167}.example", "\u{ff41}b.example", "a\u{ad}b.example", "a\u{200b}b.example",
        "\u{feff}ü.example", "\u{17f}ü.example", "\u{212a}elvin.example", "ü\u{ad}.example", "日本語.\u{ff2a}\u{ff30}",
        // Characters that aren't allowed.
        "a\u{ff0f}b.example", "a\u{ff20}b.example", "a\u{ff1a}8.example", "a\u{ff1f}b", "\u{2100}.example",
        "ü\u{fffd}.example", "\u{202e}ü.example", "ü\u{85}.example", "a.\u{301}b", "\u{301}a.example", "ü_a.example",
        "ü b.example", "ü%2e.example", "ü%00.example", "=\u{338}.example", "@\u{301}ü.example", "ü\\.example",
        // Joiners and directions.
        "a\u{200c}b.example", "a\u{200d}b.example", "\u{1f468}\u{200d}\u{1f469}.example", "\u{5d0}a.example",
        "1\u{5d0}.example", "\u{661}a.example", "0a.\u{5d0}.example",
        // Hyphens and lengths.
        "-ü.example", "ü-.example", "ab--ü.example", "xn--ü.example", "ü.xn--.example", "ü..example", ".ü.example",
        String(repeating: "ü", count: 60) + ".example", String(repeating: "ü.", count: 60) + "example",
    ]

    @Test("A host that isn't clear is malformed", arguments: unclearHosts)
    func unclear(host: String) {
        for url in ["https://\(host)/", "http://\(host):8080/x", "https://\(host)"] {
            do throws(RequestTargetError) {
                let origin = try RequestTarget(url).origin
                Issue.record("\(url): \(origin)")
            } catch {
                switch error {
                case .malformed(let text):
                    #expect(text.utf8.allSatisfy { $0 < 0x80 || "…".utf8.contains($0) }, "\(text)")
                case .userInformation: #expect(host.utf8.contains(UInt8(ascii: "@")))
                case .unsupportedScheme: Issue.record("\(url)")
                }
            }
            #expect(Origin(url: url) == nil)
        }
    }

    @Test("A redirect can't lead to a host that isn't clear", arguments: unclearHosts)
    func redirects(host: String) {
        for location in ["https://\(host)/", "//\(host)/", "https://user@\(host):1/"] {
            var chain = RedirectChain(RedirectRules(maximum: 5, targets: .checkedByCaller), from: "https://a.example/")
            let next = try? chain.next(status: 302, location: location, from: "https://a.example/", method: "GET")
            // The caller rejects a URL without an origin.
            #expect(next?.origin == nil, "\(location): \(next?.url ?? "")")
        }
    }

    @Test(
        "A redirect to a host with U-labels leads to its A-labels",
        arguments: [
            ("https://bücher.example/a", "https://xn--bcher-kva.example/a"),
            ("//bücher.example:1/a", "https://xn--bcher-kva.example:1/a"),
            ("/ü", "https://a.example/%C3%BC"), ("ü//ü", "https://a.example/%C3%BC//%C3%BC"),
            ("?u=//ü", "https://a.example/?u=//%C3%BC"), ("https://b.example/ü", "https://b.example/%C3%BC"),
        ])
    func redirect(location: String, expected: String) throws {
        var chain = RedirectChain(RedirectRules(maximum: 5), from: "https://a.example/")
        let next = try chain.next(status: 302, location: location, from: "https://a.example/", method: "GET")
        #expect(next?.url == expected)
    }

    @Test("The error names the label and its characters")
    func error() {
        #expect(
            throws: RequestTargetError.malformed("label 2 (U+FB03) of the host would become another name (UTS 46)")
        ) { try RequestTarget("https://a.\u{fb03}.example/") }
    }
}
