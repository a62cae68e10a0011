// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ServerTrust

@Suite("Redirects")
struct RedirectTests {
    private static let start = "https://a.example/dir/page?q#f"

    private func redirect(
        _ status: Int = 302, to location: String?, from url: String = start, method: String = "GET",
        _ rules: RedirectRules = RedirectRules(maximum: 5)
    ) throws(RedirectError) -> Redirect? {
        var chain = RedirectChain(rules, from: url)
        return try chain.next(status: status, location: location, from: url, method: method)
    }

    @Test("Five statuses redirect, but only with a Location", arguments: 300...310)
    func statuses(status: Int) throws {
        let isRedirect = [301, 302, 303, 307, 308].contains(status)
        #expect(Redirect.isRedirect(status) == isRedirect)
        #expect((try redirect(status, to: "/") != nil) == isRedirect)
        #expect(try redirect(status, to: nil) == nil)
    }

    @Test("No other status redirects", arguments: [100, 200, 201, 204, 400, 401, 404, 500, 503])
    func otherStatuses(status: Int) throws { #expect(try redirect(status, to: "/") == nil) }

    @Test(
        "A Location is resolved against the requested URL and inherits its fragment",
        arguments: [
            ("/", "https://a.example/#f"), ("x", "https://a.example/dir/x#f"), ("../x", "https://a.example/x#f"),
            ("?y", "https://a.example/dir/page?y#f"), ("#g", "https://a.example/dir/page?q#g"),
            ("/x#", "https://a.example/x#"), ("//b.example/x", "https://b.example/x#f"),
            ("https://b.example", "https://b.example#f"), ("https://b.example/x#g", "https://b.example/x#g"),
        ])
    func resolution(location: String, expected: String) throws {
        let rules = RedirectRules(maximum: 5, allowsCycles: true)
        #expect(try redirect(to: location, rules)?.url == expected)
    }

    @Test(
        "The status decides whether method and body are kept or changed",
        arguments: [
            (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (307, "POST", "POST"),
            (308, "POST", "POST"), (301, "PUT", "PUT"), (302, "PUT", "PUT"), (303, "PUT", "GET"), (307, "PUT", "PUT"),
            (301, "GET", "GET"), (307, "GET", "GET"), (303, "HEAD", "HEAD"), (302, "HEAD", "HEAD"),
            (302, "DELETE", "DELETE"), (303, "DELETE", "GET"), (302, "post", "post"),
        ])
    func methods(status: Int, method: String, expected: String) throws {
        let redirect = try #require(try redirect(status, to: "/", method: method))
        #expect(redirect.method == expected)
        #expect(redirect.dropsBody == (expected != method))
        for name in ["content-type", "content-length", "content-encoding", "content-language", "transfer-encoding"] {
            #expect(redirect.removedFields.contains(name) == redirect.dropsBody)
        }
    }

    @Test("303 See Other refers to another resource, so the redirect drops even the body of a GET")
    func seeOther() throws {
        let redirect = try #require(try redirect(303, to: "/", method: "GET"))
        #expect(redirect.method == "GET")
        #expect(redirect.dropsBody)
    }

    @Test(
        "A redirect keeps credentials only within their origin",
        arguments: [
            ("/x", false), ("https://a.example:443/x", false), ("https://A.EXAMPLE/x", false),
            ("https://a.example:444/", true), ("https://b.example/", true), ("https://x.a.example/", true),
            ("https://a.example./", true),
        ])
    func credentials(location: String, leaves: Bool) throws {
        let redirect = try #require(try redirect(to: location))
        #expect(redirect.leavesOrigin == leaves)
        for name in ["authorization", "proxy-authorization", "cookie", "origin", "host"] {
            #expect(redirect.removedFields.contains(name) == leaves)
        }
        #expect(!redirect.removedFields.contains("content-type"))
    }

    @Test("A redirect drops cookies that are chosen for each request, even on the same origin")
    func cookies() throws {
        let rules = RedirectRules(maximum: 5, choosesCookiesAnew: true)
        let redirect = try #require(try redirect(to: "/x", rules))
        #expect(redirect.removedFields == ["cookie"])
    }

    @Test("A chain that has left its origin counts as having left it even after it returns")
    func returning() throws {
        var chain = RedirectChain(RedirectRules(maximum: 5), from: "https://a.example/")
        var url = "https://a.example/"
        for (location, hasLeft) in [
            ("https://a.example/2", false), ("https://a.example:444/", true), ("https://a.example/3", true),
            ("/4", true),
        ] {
            url = try #require(try chain.next(status: 302, location: location, from: url, method: "GET")).url
            #expect(chain.hasLeftOrigin == hasLeft)
        }
    }

    @Test(
        "A redirect leads from https only to https unless the rules allow otherwise",
        arguments: [RedirectRules.Targets.withoutDowngrade, .anyHTTP, .checkedByCaller])
    func downgrade(targets: RedirectRules.Targets) throws {
        let rules = RedirectRules(maximum: 5, targets: targets)
        #expect(try redirect(to: "https://b.example/", from: "http://a.example/", rules)?.leavesOrigin == true)
        #expect(try redirect(to: "http://b.example/", from: "http://a.example/", rules)?.leavesOrigin == true)
        guard targets == .withoutDowngrade else {
            let redirect = try redirect(to: "http://a.example/", rules)
            #expect(redirect?.leavesOrigin == true)
            #expect(redirect?.origin?.isSecure == false)
            return
        }
        #expect(throws: RedirectError.leavesTLS(url: "http://a.example/#f")) {
            try redirect(to: "http://a.example/", rules)
        }
        // An unreadable URL counts as one with TLS.
        #expect(throws: RedirectError.leavesTLS(url: "http://a.example/")) {
            try redirect(to: "http://a.example/", from: "https://user@[a.example]/", rules)
        }
    }

    @Test("A redirect keeps the zone of an IPv6 address but can't add one")
    func zones() throws {
        let start = "https://[fe80::1%25eth0]/a"
        #expect(try redirect(to: "/b", from: start)?.origin?.host.zone == "eth0")
        #expect(try redirect(to: "https://[fe80::2%25eth0]/", from: start)?.origin?.host.zone == "eth0")
        #expect(try redirect(to: "https://[fe80::2]/", from: start)?.origin.map { $0.host.zone == nil } == true)
        for location in ["https://[fe80::1%25eth1]/", "//[fe80::1%25eth1]/"] {
            for targets in [RedirectRules.Targets.withoutDowngrade, .anyHTTP, .checkedByCaller] {
                let rules = RedirectRules(maximum: 5, targets: targets)
                #expect(throws: RedirectError.self) { try redirect(to: location, from: start, rules) }
                #expect(throws: RedirectError.self) { try redirect(to: "https:" + location.drop { $0 != "/" }, rules) }
            }
        }
    }

    @Test(
        "A URL that can't be the target of a request is refused unless the caller checks it",
        arguments: [
            "https://user@a.example/", "file:///etc/passwd", "javascript:alert(1)", "ftp://a.example/", "//",
            "https://a.example:0/", "https://[fe80::1%25eth0]/",
        ])
    func unusable(location: String) throws {
        for targets in [RedirectRules.Targets.withoutDowngrade, .anyHTTP] {
            do throws(RedirectError) {
                _ = try redirect(to: location, RedirectRules(maximum: 5, targets: targets))
                Issue.record("followed: \(location)")
            } catch {
                switch error {
                case .unusableTarget, .malformedLocation: break
                default: Issue.record("\(location): \(error)")
                }
            }
        }
        let rules = RedirectRules(maximum: 5, targets: .checkedByCaller)
        if let redirect = try? redirect(to: location, rules), redirect.origin == nil {
            #expect(redirect.leavesOrigin)
        }
    }

    @Test("The chain counts its redirects", arguments: [0, 1, 3, 20])
    func counted(maximum: Int) throws {
        var chain = RedirectChain(RedirectRules(maximum: maximum), from: "https://a.example/0")
        for number in 0..<maximum {
            let url = "https://a.example/\(number)"
            #expect(try chain.next(status: 302, location: "/\(number + 1)", from: url, method: "GET") != nil)
        }
        #expect(throws: RedirectError.tooMany(url: "https://a.example/x")) {
            try chain.next(status: 302, location: "/x", from: "https://a.example/\(maximum)", method: "GET")
        }
    }

    @Test("A URL visited before, whatever its fragment, ends the chain unless the rules allow cycles")
    func cycles() throws {
        for location in ["/", "/#g", "https://a.example/"] {
            #expect(
                throws: RedirectError.cycle(url: location == "/#g" ? "https://a.example/#g" : "https://a.example/#f")
            ) {
                try redirect(to: location, from: "https://a.example/#f")
            }
            let rules = RedirectRules(maximum: 5, allowsCycles: true)
            #expect(try redirect(to: location, from: "https://a.example/#f", rules) != nil)
        }
    }
}
