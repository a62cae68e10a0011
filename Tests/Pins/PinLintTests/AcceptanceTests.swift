// SPDX-License-Identifier: Apache-2.0

import PKIX
import PinTestSupport
import ServerTrust
import ServerTrustPins
import ServerTrustTesting
import Testing

@testable import PinLint

/// Comments in files that accept findings.
@Suite struct AcceptanceCommentTests {
    /// A file, and the lines of one rule's accepted and unaccepted findings.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let rule: PinLintRule
        let format: PinFormat
        let text: String
        let accepted: [Int?]
        let open: [Int?]
        let remarks: [PinLintRule]

        init(
            _ sentence: String, _ rule: PinLintRule = .noBackup, accepts accepted: [Int?], leaves open: [Int?],
            remarks: [PinLintRule] = [], _ format: PinFormat, _ text: String
        ) {
            self.testDescription = sentence
            self.rule = rule
            self.format = format
            self.text = text
            self.accepted = accepted
            self.open = open
            self.remarks = remarks
        }
    }

    private static let ignore = "<!-- servertrust:ignore pins/no-backup -->"
    private static let one = LintRow.domain("a.example.com", below: false, 1)
    private static let two = LintRow.domain("b.example.com", below: false, 2)

    static let xml: [Row] = [
        Row(
            "a comment before an element covers that element and not the next", accepts: [3], leaves: [4], .android,
            LintRow.android(ignore, one, two)),
        Row(
            "a comment after an element covers its line", accepts: [2], leaves: [3], .android,
            LintRow.android(one + " " + ignore, two)),
        Row(
            "a comment before the root covers the file", accepts: [3, 4], leaves: [], .android,
            ignore + "\n" + LintRow.android(one, two)),
        Row(
            "a comment after the last element covers nothing, which is a finding", accepts: [], leaves: [2],
            remarks: [.acceptsNothing], .android, LintRow.android(one, ignore)),
        Row(
            "a comment about another host covers nothing", accepts: [], leaves: [3], remarks: [.acceptsNothing],
            .android,
            LintRow.android("<!-- servertrust:ignore pins/no-backup:b.example.com -->", one)),
        Row(
            "a comment about this host covers it", accepts: [3], leaves: [], .android,
            LintRow.android("<!-- servertrust:ignore pins/no-backup:A.example.com: moves soon -->", one)),
        Row(
            "comments about servers aren't reported without servers", accepts: [], leaves: [3], .android,
            LintRow.android("<!-- servertrust:ignore forecast/issuer live/not-trusted pins/not-in-path -->", one)),
        Row(
            "a rule that doesn't exist is a finding", accepts: [], leaves: [3], remarks: [.acceptsUnknown], .android,
            LintRow.android("<!-- servertrust:ignore pins/no-bakup -->", one)),
        Row(
            "a family isn't accepted", accepts: [], leaves: [3], remarks: [.acceptsUnknown], .android,
            LintRow.android("<!-- servertrust:ignore pins/* -->", one)),
        Row(
            "everything isn't accepted", accepts: [], leaves: [3], remarks: [.acceptsUnknown], .android,
            LintRow.android("<!-- servertrust:ignore all -->", one)),
        Row(
            "a star isn't accepted", accepts: [], leaves: [3], remarks: [.acceptsUnknown], .android,
            LintRow.android("<!-- servertrust:ignore * -->", one)),
        Row(
            "a comment in character data doesn't count", accepts: [], leaves: [2], .android,
            LintRow.android(one.replacing("a.example.com", with: "<![CDATA[a.example.com]]>")) + ""),
        Row(
            "tools:ignore on a domain-config", accepts: [2], leaves: [3], .android,
            LintRow.android(
                one.replacing(
                    "<domain-config>", with: "<domain-config tools:ignore=\"PinSetExpiry,MissingBackupPin\">"),
                two)),
        Row(
            "tools:ignore on a pin-set covers its domain-config", accepts: [2], leaves: [4], .android,
            LintRow.android(
                "<domain-config><domain>a.example.com</domain>\n"
                    + one.suffix(from: one.firstRange(of: "<pin-set")?.lowerBound ?? one.startIndex)
                    .replacing("<pin-set>", with: "<pin-set tools:ignore='MissingBackupPin'>"), two)),
        Row(
            "tools:ignore of everything only applies to Android lint", accepts: [], leaves: [2], .android,
            LintRow.android(one.replacing("<domain-config>", with: "<domain-config tools:ignore=\"all\">"))),
        Row(
            "tools:ignore of another issue", accepts: [], leaves: [2], .android,
            LintRow.android(one.replacing("<domain-config>", with: "<domain-config tools:ignore=\"PinSetExpiry\">"))),
        Row(
            "a comment before debug-overrides covers its finding", .debugAnchors, accepts: [3],
            leaves: [], .android,
            LintRow.android(
                "<!-- servertrust:ignore anchors/debug -->\n<debug-overrides><trust-anchors><certificates src=\"user\"/></trust-anchors></debug-overrides>",
                LintRow.domain("a.example.com", below: false, 1, 2))),
        Row(
            "a comment before a key of a property list covers its value", accepts: [4], leaves: [8], .ats,
            """
            <plist version="1.0"><dict><key>NSPinnedDomains</key><dict>

            <!-- servertrust:ignore pins/no-backup one key is enough here -->
            <key>a.example.com</key>
            <dict><key>NSPinnedCAIdentities</key><array>
            <dict><key>SPKI-SHA256-BASE64</key><string>$1</string></dict>
            </array></dict>
            <key>b.example.com</key>
            <dict><key>NSPinnedCAIdentities</key><array>
            <dict><key>SPKI-SHA256-BASE64</key><string>$2</string></dict>
            </array></dict>
            </dict></dict></plist>
            """),
    ]

    static let texts: [Row] = [
        Row(
            "a comment in a JSON rule covers the rule", accepts: [2], leaves: [3], .json,
            LintRow.json(
                LintRow.rule(
                    "a.example.com", LintRow.pin(1),
                    other: ", \"comment\": \"servertrust:ignore pins\\/no-backup: moves\""),
                LintRow.rule("b.example.com", LintRow.pin(2)))),
        Row(
            "a comment in the document covers all rules", accepts: [2, 3], leaves: [], .json,
            LintRow.json(
                LintRow.rule("a.example.com", LintRow.pin(1)), LintRow.rule("b.example.com", LintRow.pin(2))
            ).replacing(
                "{\"schemaVersion\"", with: "{\"comment\": \"servertrust:ignore pins/no-backup\", \"schemaVersion\"")),
        Row(
            "the text of a comment in a JSON host doesn't count", accepts: [], leaves: [2], .json,
            LintRow.json(
                LintRow.rule(
                    "a.example.com", LintRow.pin(1),
                    other: ", \"reportURIs\": [\"https://r.example.net/servertrust:ignore pins/no-backup\"]"))),
        Row(
            "a comment after a line covers it", accepts: [1], leaves: [2], .okHttp,
            "a.example.com $1 # servertrust:ignore pins/no-backup\nb.example.com $2"),
        Row(
            "a comment on its own line covers the next line of code", accepts: [4], leaves: [5], .okHttp,
            "# servertrust:ignore pins/no-backup because\n# of this\n\na.example.com $1\nb.example.com $2"),
        Row(
            "a comment in Kotlin covers a call over several lines", accepts: [3], leaves: [6], .okHttp,
            """
            CertificatePinner.Builder()
                // servertrust:ignore pins/no-backup
                .add(
                    "a.example.com",
                    "$1")
                .add("b.example.com", "$2")
                .build()
            """),
        Row(
            "brackets in comments, strings and characters don't extend a comment's range", accepts: [3, 7, 11],
            leaves: [4, 5, 8, 9, 12, 13], .okHttp,
            """
            CertificatePinner.Builder()
                // servertrust:ignore pins/no-backup known
                .add("a.example.com", "$1") // ticket (5
                .add("b.example.com", "$1") /* { */
                .add("c.example.com", "$1") // )
                // servertrust:ignore pins/no-backup known
                .add("d.example.com", "$1").also { log("\\"(", '(') }
                .add("e.example.com", "$1")
                .add("f.example.com", "$1") // }))
                // servertrust:ignore pins/no-backup known
                .add("g.example.com", "$1") // don't (
                .add("h.example.com", "$1")
                .add("i.example.com", "$1").also { log(")))") }
                .build()
            """),
        Row(
            "brackets in a list's comments have no meaning", accepts: [2], leaves: [3], .okHttp,
            "# servertrust:ignore pins/no-backup\na.example.com $1 # ticket (5\nb.example.com $2 # )"),
        Row(
            "a comment before an unfinished call doesn't cover the next calls", accepts: [], leaves: [4, 5],
            remarks: [.acceptsNothing], .okHttp,
            """
            CertificatePinner.Builder b = new CertificatePinner.Builder();
            // servertrust:ignore pins/no-backup
            b.add("a.example.com", "$1";
            b.add("b.example.com", "$1");
            b.add("c.example.com", "$1"));
            """),
        Row(
            "a comment at the end covers nothing", accepts: [], leaves: [1], remarks: [.acceptsNothing], .okHttp,
            "a.example.com $1\n# servertrust:ignore pins/no-backup"),
    ]

    @Test("A comment in a file accepts the findings at its location", arguments: xml + texts)
    func comments(_ row: Row) throws {
        let plain =
            row.format == .ats
            ? row.text.replacing("$1", with: base64(1)).replacing("$2", with: base64(2))
            : row.text
                .replacing("<network-security-config>", with: "<network-security-config xmlns:tools=\"t\">")
        let source = LintRow("", row.rule, at: [], row.format, plain).source
        #expect(source.allSatisfy { $0.configuration != nil }, "\(source.map(\.contents))")
        let all = PinLinter(at: TestAuthority.now).findings(in: source)
        let found = all.filter { $0.rule == row.rule }
        #expect(found.filter { $0.isAccepted }.map(\.location.line) == row.accepted, "\(all)")
        #expect(found.filter { !$0.isAccepted }.map(\.location.line) == row.open, "\(all)")
        #expect(all.map(\.rule).filter { $0.id.hasPrefix("accept/") } == row.remarks, "\(all)")
        #expect(found.filter { $0.isAccepted }.allSatisfy { !$0.isFailure && $0.acceptance?.source == .comment })
    }

    private func base64(_ number: Int) -> String { String(TestPins.pin(number).description.dropFirst(7)) }

    @Test("A comment may give a reason after the rules") func reason() throws {
        func reason(_ comment: String) -> String? {
            let text = "a.example.com \(TestPins.pin(1)) # servertrust:ignore \(comment)"
            let source = PinLintSource.sources(reading: Array(text.utf8), as: .okHttp, file: "pins")
            return PinLinter(at: TestAuthority.now).findings(in: source).first { $0.rule == .noBackup }?.acceptance?
                .reason
        }
        #expect(reason("pins/no-backup") == nil)
        #expect(reason("pins/no-backup: see https://example.com/7") == "see https://example.com/7")
        #expect(reason("pins/no-backup, expiry/near -- moves soon") == "moves soon")
    }

    @Test("A comment can't accept a file that can't be used") func refused() {
        let text = "# servertrust:ignore file/bad-base64 pins/no-backup\na.example.com sha256/!!"
        let source = PinLintSource.sources(reading: Array(text.utf8), as: .okHttp, file: "pins")
        let found = PinLinter(at: TestAuthority.now).findings(in: source)
        #expect(found.map(\.rule) == [.unreadable(.pinFileBadBase64)])
        #expect(found.allSatisfy { $0.isFailure })
    }

    @Test("Large files with many comments are read in linear time", .timeLimit(.minutes(10)))
    func large() {
        let line = "host.example.com \(TestPins.pin(1)) # servertrust:ignore pins/no-backup ((({{{[[[\n"
        let open = "# servertrust:ignore pins/no-backup\n(\n"
        let pin = TestPins.pin(1)
        let keywords = String(repeating: "servertrust:ignore pins/no-backup\n", count: 20_000)
        let blanks = String(repeating: " \t", count: 500_000)
        let comments = String(repeating: "# servertrust:ignore pins/no-backup\n", count: 1_000)
        let blankLines = String(repeating: String(repeating: " ", count: 10_000) + "\n", count: 1_000)
        let elements = String(repeating: "<!-- servertrust:ignore pins/no-backup -->", count: 20_000)
        let members = String(repeating: "{\"comment\": \"servertrust:ignore pins/no-backup\"},", count: 20_000)
        let brackets = String(repeating: "[", count: 1_000_000)
        let texts: [String] = [
            String(repeating: line, count: 10_000), String(repeating: open, count: 20_000),
            "<network-security-config>\(elements)<domain-config/></network-security-config>",
            LintRow.android("<!--\(keywords)-->\(blanks)", Self.one), "\(comments)\(blankLines)a.example.com \(pin)",
            "<a \(blanks)tools:ignore='MissingBackupPin'/>", "[\(members){}]",
            "\(brackets)\"servertrust:ignore",
        ]
        for text in texts {
            _ = PinLinter(at: TestAuthority.now).findings(
                in: PinLintSource.sources(reading: Array(text.utf8), file: "pins"))
        }
    }
}

/// Selectors, fingerprints and baselines.
@Suite struct FindingBaselineTests {
    private func findings(_ text: String, at time: Time = TestAuthority.now) -> [PinFinding] {
        PinLinter(at: time).findings(in: LintRow("", .noBackup, at: [], .okHttp, text).source)
    }

    @Test(
        "A selector names a rule whose findings can be accepted",
        arguments: [
            ("pins/no-backup", true), ("pins/*", true), ("pins/no-backup:api.example.com", true),
            ("live/unreachable:api.example.com", true), ("pins/no-backup:", false), ("pins/no-bakup", false),
            ("pin/*", false), ("*", false), ("*/*", false), ("/*", false), ("file/*", false),
            ("file/bad-base64", false),
            ("accept/*", false), ("live/unreachable", false), ("", false), ("pins", false),
        ]) func selectors(_ text: String, _ isValid: Bool)
    {
        #expect(((try? FindingSelector(text, allowsFamily: true)) != nil) == isValid)
    }

    @Test("A comment that names hosts must name all of a finding's hosts") func hosts() throws {
        let text = LintRow.json(
            "{\"hosts\": [\"a.example.com\", \"**.b.example.com\"], \"mode\": \"enforced\", \"pins\": [\(LintRow.pin(1))]}"
        )
        let found = PinLinter(at: TestAuthority.now).findings(in: LintRow("", .noBackup, at: [], .json, text).source)
        let finding = try #require(found.first { $0.rule == .noBackup })
        func selects(_ texts: String...) throws -> Bool {
            finding.isSelected(by: try texts.map { try FindingSelector($0, allowsFamily: true) })
        }
        #expect(try selects("pins/no-backup"))
        #expect(try selects("pins/*"))
        #expect(try !selects("pins/no-backup:a.example.com"))
        #expect(try selects("pins/no-backup:a.example.com", "pins/*:**.b.example.com"))
        #expect(try !selects("pins/no-backup:a.example.com", "pins/leaf-only:**.b.example.com"))
        #expect(try !selects("pins/no-backup:b.example.com"))
    }

    @Test("A fingerprint stays the same after a move and changes with the rule, host, pin and date") func fingerprints()
        throws
    {
        func fingerprint(_ rule: PinLintRule, _ format: PinFormat, _ text: String) throws -> FindingFingerprint {
            let found = PinLinter(at: TestAuthority.now).findings(in: LintRow("", rule, at: [], format, text).source)
            return FindingFingerprint(try #require(found.first { $0.rule == rule }))
        }
        let first = try fingerprint(.noBackup, .okHttp, "a.example.com $1")
        #expect(try fingerprint(.noBackup, .okHttp, "\n# moved\n\na.example.com $1") == first)
        #expect(try fingerprint(.noBackup, .okHttp, "b.example.com $1") != first)
        let moved = LintRow.android(LintRow.domain("a.example.com", below: false, 1))
        let below = LintRow.android(
            LintRow.domain("z.example.com", below: false, 1, 2), LintRow.domain("a.example.com", below: false, 1))
        #expect(try fingerprint(.noBackup, .android, moved) == fingerprint(.noBackup, .android, below))
        func expiring(_ day: String) -> String {
            LintRow.android(LintRow.domain("a.example.com", below: false, expires: day, 1, 2))
        }
        #expect(
            try fingerprint(.expired, .android, expiring("2020-01-01"))
                != fingerprint(.expired, .android, expiring("2020-01-02")))
        let dud = "a.example.com sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= $1"
        let other = "a.example.com sha256/\(Base64.encode([UInt8](repeating: 65, count: 32))) $1"
        #expect(try fingerprint(.pinOfNothing, .okHttp, dud) != fingerprint(.placeholder, .okHttp, other))
    }

    @Test("A baseline accepts only its own findings") func acceptance() throws {
        let earlier = findings("a.example.com $1\nb.example.com $2 $3")
        let baseline = FindingBaseline(earlier, keepingReasonsOf: nil) { $0 }
        #expect(baseline.entries.map(\.id) == ["pins/no-backup"])
        let read = try FindingBaseline(json: baseline.json())
        #expect(read.json() == baseline.json())

        var same = findings("# moved\na.example.com $1\nb.example.com $2 $3")
        #expect(read.accept(&same) { $0 }.isEmpty)
        #expect(!same.contains { $0.isFailure })

        var other = findings("a.example.com $1\nb.example.com $2\n")
        _ = read.accept(&other) { $0 }
        #expect(other.filter { $0.isFailure }.map(\.subject) == ["b.example.com"])

        var elsewhere = findings("a.example.com $1")
        #expect(read.accept(&elsewhere) { _ in "other" }.map(\.id) == ["pins/no-backup"])
        #expect(elsewhere.contains { $0.isFailure })

        var gone = findings("a.example.com $1 $2")
        #expect(read.accept(&gone) { $0 }.map(\.hosts) == ["a.example.com"])
    }

    @Test("A baseline accepts at most its count of findings, and none with a higher severity") func counts() throws {
        let finding = try #require(findings("a.example.com $1").first)
        let baseline = FindingBaseline([finding], keepingReasonsOf: nil) { $0 }
        var twice = [finding, finding]
        #expect(baseline.accept(&twice) { $0 }.isEmpty)
        #expect(twice.map(\.isAccepted) == [true, false])
        let text = String(decoding: baseline.json(), as: UTF8.self)
        var graver = [finding]
        let error = try FindingBaseline(json: Array(text.replacing("\"warning\"", with: "\"error\"").utf8))
        #expect(error.accept(&graver) { $0 }.isEmpty)
        #expect(graver.map(\.isAccepted) == [true])
    }

    @Test("A baseline is sorted and has the same bytes for the same findings") func golden() throws {
        let found = findings("b.example.com $1\n**.co.uk $1 $2\na.example.com $1")
        let baseline = FindingBaseline(found.reversed(), keepingReasonsOf: nil) { _ in "app/pins" }
        #expect(baseline.json() == FindingBaseline(found, keepingReasonsOf: nil) { _ in "app/pins" }.json())
        #expect(baseline.entries.map(\.id) == ["hosts/public-suffix", "pins/no-backup", "pins/no-backup"])
        #expect(baseline.entries.map(\.hosts) == ["**.co.uk", "a.example.com", "b.example.com"])
        let text = String(decoding: baseline.json(), as: UTF8.self)
        #expect(
            text.hasSuffix(
                """
                    {
                      "file": "app/pins",
                      "id": "pins/no-backup",
                      "hosts": "b.example.com",
                      "severity": "warning",
                      "count": 1,
                      "fingerprint": "\(baseline.entries[2].fingerprint)",
                      "message": "\(baseline.entries[2].message)",
                      "reason": null
                    }
                  ]
                }

                """))
    }

    @Test("An entry with contradictory members accepts nothing") func edited() throws {
        let found = findings("a.example.com $1")
        let text = String(decoding: FindingBaseline(found, keepingReasonsOf: nil) { $0 }.json(), as: UTF8.self)
        for (old, new) in [
            ("a.example.com\"", "b.example.com\""), ("pins/no-backup", "pins/unmatched"), ("\"pins\"", "\"other\""),
        ] {
            let edited = try FindingBaseline(json: Array(text.replacing(old, with: new).utf8))
            var again = found
            #expect(edited.accept(&again) { $0 }.count == 1)
            #expect(again.contains { $0.isFailure }, "\(new)")
        }
    }

    @Test("Writing a baseline keeps the reasons in the existing file") func reasons() throws {
        let found = findings("a.example.com $1")
        let text = String(decoding: FindingBaseline(found, keepingReasonsOf: nil) { $0 }.json(), as: UTF8.self)
        let reasoned = try FindingBaseline(
            json: Array(text.replacing("\"reason\": null", with: "\"reason\": \"moves soon\"").utf8))
        let renewed = FindingBaseline(found, keepingReasonsOf: reasoned) { $0 }
        #expect(renewed.entries.map(\.reason) == ["moves soon"])
        var again = found
        _ = renewed.accept(&again) { $0 }
        #expect(again.compactMap(\.acceptance?.reason) == ["moves soon"])
    }

    static let hostile: [String] = [
        "", "[]", "null", "{}", "{\"schemaVersion\": 1}", "{\"schemaVersion\": 2, \"findings\": []}",
        "{\"schemaVersion\": 1, \"findings\": {}}", "{\"schemaVersion\": 1, \"findings\": [1]}",
        "{\"schemaVersion\": 1, \"findings\": [], \"findings\": []}",
        "{\"schemaVersion\": 1, \"findings\": [{\"id\": \"pins/*\", \"file\": \"*\"}]}",
        String(repeating: "[", count: 100_000), "{\"schemaVersion\": 1, \"findings\": [" + entry(count: "0") + "]}",
        "{\"schemaVersion\": 1, \"findings\": [" + entry(count: "-1") + "]}",
        "{\"schemaVersion\": 1, \"findings\": [" + entry(count: "1e9") + "]}",
        "{\"schemaVersion\": 1, \"findings\": [" + entry(count: "99999999999999999999999") + "]}",
        "{\"schemaVersion\": 1, \"findings\": [" + entry(count: "1") + "," + entry(count: "1") + "]}",
        "{\"schemaVersion\": 1, \"findings\": ["
            + entry(count: "1").replacing("warning", with: "note") + "]}",
    ]

    private static func entry(count: String) -> String {
        "{\"file\": \"f\", \"id\": \"i\", \"hosts\": null, \"severity\": \"warning\", \"count\": \(count), \"fingerprint\": \"0\"}"
    }

    @Test("Files that aren't baselines are refused", arguments: hostile) func hostileFiles(_ text: String) {
        #expect(throws: FindingBaselineError.self) { try FindingBaseline(json: Array(text.utf8)) }
    }

    @Test("A baseline doesn't include findings in files that can't be used") func unacceptable() {
        let found = findings("a.example.com sha256/!!")
        #expect(!found.isEmpty)
        #expect(FindingBaseline(found, keepingReasonsOf: nil) { $0 }.entries.isEmpty)
    }
}
