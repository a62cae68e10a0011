// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

private func normalized(_ name: [UInt8]) -> NormalizedName {
    let view = name[...]
    return NormalizedName(view.span, ByteRange(0, name.count))
}

private func hash(_ name: [UInt8]) -> UInt64 {
    let view = name[...]
    return nameHash(view.span, ByteRange(0, name.count))
}

private func match(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    let a = left[...]
    let b = right[...]
    return namesMatch(a.span, ByteRange(0, left.count), b.span, ByteRange(0, right.count))
}

private func organization(_ value: [UInt8]) -> [UInt8] { ASN1.name([(ASN1.o, value)]) }

/// A relative name with these attributes, in DER order.
private func relative(_ attributes: [(String, [UInt8])]) -> [UInt8] {
    ASN1.sequence(ASN1.set(attributes.map { ASN1.attribute($0.0, $0.1) }))
}

private func letters(_ count: Int) -> String { String(repeating: "a", count: count) }

@Suite("Normalized names")
struct NormalizedNameTests {
    @Test(
        "Two encodings of one name are equal and have equal hashes (RFC 5280 § 7.1, RFC 4518)",
        arguments: [
            ("another case", organization(ASN1.utf8("Acme")), organization(ASN1.printable("ACME"))),
            ("spaces", organization(ASN1.utf8("Acme Corp")), organization(ASN1.ia5("  acme   corp "))),
            ("wide characters", organization(ASN1.utf8("Acme")), organization(ASN1.bmp("Acme"))),
            ("four bytes per character", organization(ASN1.utf8("Zürich")), organization(ASN1.universal("ZÜRICH"))),
            ("decomposed", organization(ASN1.utf8("Zürich")), organization(ASN1.utf8("Zu\u{308}rich"))),
            ("full width", organization(ASN1.utf8("Acme")), organization(ASN1.utf8("Ａｃｍｅ"))),
            ("the Greek question mark", organization(ASN1.utf8("a;b")), organization(ASN1.utf8("a\u{37e}b"))),
            ("the Kelvin sign", organization(ASN1.utf8("Kelvin")), organization(ASN1.utf8("\u{212a}elvin"))),
            (
                "a NumericString", organization(ASN1.value(0x12, Array("12 3".utf8))), organization(ASN1.utf8(" 12  3"))
            ),
            (
                "a VisibleString", organization(ASN1.value(0x1a, Array("Acme".utf8))),
                organization(ASN1.printable("ACME"))
            ),
            (
                "DEL in a TeletexString", organization(ASN1.value(0x14, Array("Ac\u{7f}me".utf8))),
                organization(ASN1.utf8("Acme"))
            ),
            ("the Greek varia", organization(ASN1.utf8("a`b")), organization(ASN1.utf8("a\u{1fef}b"))),
            ("64 characters", organization(ASN1.utf8(letters(64))), organization(ASN1.bmp(letters(64)))),
            ("65 characters", organization(ASN1.utf8(letters(65))), organization(ASN1.bmp(letters(65)))),
            ("40 characters", organization(ASN1.utf8(letters(40))), organization(ASN1.bmp(letters(40)))),
            (
                "a kilobyte of invisible characters", organization(ASN1.utf8("Acme")),
                organization(ASN1.utf8("Ac" + String(repeating: "\u{200b}", count: 2_000) + "me"))
            ),
            (
                "nine attributes in another order",
                relative((0..<9).map { (ASN1.ou, ASN1.utf8("unit \($0)" + String(repeating: " ", count: $0))) }),
                relative((0..<9).map { (ASN1.ou, ASN1.utf8("UNIT \($0)" + String(repeating: " ", count: 9 - $0))) })
            ),
        ])
    func same(name: String, one: [UInt8], other: [UInt8]) throws {
        #expect(normalized(one) == normalized(other))
        #expect(match(one, other))
        #expect(hash(one) == hash(other))
        #expect(normalized(one).hashValue == normalized(other).hashValue)
        #expect(normalized(one).relation(to: normalized(other)) == .within)
    }

    @Test(
        "Two different names stay different",
        arguments: [
            ("another letter", organization(ASN1.utf8("Acme")), organization(ASN1.utf8("Acne"))),
            ("the dotless i", organization(ASN1.utf8("bit")), organization(ASN1.utf8("b\u{131}t"))),
            ("an accent", organization(ASN1.utf8("Zurich")), organization(ASN1.utf8("Zürich"))),
            ("Chinese characters", organization(ASN1.utf8("漢字")), organization(ASN1.utf8("漢語"))),
            (
                "31 Chinese characters", organization(ASN1.utf8(String(repeating: "漢", count: 31))),
                organization(ASN1.utf8("漢"))
            ),
            (
                "a name above another", organization(ASN1.utf8("x")),
                ASN1.name([(ASN1.o, ASN1.utf8("x")), (ASN1.ou, ASN1.utf8("y"))])
            ),
            ("another type", organization(ASN1.utf8("x")), ASN1.name([(ASN1.ou, ASN1.utf8("x"))])),
            (
                "one additional attribute", relative([(ASN1.o, ASN1.utf8("a"))]),
                relative([(ASN1.o, ASN1.utf8("a")), (ASN1.ou, ASN1.utf8("b"))])
            ),
            (
                "an attribute twice", relative([(ASN1.o, ASN1.utf8("a")), (ASN1.o, ASN1.utf8("A"))]),
                relative([(ASN1.o, ASN1.utf8("a"))])
            ),
            (
                "one value or two", relative([(ASN1.o, ASN1.utf8("ab"))]),
                relative([(ASN1.o, ASN1.utf8("a")), (ASN1.o, ASN1.utf8("b"))])
            ),
            ("a string and bytes", organization(ASN1.utf8("AB")), organization(ASN1.octets([0x41, 0x42]))),
        ])
    func different(name: String, one: [UInt8], other: [UInt8]) throws {
        #expect(normalized(one) != normalized(other))
        #expect(!match(one, other))
        #expect(normalized(one).relation(to: normalized(other)) == .outside)
    }

    @Test(
        "A value that the engine can't prepare is neither within nor outside an excluded subtree",
        arguments: [
            ("a superscript", ASN1.utf8("Acme2"), ASN1.utf8("Acme²")),
            ("a diaeresis", ASN1.utf8("Acme"), ASN1.utf8("Acme\u{a8}")),
            ("an acute accent", ASN1.utf8("Acme"), ASN1.utf8("Acme\u{b4}")),
            ("a circled letter", ASN1.utf8("a"), ASN1.utf8("\u{24d0}")),
            ("half-width kana", ASN1.utf8("カ"), ASN1.utf8("ｶ")),
            ("a mathematical letter", ASN1.utf8("A"), ASN1.utf8("\u{1d400}")),
            ("a private-use character", ASN1.utf8("A"), ASN1.utf8("A\u{e000}")),
            ("an unassigned character", ASN1.utf8("A"), ASN1.utf8("A\u{378}")),
            ("Teletex beyond ASCII", ASN1.utf8("Zürich"), ASN1.teletex("Z\u{c8}urich")),
            ("bytes that aren't UTF-8", ASN1.utf8("A"), ASN1.value(0x0c, [0x41, 0xff])),
            (
                "more combining characters than Unicode allows for", ASN1.utf8("a"),
                ASN1.utf8("a" + String(repeating: "\u{301}", count: 40))
            ),
        ])
    func undecidable(name: String, value: [UInt8], odd: [UInt8]) {
        let base = normalized(organization(value))
        let other = normalized(organization(odd))
        #expect(other.relation(to: base) == .undecidable)
        #expect(base.relation(to: other) == .undecidable)
        // A name is always within a subtree with the same encoding, whatever its characters.
        #expect(other.relation(to: other) == .within)
        // A relative name that proves the names different decides the result.
        let here = normalized(ASN1.name([(ASN1.c, ASN1.printable("DE")), (ASN1.o, value)]))
        let there = normalized(ASN1.name([(ASN1.c, ASN1.printable("CH")), (ASN1.o, odd)]))
        #expect(here.relation(to: there) == .outside)
    }

    /// Prepares ASCII, and characters that map to themselves, by RFC 4518 §§ 2.2 and 2.6.1.
    private static func prepared(_ text: String) -> String {
        var words: [String] = [""]
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x20, 0x09...0x0d: words.append("")
            case 0..<0x20, 0x7f: break
            default: words[words.count - 1] += String(scalar).lowercased()
            }
        }
        return words.filter { !$0.isEmpty }.joined(separator: " ")
    }

    @Test(
        "Each ASCII character maps to a space, to nothing, to its small letter or to itself (RFC 4518 § 2.2)",
        arguments: ["", " ", "\u{1}", "a", "é", "é "])
    func ascii(prefix: String) {
        for value in UInt8(0)..<0x80 {
            for other in [value, value ^ 0x20, (value &+ 1) & 0x7f, 0x20, 0x7f] {
                let texts = [value, other].map { prefix + String(Unicode.Scalar($0)) + "z" }
                let names = texts.map { organization(ASN1.utf8($0)) }
                let isEqual = Self.prepared(texts[0]) == Self.prepared(texts[1])
                #expect(match(names[0], names[1]) == isEqual, "\(value), \(other)")
                #expect((normalized(names[0]) == normalized(names[1])) == isEqual, "\(value), \(other)")
                if isEqual { #expect(hash(names[0]) == hash(names[1]), "\(value), \(other)") }
            }
        }
    }

    @Test("Separators map to a space, and invisible characters to nothing (RFC 4518 § 2.2)")
    func separators() {
        let spaces: [ClosedRange<UInt32>] = [
            0x85...0x85, 0xa0...0xa0, 0x1680...0x1680, 0x2000...0x200a, 0x2028...0x2029, 0x202f...0x202f,
            0x205f...0x205f, 0x3000...0x3000,
        ]
        let nothing: [ClosedRange<UInt32>] = [
            0x80...0x84, 0x86...0x9f, 0xad...0xad, 0x34f...0x34f, 0x1806...0x1806, 0x180b...0x180e, 0x200b...0x200f,
            0x202a...0x202e, 0x2060...0x2063, 0x206a...0x206f, 0xfe00...0xfe0f, 0xfeff...0xfeff, 0xfff9...0xfffc,
        ]
        for (ranges, between) in [(spaces, " "), (nothing, "")] {
            let plain = organization(ASN1.utf8("a" + between + "b"))
            for scalar in ranges.joined().compactMap(Unicode.Scalar.init) {
                let name = organization(ASN1.utf8("a" + String(scalar) + "b"))
                #expect(match(name, plain) && normalized(name) == normalized(plain), "\(scalar.value)")
            }
        }
    }

    @Test("A sequence of 30 combining characters is exact, and a longer one isn't (UAX #15 § 13)")
    func longestSequence() {
        let base = normalized(organization(ASN1.utf8("x")))
        for mark in ["\u{300}", "\u{301}", "\u{316}"] {
            for (start, end) in [("", ""), ("a", ""), ("a" + mark + "b", ""), ("a", "b" + mark), ("漢", "漢" + mark)] {
                for (count, relation) in [(29, .outside), (30, .outside), (31, .undecidable), (32, .undecidable)]
                    as [(Int, NormalizedName.Relation)]
                {
                    let text = start + String(repeating: mark, count: count) + end
                    #expect(normalized(organization(ASN1.utf8(text))).relation(to: base) == relation, "\(count)")
                }
            }
        }
        // Within a sequence, canonical equivalence permits other orders. The comparison doesn't apply it across two
        // sequences.
        let (above, below) = ("\u{301}", "\u{323}")
        for (count, isWithin) in [(28, true), (29, false), (30, true), (58, true), (59, false), (60, true)] {
            let start = "a" + String(repeating: above, count: count)
            let one = normalized(organization(ASN1.utf8(start + above + below)))
            let other = normalized(organization(ASN1.utf8(start + below + above)))
            #expect(one.relation(to: other) == (isWithin ? .within : .undecidable), "\(count)")
            #expect((one == other) == isWithin, "\(count)")
        }
    }

    @Test("Two guessed texts in another order are the same name")
    func guessesInAnotherOrder() {
        func name(_ first: String, _ second: String) -> NormalizedName {
            normalized(relative([(ASN1.ou, ASN1.teletex(first)), (ASN1.ou, ASN1.teletex(second))]))
        }
        // DER sorts the shorter attribute first.
        #expect(name("Zürich", "Ärger  ").relation(to: name("Zürich  ", "Ärger")) == .within)
    }

    @Test("Only characters of strings beyond ASCII cost more than their bytes")
    func cost() {
        func cost(_ value: [UInt8]) -> Int {
            let name = organization(value)
            let view = name[...]
            return NormalizedName.cost(view.span, ByteRange(0, name.count))
        }
        let plain = cost(ASN1.utf8(letters(40)))
        for other in [ASN1.octets([UInt8](repeating: 0xff, count: 40)), ASN1.bits([UInt8](repeating: 0xff, count: 39))]
        {
            #expect(cost(other) == plain)
        }
        // The two encodings of the same characters cost the same beyond their bytes.
        let text = letters(10)
        let empty = cost(ASN1.utf8(""))
        let wide = [ASN1.bmp(text), ASN1.universal(text)].map { cost($0) - empty - 8 * ($0.count - 2) }
        #expect(wide[0] > 0 && wide[0] == wide[1])
    }

    @Test("A comparison of subject and issuer needs exactly the cost of both names")
    func limitedComparison() throws {
        let (subject, issuer) = (organization(ASN1.utf8("Zürich")), organization(ASN1.bmp("ZÜRICH")))
        let certificate = try CraftedCertificate().with { ($0.subject, $0.issuer) = (subject, issuer) }.unsigned()
        let cost = [subject, issuer].reduce(0) { sum, name in
            let view = name[...]
            return sum + NormalizedName.cost(view.span, ByteRange(0, name.count))
        }
        #expect(certificate.isSelfIssued(atMost: cost) == true && certificate.isSelfIssued(atMost: cost - 1) == nil)
    }

    @Test("Names in other places of two larger values are compared in their own places")
    func places() {
        let (a, b, c) = (organization(ASN1.utf8("a")), organization(ASN1.utf8("b")), organization(ASN1.utf8("c")))
        func match(_ left: [UInt8], _ leftStart: Int, _ right: [UInt8], _ rightStart: Int) -> Bool {
            let (left, right) = (left[...], right[...])
            return namesMatch(
                left.span, ByteRange(leftStart, leftStart + a.count), right.span,
                ByteRange(rightStart, rightStart + a.count))
        }
        #expect(match(a + b, 0, c + a, a.count) && match(b + a, a.count, a + c, 0))
        #expect(!match(a + c, 0, c + b, a.count) && !match(c + a, a.count, b + c, 0))
    }

    @Test("A guessed text in any attribute of a relative name is undecidable, unless the caller accepts guesses")
    func guesses() {
        // DER sorts the shorter attribute first.
        for organization in ["A", "A long organization"] {
            func name(_ unit: [UInt8]) -> NormalizedName {
                normalized(relative([(ASN1.o, ASN1.utf8(organization)), (ASN1.ou, unit)]))
            }
            let (exact, guessed) = (name(ASN1.utf8("Zürich")), name(ASN1.teletex("Zürich")))
            for (one, other) in [(exact, guessed), (guessed, exact)] {
                #expect(one.relation(to: other) == .undecidable)
                #expect(one.relation(to: other, acceptingGuesses: true) == .within)
            }
            #expect(guessed.relation(to: guessed) == .within)
        }
    }

    @Test(
        "All orders of a long sequence of combining characters yield one value, at a cost proportional to the number of bytes"
    )
    func combiningCharacters() {
        // Alternating combining classes 230, 220 and 202. Sorting a hundred thousand of them naively would take
        // minutes.
        let marks = (0..<99_999).map { ["\u{301}", "\u{323}", "\u{327}"][$0 % 3] }
        let one = organization(ASN1.utf8("a" + marks.joined()))
        #expect(normalized(one) == normalized(one))
        #expect(normalized(one) != normalized(organization(ASN1.utf8("b" + marks.joined()))))
        #expect(
            normalized(organization(ASN1.utf8("a\u{301}\u{323}")))
                == normalized(organization(ASN1.utf8("a\u{323}\u{301}"))))
        // The order doesn't matter either in the sequence that starts after 30 combining characters.
        func late(_ end: String) -> NormalizedName {
            normalized(organization(ASN1.utf8("a" + String(repeating: "\u{301}", count: 30) + end)))
        }
        #expect(late("\u{301}\u{323}") == late("\u{323}\u{301}"))
    }

    @Test(
        "Comparing names pair by pair gives the same result as comparing normalized names, and equal names have equal hashes"
    )
    func agreement() {
        var random = Repeatable(20_261_122)
        let words = [
            "a", "A", "ａ", "ß", "ss", "SS", " ", "\u{200b}", "é", "e\u{301}", "2", "²", "\u{301}", "k", "\u{212a}",
        ]
        func value() -> [UInt8] {
            let text = (0..<Int(random.next() % 4)).map { _ in words[Int(random.next() % UInt64(words.count))] }
                .joined()
            return [ASN1.utf8, ASN1.bmp, ASN1.universal][Int(random.next() % 3)](text)
        }
        func name() -> [UInt8] {
            ASN1.sequence(
                (0..<Int(random.next() % 3)).map { _ in
                    ASN1.set(
                        (0...Int(random.next() % 2)).map { _ in
                            ASN1.attribute([ASN1.o, ASN1.ou][Int(random.next() % 2)], value())
                        })
                })
        }
        let names = (0..<600).map { _ in name() }
        var equal = 0
        for one in names {
            for other in names {
                let isEqual = normalized(one) == normalized(other)
                if isEqual != match(one, other) { Issue.record("\(Hex.encode(one)) and \(Hex.encode(other))") }
                if isEqual, hash(one) != hash(other) {
                    Issue.record("hashes of \(Hex.encode(one)), \(Hex.encode(other))")
                }
                if isEqual { equal += 1 }
            }
            if names.count > 100, equal > 60_000 { break }
        }
        // The table is meaningful only if many equal names have different spellings.
        #expect(equal > names.count)
    }
}
