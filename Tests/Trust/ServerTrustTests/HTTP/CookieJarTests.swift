// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import Testing

@Suite("Cookies in memory")
struct CookieJarTests {
    private static let now = Time(secondsSinceEpoch: 1_795_780_800)

    private func target(_ host: String, _ path: String = "/", isSecure: Bool = true) -> CookieTarget {
        CookieTarget(host: host, path: path, isSecure: isSecure)
    }

    /// Returns a jar with the cookies that the host has set.
    private func jar(_ fields: String..., host: String = "www.example.com") -> CookieJar {
        var jar = CookieJar()
        jar.store(fields, from: target(host), now: Self.now)
        return jar
    }

    private func field(
        _ jar: CookieJar, _ host: String = "www.example.com", _ path: String = "/", isSecure: Bool = true,
        after seconds: Int64 = 0
    ) -> String? {
        var jar = jar
        return jar.field(for: target(host, path, isSecure: isSecure), now: Self.now.advanced(by: .seconds(seconds)))
    }

    @Test("Longer paths come first, then older cookies, and a changed cookie keeps its place")
    func order() {
        var jar = jar("a=1", "b=2; Path=/docs", "c=3")
        jar.store(["a=4"], from: target("www.example.com"), now: Self.now)
        #expect(field(jar, "www.example.com", "/docs/1") == "b=2; a=4; c=3")
        #expect(field(jar) == "a=4; c=3")
    }

    @Test("A cookie without a domain goes only to its host, and one with a domain also to subdomains")
    func scope() {
        let jar = jar("own=1", "all=2; Domain=example.com")
        #expect(field(jar) == "own=1; all=2")
        #expect(field(jar, "example.com") == "all=2")
        #expect(field(jar, "a.b.example.com") == "all=2")
        for host in ["example.org", "www.example.com.evil.org", "notexample.com", "com", "1.2.3.4"] {
            #expect(field(jar, host) == nil)
        }
    }

    @Test(
        "A server can't set a cookie for a public suffix or another host",
        arguments: ["com", ".com", "co.uk", "example.org", "other.example.com", "ample.com", "github.io"])
    func foreign(domain: String) {
        #expect(jar("a=1; Domain=\(domain)").count == 0)
        #expect(jar("a=1; Domain=\(domain)", host: "user.github.io").count == 0)
    }

    @Test("A secure cookie isn't sent in the clear, and a server in the clear can't set or replace it")
    func secure() {
        var jar = jar("a=1; Secure", "b=2")
        #expect(field(jar, isSecure: false) == "b=2")
        for field in ["a=9", "a=9; Domain=example.com", "c=3; Secure", "a=; Max-Age=0"] {
            jar.store([field], from: target("www.example.com", isSecure: false), now: Self.now)
        }
        jar.store(["a=9; Domain=example.com"], from: target("example.com", isSecure: false), now: Self.now)
        #expect(field(jar) == "a=1; b=2")
    }

    @Test("The prefixes require what their names say")
    func prefixes() {
        let jar = jar(
            "__Secure-a=1", "__Host-b=1; Secure", "__Host-c=1; Secure; Path=/; Domain=example.com",
            "__Secure-d=1; Secure", "__Host-e=1; Secure; Path=/")
        #expect(field(jar) == "__Secure-d=1; __Host-e=1")
    }

    @Test("Max-Age counts before Expires, and an expired cookie disappears")
    func expiry() {
        let jar = jar(
            "a=1; Max-Age=10; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "b=2; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
            "c=3; Max-Age=0", "d=4; Max-Age=-1", "e=5; Max-Age=1" + String(repeating: "0", count: 30), "f=6")
        #expect(field(jar) == "a=1; e=5; f=6")
        #expect(field(jar, after: 10) == "e=5; f=6")
        #expect(jar.count == 3)
    }

    @Test("A server deletes a cookie with a date in the past")
    func deletion() {
        var jar = jar("a=1; Domain=example.com", "b=2")
        jar.store(["a=; Domain=example.com; Max-Age=0"], from: target("example.com"), now: Self.now)
        #expect(field(jar) == "b=2")
        #expect(jar.count == 1)
        jar.removeAll()
        #expect(field(jar) == nil)
        #expect(jar.count == 0)
    }

    @Test("A site has at most 180 cookies, and the ones used the longest time ago go first")
    func siteLimit() {
        var jar = CookieJar()
        for number in 0..<180 {
            jar.store(["n\(number)=x; Path=/\(number)"], from: target("a\(number).example.com"), now: Self.now)
        }
        #expect(jar.field(for: target("a0.example.com", "/0"), now: Self.now) == "n0=x")
        jar.store(["last=x; Domain=example.com"], from: target("b.example.com"), now: Self.now)
        #expect(jar.count == 180)
        #expect(field(jar, "a0.example.com", "/0") == "n0=x; last=x")
        #expect(field(jar, "a1.example.com", "/1") == "last=x")
    }

    @Test("A site with many subdomains and cookies doesn't displace another site's cookies")
    func bomb() {
        var jar = jar("session=secret", host: "shop.example.org")
        for number in 0..<100 {
            let fields = (0..<1000).map { "c\($0)=\(String(repeating: "x", count: 4000)); Domain=evil.com" }
            jar.store(fields, from: target("h\(number).evil.com"), now: Self.now)
            jar.store(fields.map { "h" + $0 }, from: target("h\(number).evil.com", "/"), now: Self.now)
        }
        #expect(jar.count == 181)
        #expect(field(jar, "shop.example.org") == "session=secret")
        #expect((field(jar, "evil.com") ?? "").utf8.count <= 8190)
    }

    @Test("The jar has at most 3000 cookies, and keeps those in use")
    func totalLimit() {
        var jar = jar("session=secret", host: "shop.example.org")
        for number in 0..<5000 {
            jar.store(["a=1"], from: target("site\(number).com"), now: Self.now)
            #expect(jar.count <= 3000)
            _ = jar.field(for: target("shop.example.org"), now: Self.now)
        }
        #expect(field(jar, "shop.example.org") == "session=secret")
        #expect(field(jar, "site0.com") == nil)
        #expect(field(jar, "site4999.com") == "a=1")
    }

    @Test("Cookies that don't fit into the field are left out")
    func fieldSize() {
        let long = String(repeating: "x", count: 4000)
        let jar = jar("a=\(long)", "b=\(long)", "c=\(long)", "d=1")
        #expect(field(jar) == "a=\(long); b=\(long); d=1")
    }

    @Test("A long attribute is ignored, and so is a cookie with a long path")
    func longAttributes() {
        let long = "/" + String(repeating: "x", count: 1024)
        #expect(field(jar("a=1; Path=\(long)")) == "a=1")
        var jar = CookieJar()
        jar.store(["a=1"], from: target("www.example.com", long + "/file"), now: Self.now)
        #expect(jar.count == 0)
    }

    @Test("Addresses get only the cookies that they have set")
    func addresses() {
        var jar = jar("a=1; Domain=1.2.3.4", "b=2; Domain=2.3.4", host: "1.2.3.4")
        jar.store(["c=3"], from: target("::1"), now: Self.now)
        #expect(field(jar, "1.2.3.4") == "a=1")
        #expect(field(jar, "9.1.2.3.4") == nil)
        #expect(field(jar, "::1") == "c=3")
    }
}
