// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

@Suite("Names that nearly match")
struct NameMismatchTests {
    private func leaf(_ names: [[UInt8]], commonName: String = "x") throws -> Certificate {
        try CraftedCertificate.leaf(issuer: ASN1.name(commonName)).with {
            $0.subject = ASN1.name(commonName)
            $0.extensions = [Extension.alternativeNames(names).encoded]
        }.certificate()
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let presented: String
        let host: String
        let reason: RejectedName.Reason

        init(_ testDescription: String, _ presented: String, _ host: String, _ reason: RejectedName.Reason) {
            self.testDescription = testDescription
            self.presented = presented
            self.host = host
            self.reason = reason
        }
    }

    static let rows: [Row] = [
        Row("an IPv4 address", "10.0.0.5", "10.0.0.5", .addressAsDNSName),
        Row("an IPv6 address", "2001:db8::1", "2001:db8::1", .addressAsDNSName),
        Row("an IPv6 address in its long form", "2001:0DB8:0:0:0:0:0:1", "2001:db8::1", .addressAsDNSName),
        Row(
            "an address of 45 characters", "0000:0000:0000:0000:0000:ffff:255.255.255.255", "::ffff:ffff:ffff",
            .addressAsDNSName),
        Row("an IPv6 address in brackets", "[::1]", "::1", .addressAsDNSName),
        Row("an address with a port", "10.0.0.5:8443", "10.0.0.5", .addressAsDNSName),
        Row("an address in a URL", "https://10.0.0.5/", "10.0.0.5", .addressAsDNSName),
        Row("another address", "10.0.0.6", "10.0.0.5", .anotherName),
        Row("a name for an address", "host.example.com", "10.0.0.5", .anotherName),
        Row("an address for a name", "10.0.0.5", "host.example.com", .anotherName),
        Row("a leading blank", " host1.example.com", "host1.example.com", .blank),
        Row("a trailing blank", "host1.example.com ", "host1.example.com", .blank),
        Row("a NUL and another name", "www.example.com\u{0}.evil.example", "www.example.com", .controlCharacter),
        Row("a trailing line feed", "www.example.com\n", "www.example.com", .controlCharacter),
        Row(
            "the last control character below the blank", "www.example.com\u{1f}", "www.example.com", .controlCharacter),
        Row("a trailing DEL", "www.example.com\u{7f}", "www.example.com", .controlCharacter),
        Row("two names and a comma", "a.example.com,www.example.com", "www.example.com", .severalNames),
        Row("two names and a blank", "a.example.com www.example.com", "www.example.com", .severalNames),
        Row("two other names", "a.example.com,b.example.com", "www.example.com", .anotherName),
        Row("the last of 16 names", String(repeating: "a,", count: 15) + "www.ex.com", "www.ex.com", .severalNames),
        Row("the last of 17 names", String(repeating: "a,", count: 16) + "www.ex.com", "www.ex.com", .anotherName),
        Row("an address and a comma", "10.0.0.5,10.0.0.6", "10.0.0.5", .severalNames),
        Row("only a comma for an address", "/,/", "10.0.0.5", .anotherName),
        Row("a URL", "https://host1.example.com/", "host1.example.com", .scheme),
        Row("a URL in capitals", "HTTPS://HOST1.EXAMPLE.COM", "host1.example.com", .scheme),
        Row("a URL of another host", "https://host2.example.com/", "host1.example.com", .anotherName),
        Row("a path", "host1.example.com/app", "host1.example.com", .path),
        Row("a query", "host1.example.com?app", "host1.example.com", .path),
        Row("a fragment", "host1.example.com#app", "host1.example.com", .path),
        Row("a user", "admin@host1.example.com", "host1.example.com", .userInfo),
        Row("a port", "host1.example.com:8443", "host1.example.com", .port),
        Row("a name in brackets with a port", "[www.example.com]:443", "www.example.com", .port),
        Row("a name in brackets", "[www.example.com]", "www.example.com", .malformedLabel),
        Row("a trailing dot", "www.example.com.", "www.example.com", .trailingDot),
        Row("a trailing dot of one letter", "a.", "a", .trailingDot),
        Row("a leading dot of one letter", ".a", "a", .leadingDot),
        Row("two leading dots", "..example.com", "example.com", .anotherName),
        Row("a leading dot", ".example.com", "www.example.com", .leadingDot),
        Row("a leading dot of the host", ".www.example.com", "www.example.com", .leadingDot),
        Row("a trailing hyphen in a label", "foo-.example.com", "foo-.example.com", .malformedLabel),
        Row(
            "a trailing hyphen in a label after a wildcard", "*.foo-.example.com", "www.foo-.example.com",
            .malformedLabel),
        Row("a partial wildcard", "w*.example.com", "www.example.com", .partialWildcard),
        Row("a partial wildcard in the first label", "*w.example.com", "www.example.com", .partialWildcard),
        Row("a wildcard without a dot", "*example.com", "www.example.com", .partialWildcard),
        Row("a partial wildcard of other names", "x*.example.com", "www.example.com", .anotherName),
        Row("a partial wildcard of another domain", "w*.example.org", "www.example.com", .anotherName),
        Row("a wildcard for no letter", "www.exa*mple.com", "www.example.com", .wildcardNotLeftmost),
        Row("a wildcard whose sides overlap in the host", "ab*ba", "aba", .anotherName),
        Row("wildcards around the whole name", "*abcd*", "abcd", .partialWildcard),
        Row("a part that the host has only once", "*ab*ab*", "abcd", .anotherName),
        Row("four wildcards", "*a*b*c*d", "abcd", .partialWildcard),
        Row("a wildcard in the middle", "www.*.com", "www.example.com", .wildcardNotLeftmost),
        Row("two wildcards", "*.*.example.com", "a.b.example.com", .wildcardNotLeftmost),
        Row("many wildcards", "*a*b*c*d*e", "abcde", .anotherName),
        Row("a wildcard of a single star", "*", "www.example.com", .wildcardOnly),
        Row("a wildcard above com", "*.com", "example.com", .wildcardAbovePublicSuffix),
        Row("a wildcard above co.uk", "*.co.uk", "example.co.uk", .wildcardAbovePublicSuffix),
        Row("a wildcard above a private top-level domain", "*.home", "nas.home", .wildcardAbovePublicSuffix),
        Row("a wildcard for two labels", "*.example.com", "a.b.example.com", .wildcardForSeveralLabels),
        Row("a wildcard for the domain itself", "*.example.com", "example.com", .wildcardForDomainItself),
        Row("a wildcard with a trailing dot", "*.example.com.", "www.example.com", .trailingDot),
        Row("a wildcard with a port", "*.example.com:443", "www.example.com", .port),
        Row("a wildcard of another domain", "*.example.org", "www.example.com", .anotherName),
        Row("the domain for its www name", "example.com", "www.example.com", .domainAbove),
        Row("the www name for its domain", "www.example.com", "example.com", .domainBelow),
        Row("a name of one letter below the host", "a.example.com", "example.com", .domainBelow),
        Row("a public suffix", "com", "example.com", .anotherName),
        Row("a public suffix of two labels", "co.uk", "example.co.uk", .anotherName),
        Row("a suffix that isn't a domain", "ample.com", "example.com", .anotherName),
        Row("a name that isn't a host name beside the host", "api.example.com", "www.example.com", .anotherName),
        Row("an underscore beside the host", "a_b.example.com", "www.example.com", .anotherName),
        Row("an empty name", "", "www.example.com", .anotherName),
        Row("a dot", ".", "www.example.com", .anotherName),
        Row("a name that is too long", String(repeating: "a.", count: 300) + "com", "www.example.com", .anotherName),
        Row("a URL of 512 bytes", "https://www.ex.com/" + String(repeating: "a", count: 493), "www.ex.com", .scheme),
        Row(
            "a URL of 513 bytes", "https://www.ex.com/" + String(repeating: "a", count: 494), "www.ex.com", .anotherName
        ),
    ]

    @Test(
        "A dNSName that doesn't match the host is reported with a reason, for the certificate and in the failure",
        arguments: rows
    )
    func reasons(row: Row) throws {
        let host = try Hostname(row.host)
        let certificate = try leaf([ASN1.dns(row.presented)])
        let mismatch = NameMismatch(of: certificate, for: host)
        #expect(mismatch.names.map(\.reason) == [row.reason])
        #expect(mismatch.names.map(\.form) == [.dnsName])
        let failure = try #require(try failures(certificate, anchors: [certificate], host: row.host).first)
        #expect(failure.code == .hostMismatch)
        // The failure omits a name of more than 255 bytes.
        guard row.presented.utf8.count <= 255 else { return }
        let told = try #require(NameMismatch(failure))
        #expect(told.names.map(\.reason.isNear) == [row.reason.isNear])
        if row.reason.isNear { #expect(told.names.map(\.reason) == [row.reason]) }
        #expect((failure.nameRemedy != nil) == row.reason.isNear)
        #expect(failure.message.contains(row.host) && failure.message.utf8.count < 1024)
    }

    @Test("A name in a form that no client compares is reported with its form and a reason")
    func otherForms() throws {
        let host = try Hostname("www.example.com")
        let names = [
            ASN1.uri("spiffe://example.org/ns/default"), ASN1.uri("https://www.example.com/"),
            ASN1.email("admin@example.com"), ASN1.directory(ASN1.name("www.example.com")),
            ASN1.other("1.3.6.1.5.5.7.8.7", ASN1.ia5("www.example.com")),
        ]
        let certificate = try leaf(names, commonName: "WWW.example.com")
        let found = NameMismatch(of: certificate, for: host)
        #expect(
            found.names.map(\.form) == [.commonName, .uri, .uri, .email, .directoryName, .otherName])
        #expect(
            found.names.map(\.reason) == [
                .commonName, .spiffeID, .formNotCompared, .formNotCompared, .formNotCompared, .formNotCompared,
            ])
        #expect(found.names[1].value == "spiffe://example.org/ns/default")
        let failure = try #require(try failures(certificate, anchors: [certificate], host: "www.example.com").first)
        guard case .list(let listed) = failure.found else { return #expect(Bool(false)) }
        #expect(listed.first == "URI:spiffe://example.org/ns/default" && listed.count == names.count)
        #expect(NameMismatch(failure)?.names.first?.reason == .spiffeID)
        // If there is a DNS name, the failure contains only the names that clients compare.
        let mixed = try leaf(names + [ASN1.dns("a.example.org")])
        #expect(
            try failures(mixed, anchors: [mixed], host: "www.example.com").first?.found == .list(["a.example.org"]))
    }

    @Test("The forms of names in a failure are read from the prefixes of their texts")
    func prefixes() throws {
        let rows: [(text: String, form: RejectedName.Form, value: String, reason: RejectedName.Reason)] = [
            ("URI:https://a", .uri, "https://a", .formNotCompared),
            ("URI:spiffe:/", .uri, "spiffe:/", .formNotCompared),
            ("URI:SPIFFE://", .uri, "SPIFFE://", .spiffeID),
            ("email:spiffe://a", .email, "spiffe://a", .formNotCompared),
            ("DirName:CN=a", .directoryName, "CN=a", .formNotCompared),
            ("otherName:1.2", .otherName, "1.2", .formNotCompared),
            ("registeredID:1.2", .registeredID, "1.2", .formNotCompared),
            ("x400Address:00", .x400Address, "00", .formNotCompared),
            ("ediPartyName:00", .ediPartyName, "00", .formNotCompared),
            ("192.0.2.1", .ipAddress, "192.0.2.1", .anotherAddress), ("a.example", .dnsName, "a.example", .anotherName),
        ]
        for (text, form, value, reason) in rows {
            let failure = TrustFailure(.hostMismatch, expected: .text("www.example.com"), found: .list([text]))
            let name = try #require(NameMismatch(failure)?.names.first)
            #expect(name.form == form && name.value == value && name.reason == reason, "\(text)")
        }
    }

    @Test("A name's value is cut to 256 bytes in JSON, before and after control characters are escaped")
    func valueSizes() {
        let rows: [(letters: Int, end: String, shown: String)] = [
            // In JSON, a line feed takes six bytes. Its escape takes four. DEL takes one byte, and its escape four.
            (250, "\n", "\\0a"), (251, "\n", "…"), (252, "\u{7f}", "\\7f"), (253, "\u{7f}", "\\7…"),
            (256, "", ""), (256, "a", "…"),
        ]
        for (letters, end, shown) in rows {
            let start = String(repeating: "a", count: letters)
            #expect(RejectedName(.dnsName, start + end, .anotherName).value == start + shown, "\(letters)")
        }
    }

    @Test(
        "The mismatch distinguishes an IPv4 address from its IPv6 form", arguments: ["192.0.2.1", "::ffff:192.0.2.1"])
    func mapped(host: String) throws {
        let other: [UInt8] =
            host.contains(":") ? [192, 0, 2, 1] : [UInt8](repeating: 0, count: 10) + [255, 255, 192, 0, 2, 1]
        let found = NameMismatch(of: try leaf([ASN1.ip(other), ASN1.ip([192, 0, 2, 9])]), for: try Hostname(host))
        #expect(found.names.map(\.reason) == [.mappedAddress, .anotherAddress])
        #expect(found.names.map(\.form) == [.ipAddress, .ipAddress])
    }

    @Test("An IPv6 address that ends in the host's IPv4 address, but isn't its mapped form, is another address")
    func otherPrefix() throws {
        let other: [UInt8] = [0x20, 1, 0x0d, 0xb8] + [UInt8](repeating: 0, count: 8) + [192, 0, 2, 1]
        let found = NameMismatch(of: try leaf([ASN1.ip(other)]), for: try Hostname("192.0.2.1"))
        #expect(found.names.map(\.reason) == [.anotherAddress])
        let reverse = NameMismatch(of: try leaf([ASN1.ip([192, 0, 2, 1])]), for: try Hostname("2001:db8::192.0.2.1"))
        #expect(reverse.names.map(\.reason) == [.anotherAddress])
        let sameSize = NameMismatch(of: try leaf([ASN1.ip(other)]), for: try Hostname("::ffff:192.0.2.1"))
        #expect(sameSize.names.map(\.reason) == [.anotherAddress])
    }

    @Test("The list of names is bounded and starts with those that nearly match")
    func order() throws {
        let others = (0..<1500).map { ASN1.dns("n\($0).example.org") }
        let found = NameMismatch(
            of: try leaf(Array(others.prefix(500)) + [ASN1.dns("w*.example.com")] + Array(others.suffix(1000))),
            for: try Hostname("www.example.com"))
        #expect(found.names.count == NameMismatch.maximumCount)
        #expect(found.names.first?.reason == .partialWildcard)
        #expect(found.omitted == 1501 - NameMismatch.maximumCount)
    }

    @Test("A mismatch has at most 20 names, of the first 1,000 in the certificate")
    func limits() throws {
        let host = try Hostname("www.example.com")
        for (count, isRead) in [(999, true), (1000, false)] {
            let others = (0..<count).map { ASN1.dns("n\($0).example.org") }
            let found = NameMismatch(of: try leaf(others + [ASN1.dns("www.example.com.")]), for: host)
            #expect(found.names.count == 20 && found.omitted == count + 1 - 20)
            #expect(found.hasNearName == isRead, "\(count)")
        }
    }

    @Test("For a certificate without alternative names, the mismatch contains the common name if it equals the host")
    func commonName() throws {
        let bare = try TestAuthority.root().issue(CertificateTemplate.leaf("www.example.com").with { $0.dnsNames = [] })
        let host = try Hostname("www.example.com")
        let found = NameMismatch(of: bare.certificate, for: host)
        #expect(found.names.map(\.reason) == [.commonName] && found.omitted == 0)
        #expect(NameMismatch(of: bare.certificate, for: try Hostname("a.example")).names.isEmpty)
    }

    @Test("Reasons and messages are bounded for any names")
    func anyNames() throws {
        var random = Repeatable(41)
        let pieces = [
            "*", ".", "-", "@", ":", "//", "/", "[", "]", ",", " ", "\\", "%", "\u{0}", "\u{7f}", "www", "example",
            "com",
            "spiffe", "10", "0", "::", "ffff", String(repeating: "a", count: 70),
        ]
        let hosts = try ["www.example.com", "example.com", "10.0.0.5", "::ffff:10.0.0.5", "a"].map { try Hostname($0) }
        for _ in 0..<400 {
            func text() -> String {
                (0..<Int.random(in: 0...12, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
                    .joined()
            }
            let host = hosts.randomElement(using: &random) ?? hosts[0]
            let names = (0..<5).map { _ in
                switch Int.random(in: 0...3, using: &random) {
                case 0: ASN1.uri(text())
                case 1: ASN1.email(text())
                default: ASN1.dns(text())
                }
            }
            let certificate = try leaf(names)
            guard !certificate.isNamed(host) else { continue }
            let found = NameMismatch(of: certificate, for: host)
            #expect(found.names.count + found.omitted == names.count)
            #expect(found.names.allSatisfy { $0.value.writtenSize <= 260 && !$0.remedy(for: host).isEmpty })
            for failure in try failures(certificate, anchors: [certificate], host: host.description) {
                #expect(failure.message.utf8.count < 4096)
                #expect(!failure.message.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f })
            }
        }
    }
}
