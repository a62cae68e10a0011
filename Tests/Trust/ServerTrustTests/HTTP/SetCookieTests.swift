// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing

@testable import ServerTrust

@Suite("Cookies that servers set (RFC 6265 § 5.2 and § 5.3)")
struct SetCookieTests {
    private static let now = Time(secondsSinceEpoch: 784_111_777)  // Sun, 06 Nov 1994 08:49:37 GMT

    private func cookie(
        _ field: String, host: String = "www.example.com", path: String = "/a/b", isSecure: Bool = true
    ) -> SetCookie? {
        SetCookie(field, from: CookieTarget(host: host, path: path, isSecure: isSecure), now: Self.now)
    }

    @Test(
        "The name and the value are the text before and after the first equals sign",
        arguments: [
            ("a=b", "a", "b"), (" a = b ", "a", "b"), ("a=", "a", ""), ("a=b=c", "a", "b=c"),
            ("a=\"b c\"", "a", "\"b c\""), ("a=b;", "a", "b"), ("a=b;;;", "a", "b"), ("a=b; unknown=x", "a", "b"),
            // A comma doesn't end a cookie.
            ("a=b, c=d", "a", "b, c=d"), ("a=b\t", "a", "b"), ("a=ü", "a", "ü"),
        ])
    func pairs(field: String, name: String, value: String) {
        let cookie = cookie(field)
        #expect(cookie?.name == name)
        #expect(cookie?.value == value)
    }

    @Test(
        "A field that has no name, contains a control character or is too long sets no cookie",
        arguments: [
            "", ";", "a", "a; Path=/", "=b", " =b", "=", "a=b\u{0}", "a=b\r\nX: y", "a=\u{7f}", "a=b; Path=/\u{1}",
            "a=" + String(repeating: "x", count: SetCookie.maximumSize),
        ])
    func refused(field: String) {
        #expect(cookie(field) == nil)
    }

    @Test("The parser accepts a cookie of the maximum size")
    func largest() {
        #expect(cookie("a=" + String(repeating: "x", count: SetCookie.maximumSize - 1)) != nil)
    }

    struct Scope: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var host = "www.example.com"
        let attribute: String
        /// The cookie's domain, or nil if the cookie is rejected.
        let domain: String?
        var isHostOnly = false
    }

    static let scopes: [Scope] = [
        Scope(testDescription: "no domain", attribute: "", domain: "www.example.com", isHostOnly: true),
        Scope(testDescription: "an empty domain", attribute: "; Domain=", domain: "www.example.com", isHostOnly: true),
        Scope(testDescription: "a single dot", attribute: "; Domain=.", domain: "www.example.com", isHostOnly: true),
        Scope(testDescription: "the domain above", attribute: "; Domain=example.com", domain: "example.com"),
        Scope(testDescription: "a leading dot", attribute: "; Domain=.example.com", domain: "example.com"),
        Scope(testDescription: "upper case", attribute: "; DOMAIN=Example.COM", domain: "example.com"),
        Scope(testDescription: "the host", attribute: "; Domain=www.example.com", domain: "www.example.com"),
        Scope(
            testDescription: "the last domain counts", attribute: "; Domain=other.com; Domain=example.com",
            domain: "example.com"),
        Scope(
            testDescription: "the last domain is another one", attribute: "; Domain=example.com; Domain=x.com",
            domain: nil),
        Scope(testDescription: "another domain", attribute: "; Domain=other.com", domain: nil),
        Scope(testDescription: "a name below the host", attribute: "; Domain=a.www.example.com", domain: nil),
        Scope(testDescription: "a part of a label", attribute: "; Domain=ample.com", domain: nil),
        Scope(testDescription: "two leading dots", attribute: "; Domain=..example.com", domain: nil),
        Scope(testDescription: "a trailing dot", attribute: "; Domain=example.com.", domain: nil),
        Scope(testDescription: "a top-level domain", attribute: "; Domain=com", domain: nil),
        Scope(testDescription: "a top-level domain with a dot", attribute: "; Domain=.com", domain: nil),
        Scope(
            testDescription: "a public suffix of two labels", host: "www.example.co.uk", attribute: "; Domain=co.uk",
            domain: nil),
        Scope(
            testDescription: "a domain below a public suffix", host: "www.example.co.uk",
            attribute: "; Domain=example.co.uk", domain: "example.co.uk"),
        Scope(
            testDescription: "a private suffix", host: "one.github.io", attribute: "; Domain=github.io", domain: nil),
        Scope(
            testDescription: "a public suffix that is the host", host: "github.io", attribute: "; Domain=github.io",
            domain: "github.io", isHostOnly: true),
        Scope(
            testDescription: "a name of one label", host: "localhost", attribute: "; Domain=localhost",
            domain: "localhost", isHostOnly: true),
        Scope(
            testDescription: "an address", host: "192.0.2.1", attribute: "; Domain=192.0.2.1", domain: "192.0.2.1",
            isHostOnly: true),
        Scope(testDescription: "a part of an address", host: "192.0.2.1", attribute: "; Domain=2.1", domain: nil),
    ]

    @Test("A server sets cookies only for itself and for registrable domains above it", arguments: scopes)
    func scope(row: Scope) {
        let cookie = cookie("a=b" + row.attribute, host: row.host)
        #expect(cookie?.domain == row.domain)
        #expect((cookie?.isHostOnly ?? false) == row.isHostOnly)
    }

    @Test(
        "The path comes from the attribute, or from the request's directory if there is no attribute",
        arguments: [
            ("", "/a"), ("; Path=/", "/"), ("; path=/x/y", "/x/y"), ("; Path=x", "/a"), ("; Path=", "/a"),
            ("; Path", "/a"), ("; Path=/x; Path=/y", "/y"), ("; Path=/x; Path=y", "/a"), ("; Path = /x ", "/x"),
        ])
    func path(attribute: String, expected: String) {
        #expect(cookie("a=b" + attribute)?.path == expected)
    }

    @Test(
        "Max-Age has priority over Expires, and a value that isn't a number is ignored",
        arguments: [
            ("", nil), ("; Max-Age=60", 60), ("; MAX-AGE=60", 60), ("; Max-Age=0", Int64.min),
            ("; Max-Age=-1", .min), ("; Max-Age=-99999999999999999999", .min), ("; Max-Age=60; Max-Age=5", 5),
            ("; Max-Age=60; Expires=Sun, 06 Nov 1994 08:49:37 GMT", 60),
            ("; Expires=Sun, 06 Nov 1994 09:49:37 GMT; Max-Age=60", 60),
            ("; Expires=Sun, 06 Nov 1994 09:49:37 GMT", 3600),
            ("; Max-Age=soon; Expires=Sun, 06 Nov 1994 09:49:37 GMT", 3600), ("; Max-Age=", nil),
            ("; Max-Age=-", nil), ("; Max-Age=+5", nil), ("; Max-Age=5.5", nil), ("; Max-Age=0x5", nil),
            ("; Max-Age=5 5", nil), ("; Expires=never", nil), ("; Expires=0", nil),
            ("; Max-Age=99999999999999999999", 1 << 31),
        ] as [(String, Int64?)])
    func end(attributes: String, expected: Int64?) {
        let end = cookie("a=b" + attributes)?.expires
        switch expected {
        case Int64.min?: #expect(end.map { $0 < Self.now } == true)
        default: #expect(end == expected.map { Self.now.advanced(by: $0) })
        }
    }

    @Test(
        "The names Secure and HttpOnly set the attributes, whatever their values",
        arguments: [
            ("", false, false), ("; Secure", true, false), ("; secure=no", true, false), ("; HttpOnly", false, true),
            ("; HTTPONLY; SECURE", true, true), ("; Secured", false, false),
        ])
    func flags(attributes: String, isSecure: Bool, isHTTPOnly: Bool) {
        #expect(cookie("a=b" + attributes)?.isSecure == isSecure)
        #expect(cookie("a=b" + attributes)?.isHTTPOnly == isHTTPOnly)
    }

    @Test(
        "A name with a prefix must meet the prefix's conditions",
        arguments: [
            ("__Secure-a=b; Secure", true), ("__Secure-a=b", false), ("__secure-a=b", false),
            ("__Host-a=b; Secure; Path=/", true), ("__Host-a=b; Secure", false), ("__Host-a=b; Path=/", false),
            ("__Host-a=b; Secure; Path=/x", false), ("__Host-a=b; Secure; Path=/; Domain=www.example.com", false),
            ("__HOST-a=b", false), ("Host-a=b", true), ("x__Host-a=b", true),
        ])
    func prefixes(field: String, isTaken: Bool) {
        #expect((cookie(field) != nil) == isTaken)
    }

    @Test("A server without TLS sets no secure cookie")
    func cleartext() {
        #expect(cookie("a=b; Secure", isSecure: false) == nil)
        #expect(cookie("a=b", isSecure: false) != nil)
    }
}

@Suite("Cookie dates (RFC 6265 § 5.1.1)")
struct CookieDateTests {
    @Test(
        "The parser reads a date in each form that servers write",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "Sun, 06-Nov-1994 08:49:37 GMT", "06 Nov 1994 8:49:37", "1994 Nov 06 08:49:37", "08:49:37 6 november 94",
            "Sun,06/NOV/1994@08:49:37", "06 Nov 1994 08:49:37 GMT+0200", "6th Nov 1994 08:49:37x",
        ])
    func forms(text: String) {
        #expect(CookieDate.parse(text)?.description == "1994-11-06T08:49:37Z")
    }

    @Test(
        "Two-digit years are in the range from 1970 to 2069",
        arguments: [("69", "2069"), ("70", "1970"), ("99", "1999"), ("00", "2000"), ("1601", "1601")])
    func years(digits: String, expected: String) {
        #expect(CookieDate.parse("1 Jan \(digits) 00:00:00")?.description == "\(expected)-01-01T00:00:00Z")
    }

    @Test(
        "A string with a missing or out-of-range part isn't a date",
        arguments: [
            "", "0", "never", "06 Nov 1994", "Nov 1994 08:49:37", "06 1994 08:49:37", "06 Nov 08:49:37",
            "32 Jan 1994 08:49:37", "31 Feb 1994 08:49:37", "0 Jan 1994 08:49:37", "06 Nov 1994 24:00:00",
            "06 Nov 1994 23:60:00", "06 Nov 1994 23:59:60", "06 Nov 1600 08:49:37", "06 Nov 19945 08:49:37",
            "06 Nov 1994 08:49", "06 Nov 1994 008:49:37", "06 Nov 1994 08:49:377", "-1 -1 -1 -1:-1:-1",
        ])
    func refused(text: String) {
        #expect(CookieDate.parse(text) == nil)
    }
}
