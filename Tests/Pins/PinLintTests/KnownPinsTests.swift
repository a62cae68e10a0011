// SPDX-License-Identifier: Apache-2.0

import PKIX
import PinTestSupport
import ServerTrust
import ServerTrustTesting
import Testing

@testable import PinLint

/// Pins that are known in advance to lock users out.
@Suite struct KnownPinsTests {
    static let nothing = "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    static let line = "sha256/AbpHGcgLb+kRsJGnwFEktk7uzpZOCcBY74+YBdrKVGs="

    static let rows: [LintRow] = [
        LintRow("the hash of nothing", .pinOfNothing, at: [1], .okHttp, "a.example.com \(nothing) $1 $2"),
        LintRow("the hash of an empty line", .pinOfNothing, at: [1], .okHttp, "a.example.com \(line) $1 $2"),
        LintRow(
            "the letter A", .placeholder, at: [1], .okHttp,
            "a.example.com $1 sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="),
        LintRow(
            "the letter B, with trailing bits that don't form a byte", .placeholder, at: [2], .android,
            LintRow.android(LintRow.domain("a.example.com", 1, 2)).replacing(
                TestPins.pin(1).description.dropFirst(7), with: "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB=")),
        LintRow(
            "a group of letters, repeated", .placeholder, at: [1], .okHttp,
            "a.example.com $1 sha256/ABCDEFABCDEFABCDEFABCDEFABCDEFABCDEFABCDEFA="),
        LintRow("a digest without repetition", .placeholder, at: [], .okHttp, "a.example.com $1 $2"),
        LintRow(
            "Android's sample", .sample, at: [1], .okHttp,
            "a.example.com $1 sha256/7HIpactkIAq2Y49orFOOQKurWxmmSFZhBCoQYcRhJ3Y="),
        LintRow(
            "a discontinued CA", .retiredAuthority, at: [1], .okHttp,
            "a.example.com $1 sha256/YLh1dUR9y6Kja30RrAn7JKnbQG/uEtLMkBgFF2Fuihg="),
        LintRow(
            "an intermediate as the only reserve", .rotatingAuthority, at: [1], .okHttp,
            "a.example.com $1 sha256/AlSQhgtJirc8ahLyekmtX+Iw+v46yPYRLJt9Cq1GlB0="),
        LintRow(
            "an intermediate next to two other keys", .rotatingAuthority, at: [], .okHttp,
            "a.example.com $1 $2 sha256/AlSQhgtJirc8ahLyekmtX+Iw+v46yPYRLJt9Cq1GlB0="),
        LintRow(
            "an empty key in PEM", .pinOfNothing, at: [1], .okHttp,
            "a.example.com $1 sha256/sP6cX7zOh22C3NoXPxgNCylwm1pUmE+swBn3PQGPHtk="),
        LintRow(
            "a distrusted root, GeoTrust Global CA", .retiredAuthority, at: [1], .okHttp,
            "a.example.com $1 sha256/h6801m+z8v3zbgkRHpq6L29Esgfzhj89C1SyUCOQmqU="),
        LintRow(
            "the hash of the letter a", .pinOfNothing, at: [], .okHttp,
            "a.example.com $1 sha256/ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs="),
        LintRow(
            "a CA in use, ISRG Root X1", .retiredAuthority, at: [], .okHttp,
            "a.example.com $1 sha256/C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="),
        LintRow(
            "a root in use, although it is in a document", .sample, at: [], .okHttp,
            "a.example.com $1 sha256/grX4Ta9HpZx6tSHkmCrvpApTQGo67CYDnvprLg5yRME="),
        LintRow(
            "an intermediate if curl compares it with the server's key", .authorityAsLeaf, at: [1], .curl,
            "sha256//y7xVm0TVJNahMr2sZydE2jQH8SquXV9yLF9seROHHHU=;sha256//BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="),
        LintRow(
            "an intermediate if the whole path is compared", .authorityAsLeaf, at: [], .okHttp,
            "a.example.com $1 $2 sha256/y7xVm0TVJNahMr2sZydE2jQH8SquXV9yLF9seROHHHU="),
        LintRow(
            "a single CA isn't reported as a server's", .leafOnly, at: [], .curl,
            "sha256//y7xVm0TVJNahMr2sZydE2jQH8SquXV9yLF9seROHHHU="),
        LintRow("a placeholder doesn't count as a backup", .noBackup, at: [1], .okHttp, "a.example.com $1 \(nothing)"),
    ]

    @Test("A pin that locks users out causes a finding", arguments: rows) func finding(_ row: LintRow) { row.check() }

    @Test("Only strings that aren't pins cause a finding, one each")
    func standIns() {
        let texts = ["12312312312xasdas123asdasdasdasdsad", "AAAA"].map { "{\"SPKI-SHA256-BASE64\": \"\($0)\"}" }
        let text = """
            {"NSPinnedDomains": {"a.b.example.com": {"NSPinnedCAIdentities": [
            \(texts.joined(separator: ",\n"))
            ]}}}
            """
        let found = PinLinter(at: TestAuthority.now).findings(
            in: PinLintSource.sources(reading: Array(text.utf8), as: .ats, file: "pins"))
        #expect(found.map(\.rule) == [.odd(.pinFileUnmatchablePin), .odd(.pinFileUnmatchablePin)], "\(found)")
        #expect(found.map(\.location.line) == [2, 3])
    }

    @Test("Each string in the data is a different pin")
    func dataIsRead() throws {
        let keys = PinLintBook.knownPins.entries.flatMap { entry in
            ["nothing", "sample", "retired", "rotating"].flatMap(entry.all)
        }
        #expect(keys.count > 100)
        let pins = try keys.map { try SPKIPin("sha256/" + $0) }
        #expect(Set(pins).count == keys.count)
        #expect(Set(KnownPins.listed.map(\.key)) == Set(pins))
        for pin in pins { #expect(KnownPins.kind(of: pin) != nil) }
    }

    @Test(
        "The pin of an input without a key is its hash",
        arguments: [
            ("", "nothing"), ("\n", "an empty line"), ("\r\n", "an empty line"), ("0\0", "an empty sequence in DER"),
            ("\0", "a zero byte"), ("\u{feff}", "an empty text file with a byte order mark"),
            ("-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n", "an empty key in PEM"),
            ("-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n", "an empty certificate in PEM"),
            ("null", "the word null"), ("undefined", "the word undefined"), ("(null)", "the word (null)"),
            ("nil", "the word nil"), ("{}", "an empty JSON object"),
        ])
    func hashes(of input: String, description: String) throws {
        let pin = try SPKIPin("sha256/" + Base64.encode(Digests.sha256(Array(input.utf8))))
        #expect(KnownPins.kind(of: pin) == .nothing(description))
        #expect(PinLintBook.knownPins.entries.flatMap { $0.all("nothing") }.count == 13)
    }

    @Test("No sample is the key of a system root") func samplesAreNoRoots() throws {
        let anchors = try #require(try? TrustAnchors.system.certificates)
        for anchor in anchors {
            if case .sample? = KnownPins.kind(of: SPKIPin(anchor)) {
                Issue.record("\(anchor) is in use")
            }
        }
    }
}
