// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PrivateCA

@Suite("CRL and OCSP addresses")
struct RevocationAddressTests {
    static let good = [
        "http://crl.example.com/root.crl", "http://crl.example.com", "http://crl.example.com:8080/a%20b/c.crl",
        "http://192.0.2.1/root.crl", "http://[2001:db8::1]/root.crl", "http://[2001:db8::1]:8080/",
        "http://localhost:1/",
        "http://127.0.0.1:8888/", "http://CRL.example.com./x", "http://a.example/x~y_z-(1)*!$&'+,;=:@",
    ]

    @Test("The initializer keeps an http URL unchanged", arguments: good)
    func keeps(_ url: String) throws {
        for kind in RevocationAddress.Kind.allCases { #expect(try RevocationAddress(url, kind: kind).url == url) }
    }

    @Test("Only CRL addresses can have a query, because GET appends an OCSP request to the path")
    func query() throws {
        #expect(try RevocationAddress("http://a.example/?crl=1", kind: .crl).url == "http://a.example/?crl=1")
        #expect(error("http://a.example/?ocsp=1", .ocsp)?.found == "a query")
    }

    static let bad: [(url: String, found: String)] = [
        ("", "an empty text"), (" ", "the character U+0020 (space)"), ("https://crl.example.com/x", "https://"),
        ("ldap://crl.example.com/x", "ldap://"), ("file:///etc/passwd", "file://"),
        ("HTTP://crl.example.com/", "HTTP://"),
        ("crl.example.com/root.crl", "no http://"), ("//crl.example.com/", "no http://"), ("://a", "no http://"),
        ("javascript:alert(1)", "no http://"), ("http:/crl.example.com/", "no http://"),
        ("http://user@crl.example.com/", "a user"), ("http://user:secret@crl.example.com/", "a user"),
        ("http://@crl.example.com/", "a user"), ("http://crl.example.com/x#part", "a fragment"),
        ("http://crl.example.com/#", "a fragment"), ("http://crl.example.com/a b", "the character U+0020 (space)"),
        ("http://crl.example.com/\n", "the character U+000A"),
        ("http://crl.example.com/\r\nHost: x", "the character U+000D"),
        ("http://crl.example.com/\t", "the character U+0009"), ("http://crl.example.com/\0", "the character U+0000"),
        ("http://crl.example.com/\u{7f}", "the character U+007F"),
        ("\u{feff}http://a.example/", "the character U+FEFF"),
        ("http://b\u{fc}cher.example/", "the character U+00FC"), ("http://a.example/\u{202e}", "the character U+202E"),
        ("http://a.example/e\u{301}", "the character U+0301"), ("http://a.example/\u{1f600}", "the character U+1F600"),
        ("http://a.example/\"", "the character \""), ("http://a.example\\b/", "the character \\"),
        ("http://a.example/<x>", "the character <"), ("http://a.example/%", "% without two hexadecimal digits"),
        ("http://a.example/%4", "% without two hexadecimal digits"),
        ("http://a.example/%zz", "% without two hexadecimal digits"),
        ("http://a.example/[1]", "brackets in the path"),
    ]

    @Test(
        "The error names the problem and what was expected", arguments: bad.map(\.url), RevocationAddress.Kind.allCases)
    func refuses(_ url: String, _ kind: RevocationAddress.Kind) throws {
        let error = try #require(self.error(url, kind))
        #expect(error.found == Self.bad.first { $0.url == url }?.found)
        #expect(error.description.contains("expected an address such as http://"))
        let isPlain = error.description.unicodeScalars.allSatisfy { (0x20...0x7e).contains($0.value) }
        #expect(isPlain)
    }

    @Test(
        "The initializer rejects an invalid host or port",
        arguments: [
            "http://", "http:///x", "http://:80/", "http://a.example:0/", "http://a.example:65536/",
            "http://a.example:x/",
            "http://2001:db8::1/", "http://[2001:db8::1/", "http://[]/", "http://[192.0.2.1]/",
            "http://[fe80::1%25eth0]/",
            "http://a..example/", "http://192.0.2.256/", "http://a.example:-1/", "http://a%2eexample/", "http://?x",
            "http://*/",
        ])
    func hosts(_ url: String) {
        for kind in RevocationAddress.Kind.allCases { #expect(error(url, kind) != nil) }
    }

    @Test("An address has at most 1024 characters")
    func size() throws {
        let start = "http://a.example/"
        let longest = start + String(repeating: "a", count: 1024 - start.utf8.count)
        #expect(try RevocationAddress(longest, kind: .crl).url == longest)
        #expect(error(longest + "a", .crl)?.found == "1025 bytes")
        #expect(error(start + String(repeating: "a", count: 10_000), .ocsp)?.found == "10017 bytes")
    }

    private func error(_ url: String, _ kind: RevocationAddress.Kind) -> RevocationAddressError? {
        do throws(RevocationAddressError) {
            _ = try RevocationAddress(url, kind: kind)
            return nil
        } catch { return error }
    }
}
