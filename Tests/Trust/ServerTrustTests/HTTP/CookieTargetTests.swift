// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ServerTrust

@Suite("Cookies for a request (RFC 6265 § 5.1)")
struct CookieTargetTests {
    private func target(_ host: String, _ path: String = "/", isSecure: Bool = true) -> CookieTarget {
        CookieTarget(host: host, path: path, isSecure: isSecure)
    }

    @Test(
        "A domain matches itself and the names below it, but an address matches only itself",
        arguments: [
            ("example.com", "example.com", true), ("www.example.com", "example.com", true),
            ("a.b.example.com", "example.com", true), ("EXAMPLE.com", "example.com", true),
            ("example.com", "www.example.com", false), ("example.com", "other.com", false),
            // A suffix of the name that doesn't begin at a label.
            ("badexample.com", "example.com", false), ("example.com", "xample.com", false),
            ("example.com", "", false), ("example.com", ".com", false), (".example.com", "example.com", false),
            ("example.com.", "example.com", false), ("example.com", "example.com.", false),
            ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "2.1", false), ("192.0.2.1", "0.2.1", false),
            ("::1", "::1", true), ("[::1]", "[::1]", true),
        ])
    func domains(host: String, domain: String, expected: Bool) {
        #expect(target(host).matches(domain: domain) == expected)
    }

    @Test(
        "A path matches itself and the paths below it",
        arguments: [
            ("/", "/", true), ("/a", "/", true), ("/a/b", "/a", true), ("/a/", "/a", true), ("/a/b", "/a/", true),
            ("/a", "/a", true), ("/a/b/c", "/a/b", true), ("", "/", true),
            // A prefix of the path that doesn't end at a slash.
            ("/ab", "/a", false), ("/a", "/a/", false), ("/", "/a", false), ("", "/a", false), ("/A", "/a", false),
            ("/a%2Fb", "/a", false), ("/b/a", "/a", false),
        ])
    func paths(request: String, cookie: String, expected: Bool) {
        #expect(target("example.com", request).matches(path: cookie) == expected)
    }

    @Test(
        "A cookie without a path gets the directory of the request's path",
        arguments: [
            ("", "/"), ("/", "/"), ("/a", "/"), ("/a/", "/a"), ("/a/b", "/a"), ("/a/b/", "/a/b"),
            ("/a/b/c.html", "/a/b"), ("//", "/"), ("a/b", "/"),
        ])
    func defaultPath(request: String, expected: String) {
        #expect(target("example.com", request).defaultPath == expected)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var host = "www.example.com"
        var path = "/"
        var isRequestSecure = true
        var domain = "example.com"
        var isHostOnly = false
        var cookiePath = "/"
        var isSecure = false
        let isSent: Bool
    }

    static let rows: [Row] = [
        Row(testDescription: "the client sends a cookie of a domain to a host below it", isSent: true),
        Row(
            testDescription: "the client sends a cookie of a domain to the domain itself", host: "example.com",
            isSent: true),
        Row(
            testDescription: "the client doesn't send a cookie of one host to hosts below it", isHostOnly: true,
            isSent: false),
        Row(
            testDescription: "the client sends a cookie of one host to that host", host: "example.com",
            isHostOnly: true, isSent: true),
        Row(testDescription: "the client doesn't send a cookie to another domain", domain: "other.com", isSent: false),
        Row(testDescription: "the client doesn't send a cookie to another path", cookiePath: "/a", isSent: false),
        Row(
            testDescription: "the client sends a cookie to a path below its own", path: "/a/b", cookiePath: "/a",
            isSent: true),
        Row(testDescription: "the client sends a secure cookie over TLS", isSecure: true, isSent: true),
        Row(
            testDescription: "the client doesn't send a secure cookie without TLS", isRequestSecure: false,
            isSecure: true,
            isSent: false),
        Row(testDescription: "the client sends any other cookie without TLS too", isRequestSecure: false, isSent: true),
        // Other software stored these cookies.
        Row(testDescription: "the client never sends a cookie of a top-level domain", domain: "com", isSent: false),
        Row(
            testDescription: "the client never sends a cookie of a public suffix", host: "www.example.co.uk",
            domain: "co.uk",
            isSent: false),
        Row(
            testDescription: "the client sends a public suffix that is the host itself its cookie", host: "github.io",
            domain: "github.io", isHostOnly: true, isSent: true),
    ]

    @Test("The client sends a stored cookie only if host, path and scheme match", arguments: rows)
    func sent(row: Row) {
        let target = target(row.host, row.path, isSecure: row.isRequestSecure)
        #expect(
            target.receives(
                domain: row.domain, isHostOnly: row.isHostOnly, path: row.cookiePath, isSecure: row.isSecure)
                == row.isSent)
    }
}
