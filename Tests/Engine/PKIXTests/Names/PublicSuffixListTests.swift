// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX

@Suite("Public suffix list")
struct PublicSuffixListTests {
    /// https://github.com/publicsuffix/list/blob/main/tests/test_psl.txt (dedicated to the public domain): a name and
    /// its registrable domain, or nil if the name is a public suffix. The rows with U-labels are omitted because
    /// certificates have A-labels. Those with a leading dot have their own rows below.
    static let vectors: [(name: String, registrable: String?)] = [
        // Mixed case.
        ("COM", nil), ("example.COM", "example.com"), ("WwW.example.COM", "example.com"),
        // Unlisted top-level domain.
        ("example", nil), ("example.example", "example.example"), ("b.example.example", "example.example"),
        ("a.b.example.example", "example.example"),
        // Top-level domain with one rule.
        ("biz", nil), ("domain.biz", "domain.biz"), ("b.domain.biz", "domain.biz"), ("a.b.domain.biz", "domain.biz"),
        // Top-level domain with some rules of two labels.
        ("com", nil), ("example.com", "example.com"), ("b.example.com", "example.com"),
        ("a.b.example.com", "example.com"), ("uk.com", nil), ("example.uk.com", "example.uk.com"),
        ("b.example.uk.com", "example.uk.com"), ("a.b.example.uk.com", "example.uk.com"), ("test.ac", "test.ac"),
        // Top-level domain with one rule, a wildcard.
        ("mm", nil), ("c.mm", nil), ("b.c.mm", "b.c.mm"), ("a.b.c.mm", "b.c.mm"),
        // Top-level domain with more complex rules.
        ("jp", nil), ("test.jp", "test.jp"), ("www.test.jp", "test.jp"), ("ac.jp", nil), ("test.ac.jp", "test.ac.jp"),
        ("www.test.ac.jp", "test.ac.jp"), ("kyoto.jp", nil), ("test.kyoto.jp", "test.kyoto.jp"),
        ("ide.kyoto.jp", nil), ("b.ide.kyoto.jp", "b.ide.kyoto.jp"), ("a.b.ide.kyoto.jp", "b.ide.kyoto.jp"),
        ("c.kobe.jp", nil), ("b.c.kobe.jp", "b.c.kobe.jp"), ("a.b.c.kobe.jp", "b.c.kobe.jp"),
        ("city.kobe.jp", "city.kobe.jp"), ("www.city.kobe.jp", "city.kobe.jp"),
        // Top-level domain with a wildcard and exceptions.
        ("ck", nil), ("test.ck", nil), ("b.test.ck", "b.test.ck"), ("a.b.test.ck", "b.test.ck"), ("www.ck", "www.ck"),
        ("www.www.ck", "www.ck"),
        // US K12.
        ("us", nil), ("test.us", "test.us"), ("www.test.us", "test.us"), ("ak.us", nil), ("test.ak.us", "test.ak.us"),
        ("www.test.ak.us", "test.ak.us"), ("k12.ak.us", nil), ("test.k12.ak.us", "test.k12.ak.us"),
        ("www.test.k12.ak.us", "test.k12.ak.us"),
        // A-labels.
        ("xn--85x722f.com.cn", "xn--85x722f.com.cn"), ("xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
        ("www.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
        ("shishi.xn--55qx5d.cn", "shishi.xn--55qx5d.cn"), ("xn--55qx5d.cn", nil),
        ("xn--85x722f.xn--fiqs8s", "xn--85x722f.xn--fiqs8s"), ("www.xn--85x722f.xn--fiqs8s", "xn--85x722f.xn--fiqs8s"),
        ("shishi.xn--fiqs8s", "shishi.xn--fiqs8s"), ("xn--fiqs8s", nil),
    ]

    @Test("A test vector of publicsuffix.org has the registrable domain listed there", arguments: vectors)
    func vector(name: String, registrable: String?) {
        #expect(registrableDomain(of: name) == registrable)
        #expect((section(of: name) != nil) == (registrable == nil))
    }

    @Test(
        "A suffix that a registry controls is in the ICANN section",
        arguments: [
            "com", "uk", "co.uk", "gov.uk", "ck", "anything.ck", "anything.kawasaki.jp", "kyoto.jp", "ide.kyoto.jp",
            "k12.ak.us", "arpa", "in-addr.arpa", "app", "dev", "zw", "anything.nom.br", "xn--p1ai", "xn--fiqs8s",
            "xn--55qx5d.cn",
        ])
    func icann(name: String) {
        #expect(section(of: name) == .icann)
    }

    @Test(
        "A suffix that a domain's owner submitted is in the private section",
        arguments: [
            "github.io", "githubusercontent.com", "blogspot.com", "s3.amazonaws.com", "uk.com", "appspot.com",
            "herokuapp.com", "pages.dev", "azurewebsites.net", "anything.compute.amazonaws.com",
            "xn--h1ahn.xn--p1acf",
        ])
    func privateDomains(name: String) {
        #expect(section(of: name) == .privateDomains)
    }

    @Test(
        "A domain that can be registered isn't a suffix, nor is any name below it",
        arguments: [
            "example.com", "www.example.com", "example.co.uk", "github.com", "www.github.io", "amazonaws.com",
            "a.anything.ck", "www.s3.amazonaws.com",
        ])
    func registrable(name: String) {
        #expect(section(of: name) == nil)
    }

    @Test("A top-level domain that isn't in the list is a suffix", arguments: ["test", "local", "xn--unlisted", "1"])
    func unlisted(name: String) {
        #expect(section(of: name) == .icann)
        #expect(suffix(of: "www.example." + name) == name)
    }

    @Test("An exception excludes a name, and all names below it, from a wildcard")
    func exceptions() {
        for name in ["www.ck", "a.www.ck", "b.a.www.ck"] {
            #expect(section(of: name) == nil)
            #expect(suffix(of: name) == "ck")
        }
        for name in ["city.kawasaki.jp", "a.city.kawasaki.jp", "b.a.city.kawasaki.jp"] {
            #expect(section(of: name) == nil)
            #expect(suffix(of: name) == "kawasaki.jp")
        }
    }

    @Test("A wildcard doesn't make its parent a suffix, unless the parent is a top-level domain")
    func wildcardParents() {
        #expect(section(of: "kawasaki.jp") == nil)
        #expect(suffix(of: "kawasaki.jp") == "jp")
        #expect(section(of: "compute.amazonaws.com") == nil)
        #expect(suffix(of: "compute.amazonaws.com") == "com")
        #expect(section(of: "ck") == .icann)
    }

    @Test("The case of ASCII letters makes no difference", arguments: ["CO.ZA", "GITHUB.io", "XN--55QX5D.CN", "X.CK"])
    func letterCase(name: String) {
        #expect(section(of: name) != nil)
        #expect(section(of: name) == section(of: name.lowercased()))
        #expect(suffix(of: "Www." + name) == name)
    }

    @Test("Only letters have two cases: a control character doesn't match a hyphen or digit")
    func onlyLettersFold() {
        #expect(section(of: "in-addr.arpa") == .icann)
        #expect(section(of: "in\u{d}addr.arpa") == nil)
        #expect(section(of: "k12.ak.us") == .icann)
        #expect(section(of: "k\u{11}\u{12}.ak.us") == nil)
    }

    @Test(
        "A name with an empty label isn't a suffix",
        arguments: ["", ".", "..", ".com", "com.", ".ck", "a..ck", ".co.uk"])
    func emptyLabels(name: String) {
        #expect(section(of: name) == nil)
    }

    @Test("An empty label ends a suffix")
    func suffixesWithEmptyLabels() {
        #expect(suffix(of: "") == "")
        #expect(suffix(of: ".") == "")
        #expect(suffix(of: "example.com.") == "")
        #expect(suffix(of: ".com") == "com")
        #expect(suffix(of: "co..uk") == "uk")
        #expect(suffix(of: ".ck") == "ck")
        #expect(suffix(of: "a..ck") == "ck")
        #expect(suffix(of: "...co.uk") == "co.uk")
    }

    @Test("A name of more than 253 bytes isn't a suffix, but has one")
    func longNames() {
        #expect(section(of: String(repeating: "a", count: 253)) == .icann)
        #expect(section(of: String(repeating: "a", count: 254)) == nil)
        let label = String(repeating: "a", count: 249)
        #expect(section(of: label + "a.ck") == .icann)
        #expect(section(of: label + "aa.ck") == nil)
        #expect(suffix(of: String(repeating: "a.", count: 100_000) + "co.uk") == "co.uk")
        #expect(suffix(of: String(repeating: ".", count: 100_000)) == "")
    }

    @Test("No input causes a trap, and the implied rule applies to names that aren't in the list")
    func garbage() {
        for byte in UInt8.min...UInt8.max where byte != UInt8(ascii: ".") {
            #expect(section(of: [byte]) == .icann)
            #expect(suffixLength(of: [UInt8(ascii: "."), byte]) == 1)
        }
        // The separators, spaces and line feeds of the data aren't labels.
        #expect(section(of: "\nAcom") == .icann)
        #expect(section(of: " Acom") == .icann)
        #expect(suffix(of: "Aco.uk\n") == "uk\n")
        #expect(suffix(of: "ac\nAac.ae") == "ae")
        var random = Repeatable(1)
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...40, using: &random)
            let name = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let length = suffixLength(of: name)
            #expect(length >= 0 && length <= name.count)
            _ = section(of: name)
        }
    }
}

@Suite("Public suffix data")
struct PublicSuffixDataTests {
    let entries = PublicSuffixDataTests.parsed()

    @Test("The data is sorted, in lowercase and complete with all parents, as the lookup requires")
    func form() {
        let names = entries.map(\.name)
        #expect(
            zip(names, names.dropFirst()).allSatisfy {
                $0.utf8.count < $1.utf8.count
                    || $0.utf8.count == $1.utf8.count && $0.utf8.lexicographicallyPrecedes($1.utf8)
            })
        #expect(names.last?.utf8.count == PublicSuffixData.longestName)
        let isLabelByte: Set<UInt8> = Set("abcdefghijklmnopqrstuvwxyz0123456789-".utf8)
        let all = Set(names)
        for entry in entries {
            let labels = entry.name.split(separator: ".", omittingEmptySubsequences: false)
            #expect(labels.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isLabelByte.contains) })
            #expect(labels.count == 1 || all.contains(labels.dropFirst().joined(separator: ".")))
            #expect(entry.marks & ~0x1f == 0x40)
            #expect(entry.marks & 16 == 0 || labels.count > 1)
        }
    }

    @Test("The table contains the starting position of the names of each length")
    func starts() {
        let starts = PublicSuffixData.starts.description.split(whereSeparator: \.isWhitespace).map { Int($0) }
        var expected: [Int?] = [0]
        for length in 0...PublicSuffixData.longestName {
            let count = entries.count { $0.name.utf8.count == length }
            expected.append((expected[length] ?? 0) + count * (length + 2))
        }
        #expect(starts == expected)
        #expect(expected.last == PublicSuffixData.entries.utf8CodeUnitCount)
        #expect(PublicSuffixData.starts.utf8CodeUnitCount == 7 * starts.count)
    }

    @Test("The list isn't older than this package's first list")
    func date() {
        #expect(PublicSuffixList.date.count == 10)
        #expect(PublicSuffixList.date >= "2026-10-22")
    }

    @Test("The number of rules in the data equals the generator's count")
    func ruleCount() {
        #expect(entries.reduce(0) { $0 + ($1.marks & 0x1f).nonzeroBitCount } == PublicSuffixData.ruleCount)
        #expect(PublicSuffixData.ruleCount > 9000)
    }

    @Test("The lookup finds every rule of the data in its section")
    func everyRule() {
        for entry in entries {
            if entry.marks & 3 != 0 {
                #expect(section(of: entry.name) == (entry.marks & 1 != 0 ? .icann : .privateDomains), "\(entry.name)")
                #expect(suffix(of: "example." + entry.name) == entry.name || entry.marks & 12 != 0, "\(entry.name)")
            }
            if entry.marks & 12 != 0 {
                let name = "anything-at-all." + entry.name
                #expect(section(of: name) == (entry.marks & 4 != 0 ? .icann : .privateDomains), "\(name)")
                #expect(suffix(of: "example." + name) == name, "\(name)")
            }
            if entry.marks & 16 != 0 {
                #expect(section(of: entry.name) == nil, "\(entry.name)")
                #expect(registrableDomain(of: "example." + entry.name) == entry.name, "\(entry.name)")
            }
        }
    }

    @Test("The lookup agrees with a literal implementation of the published algorithm")
    func agreesWithTheAlgorithm() {
        let rules = Rules(entries)
        var mismatches: [String] = []
        func check(_ labels: [String]) {
            let name = labels.joined(separator: ".")
            let expected = rules.suffix(of: name)
            let isSuffix = expected.suffix == name && !name.isEmpty && name.utf8.count <= 253
            if suffix(of: name) != expected.suffix || section(of: name) != (isSuffix ? expected.section : nil) {
                mismatches.append(name)
            }
        }
        var random = Repeatable(2)
        let alphabet = ["a", "www", "city", "co", "com", "jp", "zz", "xn--p1ai", "", "-", "~"]
        for entry in entries {
            // The name itself, names below it, and names with a changed label or byte.
            var labels = entry.name.split(separator: ".").map(String.init)
            check(labels)
            for _ in 0..<3 {
                labels.insert(alphabet.randomElement(using: &random) ?? "", at: 0)
                check(labels)
            }
            labels[Int.random(in: 0..<labels.count, using: &random)] = alphabet.randomElement(using: &random) ?? ""
            check(labels)
            check([String(entry.name.dropFirst())])
            check([String(entry.name.dropLast())])
        }
        #expect(mismatches.isEmpty)
    }

    private static func parsed() -> [(marks: UInt8, name: String)] {
        let separators = " \n".utf8
        var entries: [(marks: UInt8, name: String)] = []
        for entry in PublicSuffixData.entries.description.utf8.split(whereSeparator: { separators.contains($0) }) {
            guard let marks = entry.first else { continue }
            entries.append((marks, String(decoding: entry.dropFirst(), as: UTF8.self)))
        }
        return entries
    }
}

/// The list's rules as written, and the algorithm as the list's page describes it. It is slow and shares no code with
/// the engine.
private struct Rules {
    private var sections: [String: PublicSuffixSection] = [:]

    init(_ entries: [(marks: UInt8, name: String)]) {
        for (marks, name) in entries {
            // The ICANN section comes last because it takes precedence.
            if marks & 2 != 0 { sections[name] = .privateDomains }
            if marks & 1 != 0 { sections[name] = .icann }
            if marks & 8 != 0 { sections["*." + name] = .privateDomains }
            if marks & 4 != 0 { sections["*." + name] = .icann }
            if marks & 16 != 0 { sections["!" + name] = .icann }
        }
    }

    func suffix(of name: String) -> (suffix: String, section: PublicSuffixSection) {
        let labels = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        func last(_ count: Int) -> String { labels.suffix(count).joined(separator: ".") }
        for count in 1...labels.count where sections["!" + last(count)] != nil { return (last(count - 1), .icann) }
        for count in (1...labels.count).reversed() {
            let found = [
                sections[last(count)],
                labels[labels.count - count].isEmpty ? nil : sections["*." + last(count - 1)],
            ]
            if found.contains(.icann) { return (last(count), .icann) }
            if found.contains(.privateDomains) { return (last(count), .privateDomains) }
        }
        return (last(1), .icann)
    }
}

private func section(of name: String) -> PublicSuffixSection? { section(of: Array(name.utf8)) }

private func section(of name: [UInt8]) -> PublicSuffixSection? { PublicSuffixList.section(of: name.span) }

private func suffixLength(of name: [UInt8]) -> Int { PublicSuffixList.suffixLength(of: name.span) }

private func suffix(of name: String) -> String {
    let bytes = Array(name.utf8)
    return String(decoding: bytes.suffix(suffixLength(of: bytes)), as: UTF8.self)
}

/// The suffix with one more label, in lowercase, or nil if there isn't one.
private func registrableDomain(of name: String) -> String? {
    let suffixLabels = suffix(of: name).split(separator: ".").count
    let labels = name.lowercased().split(separator: ".")
    return labels.count > suffixLabels ? labels.suffix(suffixLabels + 1).joined(separator: ".") : nil
}
