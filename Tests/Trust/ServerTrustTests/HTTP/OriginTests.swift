// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import Testing

@Suite("Request origins and targets")
struct OriginTests {
    @Test(
        "The rules and the connection split a URL into origin and resource at the same place",
        arguments: [
            ("https://a.example", "https://a.example", "/"), ("https://a.example/", "https://a.example", "/"),
            ("https://a.example:8443/b/c?d=/#e", "https://a.example:8443", "/b/c?d=/"),
            ("https://a.example?b", "https://a.example", "/?b"), ("https://a.example#b/c", "https://a.example", "/"),
            ("https://a.example/#b?c", "https://a.example", "/"), ("https://[::1]:1/x", "https://[::1]:1", "/x"),
            ("https:/a/b", "https:/a", "/b"), ("https:", "https:", "/"), ("https:/", "https:/", "/"),
            ("a/b", "a/b", "/"), ("", "", "/"), ("https://a.example/ü", "https://a.example", "/ü"),
        ])
    func parts(url: String, prefix: String, resource: String) throws {
        let parts = try RequestTarget.parts(of: url)
        #expect(parts.prefix == prefix)
        #expect(parts.resource == resource)
    }

    @Test(
        "The parser rejects a URL with a control character",
        arguments: ["https://a.example/\r\nx", "https://a.example/\u{0}", "\n", "https://a.example/\u{7f}"])
    func noControlCharacters(url: String) {
        #expect(throws: RequestTargetError.self) { try RequestTarget.parts(of: url) }
    }

    @Test(
        "A URL names an origin with scheme, host and port",
        arguments: [
            ("https://a.example/b", "https://a.example", "a.example", 443, "a.example"),
            ("HTTPS://A.EXAMPLE:443", "https://a.example", "a.example", 443, "a.example"),
            ("https://a.example:/b", "https://a.example", "a.example", 443, "a.example"),
            ("https://a.example:80", "https://a.example:80", "a.example", 80, "a.example:80"),
            ("http://a.example", "http://a.example", "a.example", 80, "a.example"),
            ("http://a.example:443/", "http://a.example:443", "a.example", 443, "a.example:443"),
            ("https://a.example./", "https://a.example", "a.example.", 443, "a.example"),
            ("https://127.0.0.1:8443/", "https://127.0.0.1:8443", "127.0.0.1", 8443, "127.0.0.1:8443"),
            ("https://[::1]/", "https://[::1]", "[::1]", 443, "[::1]"),
            ("https://[fe80::1%25eth0]/", "https://[fe80::1]", "[fe80::1%eth0]", 443, "[fe80::1]"),
            ("https://[fe80::1%eth0]:1/", "https://[fe80::1]:1", "[fe80::1%eth0]", 1, "[fe80::1]:1"),
            ("https://[2001:DB8::1]:1?x", "https://[2001:db8::1]:1", "[2001:db8::1]", 1, "[2001:db8::1]:1"),
            ("https://a.example:65535", "https://a.example:65535", "a.example", 65535, "a.example:65535"),
        ])
    func origin(url: String, description: String, resolver: String, port: Int, header: String) throws {
        let origin = try RequestTarget(url).origin
        #expect(origin.description == description)
        #expect(origin.resolverName == resolver)
        #expect(origin.port == port)
        #expect(origin.hostHeader == header)
        #expect(Origin(url: url) == origin)
    }

    @Test(
        "The error for a URL that can't be the target of a request gives the reason",
        arguments: [
            ("ftp://a.example/", RequestTargetError.unsupportedScheme), ("file:///etc/passwd", .unsupportedScheme),
            ("wss://a.example/", .unsupportedScheme),
            ("https://user@a.example/", .userInformation), ("https://user:password@a.example/", .userInformation),
            ("https://a.example@b.example/", .userInformation), ("https://@a.example/", .userInformation),
        ])
    func refused(url: String, error: RequestTargetError) {
        #expect(throws: error) { try RequestTarget(url) }
    }

    @Test(
        "A URL whose authority can't be parsed is malformed",
        arguments: [
            "", "a.example", "//a.example/", "https:a.example", "javascript:alert(1)", "https://", "https:///x",
            "https://a.example:0/", "https://a.example:65536/", "https://a.example:+443/", "https://a.example:8x/",
            "https://::1/", "https://[a.example]/", "https://[::1", "https://a..example/", "https://a.example%2f/",
            "https://a b.example/", "https://a.example\\@b.example/x",
        ])
    func malformed(url: String) {
        #expect(Origin(url: url) == nil)
        do throws(RequestTargetError) {
            _ = try RequestTarget(url)
            Issue.record("read: \(url)")
        } catch {
            // The parser reads a backslash before an @ as a user, which is rejected too.
            switch error {
            case .malformed, .userInformation: break
            case .unsupportedScheme: Issue.record("\(url): \(error)")
            }
        }
    }

    @Test(
        "The origin of a URL with a user equals its host's origin",
        arguments: [
            ("https://user@a.example/", "https://a.example"),
            ("https://b.example:x@a.example:1/", "https://a.example:1"),
        ])
    func userInformation(url: String, expected: String) {
        #expect(Origin(url: url)?.description == expected)
        #expect(Origin(url: "https://a@b.example@c.example/") == nil)
    }

    @Test(
        "Two URLs have the same origin if scheme, host and port are the same",
        arguments: [
            ("https://a.example/1", "https://A.example:443/2", true),
            ("https://a.example", "https://a.example:444", false),
            ("https://a.example", "http://a.example", false), ("https://a.example:80", "http://a.example:80", false),
            ("https://a.example", "https://b.example", false), ("https://a.example", "https://x.a.example", false),
            // With a trailing dot, a resolver's search list treats the name as another one.
            ("https://a.example", "https://a.example.", false),
            ("https://[::1]", "https://[0:0:0:0:0:0:0:1]:443", true),
            ("https://[fe80::1%25eth0]", "https://[fe80::1%eth0]", true),
            ("https://[fe80::1%25eth0]", "https://[fe80::1%25eth1]", false),
            ("https://[fe80::1%25eth0]", "https://[fe80::1]", false),
        ])
    func equality(one: String, other: String, expected: Bool) throws {
        let (one, other) = (try RequestTarget(one).origin, try RequestTarget(other).origin)
        #expect((one == other) == expected)
    }
}
