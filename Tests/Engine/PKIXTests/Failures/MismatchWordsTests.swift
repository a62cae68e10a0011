// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

@Suite("Words about names that nearly match")
struct MismatchWordsTests {
    private func mismatch(_ names: [[UInt8]], commonName: String = "x", _ host: String) throws -> NameMismatch {
        let leaf = CraftedCertificate.leaf().with {
            $0.subject = ASN1.name(commonName)
            $0.extensions = [Extension.alternativeNames(names).encoded]
        }
        return NameMismatch(of: try leaf.certificate(), for: try Hostname(host))
    }

    @Test("Every form of a name is read, and a name that is too long is only counted")
    func forms() throws {
        let names = [
            ASN1.registered("1.2.3.4"), ASN1.explicit(3, ASN1.sequence()),
            ASN1.explicit(5, ASN1.explicit(1, ASN1.utf8("party"))), ASN1.directory(ASN1.name("a")),
            ASN1.other("1.2.3", ASN1.utf8(String(repeating: "a", count: 600))),
        ]
        let found = try mismatch(names, "www.example.com").names
        #expect(found.map(\.form) == [.registeredID, .x400Address, .ediPartyName, .directoryName, .otherName])
        #expect(found.allSatisfy { $0.reason == .formNotCompared })
        #expect(found[0].value == "1.2.3.4" && found[4].value.hasPrefix("a name of "))
    }

    @Test("A directory name of up to 512 bytes is shown, and a longer one has its size instead")
    func longNames() throws {
        func value(_ count: Int) throws -> String? {
            let name = ASN1.name(String(repeating: "a", count: count))
            return try mismatch([ASN1.directory(name)], "www.example.com").names.first?.value
        }
        // The name's other bytes are the headers of its parts.
        let headers = ASN1.name(String(repeating: "a", count: 450)).count - 450
        #expect(try value(512 - headers)?.hasPrefix("CN=aaaa") == true)
        #expect(try value(513 - headers) == "a name of 513 bytes")
    }

    @Test("A pattern whose parts aren't in the host in order is another name")
    func patterns() throws {
        for (pattern, reason) in [
            ("w*z*m", RejectedName.Reason.anotherName), ("w*x*m", .partialWildcard), ("*.*.x*.com", .anotherName),
        ] {
            #expect(try mismatch([ASN1.dns(pattern)], "www.ex.com").names.map(\.reason) == [reason], "\(pattern)")
        }
        let bracketed = try mismatch([ASN1.dns("[::1]:443")], "::1").names
        #expect(bracketed.map(\.reason) == [.addressAsDNSName])
    }

    @Test("The clause and the remedy of each reason name the value and the entry to request")
    func words() throws {
        let (name, mapped) = (try Hostname("www.example.com"), try Hostname("::ffff:192.0.2.1"))
        for reason in RejectedName.Reason.allCases {
            let rejected = RejectedName(.dnsName, "the value", reason)
            #expect(rejected.clause(for: name).contains("the value"))
            #expect(rejected.remedy(for: name).contains("DNS:www.example.com"))
            #expect(rejected.remedy(for: mapped).contains("IP:"))
        }
        // Only the two reasons without a rule share their words.
        let clauses = RejectedName.Reason.allCases.map { RejectedName(.dnsName, "a", $0).clause(for: name) }
        #expect(Set(clauses).count == clauses.count - 1 && clauses.count { $0 == "a" } == 2)
        let mappedName = RejectedName(.ipAddress, "192.0.2.1", .mappedAddress)
        #expect(mappedName.remedy(for: mapped).contains("connect to the IPv4 address"))
        #expect(!mappedName.remedy(for: try Hostname("192.0.2.1")).contains("connect to"))
        // No certificate can contain this name, so no entry is a remedy.
        let hyphen = try Hostname("foo-.example.com")
        for reason in RejectedName.Reason.allCases {
            let remedy = RejectedName(.dnsName, "the value", reason).remedy(for: hyphen)
            #expect(remedy.contains("another name") && !remedy.contains("DNS:"))
        }
        let partial = RejectedName(.dnsName, "w*.com", .partialWildcard)
        #expect(partial.remedy(for: name).contains("*.example.com"))
        // No wildcard may cover a name directly below a public suffix, or a name of one label.
        for host in ["example.com", "localhost"] { #expect(!partial.remedy(for: try Hostname(host)).contains("*")) }
    }

    @Test("More names than the sentence shows are counted")
    func counts() throws {
        let many = (0..<9).map { ASN1.dns("https://www\($0).example.com/") } + [ASN1.dns("https://www.example.com")]
        let near = try mismatch(many, "www.example.com")
        #expect(near.hasNearName && near.sentence?.contains("www.example.com") == true)
        let others = (0..<9).map { ASN1.dns("*.example\($0).com") } + [ASN1.dns("www.example.com.")]
        let sentence = try #require(try mismatch(others, "www.example.com").sentence)
        #expect(sentence.contains("*.example0.com, *.example1.com, *.example2.com and 6 more"))
        let ports = (0..<9).map { _ in ASN1.dns("www.example.com:443") }
        #expect(try mismatch(ports, "www.example.com").sentence?.contains("more names") == true)
        #expect(try !mismatch([ASN1.dns("a.example")], "www.example.com").hasNearName)
    }

    @Test("A common name is compared only in a subject of ordinary size")
    func longSubject() throws {
        let name = ASN1.name([
            (ASN1.cn, ASN1.utf8("www.example.com")), (ASN1.o, ASN1.utf8(String(repeating: "a", count: 1_100))),
        ])
        func subject(of size: Int) -> [UInt8] {
            func name(_ count: Int) -> [UInt8] {
                ASN1.name([
                    (ASN1.cn, ASN1.utf8("www.example.com")), (ASN1.o, ASN1.utf8(String(repeating: "a", count: count))),
                ])
            }
            return name(900 + size - name(900).count)
        }
        let subjects = [(ASN1.name("www.example.com"), 1), (subject(of: 1024), 1), (subject(of: 1025), 0), (name, 0)]
        for (subject, count) in subjects {
            let leaf = CraftedCertificate.leaf().with {
                $0.subject = subject
                $0.extensions = nil
            }
            #expect(NameMismatch(of: try leaf.certificate(), for: try Hostname("www.example.com")).names.count == count)
        }
    }

    @Test("The names of a mismatch are read from its failure, and other failures have none")
    func otherCodes() {
        for code in TrustFailure.Code.engine {
            let failure = TrustFailure(code, expected: .text("www.example.com"), found: .list(["www.example.com."]))
            #expect((NameMismatch(failure) != nil) == (code == .hostMismatch))
        }
        #expect(NameMismatch(TrustFailure(.hostMismatch, expected: .text("a b"), found: .list(["a"]))) == nil)
        #expect(NameMismatch(TrustFailure(.hostMismatch, expected: .text("a.example"), found: .text("b"))) == nil)
    }

    @Test("The entry of a denial is read from its failure, and other failures have none")
    func deniedEntry() {
        let entry = TrustFailure.DeniedEntry(.key, "sha256/AA==")
        for entry in [entry, .init(.certificate, "00", reason: "stolen")] {
            #expect(TrustFailure(.certificateDenied, found: entry.value).deniedEntry == entry)
        }
        #expect(TrustFailure(.certificateDenied, found: .list(["key"])).deniedEntry == nil)
        #expect(TrustFailure(.certificateDenied, found: .list(["other", "x"])).deniedEntry == nil)
        #expect(TrustFailure(.hostMismatch, found: entry.value).deniedEntry == nil)
        // At most 32 bytes of a serial number are shown.
        for count in [32, 33] {
            let long = TrustFailure.DeniedEntry.issuerAndSerial(
                serialNumber: .init(repeating: 1, count: count), reason: "")
            #expect(long.name == String(repeating: "01", count: 32))
        }
    }

    @Test("A list without shown members is described by its count")
    func values() {
        #expect(TrustFailure.Value.list([]).description == "nothing")
        #expect(TrustFailure.Value.list([], omitting: 3).description == "3 values")
        #expect(TrustFailure.Value.list(["a"], omitting: 3).description == "a and 3 more")
    }

    @Test("A text is shortened to the characters that need at most that many bytes in JSON")
    func abridgedTexts() {
        let rows: [(text: String, maximum: Int, shown: String)] = [
            ("", 1, ""), ("abcd", 4, "abcd"), ("abcd", 3, "abc…"), ("aé", 3, "aé"), ("aé", 2, "a…"), ("ab", 0, "…"),
            ("\u{1}\u{1f}", 12, "\u{1}\u{1f}"), ("\u{1}\u{1f}", 11, "\u{1}…"), ("  ", 2, "  "),
            ("\u{1}abc", 9, "\u{1}abc"), ("\u{1}abc", 8, "\u{1}ab…"),
            ("\"\\/", 6, "\"\\/"), ("\"\\/", 5, "\"\\…"), ("🔒", 3, "…"), ("🔒", 4, "🔒"),
        ]
        for (text, maximum, shown) in rows { #expect(text.abridged(toBytes: maximum) == shown) }
    }

    @Test("A report shows at most 20 members and 4 KB of a list, and counts the others")
    func abridgedLists() {
        let long = String(repeating: "a", count: 256)
        let rows: [(members: [String], kept: Int)] = [
            (Array(repeating: "a", count: 20), 20), (Array(repeating: "a", count: 21), 20),
            (Array(repeating: long, count: 16), 16), (Array(repeating: long, count: 20), 16),
            (["a"] + Array(repeating: long, count: 16), 16),
        ]
        for (members, kept) in rows {
            let shown = TrustFailure.Value.list(Array(members.prefix(kept)), omitting: members.count - kept)
            #expect(TrustFailure.Value.list(members).abridged == shown)
            // Members that were omitted before count, too.
            #expect(
                TrustFailure.Value.list(members, omitting: 5).abridged
                    == .list(Array(members.prefix(kept)), omitting: members.count - kept + 5))
        }
        // Only a positive number counts omitted members.
        for last in ["… and 0 more", "… and -1 more", "… and x more", "… and 1", "number1 more", "… and 1 much"] {
            #expect(TrustFailure.Value.list(["a", last]).abridged == .list(["a", last]))
            #expect(TrustFailure.Value.list(["a", last]).description == "a, \(last)")
        }
        #expect(TrustFailure.Value.list(["a"], omitting: 0) == .list(["a"]))
        #expect(TrustFailure.Value.list(["a"], omitting: 1) == .list(["a", "… and 1 more"]))
        #expect(TrustFailure.Value.list(["a", "… and 1 more"]).description == "a and 1 more")
    }

    @Test("A report shows at most 1 KB of a text, and at most 256 bytes of a list's member")
    func abridgedSizes() {
        for (size, isList) in [(1024, false), (256, true)] {
            let whole = String(repeating: "a", count: size)
            func value(_ text: String) -> TrustFailure.Value { isList ? .list([text]) : .text(text) }
            #expect(value(whole).abridged == value(whole) && value(whole + "a").abridged == value(whole + "…"))
        }
    }

    @Test("A counted list keeps 200 members and counts the others")
    func countedLists() {
        for count in [0, 1, 200, 201, 202] {
            var list = CountedList()
            for index in 0..<count { list.add("\(index)") }
            #expect(list.list == .list((0..<min(count, 200)).map { "\($0)" }, omitting: max(0, count - 200)))
            #expect(list.isEmpty == (count == 0))
        }
    }
}
