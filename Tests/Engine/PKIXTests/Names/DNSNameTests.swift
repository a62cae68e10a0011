// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX

@Suite("DNS names as bytes")
struct DNSNameTests {
    static let belowRows: [(name: String, base: String, isBelow: Bool)] = [
        ("www.example.com", "example.com", true), ("a.b.example.com", "example.com", true),
        ("a.example.com", "example.com", true),
        ("WWW.EXAMPLE.com", "Example.COM", true), ("example.com", "example.com", false),
        ("notexample.com", "example.com", false), ("com", "example.com", false), ("", "example.com", false),
        // An empty label isn't an additional label.
        (".example.com", "example.com", false),
    ]

    @Test("A name is below another one if it has additional labels on the left", arguments: belowRows)
    func below(name: String, base: String, isBelow: Bool) {
        // The bytes before and after a name don't count.
        for (before, after) in [("", ""), ("a.", ".a"), ("www.example.", "example.com"), ("example", ".com")] {
            let start = before.utf8.count
            let names = Array((before + name + after).utf8)[...]
            let bases = Array(base.utf8)[...]
            let range = start..<(start + name.utf8.count)
            #expect(DNSName.isBelow(names.span, range, bases.span, 0..<bases.count) == isBelow, "\(before) \(after)")
        }
    }

    static let syntaxRows: [(name: String, wildcard: Bool, syntax: DNSName.Syntax)] = [
        ("a", false, .valid), ("", false, .malformed), ("", true, .malformed), ("*", true, .malformed),
        ("*.", true, .malformed), ("*.a", true, .valid), ("*.a", false, .malformed), ("*..a", true, .malformed),
        ("*.*.a", true, .malformed), ("a.*", true, .malformed), ("*a.b", true, .malformed),
        ("*." + String(repeating: "a", count: 63), true, .valid),
        ("*." + String(repeating: "a", count: 64), true, .tooLong),
        (long(253), false, .valid), (long(254), false, .tooLong), ("*." + long(251), true, .valid),
        ("*." + long(252), true, .tooLong),
    ]

    /// A name of this many bytes in labels of at most 63 bytes.
    private static func long(_ count: Int) -> String {
        String((0..<count).map { $0 % 64 == 63 ? "." : "a" })
    }

    @Test("A wildcard is a whole leftmost label, followed by at least one other label", arguments: syntaxRows)
    func syntax(name: String, wildcard: Bool, syntax: DNSName.Syntax) {
        let bytes = Array(name.utf8)[...]
        #expect(DNSName.check(bytes.span, 0..<bytes.count, wildcard: wildcard) == syntax)
        // In a certificate, other bytes are around the name.
        let inside = Array(("*.a" + name + ".a").utf8)[...]
        #expect(DNSName.check(inside.span, 3..<(3 + bytes.count), wildcard: wildcard) == syntax)
    }

    @Test(
        "A wildcard may replace a label above a registrable domain, and under a private suffix unless the rules are strict",
        arguments: [
            ("www.example.com", true, true), ("me.github.io", true, false), ("example.com", false, false),
            ("localhost", false, false),
        ])
    func wildcard(name: String, isAllowed: Bool, isStrictlyAllowed: Bool) {
        let bytes = Array(name.utf8)[...]
        #expect(DNSName.mayBeWildcard(bytes.span, isStrict: false) == isAllowed)
        #expect(DNSName.mayBeWildcard(bytes.span, isStrict: true) == isStrictlyAllowed)
    }
}

@Suite("Texts of addresses")
struct AddressTextTests {
    static let rows: [(bytes: [UInt8], text: String)] = [
        ([], "(empty)"), ([192, 0, 2, 1], "192.0.2.1"), ([192, 0, 2, 0, 255, 255, 255, 0], "192.0.2.0/24"),
        ([0, 0, 0, 0, 0, 0, 0, 0], "0.0.0.0/0"), ([10, 1, 2, 3, 255, 255, 255, 255], "10.1.2.3/32"),
        ([0x20, 1, 0x0d, 0xb8] + [UInt8](repeating: 0, count: 11) + [1], "2001:db8::1"),
        (
            [0x20, 1, 0x0d, 0xb8] + [UInt8](repeating: 0, count: 12) + [255, 255, 255, 254]
                + [UInt8](repeating: 0, count: 12), "2001:db8::/31"
        ),
        ([1], "01"), ([1, 2, 3], "010203"), ([10, 1, 2, 3, 255], "0a010203ff"),
        ([10, 1, 2, 3, 255, 255], "0a010203ffff"), ([10, 1, 2, 3, 255, 255, 255, 255, 9], "0a010203ffffffff09"),
        ([UInt8](repeating: 17, count: 12), String(repeating: "11", count: 12)),
    ]

    @Test("An address, an address with a mask, and bytes that are neither have a text", arguments: rows)
    func texts(bytes: [UInt8], text: String) { #expect(IPAddress.text(bytes) == text) }
}
