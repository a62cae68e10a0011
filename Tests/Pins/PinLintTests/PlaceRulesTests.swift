// SPDX-License-Identifier: Apache-2.0

import PinTestSupport
import ServerTrust
import ServerTrustTesting
import Testing

@testable import PinLint
@testable import ServerTrustPins

/// The rules for hosts, reports, anchors and files.
@Suite struct PlaceRulesTests {
    static let reach: [LintRow] = [
        LintRow(
            "everything below a public suffix", .publicSuffix, at: [2], .okHttp, "a.example.com $1 $2\n**.co.uk $1 $2"),
        LintRow("one label below a private one", .publicSuffix, at: [1], .okHttp, "*.github.io $1 $2"),
        LintRow("a registered domain below it", .publicSuffix, at: [], .okHttp, "**.example.co.uk $1 $2"),
        LintRow("only a name that is itself a public suffix", .publicSuffix, at: [], .okHttp, "github.io $1 $2"),
        LintRow("a top-level domain without registrations", .publicSuffix, at: [], .okHttp, "**.internal $1 $2"),
        LintRow("a whole registered domain", .wholeDomain, at: [1], .okHttp, "**.example.com $1 $2"),
        LintRow("a part of a registered domain", .wholeDomain, at: [], .okHttp, "**.api.example.com $1 $2"),
        LintRow("one label below a registered domain", .wholeDomain, at: [], .okHttp, "*.example.com $1 $2"),
        LintRow(
            "leaf keys for all subdomains", .leafPinsBelow, at: [2], .json,
            LintRow.json(
                LintRow.rule("**.api.example.com", LintRow.pin(1, scope: "leaf"), LintRow.pin(2, scope: "leaf")))),
        LintRow(
            "leaf keys for one label, which one certificate can serve", .leafPinsBelow, at: [2], as: .note, .json,
            LintRow.json(LintRow.rule("*.example.com", LintRow.pin(1, scope: "leaf"), LintRow.pin(2, scope: "leaf")))),
        LintRow(
            "CA keys for all subdomains", .leafPinsBelow, at: [], .json,
            LintRow.json(
                LintRow.rule(
                    "**.api.example.com", LintRow.pin(1, scope: "authority"), LintRow.pin(2, scope: "authority")))),
        LintRow(
            "one star, which omits the domain and deeper names", .oneLabel, at: [1], .okHttp, "*.example.com $1 $2"
        ),
        LintRow(
            "one star next to a rule for the domain", .oneLabel, at: [], .okHttp,
            "*.example.com $1 $2\nexample.com $1 $2"),
        LintRow("two stars", .oneLabel, at: [], .okHttp, "**.example.com $1 $2"),
        LintRow("a registered domain without www", .missingWWW, at: [1], .okHttp, "example.com $1 $2"),
        LintRow("with www", .missingWWW, at: [], .okHttp, "example.com $1 $2\nwww.example.com $3 $4"),
        LintRow(
            "a registered domain with all names one label below", .missingWWW, at: [], .okHttp,
            "example.com $1 $2\n*.example.com $1 $2"),
        LintRow("a host below a registered domain", .missingWWW, at: [], .okHttp, "api.example.com $1 $2"),
    ]

    @Test("The linter checks the hosts that a rule covers", arguments: reach) func coveredHosts(_ row: LintRow) {
        row.check()
    }

    @Test("A finding about a public suffix contains the list's date") func listDate() {
        let findings = PinLinter(at: TestAuthority.now).findings(
            in: LintRow("", .publicSuffix, at: [], .okHttp, "**.co.uk $1 $2").source)
        #expect(findings.contains { $0.rule == .publicSuffix && $0.message.contains(Hostname.publicSuffixListDate) })
    }

    static let families: [LintRow] = [
        LintRow(
            "a union lets a child accept its parent's pins", .parentAndChild, at: [2], .okHttp,
            "**.example.com $1 $2\napi.example.com $3 $4"),
        LintRow(
            "the same pins have no finding", .parentAndChild, at: [], .okHttp,
            "**.example.com $1 $2\napi.example.com $1 $2"),
        LintRow(
            "a parent that doesn't match that deep", .parentAndChild, at: [], .okHttp,
            "*.example.com $1 $2\nv1.api.example.com $3 $4"),
        LintRow(
            "a child without its parent's new pin", .parentAndChild, at: [3], .android,
            LintRow.android(LintRow.domain("example.com", 1, 2, 3), LintRow.domain("api.example.com", 1, 2))),
        LintRow(
            "a child with completely different pins is another server", .parentAndChild, at: [3], as: .note, .android,
            LintRow.android(LintRow.domain("example.com", 1, 2), LintRow.domain("api.example.com", 3, 4))),
        LintRow(
            "a report-only child", .parentAndChild, at: [3], .json,
            LintRow.json(
                LintRow.rule("**.example.com", LintRow.pin(1), LintRow.pin(2)),
                LintRow.rule("api.example.com", LintRow.pin(1), LintRow.pin(2), mode: "reportOnly"))),
        LintRow(
            "an exempted child", .exempted, at: [3], .json,
            LintRow.json(
                LintRow.rule("**.example.com", LintRow.pin(1), LintRow.pin(2)),
                LintRow.rule("api.example.com", mode: "unpinned"))),
        LintRow(
            "an unpinned host without a pinned parent", .exempted, at: [], .json,
            LintRow.json(
                LintRow.rule("example.com", LintRow.pin(1), LintRow.pin(2)),
                LintRow.rule("api.example.com", mode: "unpinned"))),
        LintRow(
            "pins that are only reported", .notEnforced, at: [2], .json,
            LintRow.json(LintRow.rule("api.example.com", LintRow.pin(1), LintRow.pin(2), mode: "reportOnly"))),
        LintRow(
            "pins that are enforced", .notEnforced, at: [], .json,
            LintRow.json(LintRow.rule("api.example.com", LintRow.pin(1), LintRow.pin(2)))),
    ]

    @Test("The linter compares the rules for a domain and its subdomains", arguments: families) func relatedRules(
        _ row: LintRow
    ) { row.check() }

    private static func reporting(_ uri: String) -> String {
        LintRow.json(
            LintRow.rule("api.example.com", LintRow.pin(1), LintRow.pin(2), other: ", \"reportURIs\": [\"\(uri)\"]"))
    }

    static let reports: [LintRow] = [
        LintRow(
            "reports to the pinned host", .reportHostPinned, at: [2], .json, reporting("https://api.example.com/report")
        ),
        LintRow("reports to another host", .reportHostPinned, at: [], .json, reporting("https://report.example.com/")),
        LintRow("reports over http", .reportNotHTTPS, at: [2], .json, reporting("http://report.example.com/")),
        LintRow("reports over https", .reportNotHTTPS, at: [], .json, reporting("https://report.example.com/")),
    ]

    @Test("The linter checks the URLs for reports", arguments: reports) func reportURIs(_ row: LintRow) { row.check() }

    private static func anchored(_ certificates: String) -> String {
        LintRow.android(
            LintRow.domain("a.example.com", below: false, 1, 2, other: "<trust-anchors>\(certificates)</trust-anchors>")
        )
    }

    static let anchors: [LintRow] = [
        LintRow(
            "anchors that override pins", .overridesPins, at: [2], .android,
            anchored("<certificates src=\"user\" overridePins=\"true\"/>")),
        LintRow(
            "anchors that don't override pins", .overridesPins, at: [], .android,
            anchored("<certificates src=\"user\"/>")),
        LintRow(
            "the user's anchors", .userAnchors, at: [2], .android,
            anchored("<certificates src=\"system\"/><certificates src=\"user\"/>")),
        LintRow("the system's anchors", .userAnchors, at: [], .android, anchored("<certificates src=\"system\"/>")),
    ]

    @Test("The linter checks anchors and their effect on pins", arguments: anchors) func anchorSources(_ row: LintRow) {
        row.check()
    }

    @Test("Debug anchors and refused hosts cause findings about the file") func wholeFile() throws {
        let linter = PinLinter(at: TestAuthority.now)
        let debug = LintRow(
            "", .debugAnchors, at: [], .android,
            LintRow.android(
                LintRow.domain("a.example.com", below: false, 1, 2),
                base: "<debug-overrides><trust-anchors><certificates src=\"user\"/></trust-anchors></debug-overrides>"))
        let found = try #require(linter.findings(in: debug.source).first { $0.rule == .debugAnchors })
        #expect(found.location.file == "pins" && found.severity == .note)
        let plain = LintRow("", .debugAnchors, at: [], .okHttp, "a.example.com $1 $2")
        #expect(!linter.findings(in: plain.source).contains { $0.rule == .debugAnchors || $0.rule == .unlistedRefused })
        let strict = LintRow(
            "", .unlistedRefused, at: [], .json,
            LintRow.json(LintRow.rule("a.example.com", LintRow.pin(1), LintRow.pin(2)))
                .replacing("evaluatedByDefault", with: "refused"))
        #expect(linter.findings(in: strict.source).contains { $0.rule == .unlistedRefused })
    }

    static let unreadable: [LintRow] = [
        LintRow(
            "bad base64", .unreadable(.pinFileBadBase64), at: [2], .okHttp,
            "a.example.com $1 $2\nb.example.com sha256/!!"),
        LintRow(
            "a pin that is too short", .unreadable(.pinFileWrongLength), at: [1], .okHttp, "b.example.com sha256/AAAA"),
        LintRow(
            "a wrong key", .unreadable(.pinFileUnknownKey), at: [2], .json,
            LintRow.json(LintRow.rule("a.example.com", LintRow.pin(1), other: ", \"pin\": 1"))),
        LintRow("nothing wrong", .unreadable(.pinFileBadBase64), at: [], .okHttp, "a.example.com $1 $2"),
    ]

    @Test("Reader problems become findings", arguments: unreadable) func readersProblemsAreFindings(_ row: LintRow) {
        row.check()
    }

    @Test("Every reader code has a rule") func codes() {
        for code in ErrorCode.pinFile {
            #expect(PinLintRule.all.contains(.unreadable(code)) || PinLintRule.all.contains(.odd(code)))
        }
        #expect(PinLintRule.unreadable(.pinFileBadBase64).id == "file/bad-base64")
        #expect(Set(PinLintRule.all.map(\.id)).count == PinLintRule.all.count)
        #expect(Set(PinLintBook.rules.entries.map(\.name)).subtracting(PinLintRule.all.map(\.id)) == [])
        #expect(PinLintRule.all.allSatisfy { !$0.title.isEmpty && !$0.why.isEmpty && !$0.fix.isEmpty })
    }

    // MARK: - Several files

    private func disagreements(_ first: LintRow, _ second: LintRow) -> [PinFinding] {
        let sources = [first, second].enumerated().flatMap { index, row in
            row.source.map { PinLintSource(file: "file\(index)", format: $0.format, contents: $0.contents) }
        }
        return PinLinter(at: TestAuthority.now).findings(in: sources).filter { $0.rule == .disagreement }
    }

    @Test("Files with different pins for a host disagree") func differentPins() throws {
        let found = disagreements(
            LintRow("", .disagreement, at: [], .okHttp, "a.example.com $1 $2"),
            LintRow(
                "", .disagreement, at: [], .android,
                LintRow.android(LintRow.domain("a.example.com", below: false, 1, 3))))
        #expect(found.count == 1)
        #expect(found.first?.location.line == 2)
        #expect(found.first?.severity == .warning)
    }

    @Test("Several files that disagree about a host have one finding, which names two pairs") func manyFiles() {
        let sources = (0..<5).flatMap { number in
            let pins = "sha256/\(LintRow.digest(2 * number)) sha256/\(LintRow.digest(2 * number + 1))"
            let text = "a.example.com \(pins)\nb.example.com \(pins)\n"
            return PinLintSource.sources(reading: Array(text.utf8), as: .okHttp, file: "file\(number)")
        }
        let found = PinLinter(at: TestAuthority.now).findings(in: sources).filter { $0.rule == .disagreement }
        #expect(found.map(\.subject) == ["a.example.com", "b.example.com"])
        #expect(found.allSatisfy { $0.message.hasPrefix("file0 and file1 disagree: ") })
        #expect(found.allSatisfy { $0.message.contains("; file0 and file2 disagree: ") })
        #expect(found.allSatisfy { $0.message.hasSuffix("; 8 other pairs of files disagree too") })
    }

    @Test("Files that cover different hosts disagree") func differentReach() {
        let found = disagreements(
            LintRow("", .disagreement, at: [], .okHttp, "a.example.com $1 $2\n*.a.example.com $1 $2"),
            LintRow("", .disagreement, at: [], .android, LintRow.android(LintRow.domain("a.example.com", 1, 2))))
        #expect(found.count == 1)
        #expect(found.first?.subject == "a.example.com")
    }

    @Test("Equivalent files agree, in any order and format") func agreement() {
        let found = disagreements(
            LintRow("", .disagreement, at: [], .okHttp, "**.a.example.com $1 $2\nb.example.com $3 $4"),
            LintRow(
                "", .disagreement, at: [], .android,
                LintRow.android(
                    LintRow.domain("b.example.com", below: false, 4, 3), LintRow.domain("a.example.com", 2, 1))))
        #expect(found.isEmpty)
    }

    @Test("A host that only one file names doesn't count as a disagreement") func otherHosts() {
        let found = disagreements(
            LintRow("", .disagreement, at: [], .okHttp, "a.example.com $1 $2"),
            LintRow("", .disagreement, at: [], .okHttp, "b.example.com $3 $4"))
        #expect(found.isEmpty)
    }

    /// Two files, and the rule of the finding about their difference, or nil if they agree.
    struct Pair: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let rule: PinLintRule?
        let first: LintRow
        let second: LintRow

        init(_ sentence: String, _ rule: PinLintRule?, _ first: LintRow, _ second: LintRow) {
            self.testDescription = sentence
            self.rule = rule
            self.first = first
            self.second = second
        }
    }

    private static func row(_ format: PinFormat, _ text: String) -> LintRow {
        LintRow("", .disagreement, at: [], format, text)
    }

    private static func ats(below: Bool = false, leaf: [Int] = [], authority: [Int] = []) -> LintRow {
        func list(_ key: String, _ pins: [Int]) -> String {
            let pins = pins.map { "{\"SPKI-SHA256-BASE64\": \"\(TestPins.pin($0).description.dropFirst(7))\"}" }
            return pins.isEmpty ? "" : ", \"\(key)\": [\(pins.joined(separator: ", "))]"
        }
        return row(
            .ats,
            "{\"NSPinnedDomains\": {\"a.example.com\": {\"NSIncludesSubdomains\": \(below)"
                + list("NSPinnedLeafIdentities", leaf) + list("NSPinnedCAIdentities", authority) + "}}}")
    }

    private static func trustKit(_ other: String = "", _ pins: Int...) -> LintRow {
        let list = pins.map { "\"\(TestPins.pin($0).description.dropFirst(7))\"" }.joined(separator: ", ")
        return row(
            .trustKit, "{\"TSKPinnedDomains\": {\"a.example.com\": {\"TSKPublicKeyHashes\": [\(list)]\(other)}}}")
    }

    private static func android(below: Bool = false, expires: String? = nil, _ pins: Int...) -> LintRow {
        let list = pins.map { "<pin digest=\"SHA-256\">\(TestPins.pin($0).description.dropFirst(7))</pin>" }.joined()
        let expiration = expires.map { " expiration=\"\($0)\"" } ?? ""
        return row(
            .android,
            LintRow.android(
                "<domain-config><domain includeSubdomains=\"\(below)\">a.example.com</domain><pin-set\(expiration)>\(list)</pin-set></domain-config>"
            ))
    }

    static let pairs: [Pair] = [
        Pair("the same", nil, ats(authority: [1, 2]), android(1, 2)),
        Pair(
            "subdomains of one label, as ATS has them", .subset, ats(below: true, authority: [1, 2]),
            android(below: true, 1, 2)),
        Pair("subdomains that ATS could express", .disagreement, ats(authority: [1, 2]), android(below: true, 1, 2)),
        Pair(
            "subdomains that Android could express", .disagreement, ats(below: true, authority: [1, 2]), android(1, 2)),
        Pair(
            "subdomains that OkHttp could express", .disagreement,
            row(.okHttp, "a.example.com $1 $2\n*.a.example.com $1 $2"), android(below: true, 1, 2)),
        Pair(
            "an expiry that ATS can't express", .subset, ats(authority: [1, 2]), android(expires: "2030-01-01", 1, 2)),
        Pair(
            "an expiry that OkHttp can't express", .subset, row(.okHttp, "a.example.com $1 $2"),
            android(expires: "2030-01-01", 1, 2)),
        Pair(
            "an expiry that TrustKit could express", .disagreement, trustKit("", 1, 2),
            android(expires: "2030-01-01", 1, 2)),
        Pair(
            "another expiry", .disagreement, trustKit(", \"TSKExpirationDate\": \"2031-01-01\"", 1, 2),
            android(expires: "2030-01-01", 1, 2)),
        Pair(
            "the same expiry", nil, trustKit(", \"TSKExpirationDate\": \"2030-01-01\"", 1, 2),
            android(expires: "2030-01-01", 1, 2)),
        Pair(
            "reports that ATS can't express", .subset, ats(authority: [1, 2]),
            trustKit(", \"TSKReportUris\": [\"https://r.example.net/\"]", 1, 2)),
        Pair(
            "pins that are only reported", .disagreement, ats(authority: [1, 2]),
            trustKit(", \"TSKEnforcePinning\": false", 1, 2)),
        Pair(
            "both kinds of pins, where Android has one", .subset, ats(leaf: [3, 4], authority: [1, 2]), android(3, 4)
        ),
        Pair("both kinds of pins, and others", .disagreement, ats(leaf: [3, 4], authority: [1, 2]), android(3, 5)),
        Pair("other pins", .disagreement, ats(authority: [1, 2]), android(1, 3)),
        Pair("fewer pins", .disagreement, ats(authority: [1, 2, 3]), android(1, 2)),
        Pair(
            "pins of a parent, which OkHttp adds", .subset, row(.okHttp, "**.example.com $3 $4\na.example.com $1 $2"),
            row(
                .android,
                LintRow.android(
                    LintRow.domain("example.com", 3, 4), LintRow.domain("a.example.com", below: false, 1, 2)))),
    ]

    @Test("Files are compared as far as both formats can express the same thing", arguments: pairs)
    func abilities(_ pair: Pair) {
        let sources = [pair.first, pair.second].enumerated().flatMap { index, row in
            row.source.map { PinLintSource(file: "file\(index)", format: $0.format, contents: $0.contents) }
        }
        #expect(sources.allSatisfy { $0.configuration != nil }, "\(sources.map(\.contents))")
        for sources in [sources, sources.reversed()] {
            let found = PinLinter(at: TestAuthority.now).findings(in: sources)
                .filter { $0.rule == .disagreement || $0.rule == .subset }
            // A real difference may also cause a note.
            #expect(found.map(\.rule).first { $0 == .disagreement } ?? found.first?.rule == pair.rule, "\(found)")
        }
    }
}
