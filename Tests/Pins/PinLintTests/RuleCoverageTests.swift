// SPDX-License-Identifier: Apache-2.0

import Foundation
import PinTestSupport
import ServerTrust
import ServerTrustTesting
import Testing

@testable import PinLint
@testable import ServerTrustPins

/// The tables of all rules: each rule has a file with a finding, and a similar file without one.
@Suite struct RuleCoverageTests {
    /// The code of a reader's problem, with a file that has the problem and a near miss.
    struct Problem: Sendable, CustomTestStringConvertible {
        let rule: PinLintRule
        let format: PinFormat?
        let found: String
        let near: String

        init(_ rule: PinLintRule, _ format: PinFormat?, _ found: String, near: String) {
            self.rule = rule
            self.format = format
            self.found = found
            self.near = near
        }

        var testDescription: String { rule.id }
    }

    private static let pin = "<pin digest=\"SHA-256\">\(LintRow.digest(1))</pin>"
    private static let other = "<pin digest=\"SHA-256\">\(LintRow.digest(2))</pin>"

    /// Returns an Android file with one domain and these pins.
    private static func android(_ pins: String = pin + other, host: String = "a.example.com", beside: String = "")
        -> String
    {
        "<network-security-config>\(beside)<domain-config><domain>\(host)</domain><pin-set>\(pins)</pin-set></domain-config></network-security-config>"
    }

    private static let kit = LintRow.trustKit(LintRow.kitDomain("a.example.com", 1, 2))
    private static func kit(_ other: String) -> String {
        LintRow.trustKit(LintRow.kitDomain("a.example.com", 1, 2, other: ", " + other))
    }
    private static let json = LintRow.json(LintRow.rule("a.example.com", LintRow.pin(1), LintRow.pin(2)))
    private static let ats = LintRow.ats(LintRow.atsDomain("a.example.com", authority: [1, 2]))

    static let problems: [Problem] = [
        Problem(.unreadable(.pinFileUnreadable), .android, "<network-security-config>", near: android()),
        Problem(
            .unreadable(.pinFileTooLarge), .okHttp, String(repeating: " ", count: 32 << 20 + 1),
            near: "a.example.com $1 $2"),
        Problem(.unreadable(.pinFileFormatUnclear), nil, "{\"a\": 1}", near: json),
        Problem(
            .unreadable(.pinFileEntity), .android, "<!DOCTYPE a [<!ENTITY b \"c\">]>" + android(), near: android()),
        Problem(.unreadable(.pinFileUnknownKey), .json, json.replacing("\"mode\"", with: "\"mood\""), near: json),
        Problem(.unreadable(.pinFileMissingKey), .android, android("<pin>\(LintRow.digest(1))</pin>"), near: android()),
        Problem(
            .unreadable(.pinFileDuplicateKey), .android, android(beside: "<base-config/><base-config/>"),
            near: android(beside: "<base-config/>")),
        Problem(
            .unreadable(.pinFileWrongType), .trustKit, kit("\"TSKExpirationDate\": 2027"),
            near: kit("\"TSKExpirationDate\": \"2027-02-28\"")),
        Problem(
            .unreadable(.pinFileBadValue), .android,
            android(beside: "<base-config cleartextTrafficPermitted=\"maybe\"/>"),
            near: android(beside: "<base-config cleartextTrafficPermitted=\"false\"/>")),
        Problem(
            .unreadable(.pinFileBadBase64), .okHttp, "a.example.com sha256/!", near: "a.example.com $1 $2"),
        Problem(.unreadable(.pinFileWrongLength), .okHttp, "a.example.com sha256/AAAA", near: "a.example.com $1 $2"),
        Problem(
            .unreadable(.pinFileBadDigest), .android, android(pin.replacing("SHA-256", with: "SHA-1")), near: android()),
        Problem(
            .unreadable(.pinFileBadDate), .trustKit, kit("\"TSKExpirationDate\": \"2027-02-30\""),
            near: kit("\"TSKExpirationDate\": \"2027-02-28\"")),
        Problem(
            .unreadable(.pinFileBadHost), .trustKit, LintRow.trustKit(LintRow.kitDomain("nas.local", 1, 2)),
            near: LintRow.trustKit(LintRow.kitDomain("nas.example.com", 1, 2))),
        Problem(
            .odd(.pinFileNothingPinned), .trustKit,
            LintRow.trustKit(LintRow.kitDomain("*.example.com", 1, 2)), near: kit),
        Problem(
            .odd(.pinFileNothingPinned), .ats, LintRow.ats(LintRow.atsDomain("a.example.com:443", authority: [1, 2])),
            near: ats),
        Problem(
            .unreadable(.pinFileDuplicateHost), .trustKit,
            LintRow.trustKit(LintRow.kitDomain("a.example.com", 1, 2), LintRow.kitDomain("A.example.com", 1, 2)),
            near: LintRow.trustKit(LintRow.kitDomain("a.example.com", 1, 2), LintRow.kitDomain("b.example.com", 1, 2))),
        Problem(
            .unreadable(.pinFileEmptyList), .trustKit, LintRow.trustKit(LintRow.kitDomain("a.example.com")), near: kit),
        Problem(
            .unreadable(.pinFileDuplicatePin), .json,
            LintRow.json(LintRow.rule("a.example.com", LintRow.pin(1), LintRow.pin(1))), near: json),
        Problem(
            .unreadable(.pinFileTooFewPins), .trustKit, LintRow.trustKit(LintRow.kitDomain("a.example.com", 1)),
            near: kit),
        Problem(
            .unreadable(.pinFileBadCertificate), .json,
            LintRow.json(LintRow.rule("a.example.com", "{\"certificate\": \"AAAA\", \"scope\": \"anywhere\"}")),
            near: json),
        Problem(
            .unreadable(.pinFileBadURI), .trustKit, kit("\"TSKReportUris\": [\"\"]"),
            near: kit("\"TSKReportUris\": [\"https://report.example.com/\"]")),
        Problem(
            .unreadable(.pinFileContradiction), .trustKit, kit("\"kSKExcludeSubdomainFromParentPolicy\": true"),
            near: kit),
        Problem(
            .odd(.pinFileUnreadable), .android, " <?xml version=\"1.0\"?>" + android(),
            near: "<?xml version=\"1.0\"?>" + android()),
        Problem(.odd(.pinFileUnknownKey), .android, android(beside: "<future/>"), near: android()),
        Problem(
            .odd(.pinFileWrongType), .trustKit, kit("\"TSKEnforcePinning\": 1"),
            near: kit("\"TSKEnforcePinning\": true")),
        Problem(
            .odd(.pinFileBadValue), .android, android(beside: "<base-config cleartextTrafficPermitted=\"FALSE\"/>"),
            near: android(beside: "<base-config cleartextTrafficPermitted=\"false\"/>")),
        Problem(.odd(.pinFileBadBase64), .android, android(pin.replacing("=<", with: "<") + other), near: android()),
        Problem(
            .odd(.pinFileBadDigest), .android, android(pin.replacing("SHA-256", with: "sha-256") + other),
            near: android()),
        Problem(.odd(.pinFileEmptyList), .android, android(""), near: android()),
        Problem(.odd(.pinFileDuplicatePin), .android, android(pin + pin), near: android()),
        Problem(.odd(.pinFileNothingPinned), .android, android(host: "*.example.com"), near: android()),
        Problem(
            .odd(.pinFileBadURI), .trustKit, kit("\"TSKReportUris\": [\"x\"]"),
            near: kit("\"TSKReportUris\": [\"https://report.example.com/\"]")),
        Problem(
            .odd(.pinFileMissingKey), .ats, ats.replacing("[{", with: "[{}, {", maxReplacements: 1), near: ats),
        Problem(
            .odd(.pinFileBadDate), .android,
            android(pin + other).replacing("<pin-set", with: "<pin-set expiration=\"2127-3-1\""),
            near: android(pin + other).replacing("<pin-set", with: "<pin-set expiration=\"2127-03-01\"")),
        Problem(
            .odd(.pinFileDuplicateHost), .ats,
            ats.replacing(
                "\"a.example.com\": {",
                with:
                    "\"A.example.com\": {\"NSPinnedCAIdentities\": [{\"SPKI-SHA256-BASE64\": \"\(LintRow.digest(1))\"}]}, \"a.example.com\": {"
            ),
            near: ats),
        Problem(
            .odd(.pinFileTooFewPins), .reactNative,
            "{\"a.example.com\": {\"publicKeyHashes\": [\"\(LintRow.digest(1))\"]}}",
            near: "{\"a.example.com\": {\"publicKeyHashes\": [\"\(LintRow.digest(1))\", \"\(LintRow.digest(2))\"]}}"),
        Problem(
            .odd(.pinFileNotLiteral), .okHttp,
            "CertificatePinner.Builder().add(\"a.example.com\", \"$1\", \"$2\").add(b, \"$1\")",
            near:
                "val b = \"b.example.com\"\nCertificatePinner.Builder().add(\"a.example.com\", \"$1\", \"$2\").add(b, \"$1\")"
        ),
        Problem(
            .odd(.pinFileDuplicateKey), .git,
            "[http]\npinnedPubkey = sha256//\(LintRow.digest(1))\npinnedPubkey = sha256//\(LintRow.digest(2))",
            near: "[http]\npinnedPubkey = sha256//\(LintRow.digest(1))"),
        Problem(
            .odd(.pinFileMissingKey), .envoy,
            "{\"sni\": \"a.example.com\", \"verify_certificate_spki\": [\"\(LintRow.digest(1))\"]}",
            near:
                "{\"sni\": \"a.example.com\", \"trusted_ca\": {}, \"verify_certificate_spki\": [\"\(LintRow.digest(1))\"]}"
        ),
        Problem(.odd(.pinFileUnmatchablePin), .ats, ats.replacing(LintRow.digest(1), with: "AAAA"), near: ats),
    ]

    private static func findings(_ text: String, _ format: PinFormat?) -> [PinFinding] {
        var text = text
        for number in 1...2 { text = text.replacing("$\(number)", with: TestPins.pin(number).description) }
        return PinLinter(at: TestAuthority.now).findings(
            in: PinLintSource.sources(reading: Array(text.utf8), as: format, file: "pins"))
    }

    @Test("Each reader code is found in its file, and not in a near miss", arguments: problems)
    func readersProblems(_ row: Problem) {
        let found = Self.findings(row.found, row.format)
        #expect(found.contains { $0.rule == row.rule && $0.severity == row.rule.severity }, "\(found)")
        let near = Self.findings(row.near, row.format)
        #expect(!near.contains { $0.rule == row.rule || $0.rule.id.hasPrefix("file/") }, "\(near)")
    }

    /// The rules that need certificates, several files, or linter settings, each with the test that has both cases.
    static let elsewhere: [PinLintRule: String] = [
        .denied: "PinRulesTests.denied", .backupIsPinned: "CertificateRulesTests.sameKey",
        .wholeCertificate: "CertificateRulesTests.wholeCertificate",
        .certificateExpired: "CertificateRulesTests.certificateDates",
        .certificateExpires: "CertificateRulesTests.certificateDates",
        .backupSameIssuer: "CertificateRulesTests.sameIssuer", .notInPath: "CertificateRulesTests.notInPath",
        .dependsOnPath: "CertificateRulesTests.dependsOnPath", .unmatched: "CertificateRulesTests.unmatched",
        .renewal: "CertificateRulesTests.notInPath", .rootNotInStore: "CertificateRulesTests.notInStore",
        .rootExpires: "CertificateRulesTests.rootExpires", .rootLeaves: "CertificateRulesTests.rootLeaves",
        .refusedByApple: "CertificateRulesTests.appleRules", .notOfKey: "CertificateRulesTests.mistakes",
        .unlistedRefused: "PlaceRulesTests", .debugAnchors: "PlaceRulesTests",
        .disagreement: "PlaceRulesTests.differentPins", .subset: "PlaceRulesTests.abilities",
        .debugResource: "SurroundingsTests.debugResource",
        .forecastSurvives: "CertificateRulesTests.forecastIssuer",
        .forecastRenewal: "CertificateRulesTests.forecastRenewal",
        .forecastIssuer: "CertificateRulesTests.forecastIssuer", .forecastRoot: "CertificateRulesTests.forecastRoot",
        .acceptsUnknown: "AcceptanceTests", .acceptsNothing: "AcceptanceTests",
    ]

    /// The rows of all tables.
    private static let rows =
        PinRulesTests.backup + PinRulesTests.leafOnly + PinRulesTests.expiry + PlaceRulesTests.reach
        + PlaceRulesTests.families + PlaceRulesTests.reports + PlaceRulesTests.anchors + PlaceRulesTests.unreadable
        + KnownPinsTests.rows + SurroundingsTests.cleartext + SurroundingsTests.names + SurroundingsTests.lists
        + SurroundingsTests.trust

    @Test("Each rule has a file with its finding and a file without one", arguments: PinLintRule.all)
    func fixtures(_ rule: PinLintRule) {
        if Self.problems.contains(where: { $0.rule == rule }) || Self.elsewhere[rule] != nil { return }
        if rule.id.hasPrefix("live/") {
            let found = LiveRulesTests.rows.map { row in row.findings.contains { $0.contains(" \(rule.id) ") } }
            #expect(found.contains(true) && found.contains(false), "\(rule.id)")
            return
        }
        let rows = Self.rows.filter { $0.rule == rule }
        #expect(rows.contains { !$0.lines.isEmpty }, "\(rule.id) is found in no file")
        #expect(rows.contains { $0.lines.isEmpty }, "\(rule.id) has no near miss")
    }

    @Test("No rule has two lists of tests") func listsAreDisjoint() {
        #expect(
            Self.elsewhere.keys.allSatisfy { rule in
                !Self.rows.contains { $0.rule == rule && !$0.lines.isEmpty } || rule == .denied
            })
    }

    // MARK: - The table

    private static let table: String? = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try? String(contentsOf: folder.appendingPathComponent("Documentation/LintTable.md"), encoding: .utf8)
    }()

    /// Returns the rule identifiers in a string, between backticks.
    private static func identifiers(_ text: Substring) -> [String] {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        let quoted = stride(from: 1, to: parts.count, by: 2).map { String(parts[$0]) }
        return quoted.filter {
            $0.contains("/") && $0.allSatisfy { $0.isLowercase || $0.isNumber || "-/".contains($0) }
        }
    }

    @Test("Documentation/LintTable.md lists exactly the package's rules") func documentation() throws {
        let text = try #require(Self.table, "no Documentation/LintTable.md")
        let known = Set(PinLintRule.all.map(\.id))
        var named: Set<String> = []
        for line in text.split(separator: "\n") where line.hasPrefix("|") {
            let cells = line.dropFirst().split(separator: "|", omittingEmptySubsequences: false)
            // The rule is in the second cell of the comparisons, and in the first cell of the list of all rules.
            for cell in cells.prefix(2) { named.formUnion(Self.identifiers(cell)) }
        }
        #expect(named.subtracting(known).sorted() == [])
        #expect(known.subtracting(named).sorted() == [])
        let alone = try #require(text.range(of: "## Rules without a counterpart")).upperBound
        for line in text[alone...].split(separator: "\n") where line.hasPrefix("| `") {
            let expected = PinLintRule.all.map { "| `\($0.id)` | \($0.severity.rawValue) | \($0.title) |" }
            #expect(expected.contains(String(line)), "\(line)")
        }
    }

    @Test("Each finding of another tool has a rule in this package or a reason") func comparisons() throws {
        let text = try #require(Self.table, "no Documentation/LintTable.md")
        let comparisons = try #require(text.range(of: "## Rules without a counterpart")).lowerBound
        let rows = text[..<comparisons].split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.contains("| ours |") }
        #expect(rows.count > 60)
        for row in rows {
            let cells = row.dropFirst().split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(cells.count == 2, "\(row)")
            let ours = cells.last ?? ""
            #expect(!Self.identifiers(Substring(ours)).isEmpty || ours.hasPrefix("not ours: "), "\(row)")
        }
    }
}
