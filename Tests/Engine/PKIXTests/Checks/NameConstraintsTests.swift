// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing

/// A row: a CA with these subtrees issues a leaf with these names.
struct ConstraintRow: Sendable, CustomTestStringConvertible {
    var name: String
    var permitted: [[UInt8]] = []
    var excluded: [[UInt8]] = []
    var names: [[UInt8]] = []
    var subject = ASN1.emptyName
    /// The expected code, or nil if the path is accepted.
    var code: TrustFailure.Code?

    var testDescription: String { name }

    static func permit(
        _ permitted: [UInt8]..., names: [UInt8]..., code: TrustFailure.Code? = nil
    ) -> ConstraintRow {
        ConstraintRow(name: describe("permitted", permitted, names), permitted: permitted, names: names, code: code)
    }

    static func exclude(
        _ excluded: [UInt8]..., names: [UInt8]..., code: TrustFailure.Code? = nil
    ) -> ConstraintRow {
        ConstraintRow(name: describe("excluded", excluded, names), excluded: excluded, names: names, code: code)
    }

    private static func describe(_ kind: String, _ bases: [[UInt8]], _ names: [[UInt8]]) -> String {
        func text(_ names: [[UInt8]]) -> String {
            names.map { String(decoding: $0.dropFirst(2).map { $0 < 0x7f && $0 > 0x1f ? $0 : 0x3f }, as: UTF8.self) }
                .joined(separator: " ")
        }
        return "\(text(names)) with \(kind) \(text(bases))"
    }

    func expect() throws {
        let chain = try CraftedChain([.init("CA", [.nameConstraints(permitted: permitted, excluded: excluded)])])
        let leaf = try chain.leaf {
            $0.subject = subject
            $0.extensions = names.isEmpty ? nil : [Extension.alternativeNames(names).encoded]
        }
        for policy in [ValidationPolicy(), .plain] {
            let found = try chain.validate(leaf, policy: policy).failures
            #expect(found.map(\.code) == (code.map { [$0] } ?? []), "\(name)")
            #expect(found.allSatisfy { $0.certificate == 0 && $0.constrainedBy == 1 })
        }
    }
}

@Suite("Name constraints: DNS names (RFC 5280 § 4.2.1.10)")
struct DNSNameConstraintsTests {
    private static func row(
        _ kind: (@Sendable ([UInt8]) -> ConstraintRow), _ base: String, _ name: String, _ code: TrustFailure.Code?
    ) -> ConstraintRow {
        var row = kind(ASN1.dns(base))
        row.names = [ASN1.dns(name)]
        row.code = code
        row.name = "\(name) under \(row.name)"
        return row
    }

    static func permitted(_ base: String, _ name: String, _ code: TrustFailure.Code? = nil) -> ConstraintRow {
        row({ .permit($0) }, base, name, code)
    }

    static func excluded(_ base: String, _ name: String, _ code: TrustFailure.Code? = nil) -> ConstraintRow {
        row({ .exclude($0) }, base, name, code)
    }

    static let permittedRows: [ConstraintRow] = [
        permitted("example.com", "example.com"), permitted("example.com", "www.example.com"),
        permitted("example.com", "a.b.c.example.com"), permitted("example.com", "WWW.EXAMPLE.COM"),
        permitted("EXAMPLE.com", "www.example.com"), permitted("com", "example.com"),
        permitted("example.com", "example.org", .nameNotPermitted),
        permitted("example.com", "badexample.com", .nameNotPermitted),
        permitted("example.com", "example.com.evil.example", .nameNotPermitted),
        permitted("example.com", "com", .nameNotPermitted),
        permitted("www.example.com", "example.com", .nameNotPermitted),
        permitted("", "example.com"), permitted("a", "*.a"),
        // A leading dot includes only the names below.
        permitted(".example.com", "www.example.com"), permitted(".example.com", "a.b.example.com"),
        permitted(".example.com", "example.com", .nameNotPermitted),
        permitted(".example.com", "badexample.com", .nameNotPermitted),
        // A wildcard means every name that it matches, and all of them must be permitted.
        permitted("example.com", "*.example.com"), permitted("example.com", "*.a.example.com"),
        permitted(".example.com", "*.example.com"), permitted("", "*.example.com"),
        permitted("www.example.com", "*.example.com", .nameNotPermitted),
        permitted("example.com", "*.com", .nameNotPermitted),
        permitted("example.com", "*.example.org", .nameNotPermitted),
        permitted(".a.example.com", "*.example.com", .nameNotPermitted),
    ]

    static let excludedRows: [ConstraintRow] = [
        excluded("example.com", "example.org"), excluded("example.com", "notexample.com"),
        excluded("example.com", "com"), excluded("www.example.com", "example.com"),
        excluded("example.com", "example.com", .nameExcluded),
        excluded("example.com", "www.example.com", .nameExcluded),
        excluded("example.com", "A.B.EXAMPLE.COM", .nameExcluded), excluded("", "example.com", .nameExcluded),
        excluded(".example.com", "www.example.com", .nameExcluded),
        excluded(".example.com", "example.com", .nameExcluded), excluded(".example.com", "example.org"),
        // A wildcard is excluded if any name that it matches is.
        excluded("example.com", "*.example.com", .nameExcluded),
        excluded("example.com", "*.a.example.com", .nameExcluded),
        excluded("www.example.com", "*.example.com", .nameExcluded),
        excluded("WWW.EXAMPLE.COM", "*.example.com", .nameExcluded),
        excluded("example.com", "*.com", .nameExcluded), excluded(".example.com", "*.com", .nameExcluded),
        excluded(".www.example.com", "*.www.example.com", .nameExcluded), excluded("", "*.example.com", .nameExcluded),
        excluded("a.b.example.com", "*.example.com"), excluded("www.example.com", "*.example.org"),
        excluded("www.example.com", "*.b.example.com"), excluded("wwwexample.com", "*.example.com"),
    ]

    /// Names and constraints that can't be compared.
    static let undecidableRows: [ConstraintRow] =
        [
            "example.com.", ".example.com", "w*.example.com", "*w.example.com", "www.*.com", "*.*.example.com", "*",
            "*.", "",
            ".", "exam ple.com", "www.example.com\u{0}", "a\u{0}.example.com", "-a.example.com", "a-.example.com",
            "a..example.com",
            "*..example.com", "www.example.com/", "user@example.com", "www.example.com:443",
            String(repeating: "a", count: 64) + ".example.com",
        ].flatMap { name in
            [
                permitted("example.com", name, .nameConstraintUndecidable),
                excluded("other.example", name, .nameConstraintUndecidable),
            ]
        }
        + [
            "*.example.com", "example.com.", ".", "..", "exam ple.com", "*", "w*.example.com", "-example.com",
            "example..com",
        ].flatMap { base in
            [
                permitted(base, "www.example.com", .nameConstraintUndecidable),
                excluded(base, "www.example.com", .nameConstraintUndecidable),
            ]
        }

    @Test("A name is permitted if it is the base or below it, by whole labels", arguments: permittedRows)
    func permitted(row: ConstraintRow) throws { try row.expect() }

    @Test(
        "A name is excluded if it is the base or below it, or is a wildcard that could match such a name",
        arguments: excludedRows)
    func excluded(row: ConstraintRow) throws { try row.expect() }

    @Test("A name or constraint that can't be compared is refused", arguments: undecidableRows)
    func undecidable(row: ConstraintRow) throws { try row.expect() }

    static let combinedRows: [ConstraintRow] = [
        ConstraintRow(
            name: "excluded beats permitted", permitted: [ASN1.dns("example.com")],
            excluded: [ASN1.dns("bad.example.com")],
            names: [ASN1.dns("www.bad.example.com")], code: .nameExcluded),
        ConstraintRow(
            name: "the same name permitted and excluded", permitted: [ASN1.dns("example.com")],
            excluded: [ASN1.dns("example.com")], names: [ASN1.dns("example.com")], code: .nameExcluded),
        ConstraintRow(
            name: "permitted and not excluded", permitted: [ASN1.dns("example.com")],
            excluded: [ASN1.dns("bad.example.com")],
            names: [ASN1.dns("good.example.com")]),
        ConstraintRow(
            name: "in the second of two permitted subtrees",
            permitted: [ASN1.dns("example.org"), ASN1.dns("example.com")],
            names: [ASN1.dns("example.com")]),
        ConstraintRow(
            name: "in the second of two excluded subtrees",
            excluded: [ASN1.dns("example.org"), ASN1.dns("example.com")],
            names: [ASN1.dns("example.com")], code: .nameExcluded),
        ConstraintRow(
            name: "one bad name after good ones", permitted: [ASN1.dns("example.com")],
            names: [ASN1.dns("a.example.com"), ASN1.dns("b.example.com"), ASN1.dns("evil.example")],
            code: .nameNotPermitted),
        ConstraintRow(
            name: "one bad name before good ones", permitted: [ASN1.dns("example.com")],
            names: [ASN1.dns("evil.example"), ASN1.dns("a.example.com")], code: .nameNotPermitted),
        ConstraintRow(
            name: "one undecidable constraint after one that permits",
            permitted: [ASN1.dns("example.com"), ASN1.dns("*.x")],
            names: [ASN1.dns("example.com")]),
        ConstraintRow(name: "no names at all", permitted: [ASN1.dns("example.com")]),
        ConstraintRow(
            name: "names of other forms", permitted: [ASN1.dns("example.com")],
            names: [
                ASN1.ip([192, 0, 2, 1]), ASN1.uri("https://evil.example"), ASN1.email("a@evil.example"),
                ASN1.registered("1.2.3"), ASN1.other("1.2.3", ASN1.null),
            ]),
        ConstraintRow(
            name: "a malformed name under constraints of other forms",
            permitted: [ASN1.ip([10, 0, 0, 0, 255, 0, 0, 0])],
            names: [ASN1.dns("not a name")]),
        ConstraintRow(
            name: "a common name in the form of a DNS name", permitted: [ASN1.dns("example.com")],
            names: [ASN1.dns("www.example.com")],
            subject: ASN1.name("www.evil.example")),
    ]

    @Test("Subtrees of the same form combine, and subtrees of different forms don't", arguments: combinedRows)
    func combined(row: ConstraintRow) throws { try row.expect() }
}

@Suite("Name constraints: IP addresses")
struct AddressConstraintsTests {
    private static let ten: [UInt8] = [10, 0, 0, 0, 255, 0, 0, 0]
    private static let documentation: [UInt8] =
        [0x20, 0x01, 0x0d, 0xb8] + [UInt8](repeating: 0, count: 12) + [255, 255, 255, 255]
        + [UInt8](repeating: 0, count: 12)
    private static let sixteen: [UInt8] = [0x20, 0x01, 0x0d, 0xb8] + [UInt8](repeating: 7, count: 12)
    private static let other: [UInt8] = [0x20, 0x01, 0x0d, 0xb9] + [UInt8](repeating: 7, count: 12)
    private static let mapped: [UInt8] = [UInt8](repeating: 0, count: 10) + [255, 255, 10, 1, 2, 3]

    static let rows: [ConstraintRow] = [
        .permit(ASN1.ip(ten), names: ASN1.ip([10, 1, 2, 3])), .permit(ASN1.ip(ten), names: ASN1.ip([10, 0, 0, 0])),
        .permit(ASN1.ip(ten), names: ASN1.ip([10, 255, 255, 255])),
        .permit(ASN1.ip(ten), names: ASN1.ip([11, 0, 0, 0]), code: .nameNotPermitted),
        .permit(ASN1.ip(ten), names: ASN1.ip([9, 255, 255, 255]), code: .nameNotPermitted),
        .permit(ASN1.ip([10, 1, 2, 3, 255, 0, 0, 0]), names: ASN1.ip([10, 9, 9, 9])),
        .permit(ASN1.ip([192, 0, 2, 1, 255, 255, 255, 255]), names: ASN1.ip([192, 0, 2, 1])),
        .permit(ASN1.ip([192, 0, 2, 1, 255, 255, 255, 255]), names: ASN1.ip([192, 0, 2, 2]), code: .nameNotPermitted),
        .permit(
            ASN1.ip([192, 0, 2, 128, 255, 255, 255, 128]), names: ASN1.ip([192, 0, 2, 127]), code: .nameNotPermitted),
        .permit(ASN1.ip([192, 0, 2, 128, 255, 255, 255, 128]), names: ASN1.ip([192, 0, 2, 255])),
        .permit(ASN1.ip([0, 0, 0, 0, 0, 0, 0, 0]), names: ASN1.ip([1, 2, 3, 4])),
        .permit(ASN1.ip(documentation), names: ASN1.ip(sixteen)),
        .permit(ASN1.ip(documentation), names: ASN1.ip(other), code: .nameNotPermitted),
        .permit(ASN1.ip(ten), ASN1.ip(documentation), names: ASN1.ip([10, 1, 1, 1]), ASN1.ip(sixteen)),
        // All addresses are one form: a CA that is limited to some addresses of one family can't issue for the other
        // family.
        .permit(ASN1.ip(ten), names: ASN1.ip(sixteen), code: .nameNotPermitted),
        .permit(ASN1.ip(documentation), names: ASN1.ip([10, 1, 1, 1]), code: .nameNotPermitted),
        .permit(ASN1.ip(ten), names: ASN1.ip(mapped), code: .nameNotPermitted),
        .permit(ASN1.ip(ten), names: ASN1.dns("www.example.com")),
        .exclude(ASN1.ip(ten), names: ASN1.ip([10, 1, 2, 3]), code: .nameExcluded),
        .exclude(ASN1.ip(ten), names: ASN1.ip([11, 1, 2, 3])), .exclude(ASN1.ip(ten), names: ASN1.ip(sixteen)),
        .exclude(ASN1.ip([0, 0, 0, 0, 0, 0, 0, 0]), names: ASN1.ip([1, 2, 3, 4]), code: .nameExcluded),
        .exclude(ASN1.ip([UInt8](repeating: 0, count: 32)), names: ASN1.ip(sixteen), code: .nameExcluded),
        .exclude(ASN1.ip([UInt8](repeating: 0, count: 32)), names: ASN1.ip([1, 2, 3, 4])),
        .exclude(ASN1.ip(documentation), names: ASN1.ip(other)),
        .exclude(ASN1.ip(documentation), names: ASN1.ip(sixteen), code: .nameExcluded),
        // An empty base covers every address.
        .exclude(ASN1.ip([]), names: ASN1.ip([10, 1, 2, 3]), code: .nameExcluded),
        .exclude(ASN1.ip([]), names: ASN1.ip(sixteen), code: .nameExcluded),
        .exclude(ASN1.ip([]), names: ASN1.dns("www.example.com")),
        .exclude(ASN1.ip([]), ASN1.dns("evil.example"), names: ASN1.dns("www.example.com")),
        .permit(ASN1.ip([]), names: ASN1.ip([10, 1, 2, 3]), code: .nameNotPermitted),
        .permit(ASN1.ip([]), names: ASN1.ip(sixteen), code: .nameNotPermitted),
        .permit(ASN1.ip([]), names: ASN1.dns("www.example.com")),
        .permit(ASN1.ip([]), ASN1.ip(ten), names: ASN1.ip([10, 1, 2, 3])),
        .permit(ASN1.ip([]), ASN1.ip(ten), names: ASN1.ip([11, 1, 2, 3]), code: .nameNotPermitted),
        // An exclusion of a mapped address or of its IPv4 address excludes both, but neither permits the other.
        .exclude(ASN1.ip(ten), names: ASN1.ip(mapped), code: .nameExcluded),
        .exclude(ASN1.ip([11, 0, 0, 0, 255, 0, 0, 0]), names: ASN1.ip(mapped)),
        .exclude(
            ASN1.ip(mapped + [UInt8](repeating: 255, count: 16)), names: ASN1.ip([10, 1, 2, 3]), code: .nameExcluded),
        .exclude(ASN1.ip(mapped + [UInt8](repeating: 255, count: 16)), names: ASN1.ip([10, 1, 2, 4])),
        .exclude(
            ASN1.ip(mapped + [UInt8](repeating: 255, count: 12) + [0, 0, 0, 0]), names: ASN1.ip([192, 0, 2, 1]),
            code: .nameExcluded),
        .exclude(
            ASN1.ip(
                [UInt8](repeating: 0, count: 16) + [UInt8](repeating: 255, count: 8) + [UInt8](repeating: 0, count: 8)),
            names: ASN1.ip([192, 0, 2, 1])),
        .permit(
            ASN1.ip(mapped + [UInt8](repeating: 255, count: 16)), names: ASN1.ip([10, 1, 2, 3]), code: .nameNotPermitted
        ),
        // The bytes after a name or constraint don't count.
        .exclude(
            ASN1.ip(ten), ASN1.ip([172, 16, 0, 0, 255, 240, 0, 0]), names: ASN1.ip(mapped), ASN1.dns("a.test"),
            code: .nameExcluded),
        .exclude(
            ASN1.ip(mapped + [UInt8](repeating: 255, count: 16)), ASN1.ip([172, 16, 0, 0, 255, 240, 0, 0]),
            names: ASN1.ip([10, 1, 2, 3]), ASN1.dns("a.test"), code: .nameExcluded),
        // An address in a dNSName is at best a (malformed) DNS name.
        .permit(ASN1.ip(ten), names: ASN1.dns("11.1.1.1")),
        ConstraintRow(
            name: "excluded beats permitted", permitted: [ASN1.ip(ten)],
            excluded: [ASN1.ip([10, 9, 0, 0, 255, 255, 0, 0])],
            names: [ASN1.ip([10, 9, 8, 7])], code: .nameExcluded),
    ]

    @Test("An address is in a subtree if it is equal under the mask", arguments: rows)
    func addresses(row: ConstraintRow) throws { try row.expect() }

    @Test("Only the prefix ::ffff:0:0/96 makes an address a mapped one, and a shorter mask concerns IPv6")
    func mappedPrefix() throws {
        let whole = [UInt8](repeating: 255, count: 16)
        for index in [0, 8, 9, 10, 11] {
            var address = Self.mapped
            address[index] ^= 1
            try ConstraintRow.exclude(ASN1.ip(Self.ten), names: ASN1.ip(address)).expect()
            try ConstraintRow.exclude(ASN1.ip(address + whole), names: ASN1.ip([10, 1, 2, 3])).expect()
            let mask = whole.prefix(index) + [254] + [UInt8](repeating: 0, count: 15 - index)
            try ConstraintRow.exclude(ASN1.ip(Self.mapped + mask), names: ASN1.ip([10, 1, 2, 3])).expect()
        }
        for kept in 0...4 {
            let mask = whole.prefix(12 + kept) + [UInt8](repeating: 0, count: 4 - kept)
            for index in 0..<4 {
                var address: [UInt8] = [10, 1, 2, 3]
                address[index] ^= 255
                let code: TrustFailure.Code? = index < kept ? nil : .nameExcluded
                try ConstraintRow.exclude(ASN1.ip(Self.mapped + mask), names: ASN1.ip(address)).with(code).expect()
            }
        }
    }
}

@Suite("Name constraints: directory names")
struct DirectoryNameConstraintsTests {
    private static func acme(_ value: [UInt8] = ASN1.utf8("Acme"), _ more: (String, [UInt8])...) -> [UInt8] {
        ASN1.name([(ASN1.o, value)] + more.map { ($0.0, $0.1) })
    }

    private static let www = (ASN1.cn, ASN1.utf8("www"))

    private static func row(
        _ name: String, permitted: [UInt8]? = nil, excluded: [UInt8]? = nil, subject: [UInt8],
        names: [[UInt8]] = [ASN1.dns("www.example.com")], _ code: TrustFailure.Code? = nil
    ) -> ConstraintRow {
        ConstraintRow(
            name: name, permitted: permitted.map { [ASN1.directory($0)] } ?? [],
            excluded: excluded.map { [ASN1.directory($0)] } ?? [], names: names, subject: subject, code: code)
    }

    static let rows: [ConstraintRow] = [
        row("the base itself", permitted: acme(), subject: acme()),
        row("below the base", permitted: acme(), subject: acme(ASN1.utf8("Acme"), www)),
        row(
            "in another string type and case", permitted: acme(ASN1.printable("ACME")),
            subject: acme(ASN1.bmp(" acme "), www)),
        row("another organization", permitted: acme(), subject: acme(ASN1.utf8("Evil"), www), .nameNotPermitted),
        row(
            "the base in another position", permitted: acme(), subject: ASN1.name([www, (ASN1.o, ASN1.utf8("Acme"))]),
            .nameNotPermitted),
        row("shorter than the base", permitted: acme(ASN1.utf8("Acme"), www), subject: acme(), .nameNotPermitted),
        row(
            "the same text under another type", permitted: acme(), subject: ASN1.name([(ASN1.ou, ASN1.utf8("Acme"))]),
            .nameNotPermitted),
        row("text with the same start", permitted: acme(), subject: acme(ASN1.utf8("Acme Evil")), .nameNotPermitted),
        row(
            "the base and more in one relative name", permitted: acme(),
            subject: ASN1.sequence(
                ASN1.set([ASN1.attribute(ASN1.o, ASN1.utf8("Acme")), ASN1.attribute(ASN1.cn, ASN1.utf8("x"))])),
            .nameNotPermitted),
        row("the empty base", permitted: ASN1.emptyName, subject: acme()),
        row("no subject", permitted: acme(), subject: ASN1.emptyName),
        row("an alternative name within", permitted: acme(), subject: ASN1.emptyName, names: [ASN1.directory(acme())]),
        row(
            "an alternative name outside", permitted: acme(), subject: acme(), names: [ASN1.directory(ASN1.name("x"))],
            .nameNotPermitted),
        row("excluded, the base itself", excluded: acme(), subject: acme(), .nameExcluded),
        row("excluded, below the base", excluded: acme(), subject: acme(ASN1.utf8("Acme"), www), .nameExcluded),
        row("excluded, another", excluded: acme(), subject: acme(ASN1.utf8("Good"), www)),
        row("excluded, above the base", excluded: acme(ASN1.utf8("Acme"), www), subject: acme()),
        row("excluded, everything", excluded: ASN1.emptyName, subject: acme(), .nameExcluded),
        row(
            "excluded, an alternative name", excluded: acme(), subject: ASN1.name("x"), names: [ASN1.directory(acme())],
            .nameExcluded),
    ]

    /// An organization and this many units as one relative name, with spaces that reverse the DER order.
    private static func units(_ count: Int, reversed: Bool) -> [UInt8] {
        let units = (0..<count).map { index in
            let spaces = String(repeating: " ", count: reversed ? count - index : index)
            return ASN1.attribute(ASN1.ou, ASN1.utf8("Unit \(index)" + spaces))
        }
        return ASN1.sequence(ASN1.set([ASN1.attribute(ASN1.o, ASN1.utf8("Acme"))] + units))
    }

    @Test(
        "The engine finds an excluded relative name with any number of attributes in another order",
        arguments: [1, 7, 8, 9, 40])
    func manyAttributes(count: Int) throws {
        try Self.row(
            "\(count) units", excluded: Self.units(count, reversed: false), subject: Self.units(count, reversed: true),
            .nameExcluded
        ).expect()
        try Self.row(
            "one more", excluded: Self.units(count, reversed: false), subject: Self.units(count + 1, reversed: true)
        ).expect()
        try Self.row(
            "permitted", permitted: Self.units(count, reversed: false), subject: Self.units(count, reversed: true)
        ).expect()
    }

    @Test(
        "A value that the engine can't prepare for comparison counts neither as permitted nor as not excluded",
        arguments: ["Acme²", "Ⓐcme", "Acme\u{e000}", "Acme\u{378}", "ｶ"])
    func undecidable(text: String) throws {
        let odd = Self.acme(ASN1.utf8(text))
        try Self.row("excluded name", excluded: Self.acme(), subject: odd, .nameConstraintUndecidable).expect()
        try Self.row("excluded base", excluded: odd, subject: Self.acme(), .nameConstraintUndecidable).expect()
        try Self.row("the same bytes", excluded: odd, subject: odd, .nameExcluded).expect()
        try Self.row("permitted, the same bytes", permitted: odd, subject: odd).expect()
        try Self.row("permitted", permitted: Self.acme(), subject: odd, .nameConstraintUndecidable).expect()
        // Another relative name proves that the names differ.
        let elsewhere = ASN1.name([(ASN1.c, ASN1.printable("CH")), (ASN1.o, ASN1.utf8(text))])
        let here = ASN1.name([(ASN1.c, ASN1.printable("DE")), (ASN1.o, ASN1.utf8("Acme"))])
        try Self.row("another country", excluded: here, subject: elsewhere).expect()
    }

    @Test(
        "A non-ASCII TeletexString is excluded like any string it may represent, but permitted only by the same string")
    func teletex() throws {
        let odd = Self.acme(ASN1.teletex("Zürich"))
        let plain = Self.acme(ASN1.utf8("Zürich"))
        try Self.row("excluded", excluded: plain, subject: odd, .nameExcluded).expect()
        try Self.row("excluded, the other way", excluded: odd, subject: plain, .nameExcluded).expect()
        try Self.row("excluded, the same", excluded: odd, subject: odd, .nameExcluded).expect()
        try Self.row("permitted", permitted: plain, subject: odd, .nameConstraintUndecidable).expect()
        try Self.row("permitted, the other way", permitted: odd, subject: plain, .nameConstraintUndecidable).expect()
        try Self.row("permitted, the same", permitted: odd, subject: odd).expect()
        try Self.row("permitted, ASCII", permitted: Self.acme(), subject: Self.acme(ASN1.teletex("ACME"))).expect()
    }

    @Test("A name is in a subtree if it starts with the base's relative names", arguments: rows)
    func decided(row: ConstraintRow) throws { try row.expect() }

    @Test(
        "Another encoding of the same name can't evade an exclusion (RFC 5280 § 7.1, RFC 4518)",
        arguments: [
            ("another case", "EVIL CORP"), ("more spaces", " Evil    Corp "),
        ] as [(String, String)])
    func spellings(name: String, encoded: String) throws {
        for type in [ASN1.utf8, ASN1.bmp, ASN1.universal] as [(String) -> [UInt8]] {
            try Self.row(
                name, excluded: Self.acme(ASN1.printable("Evil Corp")), subject: Self.acme(type(encoded)),
                .nameExcluded
            )
            .expect()
        }
    }

    @Test(
        "Characters that RFC 4518 § 2.2 and § 2.3 map to the same characters, or to nothing, can't evade an exclusion",
        arguments: [
            ("a soft hyphen", "Straße", "Stra\u{ad}ße"), ("a zero-width space", "Straße", "Stra\u{200b}ße"),
            ("a variation selector", "Straße", "Straße\u{fe0f}"), ("full-width letters", "Evil", "Ｅｖｉｌ"),
            ("a ligature", "Office", "O\u{fb03}ce"), ("a no-break space", "Evil Corp", "Evil\u{a0}Corp"),
            ("a tab", "Evil Corp", "Evil\tCorp"),
            ("a zero-width space after a trailing space", "Evil", "Evil \u{200b}"),
            ("a no-break space after a trailing space", "Evil", "Evil \u{a0}"),
            ("double s for sharp s", "Straße", "STRASSE"),
            ("decomposed", "Zürich", "Zu\u{308}rich"), ("another small sigma", "οδος", "ΟΔΟΣ"),
        ] as [(String, String, String)])
    func mappings(name: String, base: String, encoded: String) throws {
        try Self.row(name, excluded: Self.acme(ASN1.utf8(base)), subject: Self.acme(ASN1.utf8(encoded)), .nameExcluded)
            .expect()
    }
}

@Suite("Name constraints: e-mail addresses")
struct MailboxConstraintsTests {
    private static func permitted(_ base: String, _ name: String, _ code: TrustFailure.Code? = nil) -> ConstraintRow {
        .permit(ASN1.email(base), names: ASN1.email(name)).with(code)
    }

    private static func excluded(_ base: String, _ name: String, _ code: TrustFailure.Code? = nil) -> ConstraintRow {
        .exclude(ASN1.email(base), names: ASN1.email(name)).with(code)
    }

    static let rows: [ConstraintRow] = [
        // A host includes all its mailboxes, and no others.
        permitted("example.com", "a@example.com"), permitted("example.com", "A@EXAMPLE.COM"),
        permitted("example.com", "a@www.example.com", .nameNotPermitted),
        permitted("example.com", "a@badexample.com", .nameNotPermitted),
        permitted("example.com", "example.com@evil.example", .nameNotPermitted),
        // A leading dot includes the hosts below.
        permitted(".example.com", "a@www.example.com"), permitted(".example.com", "a@a.b.example.com"),
        permitted(".example.com", "a@example.com", .nameNotPermitted),
        permitted(".example.com", "a@badexample.com", .nameNotPermitted),
        // A mailbox includes only itself. The case of the local part can matter (RFC 5321 § 2.4), but the host's
        // doesn't.
        permitted("a@example.com", "a@example.com"), permitted("a@example.com", "a@EXAMPLE.com"),
        permitted("a@example.com", "A@example.com", .nameNotPermitted),
        permitted("a@example.com", "b@example.com", .nameNotPermitted),
        permitted("a@example.com", "a@www.example.com", .nameNotPermitted),
        permitted("a@example.com", "ba@example.com", .nameNotPermitted),
        permitted("", "a@example.com"), permitted("example.com", "a.b+c@example.com"),
        excluded("example.com", "a@example.com", .nameExcluded), excluded("example.com", "a@www.example.com"),
        excluded(".example.com", "a@www.example.com", .nameExcluded), excluded(".example.com", "a@example.com"),
        excluded("a@example.com", "a@example.com", .nameExcluded), excluded("a@example.com", "b@example.com"),
        excluded("", "a@example.com", .nameExcluded),
        // An exclusion ignores the case of the local part.
        excluded("foo@example.com", "FoO@example.com", .nameExcluded),
        excluded("FOO@EXAMPLE.com", "foo@example.com", .nameExcluded),
        excluded("foo@example.com", "fooo@example.com"), excluded("foo@example.com", "foo@www.example.com"),
        permitted("foo@example.com", "FoO@example.com", .nameNotPermitted),
        // The first and the last printable character of a local part, and characters that differ in one bit.
        permitted("example.com", "!@example.com"), permitted("example.com", "~@example.com"),
        excluded("[@example.com", "{@example.com"), excluded("Z@example.com", "z@example.com", .nameExcluded),
        // A host of 64 bytes, whose length is encoded like an `@`.
        permitted(longHost, "a@" + longHost), excluded(longHost, "a@" + longHost, .nameExcluded),
    ]

    private static let longHost = String(repeating: "b", count: 52) + ".example.com"

    static let undecidableRows: [ConstraintRow] =
        [
            "a", "a@", "@example.com", "example.com", "", "@", "a@b@example.com", "\"a b\"@example.com",
            "\"a\"@example.com", "\"a@example.com", "a\"@example.com", "\u{1}a@example.com", "\\a@example.com",
            "a b@example.com", "a@example.com.", "a@.example.com", "a@*.example.com", "a@[192.0.2.1]",
            "a\u{0}@example.com",
            "a@example.com\u{0}", "Name <a@example.com>", "a\\b@example.com", "a\u{7f}@example.com",
        ].flatMap { name in
            [
                permitted("example.com", name, .nameConstraintUndecidable),
                excluded("other.example", name, .nameConstraintUndecidable),
            ]
        }
        + ["@example.com", "a@", "*@example.com.", "*.example.com", "example.com.", "."].flatMap { base in
            [
                permitted(base, "a@example.com", .nameConstraintUndecidable),
                excluded(base, "a@example.com", .nameConstraintUndecidable),
            ]
        }

    @Test("The engine compares a mailbox with a mailbox, a host, or a domain with a leading dot", arguments: rows)
    func decided(row: ConstraintRow) throws { try row.expect() }

    @Test("A name or a constraint that isn't a mailbox is refused", arguments: undecidableRows)
    func undecidable(row: ConstraintRow) throws { try row.expect() }

    private static func subject(_ value: [UInt8]) -> [UInt8] {
        ASN1.name([(ASN1.cn, ASN1.utf8("x")), (ASN1.emailAddress, value)])
    }

    static let subjectRows: [ConstraintRow] = [
        ConstraintRow(
            name: "within", permitted: [ASN1.email("example.com")], subject: subject(ASN1.ia5("a@example.com"))),
        ConstraintRow(
            name: "outside", permitted: [ASN1.email("example.com")], subject: subject(ASN1.ia5("a@evil.example")),
            code: .nameNotPermitted),
        ConstraintRow(
            name: "outside, beside alternative names that aren't mailboxes", permitted: [ASN1.email("example.com")],
            names: [ASN1.dns("www.example.com")], subject: subject(ASN1.ia5("a@evil.example")), code: .nameNotPermitted),
        ConstraintRow(
            name: "excluded", excluded: [ASN1.email("evil.example")], subject: subject(ASN1.ia5("a@evil.example")),
            code: .nameExcluded),
        ConstraintRow(
            name: "excluded, as UTF8String, which isn't the attribute's type",
            excluded: [ASN1.email("evil.example")], subject: subject(ASN1.utf8("a@EVIL.example")),
            code: .nameConstraintUndecidable),
        ConstraintRow(
            name: "not excluded, as UTF8String", excluded: [ASN1.email("evil.example")],
            subject: subject(ASN1.utf8("a@example.com")), code: .nameConstraintUndecidable),
        ConstraintRow(
            name: "permitted, as UTF8String", permitted: [ASN1.email("example.com")],
            subject: subject(ASN1.utf8("a@example.com")), code: .nameConstraintUndecidable),
        ConstraintRow(
            name: "permitted, as PrintableString", permitted: [ASN1.email("example.com")],
            subject: subject(ASN1.printable("a@example.com")), code: .nameConstraintUndecidable),
        ConstraintRow(
            name: "not excluded, as TeletexString", excluded: [ASN1.email("evil.example")],
            subject: subject(ASN1.teletex("a@example.com")), code: .nameConstraintUndecidable),
        ConstraintRow(
            name: "an OCTET STRING", excluded: [ASN1.email("evil.example")],
            subject: subject(ASN1.octets(Array("a@example.com".utf8))), code: .nameConstraintUndecidable),
        ConstraintRow(
            name: "a custom type", permitted: [ASN1.email("")],
            subject: subject(ASN1.implicit(1, Array("a@example.com".utf8))), code: .nameConstraintUndecidable),
        ConstraintRow(
            name: "as UTF8String beside a mailbox in the alternative names", permitted: [ASN1.email("example.com")],
            names: [ASN1.email("b@example.com")], subject: subject(ASN1.utf8("a@evil.example"))),
        ConstraintRow(
            name: "excluded in another case", excluded: [ASN1.email("foo@evil.example")],
            subject: subject(ASN1.ia5("FoO@evil.example")), code: .nameExcluded),
        ConstraintRow(
            name: "excluded, beside a mailbox in the alternative names", excluded: [ASN1.email("evil.example")],
            names: [ASN1.email("b@example.com")], subject: subject(ASN1.ia5("a@evil.example")), code: .nameExcluded),
        ConstraintRow(
            name: "not excluded, beside a mailbox in the alternative names", excluded: [ASN1.email("evil.example")],
            names: [ASN1.email("b@example.com")], subject: subject(ASN1.ia5("a@example.com"))),
        ConstraintRow(
            name: "outside, beside a mailbox in the alternative names that is within",
            permitted: [ASN1.email("example.com")], names: [ASN1.email("b@example.com")],
            subject: subject(ASN1.ia5("a@other.example"))),
        ConstraintRow(
            name: "as UTF8String without a constraint on mailboxes", excluded: [ASN1.dns("evil.example")],
            subject: subject(ASN1.utf8("a@evil.example"))),
        ConstraintRow(
            name: "in a BMPString, which can't be compared", excluded: [ASN1.email("evil.example")],
            subject: subject(ASN1.bmp("a@evil.example")), code: .nameConstraintUndecidable),
        ConstraintRow(
            name: "with umlauts, which can't be compared", excluded: [ASN1.email("evil.example")],
            subject: subject(ASN1.utf8("ä@evil.example")), code: .nameConstraintUndecidable),
        ConstraintRow(
            name: "malformed", permitted: [ASN1.email("example.com")], subject: subject(ASN1.ia5("example.com")),
            code: .nameConstraintUndecidable),
        ConstraintRow(
            name: "in the second attribute of a relative name", permitted: [ASN1.email("example.com")],
            subject: ASN1.sequence(
                ASN1.set([
                    ASN1.attribute(ASN1.cn, ASN1.utf8("x")),
                    ASN1.attribute(ASN1.emailAddress, ASN1.ia5("a@evil.example")),
                ])),
            code: .nameNotPermitted),
        ConstraintRow(
            name: "the second of two", permitted: [ASN1.email("example.com")],
            subject: ASN1.name([
                (ASN1.emailAddress, ASN1.ia5("a@example.com")), (ASN1.emailAddress, ASN1.ia5("a@evil.example")),
            ]),
            code: .nameNotPermitted),
        ConstraintRow(
            name: "without a constraint on mailboxes", permitted: [ASN1.dns("example.com")],
            subject: subject(ASN1.ia5("a@evil.example"))),
    ]

    @Test(
        "A mailbox in the subject counts if no alternative name replaces it, and must never be excluded",
        arguments: subjectRows)
    func subject(row: ConstraintRow) throws { try row.expect() }

    @Test("An internationalized mailbox (RFC 9598) can't evade a constraint on mailboxes")
    func internationalised() throws {
        let mailbox = ASN1.other("1.3.6.1.5.5.7.8.9", ASN1.utf8("ä@evil.example"))
        try ConstraintRow.permit(ASN1.email("example.com"), names: mailbox, code: .nameConstraintUndecidable).expect()
        try ConstraintRow.exclude(ASN1.email("evil.example"), names: mailbox, code: .nameConstraintUndecidable).expect()
        try ConstraintRow.exclude(
            ASN1.email("evil.example"), names: ASN1.email("a@example.com"), mailbox, code: .nameConstraintUndecidable
        ).expect()
        // Other otherNames aren't mailboxes, and constraints of other forms don't apply to this one.
        try ConstraintRow.permit(ASN1.email("example.com"), names: ASN1.other("1.2.3", ASN1.utf8("x"))).expect()
        try ConstraintRow.permit(ASN1.dns("example.com"), names: mailbox).expect()
    }
}

@Suite("Name constraints: URIs")
struct URIConstraintsTests {
    private static func permitted(_ base: String, _ name: String, _ code: TrustFailure.Code? = nil) -> ConstraintRow {
        .permit(ASN1.uri(base), names: ASN1.uri(name)).with(code)
    }

    private static func excluded(_ base: String, _ name: String, _ code: TrustFailure.Code? = nil) -> ConstraintRow {
        .exclude(ASN1.uri(base), names: ASN1.uri(name)).with(code)
    }

    static let rows: [ConstraintRow] = [
        permitted("example.com", "https://example.com"), permitted("example.com", "https://example.com/a?b#c"),
        permitted("example.com", "spiffe://EXAMPLE.com/x"), permitted("example.com", "https://example.com:8443/"),
        permitted("example.com", "https://example.com:9090/"),
        permitted("example.com", "https://user:pw@example.com:443/"), permitted("example.com", "https://example.com:/"),
        permitted("example.com", "https://www.example.com", .nameNotPermitted),
        permitted("example.com", "https://badexample.com", .nameNotPermitted),
        permitted(".example.com", "https://www.example.com"), permitted(".example.com", "https://a.b.example.com/"),
        permitted(".example.com", "https://example.com", .nameNotPermitted),
        permitted("", "https://example.com"),
        // Parts of the URI that aren't the host.
        permitted("example.com", "https://example.com@evil.example/", .nameNotPermitted),
        permitted("example.com", "https://evil.example/example.com", .nameNotPermitted),
        permitted("example.com", "https://evil.example?@example.com", .nameNotPermitted),
        permitted("example.com", "https://evil.example#@example.com", .nameNotPermitted),
        permitted("example.com", "https://evil.example/@example.com", .nameNotPermitted),
        permitted("example.com", "https://a@b@evil.example/", .nameNotPermitted),
        permitted("example.com", "https://evil.example:443?:443@example.com", .nameNotPermitted),
        excluded("example.com", "https://example.com", .nameExcluded),
        excluded("example.com", "https://www.example.com"),
        excluded("example.com", "https://evil.example@example.com:443", .nameExcluded),
        excluded(".example.com", "https://www.example.com", .nameExcluded),
        excluded(".example.com", "https://example.com"),
        excluded("", "https://example.com", .nameExcluded),
        excluded("example.com", "HTTPS://EXAMPLE.com", .nameExcluded),
        excluded("example.com", "https://a@b@example.com/", .nameExcluded),
        // A second @: parsers differ in which part is the host.
        excluded("example.com", "https://x@example.com:80@evil.example/", .nameConstraintUndecidable),
        permitted("example.com", "https://x@evil.example:80@example.com/", .nameConstraintUndecidable),
        permitted("example.com", "https://x@@example.com/", .nameConstraintUndecidable),
        permitted("example.com", "git+ssh://example.com/"), permitted("example.com", "x-1.y://example.com/"),
        // The last label isn't a number, although it begins with a digit.
        permitted("example.1a", "https://example.1a/"), permitted("b.0xag", "https://b.0xag/"),
        permitted("b", "a://b"), permitted("example.bx", "https://example.bx/"), excluded("b", "a://b", .nameExcluded),
    ]

    static let undecidableRows: [ConstraintRow] =
        [
            "", "example.com", "//example.com/", "mailto:a@example.com", "urn:uuid:0", "https:", "https:/", "https://",
            "https:///example.com", "https:example.com", "https://:443/", "https://@/", "https://192.0.2.1/",
            "https://192.0.2.1:443/", "https://[::1]/", "https://[::1]:443/", "https://1/", "https://example.com./",
            "https://*.example.com/", "https://exam%70le.com/", "https://example.com\\@evil.example/",
            "https://example.com:80a/", "https://example.com:a80/", "https://example.com:8a0/",
            "https://example..com/", "https://example.com\u{0}.evil.example/", "https://exa mple.com/",
            "https://-a.example/", "https://0x7f000001/", "https://127.0.0.0X1/", "https://0x/", "a/b://example.com/",
            " https://example.com/", "1https://example.com/", "-://example.com/", "://example.com/",
            "https:x/example.com/", "https:/xexample.com/",
        ].flatMap { name in
            [
                permitted("example.com", name, .nameConstraintUndecidable),
                permitted("", name, .nameConstraintUndecidable),
                excluded("other.example", name, .nameConstraintUndecidable),
            ]
        }
        + ["https://example.com", "*.example.com", "example.com.", ".", "a@example.com"].flatMap { base in
            [
                permitted(base, "https://example.com", .nameConstraintUndecidable),
                excluded(base, "https://example.com", .nameConstraintUndecidable),
            ]
        }

    @Test("The engine compares the host of a URI with a host, or with a domain with a leading dot", arguments: rows)
    func decided(row: ConstraintRow) throws { try row.expect() }

    @Test("A URI whose host isn't a DNS name can't be compared (RFC 5280 § 4.2.1.10)", arguments: undecidableRows)
    func undecidable(row: ConstraintRow) throws { try row.expect() }
}

@Suite("Name constraints: other forms, and the certificates they apply to")
struct NameConstraintsTests {
    static let otherFormRows: [(name: String, base: [UInt8], same: [UInt8])] = [
        ("otherName", ASN1.other("1.2.3", ASN1.utf8("x")), ASN1.other("1.2.3", ASN1.utf8("x"))),
        ("registeredID", ASN1.registered("1.2.3"), ASN1.registered("1.2.3")),
        ("x400Address", ASN1.value(0xa3, ASN1.sequence()), ASN1.value(0xa3, ASN1.sequence())),
        (
            "ediPartyName", ASN1.value(0xa5, ASN1.explicit(1, ASN1.utf8("x"))),
            ASN1.value(0xa5, ASN1.explicit(1, ASN1.utf8("x")))
        ),
    ]

    @Test(
        "A constraint of a form without a rule refuses only names of that form",
        arguments: otherFormRows)
    func otherForms(name: String, base: [UInt8], same: [UInt8]) throws {
        try ConstraintRow.permit(base, names: same, code: .nameConstraintUndecidable).expect()
        try ConstraintRow.exclude(base, names: same, code: .nameConstraintUndecidable).expect()
        try ConstraintRow.permit(base, names: ASN1.dns("www.example.com")).expect()
        try ConstraintRow.exclude(base, names: ASN1.dns("www.example.com")).expect()
    }

    @Test("A failure names the certificate, the name and the constraint")
    func values() throws {
        let chain = try CraftedChain([
            .init("CA", [.nameConstraints(permitted: [ASN1.dns("example.com"), ASN1.dns("example.org")])])
        ])
        let failure = try #require(
            try chain.validate(
                chain.leaf { $0.extensions = [Extension.alternativeNames(ASN1.dns("evil.example\n")).encoded] }
            ).failures.first)
        #expect(failure.code == .nameConstraintUndecidable)
        #expect(!failure.message.contains("\n"))
        #expect(failure.message.hasSuffix(" (name constraints of certificate 1)"))
        let other = try #require(
            try chain.validate(
                chain.leaf { $0.extensions = [Extension.alternativeNames(ASN1.dns("evil.example")).encoded] }
            ).failures.first)
        #expect(other.expected == .list(["DNS:example.com", "DNS:example.org"]))
        #expect(other.found == .text("DNS:evil.example"))
        #expect(other.certificate == 0 && other.role == .leaf)
    }

    private static let com = Extension.nameConstraints(permitted: [ASN1.dns("example.com")])
    private static let notBad = Extension.nameConstraints(excluded: [ASN1.dns("bad.example.com")])

    private func codes(
        root: [Extension] = [], _ links: [CraftedChain.Link], leaf: String
    ) throws -> [TrustFailure.Code] {
        let chain = try CraftedChain(root: .init("Root", root), links)
        return try chain.codes(
            chain.leaf {
                $0.subject = ASN1.emptyName
                $0.extensions = [Extension.alternativeNames(ASN1.dns(leaf)).encoded]
            })
    }

    @Test("An anchor's constraints apply")
    func anchors() throws {
        #expect(try codes(root: [Self.com], [], leaf: "www.example.com") == [])
        #expect(try codes(root: [Self.com], [], leaf: "evil.example") == [.nameNotPermitted])
        #expect(try codes(root: [Self.notBad], [.init("CA")], leaf: "bad.example.com") == [.nameExcluded])
    }

    @Test("Constraints of several CAs apply together, in any order")
    func intersection() throws {
        #expect(try codes([.init("A", [Self.com]), .init("B", [Self.notBad])], leaf: "www.example.com") == [])
        #expect(
            try codes([.init("A", [Self.com]), .init("B", [Self.notBad])], leaf: "bad.example.com") == [.nameExcluded])
        #expect(
            try codes([.init("A", [Self.notBad]), .init("B", [Self.com])], leaf: "bad.example.com") == [.nameExcluded])
        #expect(try codes([.init("A", [Self.com]), .init("B")], leaf: "example.org") == [.nameNotPermitted])
        // A CA further down can't widen its own limits.
        let org = Extension.nameConstraints(permitted: [ASN1.dns("example.org")])
        #expect(try codes([.init("A", [Self.com]), .init("B", [org])], leaf: "www.example.org") == [.nameNotPermitted])
        #expect(try codes([.init("A", [Self.com]), .init("B", [org])], leaf: "www.example.com") == [.nameNotPermitted])
        let all = Extension.nameConstraints(permitted: [ASN1.dns("")])
        #expect(try codes([.init("A", [Self.com]), .init("B", [all])], leaf: "example.org") == [.nameNotPermitted])
    }

    @Test("The engine compares the names of intermediates with the constraints above them")
    func intermediates() throws {
        let evil = Extension.alternativeNames(ASN1.dns("evil.example"))
        let chain = try CraftedChain([.init("A", [Self.com]), .init("B", [evil])])
        let found = try chain.validate(chain.leaf()).failures
        #expect(found.map(\.code) == [.nameNotPermitted])
        #expect(found.first?.certificate == 1 && found.first?.role == .intermediate)
        // A CA's own constraints don't apply to it, nor do those below it.
        #expect(try codes([.init("A", [Self.com, evil])], leaf: "www.example.com") == [])
        #expect(try codes([.init("A", [evil]), .init("B", [Self.com])], leaf: "www.example.com") == [])
        // The subject of an intermediate is a directory name.
        let acme = ASN1.name([(ASN1.o, ASN1.utf8("Acme"))])
        let limit = Extension.nameConstraints(permitted: [ASN1.directory(acme)])
        #expect(try codes([.init("A", [limit]), .init("B")], leaf: "www.example.com") == [.nameNotPermitted])
        #expect(
            try codes(
                [
                    .init("A", [limit]),
                    .init("B", subject: ASN1.name([(ASN1.o, ASN1.printable("ACME")), (ASN1.cn, ASN1.utf8("B"))])),
                ], leaf: "www.example.com") == [])
    }

    @Test("The engine skips self-issued intermediates, but not a self-issued leaf")
    func selfIssued() throws {
        let evil = Extension.alternativeNames(ASN1.dns("evil.example"))
        #expect(try codes([.init("A", [Self.com]), .init("A", [evil])], leaf: "www.example.com") == [])
        #expect(try codes([.init("A", [Self.com]), .init("A", [evil])], leaf: "evil.example") == [.nameNotPermitted])
        #expect(
            try codes([.init("A", [Self.com]), .init("A"), .init("B", [evil])], leaf: "www.example.com") == [
                .nameNotPermitted
            ])
        // Constraints in a self-issued certificate apply like any others.
        #expect(try codes([.init("A"), .init("A", [Self.com])], leaf: "evil.example") == [.nameNotPermitted])
        let chain = try CraftedChain([.init("A", [Self.com])])
        let leaf = try chain.leaf {
            $0.subject = chain.issuer
            $0.extensions = [Extension.alternativeNames(ASN1.dns("evil.example")).encoded]
        }
        #expect(leaf.isSelfIssued)
        #expect(try chain.codes(leaf) == [.nameNotPermitted])
    }

    @Test("A constraint applies whether or not the extension is critical")
    func notCritical() throws {
        let constraint = Extension.nameConstraints(permitted: [ASN1.dns("example.com")], critical: false)
        #expect(try codes([.init("A", [constraint])], leaf: "evil.example") == [.nameNotPermitted])
    }

    /// The failures of a leaf with these names below a CA with these constraints.
    private func failures(
        permitted: [[UInt8]] = [], excluded: [[UInt8]] = [], names: [[UInt8]], subject: [UInt8] = ASN1.emptyName
    ) throws -> [TrustFailure] {
        let chain = try CraftedChain([.init("CA", [.nameConstraints(permitted: permitted, excluded: excluded)])])
        let leaf = try chain.leaf {
            $0.subject = subject
            $0.extensions = [Extension.alternativeNames(names).encoded]
        }
        return try chain.validate(leaf).failures
    }

    @Test("For each failure code, the engine reports one failure per CA with all wrong names in a certificate")
    func allWrongNames() throws {
        let names = [
            ASN1.dns("a.example"), ASN1.dns("www.example.com"), ASN1.dns("b.example"), ASN1.email("m@c.example"),
        ]
        let outside = try failures(permitted: [ASN1.dns("example.com"), ASN1.email("example.com")], names: names)
        #expect(outside.map(\.code) == [.nameNotPermitted])
        #expect(outside.first?.found == .list(["DNS:a.example", "DNS:b.example", "email:m@c.example"]))
        #expect(outside.first?.expected == .list(["DNS:example.com", "email:example.com"]))

        let within = try failures(excluded: [ASN1.dns("a.example"), ASN1.dns("b.example")], names: names)
        #expect(within.map(\.code) == [.nameExcluded])
        #expect(within.first?.found == .list(["DNS:a.example", "DNS:b.example"]))
        #expect(within.first?.expected == .list(["DNS:a.example", "DNS:b.example"]))
        // A constraint that two names break is one constraint.
        let both = try failures(excluded: [ASN1.dns("example")], names: names)
        #expect(both.first?.expected == .text("DNS:example"))
        #expect(both.first?.found == .list(["DNS:a.example", "DNS:b.example"]))

        let unclear = try failures(excluded: [ASN1.dns("a.example")], names: [ASN1.dns("x y"), ASN1.dns("z z")])
        #expect(unclear.map(\.code) == [.nameConstraintUndecidable])
        #expect(unclear.first?.found == .list(["DNS:x y", "DNS:z z"]))

        // A single wrong name is a text value, not a list.
        let one = try failures(permitted: [ASN1.dns("example.com")], names: [ASN1.dns("a.example")])
        #expect(one.first?.found == .text("DNS:a.example"))
    }

    @Test("A name that breaks several rules appears in a failure for each rule")
    func severalRules() throws {
        let found = try failures(
            permitted: [ASN1.dns("example.com")], excluded: [ASN1.dns("a.example")],
            names: [ASN1.dns("a.example"), ASN1.dns("b.example"), ASN1.dns("c c")])
        #expect(found.map(\.code) == [.nameExcluded, .nameNotPermitted, .nameConstraintUndecidable])
        #expect(
            found.map(\.found) == [
                .text("DNS:a.example"), .list(["DNS:a.example", "DNS:b.example"]), .text("DNS:c c"),
            ])
        // The engine finds an excluded subtree after one that it can't compare.
        let behind = try failures(excluded: [ASN1.dns("x y"), ASN1.dns("a.example")], names: [ASN1.dns("a.example")])
        #expect(behind.map(\.code) == [.nameExcluded, .nameConstraintUndecidable])
    }

    @Test("If two CAs forbid different names, each has its own failure")
    func severalAuthorities() throws {
        let chain = try CraftedChain([
            .init("A", [.nameConstraints(excluded: [ASN1.dns("a.example")])]),
            .init("B", [.nameConstraints(excluded: [ASN1.dns("b.example")])]),
        ])
        let leaf = try chain.leaf {
            $0.extensions = [Extension.alternativeNames(ASN1.dns("a.example"), ASN1.dns("b.example")).encoded]
        }
        let found = try chain.validate(leaf).failures
        #expect(found.map(\.code) == [.nameExcluded, .nameExcluded])
        #expect(Set(found.map(\.found)) == [.text("DNS:a.example"), .text("DNS:b.example")])
    }

    @Test("The engine reports wrong names in several certificates")
    func several() throws {
        let evil = Extension.alternativeNames(ASN1.dns("evil.example"))
        let chain = try CraftedChain([.init("A", [Self.com]), .init("B", [evil])])
        let leaf = try chain.leaf { $0.extensions = [evil.encoded] }
        #expect(try chain.validate(leaf).failures.map(\.certificate) == [0, 1])
    }
}

extension ConstraintRow {
    fileprivate func with(_ code: TrustFailure.Code?) -> ConstraintRow {
        var row = self
        row.code = code
        return row
    }
}
