// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing

@Suite("Identity")
struct IdentityTests {
    /// The result of ``IdentityCheck`` for a leaf with these alternative names.
    private func codes(
        _ names: [[UInt8]], _ host: String, policy: ValidationPolicy = ValidationPolicy(), commonName: String = "x"
    ) throws -> [TrustFailure.Code] {
        let leaf = try CraftedCertificate.leaf(issuer: ASN1.name(commonName)).with {
            $0.subject = ASN1.name(commonName)
            $0.extensions = [Extension.alternativeNames(names).encoded]
        }.certificate()
        // The leaf is the anchor, so only its identity can be wrong.
        return try PKIXTests.codes(leaf, anchors: [leaf], host: host, policy: policy)
    }

    typealias Row = (name: String, presented: String, host: String, matches: Bool)

    static let dnsRows: [Row] = [
        ("the same name", "www.example.com", "www.example.com", true),
        ("another case in the certificate", "WWW.Example.COM", "www.example.com", true),
        ("another case in the host", "www.example.com", "WWW.EXAMPLE.COM", true),
        ("a host with a trailing dot", "www.example.com", "www.example.com.", true),
        ("an A-label", "xn--bcher-kva.example", "xn--bcher-kva.example", true),
        ("an A-label in capitals", "XN--BCHER-KVA.EXAMPLE", "xn--bcher-kva.example", true),
        ("one label", "localhost", "localhost", true),
        ("an underscore", "a_b.example.com", "a_b.example.com", true),
        ("a certificate's name with a trailing dot", "www.example.com.", "www.example.com", false),
        ("both with a trailing dot", "www.example.com.", "www.example.com.", false),
        ("a parent", "example.com", "www.example.com", false),
        ("a child", "a.www.example.com", "www.example.com", false),
        ("a suffix without a dot", "ample.com", "example.com", false),
        ("a leading dot", ".example.com", "www.example.com", false),
        ("a NUL after the name", "www.example.com\u{0}.evil.example", "www.example.com", false),
        ("a trailing NUL", "www.example.com\u{0}", "www.example.com", false),
        ("a trailing space", "www.example.com ", "www.example.com", false),
        ("an empty name", "", "www.example.com", false),
        ("a dot", ".", "www.example.com", false),
        ("a URL", "https://www.example.com", "www.example.com", false),
        ("a port", "www.example.com:443", "www.example.com", false),
        ("a list in one name", "a.example.com,www.example.com", "www.example.com", false),
        ("a bit of case in another character", "www\u{0e}example.com", "www.example.com", false),
        ("a hyphen at a label's end", "foo-.example.com", "foo-.example.com", false),
        ("a hyphen at a later label's start", "a.-foo.example.com", "a.-foo.example.com", false),
    ]

    static let wildcardRows: [Row] = [
        ("one label", "*.example.com", "www.example.com", true),
        ("one label, other case", "*.EXAMPLE.com", "www.example.COM", true),
        ("one A-label", "*.example.com", "xn--bcher-kva.example.com", true),
        ("one label with an underscore", "*.example.com", "a_b.example.com", true),
        ("a name below a name", "*.a.example.com", "b.a.example.com", true),
        ("a name below a domain under a suffix of two labels", "*.example.co.uk", "www.example.co.uk", true),
        ("one label that ends in a hyphen", "*.example.com", "foo-.example.com", true),
        ("a domain that ends in a hyphen", "*.foo-.example.com", "a.foo-.example.com", false),
        ("no label", "*.example.com", "example.com", false),
        ("two labels", "*.example.com", "a.b.example.com", false),
        ("an empty label", "*.example.com", ".example.com", false),
        ("another domain", "*.example.com", "www.example.org", false),
        ("a suffix without a dot", "*.ample.com", "www.example.com", false),
        ("a partial wildcard at the label's end", "w*.example.com", "www.example.com", false),
        ("a partial wildcard at the label's start", "*w.example.com", "www.example.com", false),
        ("an embedded wildcard", "w*w.example.com", "www.example.com", false),
        ("a wildcard in the middle", "www.*.com", "www.example.com", false),
        ("a wildcard in the last label", "www.example.*", "www.example.com", false),
        ("two wildcards", "*.*.example.com", "a.b.example.com", false),
        ("two stars", "**.example.com", "www.example.com", false),
        ("a wildcard in an A-label", "xn--*.example.com", "xn--bcher-kva.example.com", false),
        ("a star alone", "*", "localhost", false),
        ("only a star, for a name of two labels", "*", "example.com", false),
        ("a star and a dot", "*.", "localhost", false),
        ("a star followed only by a dot", "*..com", "a.com", false),
        ("a wildcard above a top-level domain", "*.com", "example.com", false),
        ("a wildcard above a suffix of two labels", "*.co.uk", "example.co.uk", false),
        ("a wildcard above a suffix by a wildcard rule", "*.anything.ck", "www.anything.ck", false),
        ("a wildcard above an unlisted top-level domain", "*.internal", "db.internal", false),
        ("above localhost", "*.localhost", "a.localhost", false),
        ("a wildcard with a trailing dot", "*.example.com.", "www.example.com", false),
        ("with a NUL", "*.example.com\u{0}", "www.example.com", false),
        ("without a dot", "*example.com", "www.example.com", false),
        ("a literal star in the host isn't a host", "\\*.example.com", "www.example.com", false),
    ]

    @Test("A dNSName matches only if it is the host", arguments: dnsRows)
    func dns(row: Row) throws { try expect(row) }

    @Test(
        "A wildcard must be the whole leftmost label, matches exactly one label, and never matches above a public suffix",
        arguments: wildcardRows)
    func wildcards(row: Row) throws { try expect(row) }

    private func expect(_ row: Row) throws {
        // A host name that is rejected can't match either.
        guard (try? Hostname(row.host)) != nil else { return #expect(!row.matches) }
        for policy in [ValidationPolicy(), .plain] {
            #expect(
                try codes([ASN1.dns(row.presented)], row.host, policy: policy) == (row.matches ? [] : [.hostMismatch]),
                "\(row.name)")
        }
        // Other names don't change the result.
        let others = [ASN1.dns("other.example"), ASN1.dns(row.presented), ASN1.ip([10, 0, 0, 1])]
        #expect(try codes(others, row.host).isEmpty == row.matches, "\(row.name), among others")
    }

    @Test("A wildcard above a private suffix matches unless the policy is strict")
    func privateSuffixes() throws {
        let names = [ASN1.dns("*.github.io")]
        #expect(try codes(names, "me.github.io").isEmpty)
        #expect(try codes(names, "me.github.io", policy: .strict).contains(.hostMismatch))
        #expect(try !codes([ASN1.dns("*.me.github.io")], "www.me.github.io", policy: .strict).contains(.hostMismatch))
        #expect(try codes([ASN1.dns("*.com")], "example.com", policy: .strict).contains(.hostMismatch))
    }

    static let addressRows: [(name: String, presented: [UInt8], host: String, matches: Bool)] = [
        ("IPv4", ASN1.ip([192, 0, 2, 1]), "192.0.2.1", true),
        ("IPv6", ASN1.ip([0x20, 1, 0x0d, 0xb8] + [UInt8](repeating: 0, count: 11) + [1]), "2001:db8::1", true),
        ("IPv6 in brackets", ASN1.ip([UInt8](repeating: 0, count: 15) + [1]), "[::1]", true),
        (
            "IPv6 with a zone", ASN1.ip([0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [1]), "fe80::1%eth0", true
        ),
        (
            "another IPv6 with a zone", ASN1.ip([0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [2]), "fe80::1%eth0",
            false
        ),
        ("a zone in a dNSName", ASN1.dns("fe80::1%eth0"), "fe80::1%eth0", false),
        ("another IPv4", ASN1.ip([192, 0, 2, 2]), "192.0.2.1", false),
        (
            "IPv4 in IPv6 for IPv4", ASN1.ip([UInt8](repeating: 0, count: 10) + [255, 255, 192, 0, 2, 1]), "192.0.2.1",
            false
        ),
        ("IPv4 for IPv4 in IPv6", ASN1.ip([192, 0, 2, 1]), "::ffff:192.0.2.1", false),
        ("IPv4 written in a dNSName", ASN1.dns("192.0.2.1"), "192.0.2.1", false),
        ("IPv6 written in a dNSName", ASN1.dns("2001:db8::1"), "2001:db8::1", false),
        ("IPv6 in brackets in a dNSName", ASN1.dns("[::1]"), "[::1]", false),
        ("a wildcard over an address in a dNSName", ASN1.dns("*.0.2.1"), "192.0.2.1", false),
        ("an address in a URI", ASN1.uri("https://192.0.2.1/"), "192.0.2.1", false),
        ("an address whose bytes are the host's letters", ASN1.ip(Array("a.co".utf8)), "a.co", false),
        ("a host whose letters are the address's bytes", ASN1.dns("a.co"), "97.46.99.111", false),
        ("a DNS name in a URI", ASN1.uri("https://www.example.com/"), "www.example.com", false),
        ("a DNS name in a mailbox", ASN1.email("www.example.com"), "www.example.com", false),
        ("a DNS name in a directory name", ASN1.directory(ASN1.name("www.example.com")), "www.example.com", false),
        (
            "a DNS name in an otherName", ASN1.other("1.3.6.1.5.5.7.8.7", ASN1.ia5("www.example.com")),
            "www.example.com", false
        ),
    ]

    @Test(
        "An address matches only an iPAddress with the same bytes, and only a dNSName matches a DNS name",
        arguments: addressRows)
    func addresses(name: String, presented: [UInt8], host: String, matches: Bool) throws {
        #expect(try codes([presented], host) == (matches ? [] : [.hostMismatch]), "\(name)")
    }

    @Test("The common name never matches the host, with or without alternative names")
    func commonName() throws {
        #expect(
            try codes([ASN1.dns("other.example")], "www.example.com", commonName: "www.example.com") == [.hostMismatch])
        #expect(
            try codes([ASN1.email("a@example.com")], "www.example.com", commonName: "www.example.com")
                == [.hostMismatch])
        let bare = try TestAuthority.root().issue(CertificateTemplate.leaf("www.example.com").with { $0.dnsNames = [] })
        for policy in [ValidationPolicy(), .plain] {
            #expect(
                try PKIXTests.codes(
                    bare.certificate, anchors: [bare.certificate], host: "www.example.com", policy: policy)
                    == [.subjectAlternativeNameMissing])
            #expect(
                try PKIXTests.codes(bare.certificate, anchors: [bare.certificate], host: "192.0.2.1", policy: policy)
                    == [.subjectAlternativeNameMissing])
        }
    }

    @Test("Without a host, the engine doesn't check the names")
    func noHost() throws {
        let leaf = try TestAuthority.root().issue(CertificateTemplate(commonName: "x")).certificate
        #expect(try PKIXTests.codes(leaf, anchors: [leaf]).isEmpty)
    }

    @Test("A mismatch contains the expected name and the certificate's names")
    func values() throws {
        let leaf = try TestAuthority.root().issue(.leaf("a.example.com", "192.0.2.1")).certificate
        let failure = try #require(try failures(leaf, anchors: [leaf], host: "B.example.com.").first)
        #expect(failure.code == .hostMismatch)
        #expect(failure.certificate == 0 && failure.role == .leaf)
        #expect(failure.expected == .text("b.example.com"))
        #expect(failure.found == .list(["a.example.com", "192.0.2.1"]))
    }

    @Test("A mismatch omits names of more than 255 bytes")
    func longNames() throws {
        let names = [255, 256, 3].map { String(repeating: "a", count: $0) }
        let leaf = try CraftedCertificate.leaf().with {
            $0.extensions = [Extension.alternativeNames(names.map { ASN1.dns($0) }).encoded]
        }.certificate()
        let failure = try #require(try failures(leaf, anchors: [leaf], host: "www.example.com").first)
        #expect(failure.found == .list([names[0], names[2]]))
    }

    @Test("A certificate names a host if one of its alternative names matches the host")
    func named() throws {
        let rows: [(names: [[UInt8]], hosts: [String])] = [
            ([], []), ([ASN1.dns("www.example.com")], ["www.example.com"]),
            ([ASN1.dns("*.example.com"), ASN1.ip([192, 0, 2, 1])], ["www.example.com", "192.0.2.1"]),
            ([ASN1.email("www.example.com")], []),
        ]
        for row in rows {
            let leaf = try CraftedCertificate.leaf().with {
                $0.subject = ASN1.name("www.example.com")
                $0.extensions = row.names.isEmpty ? nil : [Extension.alternativeNames(row.names).encoded]
            }.certificate()
            for host in ["www.example.com", "192.0.2.1", "example.com", "localhost"] {
                #expect(leaf.isNamed(try Hostname(host)) == row.hosts.contains(host), "\(row.names) \(host)")
            }
        }
    }

    @Test("Matching an exact name is symmetric, and case never matters")
    func symmetry() throws {
        var random = Repeatable(13)
        let labels = ["a", "b", "www", "xn--a", "a-b", "com", "example"]
        for _ in 0..<150 {
            func name() -> String {
                let text = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    labels.randomElement(using: &random) ?? "a"
                }
                .joined(separator: ".")
                return Bool.random(using: &random) ? text.uppercased() : text
            }
            let (a, b) = (name(), name())
            let matches = try codes([ASN1.dns(a)], b).isEmpty
            #expect(matches == (a.lowercased() == b.lowercased()))
            #expect(try codes([ASN1.dns(b)], a).isEmpty == matches)
        }
    }
}
