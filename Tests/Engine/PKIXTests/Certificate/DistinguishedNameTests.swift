// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX

@Suite("Distinguished name")
struct DistinguishedNameTests {
    private func name(_ attributes: [(type: String, value: [UInt8])]) throws -> DistinguishedName {
        try DistinguishedName(der: ASN1.name(attributes))
    }

    private func name(_ value: [UInt8]) throws -> DistinguishedName { try name([(ASN1.cn, value)]) }

    // MARK: Reading

    @Test("Relative names keep their order and their attributes' types, values and bytes")
    func reading() throws {
        let der = ASN1.sequence(
            ASN1.set([ASN1.attribute(ASN1.c, ASN1.printable("DE"))]),
            ASN1.set([ASN1.attribute(ASN1.ou, ASN1.bmp("Größe")), ASN1.attribute(ASN1.cn, ASN1.teletex("Zürich"))]))
        let name = try DistinguishedName(der: der)
        #expect(name.relativeNames.map { $0.map(\.value) } == [["DE"], ["Zürich", "Größe"]])
        #expect(
            name.relativeNames.map { $0.map(\.type.description) } == [["2.5.4.6"], ["2.5.4.3", "2.5.4.11"]])
        #expect(name.relativeNames[0][0].der == ASN1.printable("DE"))
        #expect(name.commonNames == ["Zürich"])
        #expect(!name.isEmpty)
        #expect(try DistinguishedName(der: ASN1.emptyName).isEmpty)
        #expect(try DistinguishedName(der: ASN1.emptyName).relativeNames.isEmpty)
    }

    @Test("Each string type returns its characters, and a value that isn't valid in its type returns nil")
    func values() throws {
        let rows: [([UInt8], String?)] = [
            (ASN1.utf8("Ünïcödé 漢字 🔒"), "Ünïcödé 漢字 🔒"), (ASN1.printable("abc"), "abc"), (ASN1.ia5("a@b"), "a@b"),
            (ASN1.teletex("é"), "é"), (ASN1.bmp("漢字"), "漢字"), (ASN1.universal("🔒"), "🔒"),
            (ASN1.value(0x12, Array("0123".utf8)), "0123"), (ASN1.value(0x1a, Array("abc".utf8)), "abc"),
            (ASN1.utf8(""), ""),
            (ASN1.value(0x0c, [0xc3]), nil), (ASN1.value(0x0c, [0xc0, 0x80]), nil),
            (ASN1.value(0x0c, [0xed, 0xa0, 0x80]), nil),
            (ASN1.value(0x13, [0xe4]), nil), (ASN1.value(0x16, [0x80]), nil), (ASN1.value(0x1e, [0x00]), nil),
            (ASN1.value(0x1e, [0xd8, 0x00]), nil), (ASN1.value(0x1c, [0, 0, 0]), nil),
            (ASN1.value(0x1c, [0, 0x11, 0, 0]), nil), (ASN1.integer(5), nil), (ASN1.sequence(), nil), (ASN1.null, nil),
        ]
        for (value, text) in rows {
            #expect(try name(value).relativeNames[0][0].value == text)
        }
    }

    @Test("The initializer rejects bytes that aren't a name")
    func malformed() {
        for der in [
            [], ASN1.null, ASN1.set([]), ASN1.sequence(ASN1.null),
            ASN1.sequence(ASN1.sequence(ASN1.attribute(ASN1.cn, ASN1.utf8("x")))),
            ASN1.name("x") + [0], ASN1.sequence(ASN1.set([ASN1.oid(ASN1.cn)])),
        ] {
            #expect(throws: DERError.self) { try DistinguishedName(der: der) }
        }
    }

    // MARK: RFC 4514

    static let printedRows: [(name: String, attributes: [(type: String, value: [UInt8])], text: String)] = [
        ("nothing", [], ""),
        (
            "the last relative name first",
            [(ASN1.c, ASN1.printable("US")), (ASN1.o, ASN1.utf8("Example")), (ASN1.cn, ASN1.utf8("www.example.com"))],
            "CN=www.example.com,O=Example,C=US"
        ),
        ("a comma", [(ASN1.o, ASN1.utf8("Example, Inc."))], "O=Example\\, Inc."),
        ("a plus", [(ASN1.o, ASN1.utf8("A+B"))], "O=A\\+B"),
        ("a quote", [(ASN1.o, ASN1.utf8("A\"B"))], "O=A\\\"B"),
        ("a backslash", [(ASN1.o, ASN1.utf8("A\\B"))], "O=A\\\\B"),
        ("angle brackets and a semicolon", [(ASN1.o, ASN1.utf8("<A;B>"))], "O=\\<A\\;B\\>"),
        ("a leading number sign", [(ASN1.o, ASN1.utf8("#1#"))], "O=\\#1#"),
        ("a leading and a trailing space", [(ASN1.o, ASN1.utf8(" a b "))], "O=\\ a b\\ "),
        ("a space alone", [(ASN1.o, ASN1.utf8(" "))], "O=\\ "),
        ("an equals sign", [(ASN1.o, ASN1.utf8("a=b"))], "O=a=b"),
        ("an empty value", [(ASN1.o, ASN1.utf8(""))], "O="),
        ("a NUL", [(ASN1.cn, ASN1.utf8("a\u{0}b"))], "CN=a\\00b"),
        ("a line break", [(ASN1.cn, ASN1.utf8("a\r\nb"))], "CN=a\\0d\\0ab"),
        ("an escape character and DEL", [(ASN1.cn, ASN1.utf8("\u{1b}[31m\u{7f}"))], "CN=\\1b[31m\\7f"),
        ("a control character of Latin-1", [(ASN1.cn, ASN1.utf8("\u{85}"))], "CN=\\c2\\85"),
        ("a change of direction", [(ASN1.cn, ASN1.utf8("a\u{202e}b"))], "CN=a\\e2\\80\\aeb"),
        ("a line separator", [(ASN1.cn, ASN1.utf8("a\u{2028}b"))], "CN=a\\e2\\80\\a8b"),
        ("a zero-width space", [(ASN1.cn, ASN1.utf8("a\u{200b}b"))], "CN=a\\e2\\80\\8bb"),
        ("letters of other scripts", [(ASN1.cn, ASN1.utf8("Größe 漢字 🔒"))], "CN=Größe 漢字 🔒"),
        ("a BMPString", [(ASN1.cn, ASN1.bmp("Größe"))], "CN=Größe"),
        ("a value that isn't a string", [(ASN1.cn, ASN1.integer(5))], "CN=#020105"),
        ("a value that isn't valid UTF-8", [(ASN1.cn, ASN1.value(0x0c, [0xff]))], "CN=#0c01ff"),
        (
            "the types of RFC 4514 § 3",
            [
                ("0.9.2342.19200300.100.1.25", ASN1.ia5("com")), ("0.9.2342.19200300.100.1.1", ASN1.utf8("me")),
                ("2.5.4.7", ASN1.utf8("L")), ("2.5.4.8", ASN1.utf8("S")), ("2.5.4.9", ASN1.utf8("R")),
                (ASN1.ou, ASN1.utf8("U")),
            ], "OU=U,STREET=R,ST=S,L=L,UID=me,DC=com"
        ),
        (
            "the types that only OpenSSL names",
            [
                ("2.5.4.4", ASN1.utf8("a")), ("2.5.4.5", ASN1.utf8("b")), ("2.5.4.12", ASN1.utf8("c")),
                ("2.5.4.15", ASN1.utf8("d")), ("2.5.4.17", ASN1.utf8("e")), ("2.5.4.42", ASN1.utf8("f")),
                ("2.5.4.46", ASN1.utf8("g")), ("2.5.4.97", ASN1.utf8("h")),
            ],
            "organizationIdentifier=h,dnQualifier=g,GN=f,postalCode=e,businessCategory=d,title=c,serialNumber=b,SN=a"
        ),
        (
            "a mailbox and the places of a jurisdiction",
            [
                (ASN1.emailAddress, ASN1.ia5("a@b")), ("1.3.6.1.4.1.311.60.2.1.1", ASN1.utf8("L")),
                ("1.3.6.1.4.1.311.60.2.1.2", ASN1.utf8("S")), ("1.3.6.1.4.1.311.60.2.1.3", ASN1.printable("DE")),
            ], "jurisdictionC=DE,jurisdictionST=S,jurisdictionL=L,emailAddress=a@b"
        ),
        // § 2.4: the value of a type in dotted decimal is in hexadecimal.
        ("a type without a name", [("1.2.3.4", ASN1.utf8("x"))], "1.2.3.4=#0c0178"),
    ]

    @Test("A name prints in the RFC 4514 form", arguments: printedRows)
    func printed(name: String, attributes: [(type: String, value: [UInt8])], text: String) throws {
        #expect(try self.name(attributes).description == text, "\(name)")
    }

    @Test("A plus joins the attributes of one relative name, in the order of the encoding")
    func multiValued() throws {
        let der = ASN1.sequence(
            ASN1.set([ASN1.attribute(ASN1.c, ASN1.printable("DE"))]),
            ASN1.set([ASN1.attribute(ASN1.ou, ASN1.utf8("Sales")), ASN1.attribute(ASN1.cn, ASN1.utf8("J. S+"))]))
        #expect(try DistinguishedName(der: der).description == "CN=J. S\\++OU=Sales,C=DE")
    }

    @Test("Different names print differently, so one value can't pass for several")
    func injective() throws {
        let o = ASN1.o
        let cn = ASN1.cn
        let names: [[(String, [UInt8])]] = [
            [(cn, ASN1.utf8("a"))], [(cn, ASN1.utf8("a,O=b"))], [(o, ASN1.utf8("b")), (cn, ASN1.utf8("a"))],
            [(cn, ASN1.utf8("a\\,O=b"))], [(cn, ASN1.utf8("a+O=b"))], [(cn, ASN1.utf8("#0c0161"))],
            [(cn, ASN1.value(0x0c, [0xff]))], [(cn, ASN1.utf8("#0c01ff"))], [(cn, ASN1.utf8("a\n"))],
            [(cn, ASN1.utf8("a\\0a"))], [(cn, ASN1.utf8("a "))], [(cn, ASN1.utf8("a\\ "))], [(cn, ASN1.utf8("\\00"))],
            [(cn, ASN1.utf8("\u{0}"))], [(cn, ASN1.utf8(""))], [],
        ]
        let texts = try names.map { try name($0).description }
        #expect(Set(texts).count == names.count)
        let multi = try DistinguishedName(
            der: ASN1.sequence(ASN1.set([ASN1.attribute(cn, ASN1.utf8("a")), ASN1.attribute(o, ASN1.utf8("b"))])))
        #expect(!texts.contains(multi.description))
        #expect(texts.allSatisfy { !$0.unicodeScalars.contains { $0.value < 0x20 } })
    }

    // MARK: Comparison

    static let comparisonRows: [(name: String, left: [UInt8], right: [UInt8], equal: Bool)] = [
        ("PrintableString and UTF8String", ASN1.printable("Example CA"), ASN1.utf8("Example CA"), true),
        ("UTF8String and BMPString", ASN1.utf8("Example CA"), ASN1.bmp("Example CA"), true),
        ("BMPString and UniversalString", ASN1.bmp("Größe"), ASN1.universal("Größe"), true),
        ("PrintableString and IA5String", ASN1.printable("a"), ASN1.ia5("a"), true),
        ("TeletexString and UTF8String", ASN1.teletex("Zürich"), ASN1.utf8("Zürich"), true),
        ("ASCII case", ASN1.utf8("EXAMPLE ca"), ASN1.utf8("example CA"), true),
        ("ASCII case in two types", ASN1.printable("EXAMPLE"), ASN1.bmp("example"), true),
        ("case of umlauts", ASN1.utf8("MÜLLER"), ASN1.utf8("müller"), true),
        ("case of Greek", ASN1.utf8("ΑΒΓ"), ASN1.utf8("αβγ"), true),
        ("case of Cyrillic in two types", ASN1.bmp("ПРАВДА"), ASN1.utf8("правда"), true),
        ("composed and decomposed", ASN1.utf8("Zu\u{308}rich"), ASN1.utf8("Z\u{fc}rich"), true),
        ("composed in capitals and decomposed", ASN1.utf8("Z\u{dc}RICH"), ASN1.utf8("zu\u{308}rich"), true),
        ("leading and trailing spaces", ASN1.utf8("  a b "), ASN1.utf8("a b"), true),
        ("inner spaces", ASN1.utf8("a    b"), ASN1.utf8("a b"), true),
        ("inner spaces in two types", ASN1.bmp("a    b"), ASN1.printable("a b"), true),
        ("spaces around umlauts", ASN1.utf8(" Ä   Ö "), ASN1.utf8("ä ö"), true),
        ("an empty value and a space", ASN1.utf8(""), ASN1.utf8("   "), true),
        ("sharp s and double s (RFC 3454 table B.2)", ASN1.utf8("Straße"), ASN1.utf8("STRASSE"), true),
        ("both small sigmas (RFC 3454 table B.2)", ASN1.utf8("ΟΔΟΣ"), ASN1.utf8("οδος"), true),
        ("a zero-width space after a trailing space", ASN1.utf8("a"), ASN1.utf8("a \u{200b}"), true),
        ("a no-break space after a trailing space", ASN1.utf8("a"), ASN1.utf8("a \u{a0}"), true),
        ("a soft hyphen before a leading space", ASN1.utf8("a"), ASN1.utf8("\u{ad} a"), true),
        (
            "a long BMPString and a UTF8String", ASN1.bmp(String(repeating: "Ab ", count: 60)),
            ASN1.utf8(String(repeating: "aB ", count: 60)), true
        ),
        (
            "long full-width letters and plain ones", ASN1.utf8(String(repeating: "Ａ", count: 120)),
            ASN1.utf8(String(repeating: "a", count: 120)), true
        ),
        ("a dotless i and an i, which no table equates", ASN1.utf8("Kırca"), ASN1.utf8("Kirca"), false),
        ("one additional letter", ASN1.utf8("abc"), ASN1.utf8("abcd"), false),
        ("another letter", ASN1.utf8("abc"), ASN1.utf8("abd"), false),
        ("with a space and without", ASN1.utf8("a b"), ASN1.utf8("ab"), false),
        ("with an accent and without", ASN1.utf8("é"), ASN1.utf8("e"), false),
        ("Latin and Cyrillic", ASN1.utf8("a"), ASN1.utf8("а"), false),
        ("a trailing NUL, which RFC 4518 § 2.2 removes", ASN1.utf8("a\u{0}"), ASN1.utf8("a"), true),
        ("a control character of a TeletexString", ASN1.teletex("a\u{80}"), ASN1.utf8("a"), true),
        ("a NUL and a space", ASN1.utf8("a\u{0}b"), ASN1.utf8("a b"), false),
        ("@ and `, which differ in the bit of case", ASN1.utf8("@"), ASN1.utf8("`"), false),
        ("[ and {", ASN1.utf8("["), ASN1.utf8("{"), false),
        ("NULs between the letters", ASN1.bmp("ab"), ASN1.utf8("\u{0}a\u{0}b"), true),
        ("a string and an INTEGER of the same bytes", ASN1.utf8("A"), ASN1.value(0x02, [0x41]), false),
        ("two INTEGERs", ASN1.integer(5), ASN1.integer(5), true),
        ("two other INTEGERs", ASN1.integer(0x41), ASN1.integer(0x61), false),
        ("the same invalid UTF-8", ASN1.value(0x0c, [0xff]), ASN1.value(0x0c, [0xff]), true),
        ("different invalid UTF-8", ASN1.value(0x0c, [0xff]), ASN1.value(0x0c, [0xfe]), false),
        ("the same invalid bytes in two types", ASN1.value(0x0c, [0xff]), ASN1.value(0x13, [0xff]), false),
        ("invalid UTF-8 and the replacement character", ASN1.value(0x0c, [0xff]), ASN1.utf8("\u{fffd}"), false),
        ("invalid bytes after the same start", ASN1.value(0x0c, [0x41, 0xff]), ASN1.value(0x13, [0x41, 0xff]), false),
        ("a BMPString of odd length", ASN1.value(0x1e, [0x00, 0x41, 0x00]), ASN1.utf8("A"), false),
    ]

    @Test("Two values are equal exactly if RFC 5280 § 7.1 says so, in both directions", arguments: comparisonRows)
    func comparison(name: String, left: [UInt8], right: [UInt8], equal: Bool) throws {
        let a = try self.name(left)
        let b = try self.name(right)
        #expect((a == b) == equal, "\(name)")
        #expect((b == a) == equal, "\(name), the other way round")
        if equal { #expect(a.hashValue == b.hashValue, "\(name)") }
    }

    @Test("Attributes of one relative name match in any order, but relative names match only in order")
    func order() throws {
        func set(_ members: [UInt8]...) -> [UInt8] { ASN1.set(members) }
        let cn = ASN1.attribute(ASN1.cn, ASN1.utf8("A"))
        let o = ASN1.attribute(ASN1.o, ASN1.utf8("B"))
        // Another string type changes the encoding's order.
        let longCN = ASN1.attribute(ASN1.cn, ASN1.bmp("  a  "))
        let joined = try DistinguishedName(der: ASN1.sequence(set(cn, o)))
        let other = try DistinguishedName(der: ASN1.sequence(set(longCN, o)))
        #expect(joined == other)
        #expect(joined.hashValue == other.hashValue)
        let split = try DistinguishedName(der: ASN1.sequence(set(cn), set(o)))
        #expect(joined != split)
        #expect(split != (try DistinguishedName(der: ASN1.sequence(set(o), set(cn)))))
        #expect(joined != (try DistinguishedName(der: ASN1.sequence(set(cn)))))
        // Each attribute counts once.
        let a = ASN1.attribute(ASN1.cn, ASN1.utf8("a"))
        let b = ASN1.attribute(ASN1.cn, ASN1.utf8("b"))
        let aab = try DistinguishedName(der: ASN1.sequence(set(a, a, b)))
        let abb = try DistinguishedName(der: ASN1.sequence(set(a, b, b)))
        #expect(aab != abb)
        #expect(abb != aab)
    }

    @Test("Names differ if their types differ or if one is only the start of the other")
    func typesAndPrefixes() throws {
        #expect(try name([(ASN1.cn, ASN1.utf8("a"))]) != name([(ASN1.o, ASN1.utf8("a"))]))
        let short = try name([(ASN1.o, ASN1.utf8("a"))])
        let long = try name([(ASN1.o, ASN1.utf8("a")), (ASN1.cn, ASN1.utf8("b"))])
        #expect(short != long && long != short)
        #expect(try DistinguishedName(der: ASN1.emptyName) != short)
        #expect(try DistinguishedName(der: ASN1.emptyName) == DistinguishedName(der: ASN1.emptyName))
        // A hash that ignored the value would make tables of names slow.
        #expect(short.hashValue != long.hashValue && long.hashValue == long.hashValue)
    }

    @Test("Equal names have equal hashes, whatever their characters")
    func hashing() throws {
        var random = Repeatable(10)
        // Pieces that fold, compose or map to each other, some of them from ASCII to other characters.
        let pieces: [[String]] = [
            ["a", "A"], ["k", "K", "\u{212a}"], ["å", "Å", "\u{212b}", "a\u{30a}"], [";", "\u{37e}"],
            ["`", "\u{1fef}"],
            [" ", "  ", "   "], ["é", "e\u{301}", "É"], ["x"], ["·", "\u{387}"], ["<", "<"], ["ω", "Ω", "\u{2126}"],
        ]
        let types: [(String) -> [UInt8]] = [ASN1.utf8, ASN1.bmp, ASN1.universal]
        var unequal: Set<String> = []
        for _ in 0..<2_000 {
            var left = ""
            var right = ""
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                guard let piece = pieces.randomElement(using: &random) else { continue }
                left += piece.randomElement(using: &random) ?? ""
                right += piece.randomElement(using: &random) ?? ""
            }
            guard let one = types.randomElement(using: &random), let other = types.randomElement(using: &random) else {
                continue
            }
            let a = try name(one(left))
            let b = try name(other(right))
            if a == b, a.hashValue != b.hashValue { unequal.insert("\(left) and \(right)") }
        }
        #expect(unequal.isEmpty)
    }

    @Test("Equality is transitive and symmetric for many kinds of values")
    func equivalence() throws {
        let texts = [
            "a", "A ", " a", "ä", "Ä", "a\u{308}", "", " ", "ab", "a b", "a  B", "\u{212a}", "k", ";", "\u{37e}",
        ]
        var names: [DistinguishedName] = []
        for text in texts {
            for type in [ASN1.utf8, ASN1.bmp, ASN1.universal] as [(String) -> [UInt8]] {
                names.append(try name(type(text)))
            }
        }
        for bytes in [[0xff], [0x61], [0xe4]] as [[UInt8]] {
            for tag in [0x0c, 0x13, 0x14, 0x16, 0x04] as [UInt8] { names.append(try name(ASN1.value(tag, bytes))) }
        }
        for a in names {
            #expect(a == a)
            for b in names where a == b {
                #expect(b == a)
                for c in names where b == c { #expect(a == c, "\(a), \(b), \(c)") }
            }
        }
    }
}
