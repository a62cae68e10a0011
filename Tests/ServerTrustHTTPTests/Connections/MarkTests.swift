// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ServerTrustHTTP

/// What tells a connection's responses apart.
@Suite("Marks")
struct MarkTests {
    static let numbers = [0, 1, 63, 64, 4095, 4096, 1 << 20, (1 << 42) - 1]

    @Test("say both numbers, in what a string holds without the heap", arguments: numbers, numbers)
    func roundTrip(connection: Int, number: Int) {
        let mark = Mark(connection, number)
        #expect(mark.text.utf8.count <= 15)
        #expect(mark.text.utf8.allSatisfy { (0x21...0x7e).contains($0) })
        #expect(Mark(mark.text) == mark)
    }

    @Test(
        "are nothing else",
        arguments: [
            "", "0", "1 1", "0000000000000", "000000000000000", "0000000 000000", "0000000p000000", "/0000000000000",
            "0000000é00000", String(repeating: "0", count: 1 << 16),
        ])
    func other(text: String) { #expect(Mark(text) == nil) }
}

/// URLs cut where the host's rules are looked up by one part and the server asked for the other.
@Suite("Parts of a URL")
struct RequestTargetPartsTests {
    @Test(arguments: [
        ("https://a.example", "https://a.example", "/"), ("https://a.example/", "https://a.example", "/"),
        ("https://a.example:8443/b/c?d=/#e", "https://a.example:8443", "/b/c?d=/"),
        ("https://a.example?b", "https://a.example", "/?b"), ("https://a.example#b/c", "https://a.example", "/"),
        ("https://a.example/#b?c", "https://a.example", "/"), ("https://[::1]:1/x", "https://[::1]:1", "/x"),
        ("https:/a/b", "https:/a", "/b"), ("https:", "https:", "/"), ("https:/", "https:/", "/"),
        ("a/b", "a/b", "/"), ("", "", "/"), ("https://a.example/ü", "https://a.example", "/ü"),
    ])
    func parts(_ row: (url: String, prefix: String, resource: String)) throws {
        let (prefix, resource) = try RequestTarget.parts(of: row.url)
        #expect(prefix == row.prefix)
        #expect(resource == row.resource)
    }

    @Test(arguments: ["https://a.example/\r\nx", "https://a.example/\u{0}", "\n", "https://a.example/\u{7f}"])
    func noControlCharacters(_ url: String) {
        #expect(throws: TrustedHTTPError.self) { try RequestTarget.parts(of: url) }
    }
}
