// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX

@Suite("Host name")
struct HostnameTests {
    static let nameRows: [(text: String, name: String)] = [
        ("example.com", "example.com"), ("EXAMPLE.Com", "example.com"), ("example.com.", "example.com"),
        ("localhost", "localhost"), ("a", "a"), ("a.", "a"), ("a.b.c.d.e.f", "a.b.c.d.e.f"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
        ("XN--BCHER-KVA.EXAMPLE", "xn--bcher-kva.example"), ("1.example.com", "1.example.com"),
        ("192.0.2.1.example.com", "192.0.2.1.example.com"), ("my_host.example.com", "my_host.example.com"),
        ("_sip.example.com", "_sip.example.com"), ("a--b.example", "a--b.example"), ("3com.com", "3com.com"),
        ("1e100.net", "1e100.net"), ("example.c0m", "example.c0m"), ("foo-.example.com", "foo-.example.com"),
        ("a-.b-.example", "a-.b-.example"), ("a.-b.example", "a.-b.example"), ("a.example-", "a.example-"),
        ("Foo-.example.com.", "foo-.example.com"), ("AZ.az.ZA", "az.az.za"), ("1.2.3.a", "1.2.3.a"),
        // These last labels only resemble hexadecimal numbers.
        ("example.0bc", "example.0bc"), ("example.0xg", "example.0xg"), ("example.0x-1", "example.0x-1"),
    ]

    @Test("A DNS name is parsed into lowercase, without its trailing dot", arguments: nameRows)
    func names(text: String, name: String) throws {
        #expect(try Hostname(text).kind == .dns(name))
        #expect(try Hostname(text).description == name)
        #expect(try Hostname(text) == Hostname(name))
    }

    static let addressRows: [(text: String, address: String)] = [
        ("192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"),
        ("::", "::"), ("::1", "::1"), ("[::1]", "::1"), ("2001:DB8::1", "2001:db8::1"),
        ("[2001:db8::1]", "2001:db8::1"),
        ("2001:db8:0:0:0:0:0:1", "2001:db8::1"), ("2001:0db8:0000:0000:0000:0000:0000:0001", "2001:db8::1"),
        ("::ffff:192.0.2.1", "::ffff:c000:201"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
        ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"),
        ("1:2:3:4:5:6:192.0.2.1", "1:2:3:4:5:6:c000:201"), ("1::2:0:0:3", "1::2:0:0:3"), ("1:0:0:2::3", "1:0:0:2::3"),
        ("fe80::", "fe80::"), ("0000:0000:0000:0000:0000:ffff:255.255.255.255", "::ffff:ffff:ffff"),
    ]

    @Test(
        "An IP address is parsed as an address, with or without brackets, and written as in RFC 5952",
        arguments: addressRows)
    func addresses(text: String, address: String) throws {
        guard case .ip(let found) = try Hostname(text).kind else {
            Issue.record("\(text) was read as a DNS name")
            return
        }
        #expect(found.description == address)
        #expect(try Hostname(address) == Hostname(text))
        #expect(found.bytes.count == (text.contains(":") ? 16 : 4))
    }

    static let refusedRows: [(text: String, code: ErrorCode)] = [
        ("", .hostEmpty), (".", .hostLabelMalformed), ("..", .hostLabelMalformed),
        (".example.com", .hostLabelMalformed),
        ("a..b", .hostLabelMalformed),
        ("example.com..", .hostLabelMalformed), ("-a.example", .hostLabelMalformed), ("-.example", .hostLabelMalformed),
        ("-", .hostLabelMalformed),
        ("a b.example", .hostLabelMalformed), (" example.com", .hostLabelMalformed),
        ("example.com ", .hostLabelMalformed),
        ("example.com\n", .hostLabelMalformed), ("exam\u{0}ple.com", .hostLabelMalformed),
        ("example.com\u{0}", .hostLabelMalformed), ("a\u{7f}.example", .hostLabelMalformed),
        ("example.com/", .hostLabelMalformed), ("user@example.com", .hostLabelMalformed),
        ("*.example.com", .hostLabelMalformed),
        ("*", .hostLabelMalformed), ("exam%70le.com", .hostLabelMalformed), ("a\\b.example", .hostLabelMalformed),
        ("bücher.example", .hostNotASCII), ("例え.jp", .hostNotASCII), ("example。com", .hostNotASCII),
        ("example.com\u{200b}", .hostNotASCII),
        ("ＥＸＡＭＰＬＥ.com", .hostNotASCII), ("\u{212a}.example", .hostNotASCII),
        (String(repeating: "a", count: 64) + ".example", .hostTooLong),
        ((0..<5).map { _ in String(repeating: "a", count: 60) }.joined(separator: "."), .hostTooLong),
        // A last label of digits makes the text an address, and then it must be a valid one.
        ("1", .hostAddressMalformed), ("256.1.1.1", .hostAddressMalformed), ("1.2.3", .hostAddressMalformed),
        ("1.2.3.4.5", .hostAddressMalformed),
        ("192.0.2.01", .hostAddressMalformed), ("192.0.2.1.", .hostAddressMalformed),
        ("0300.0.2.1", .hostAddressMalformed),
        ("3232235777", .hostAddressMalformed), ("example.1", .hostAddressMalformed),
        ("example.9", .hostAddressMalformed), ("example.0", .hostAddressMalformed),
        ("www.example.123.", .hostAddressMalformed),
        ("1.2.3.256", .hostAddressMalformed), ("192.168.1", .hostAddressMalformed),
        ("1.2.3.", .hostAddressMalformed), ("1.2..3", .hostLabelMalformed), (".1.2.3", .hostLabelMalformed),
        ("1.2.3.1000", .hostAddressMalformed), ("1.2.3.99999999999999999999", .hostAddressMalformed),
        // Malformed IPv6 addresses.
        (":", .hostAddressMalformed), (":::", .hostAddressMalformed), ("1::2::3", .hostAddressMalformed),
        ("1:2:3:4:5:6:7", .hostAddressMalformed),
        ("1:2:3:4:5:6:7:8:9", .hostAddressMalformed), ("1:2:3:4:5:6:7:8::", .hostAddressMalformed),
        ("::1:2:3:4:5:6:7:8", .hostAddressMalformed),
        ("12345::", .hostAddressMalformed), ("g::1", .hostAddressMalformed), ("::1.2.3", .hostAddressMalformed),
        ("1.2.3.4::", .hostAddressMalformed),
        ("::1.2.3.4:5", .hostAddressMalformed), ("::1.2.3.256", .hostAddressMalformed), ("1:", .hostAddressMalformed),
        (":1", .hostAddressMalformed),
        ("[::1", .hostAddressMalformed), ("::1]", .hostAddressMalformed), ("[]", .hostAddressMalformed),
        ("[192.0.2.1]", .hostAddressMalformed),
        ("[example.com]", .hostAddressMalformed), ("[[::1]]", .hostAddressMalformed),
        ("[::1]:443", .hostAddressMalformed),
        ("192.0.2.1:443", .hostHasPort), ("example.com:443", .hostHasPort),
        ("https://example.com", .hostIsURL),
        ("::1.", .hostAddressMalformed), ("1:2:3:4:5:6:7:1.2.3.4", .hostAddressMalformed),
        ("1:2:3:4:5:6:7:8:", .hostAddressMalformed), (":1:2:3:4:5:6:7", .hostAddressMalformed),
        ("example.com:0", .hostHasPort), ("example.com:9", .hostHasPort), ("example.com:9a", .hostAddressMalformed),
        ("example.com:/", .hostAddressMalformed),
        // Zones.
        ("fe80::1%", .hostZoneMalformed), ("[fe80::1%]", .hostZoneMalformed), ("[fe80::1%25]", .hostZoneMalformed),
        ("fe80::1%e th0", .hostZoneMalformed), ("fe80::1%eth0%eth1", .hostZoneMalformed),
        ("fe80::1%eth0/64", .hostZoneMalformed),
        ("fe80::1%eth0]", .hostZoneMalformed), ("fe80::1%é", .hostZoneMalformed),
        ("fe80::1%eth0\u{0}", .hostZoneMalformed),
        ("fe80::1%" + String(repeating: "a", count: 65), .hostZoneMalformed), ("[fe80::1%eth0", .hostAddressMalformed),
        ("1::2::3%eth0", .hostAddressMalformed), ("::ffff:192.0.2.1%eth0", .hostAddressMalformed),
        ("[192.0.2.1%eth0]", .hostAddressMalformed), ("192.0.2.1%eth0", .hostLabelMalformed),
        ("example.com%eth0", .hostLabelMalformed), ("[fe80::1%eth0]:443", .hostAddressMalformed),
    ]

    @Test("The parser rejects text that isn't a host name, with a code for the reason", arguments: refusedRows)
    func refused(text: String, code: ErrorCode) {
        do throws(HostnameError) {
            let host = try Hostname(text)
            Issue.record("\(text) was read as \(host)")
        } catch {
            #expect(error.code == code)
            #expect(error.text == text)
        }
    }

    @Test(
        "A name that resolvers read as a hexadecimal IPv4 address isn't a DNS name",
        arguments: ["0x7f.1", "127.0.0.0x1", "0x7f000001", "0X7F.0.0.0x1", "www.0xA"])
    func hexadecimal(text: String) {
        // The rule that rejects a last label of digits is WHATWG's "ends in a number", which covers these names too.
        #expect(throws: HostnameError.self) { try Hostname(text) }
    }

    static let zoneRows: [(text: String, zone: String)] = [
        ("fe80::1%eth0", "eth0"), ("[fe80::1%eth0]", "eth0"), ("[fe80::1%25eth0]", "eth0"), ("fe80::1%25eth0", "eth0"),
        ("FE80::1%Eth0.100", "Eth0.100"), ("fe80:0:0:0:0:0:0:1%en_0", "en_0"), ("fe80::1%3", "3"),
        ("[fe80::1%253]", "3"), ("fe80::1%251", "251"), ("fe80::1%259", "259"), ("fe80::1%25", "25"),
        ("[fe80::1%2525]", "25"),
        ("fe80::1%azAZ09-._~", "azAZ09-._~"),
        ("fe80::1%" + String(repeating: "a", count: 64), String(repeating: "a", count: 64)), ("fe80::1%250", "250"),
    ]

    @Test("An IPv6 address may have a zone, which is used only for connecting", arguments: zoneRows)
    func zones(text: String, zone: String) throws {
        let host = try Hostname(text)
        let plain = try Hostname("fe80::1")
        #expect(host.kind == plain.kind && host.zone == zone && plain.zone == nil)
        #expect(host.description == "fe80::1" && host.resolverName == "fe80::1%\(zone)")
        #expect(host == plain && Set([host, plain]).count == 1)
        #expect(try Hostname(host.resolverName).zone == zone)
        let error = #expect(throws: HostnameError.self) { try Hostname.withoutZone(text) }
        #expect(error?.code == .hostHasZone)
        #expect(try Hostname.withoutZone("[fe80::1]") == host)
    }

    @Test("Only an address in ::ffff:0:0/96 is a mapped IPv4 address, which has no zone")
    func mappedZones() throws {
        for text in ["::ff:192.0.2.1", "::ff00:192.0.2.1", "::1:ffff:192.0.2.1", "::ffff:0:192.0.2.1"] {
            #expect(try Hostname(text + "%eth0").zone == "eth0")
        }
        #expect(throws: HostnameError.self) { try Hostname("::ffff:192.0.2.1%eth0") }
    }

    @Test(
        "A certificate can contain an address, and a name whose labels don't start or end with a hyphen",
        arguments: [
            ("a", true), ("a.b", true), ("www.example.com", true), ("192.0.2.1", true), ("::1", true),
            ("a-.example", false), ("a.-b.example", false), ("a.example-", false),
        ])
    func certifiable(text: String, isCertifiable: Bool) throws {
        #expect(try Hostname(text).isCertifiable == isCertifiable)
    }

    @Test("Each reason has its own message, which contains the text")
    func messages() {
        let codes: [ErrorCode] = [
            .hostEmpty, .hostTooLong, .hostLabelMalformed, .hostLabelNotCertifiable, .hostAddressMalformed,
            .hostIsURL, .hostHasPort, .hostHasZone, .hostZoneMalformed, .hostNotASCII,
        ]
        let messages = Set(codes.map { HostnameError($0, text: "some text").message })
        #expect(messages.count == codes.count)
        #expect(messages.allSatisfy { $0.contains("some text") })
    }

    @Test("A label is at most 63 characters long, and a name at most 253")
    func lengths() throws {
        let label = String(repeating: "a", count: 63)
        #expect(throws: Never.self) { try Hostname(label + ".example") }
        #expect(throws: HostnameError.self) { try Hostname(label + "a.example") }
        let longest = [label, label, label, String(repeating: "b", count: 61)].joined(separator: ".")
        #expect(longest.utf8.count == 253)
        #expect(throws: Never.self) { try Hostname(longest) }
        #expect(throws: Never.self) { try Hostname(longest + ".") }
        #expect(throws: HostnameError.self) { try Hostname("b" + longest) }
        #expect(throws: HostnameError.self) { try Hostname(longest + "b") }
        #expect(throws: HostnameError.self) { try Hostname(String(repeating: "a.", count: 100_000)) }
    }

    @Test("An address created from bytes equals the host parsed from its text")
    func fromAddress() throws {
        let v4 = try #require(IPAddress(bytes: [192, 0, 2, 1]))
        #expect(try Hostname(v4) == Hostname("192.0.2.1"))
        let mapped = try #require(IPAddress("::ffff:192.0.2.1"))
        #expect(Hostname(mapped) != Hostname(v4))
        for count in [0, 3, 5, 15, 17, 32] {
            #expect(IPAddress(bytes: [UInt8](repeating: 1, count: count)) == nil)
        }
    }

    @Test("Every address survives a round trip")
    func addressRoundTrip() {
        var random = Repeatable(11)
        for _ in 0..<3_000 {
            let bytes = (0..<(Bool.random(using: &random) ? 4 : 16)).map { _ in
                // Many zeros, so that the description compresses them.
                Bool.random(using: &random) ? 0 : UInt8.random(in: 0...255, using: &random)
            }
            guard let address = IPAddress(bytes: bytes) else { continue }
            #expect(IPAddress(address.description) == address)
            #expect((try? Hostname(address.description)) == Hostname(address))
        }
    }

    @Test("No string causes a trap")
    func garbage() {
        var random = Repeatable(12)
        let pieces = [
            "a", ".", ":", "::", "1", "255", "[", "]", "%", "-", "*", "xn--", "é", "\u{301}", "\u{0}", "f", "0x", " ",
        ]
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            guard let host = try? Hostname(text) else { continue }
            #expect((try? Hostname(host.description)) == host, "\(text)")
        }
    }
}
