// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import Foundation
import ServerTrust
import Testing

@testable import ServerTrustCommand

private struct Page: Decodable {
    var schemaVersion: Int
    var code: String
    var severity: String
    var rank: Int
    var strictOnly: Bool
    var message: String
    var explanation: String
    var source: String
    var demonstration: String?
}

@Suite struct ExplainTests {
    @Test("The list contains every code in the package") func theListHasEveryCodeOfThePackage() throws {
        let outcome = try Tool.run(["explain", "--list", "--format", "json"])
        #expect(outcome.status == 0)
        let pages = try outcome.json([Page].self)
        let names = pages.map(\.code)
        #expect(Set(names).count == names.count)
        #expect(Set(TrustFailure.Code.all.map(\.name)).isSubset(of: names))
        #expect(pages.allSatisfy { $0.schemaVersion == 1 && !$0.explanation.isEmpty && !$0.source.isEmpty })
        #expect(pages.map(\.rank) == pages.map(\.rank).sorted(by: >))
        #expect(try Tool.run(["explain", "--list"]).lines.map { $0.prefix { $0 != " " } } == names.map { $0[...] })
    }

    @Test("explain shows several codes in the order of the arguments") func severalCodesAreExplainedInTheOrderAsked()
        throws
    {
        let outcome = try Tool.run(["explain", "hostMismatch", "certificateExpired", "--format", "json"])
        let pages = try outcome.json([Page].self)
        #expect(pages.map(\.code) == ["hostMismatch", "certificateExpired"])
        let expired = TrustFailure.Code.certificateExpired
        #expect(pages[1].severity == expired.severity.rawValue)
        #expect(pages[1].explanation == expired.explanation)
        #expect(pages[1].source == Guides.of(expired)?.source)
        #expect(pages[1].message.contains("{expected}") && pages[1].message.contains("{found}"))
        #expect(try Tool.run(["explain", "hostMismatch"]).lines[0].hasPrefix("hostMismatch"))
    }

    @Test("explain shows the replacement's page for a replaced code") func replacedCode() throws {
        let pages = try Tool.run(["explain", "keyDenied", "--format", "json"]).json([Page].self)
        #expect(pages.map(\.code) == ["certificateDenied"])
    }

    private struct Term: Decodable, Equatable {
        var name: String
        var kind: String
        var words: String
        var codes: [String]
    }

    @Test("explain shows an explanation for a revocation finding and the failure codes it leads to")
    func revocationNames()
        throws
    {
        let page = try Tool.run(["explain", "filterNotCovered"])
        #expect(page.status == 0)
        #expect(page.lines[0] == "filterNotCovered (an obstacle to a revocation status)")
        #expect(page.lines.contains { $0.contains("No available filter covers a timestamp") })
        #expect(page.lines.last == "  For the whole guide, run servertrust explain revocationUnavailable.")
        for (name, kind, codes) in [
            ("noRevAvail", "exemption", []), ("shortLived", "exemption", []),
            ("filter", "source", ["certificateRevoked"]),
            ("deniedList", "source", ["certificateDenied"]), ("ocspSignerUnchecked", "note", []),
            ("notObtained", "gap", []), ("crlTooOld", "obstacle", ["revocationUnavailable"]),
        ] {
            let terms = try Tool.run(["explain", name, "--format", "json"]).json([Term].self)
            #expect(terms.map(\.name) == [name] && terms.map(\.kind) == [kind] && terms.map(\.codes) == [codes])
            let text = try Tool.run(["explain", name])
            #expect(text.status == 0 && text.lines.allSatisfy { $0.count <= 80 })
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var asked: String
        var meant: String
    }

    static let slips: [Row] = [
        Row(testDescription: "a slip", asked: "hostMissmatch", meant: "hostMismatch"),
        Row(testDescription: "another case", asked: "HOSTMISMATCH", meant: "hostMismatch"),
        Row(testDescription: "a code of the batch format", asked: "requestNotJson", meant: "requestNotJSON"),
    ]

    @Test("Given an error code's short name, explain also shows failures with similar codes")
    func similarFailures() throws {
        let outcome = try Tool.run(["explain", "expired"])
        #expect(outcome.status == 0)
        #expect(outcome.text.contains("pinListExpired") && outcome.text.contains("certificateExpired"))
    }

    @Test("If a code is misspelled, explain suggests the closest names", arguments: slips)
    func theClosestNamesAreSuggested(_ row: Row) throws {
        let outcome = try Tool.run(["explain", row.asked])
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(row.meant))
    }

    // MARK: - Guides

    private struct Guide: Decodable {
        var code: String
        var meaning: String
        var sign: String
        var causes: [String]
        var serverRemedies: [String]
        var never: [String]
        var customization: [String: String]
    }

    @Test("Every code has a guide, including the command's own codes") func everyCodeHasAGuide() throws {
        let guides = try Tool.run(["explain", "--list", "--format", "json"]).json([Guide].self)
        #expect(guides.count == TrustFailure.Code.all.count + 7)
        for guide in guides {
            #expect(!guide.meaning.isEmpty && !guide.sign.isEmpty, "\(guide.code)")
            #expect(!guide.causes.isEmpty && !guide.serverRemedies.isEmpty && !guide.never.isEmpty, "\(guide.code)")
            #expect(
                Set(guide.customization.keys) == ["noneBecause"]
                    || Set(guide.customization.keys) == ["text", "snippet", "swift"], "\(guide.code)")
        }
    }

    @Test("The page contains every part of the guide and, except for demonstrations, fits in 80 columns")
    func thePageHasAllParts()
        throws
    {
        let page = try Tool.run(["explain", "certificateExpired", "--all"])
        for title in [
            "how to recognize it", "how to see it", "usual causes", "how to fix the server",
            "how to customize trust", "what never to do", "what other tools say", "on Apple: -1201", "source:",
        ] { #expect(page.lines.contains { $0.contains(title) }, "\(title)") }
        let listed = try Tool.run(["explain", "--list", "--format", "json"]).json([Page].self)
        let pages = try Tool.run(["explain", "--all"] + listed.map(\.code))
        #expect(pages.status == 0)
        // A demonstration stays on one line, so that users can copy it.
        let demonstrations = Set(listed.compactMap(\.demonstration).map { "    \($0)" })
        for line in pages.lines where line.count > 80 { #expect(demonstrations.contains(line), "\(line)") }
    }

    // MARK: - Errors

    private struct ErrorPage: Decodable {
        var schemaVersion: Int
        var code: String
        var meaning: String
        var remedies: [String]
    }

    @Test("explain shows the meaning of an error code and its remedies, next to failure codes") func errors() throws {
        let page = try Tool.run(["explain", "hostHasPort"])
        #expect(page.status == 0)
        #expect(page.lines[0] == "hostHasPort (error)")
        #expect(page.lines.contains("how to fix it"))
        let both = try Tool.run(["explain", "hostHasPort", "hostMismatch", "--format", "json"])
        #expect(both.status == 0)
        let pages = try both.json([[String: Ignored]].self)
        #expect(Set(pages[0].keys) == ["schemaVersion", "code", "meaning", "remedies"])
        #expect(pages[1].keys.contains("severity"))
    }

    /// A value of any type.
    private struct Ignored: Decodable {
        init(from decoder: any Decoder) {}
    }

    @Test("The list of errors contains every code once, as text and as JSON") func listOfErrors() throws {
        let pages = try Tool.run(["explain", "--errors", "--format", "json"]).json([ErrorPage].self)
        let names = pages.map(\.code)
        #expect(names.contains("hostEmpty") && Set(names).count == names.count)
        #expect(pages.allSatisfy { $0.schemaVersion == 1 && !$0.meaning.isEmpty && !$0.remedies.isEmpty })
        #expect(try Tool.run(["explain", "--errors"]).lines.map { $0.prefix { $0 != " " } } == names.map { $0[...] })
    }

    @Test("If an error code is misspelled, explain suggests the right one") func misspelledError() throws {
        let outcome = try Tool.run(["explain", "hostHasPorts"])
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("hostHasPort"))
    }

    // MARK: - The first screen

    @Test("The first screen of every code has 20 lines of 80 columns, with a remedy, a sign and no template")
    func firstScreenOfCodes() throws {
        let failures = try Tool.run(["explain", "--list", "--format", "json"]).json([Page].self)
        let errors = try Tool.run(["explain", "--errors", "--format", "json"]).json([ErrorPage].self).map(\.code)
        for code in failures.map(\.code) + errors + Guides.causes.entries.map(\.name) {
            let lines = try Tool.run(["explain", code]).lines
            #expect(lines.count <= 20 && lines.allSatisfy { $0.count <= 80 }, "\(lines.joined(separator: "\n"))")
            #expect(lines.contains("how to fix it") && lines[0].hasPrefix("\(code) ("), "\(code)")
            #expect(!lines.contains { $0.contains("{expected}") || $0.contains("{found}") || $0.contains("{subject}") })
        }
        for failure in failures {
            let lines = try Tool.run(["explain", failure.code]).lines
            #expect(lines.contains("how to recognize it") && lines.contains { $0.hasSuffix("\(failure.code) --all") })
        }
    }

    @Test("The first screen of every message of the table has 20 lines") func firstScreenOfMessages() throws {
        for message in TrustFailure.Code.all.flatMap({ ForeignMessages.of($0) }) {
            let search = MessageSearch(message.forms[0].replacing("…", with: "www.example.com"))
            let lines = ExplainSearchPage(search: search, palette: .plain).lines
            #expect((4...20).contains(lines.count) && lines.allSatisfy { $0.count <= 80 }, "\(lines)")
            #expect(lines.contains("how to fix it"), "\(message.forms[0])")
        }
    }

    @Test("An example of a failure's message has the form of its template") func examples() {
        for code in TrustFailure.Code.all {
            let example = Guides.of(code)?.example ?? ""
            var rest = example[...]
            #expect(!example.contains("{") && !example.isEmpty, "\(code.name)")
            for part in code.message.split(separator: "}") {
                let fixed = part.prefix { $0 != "{" }
                guard !fixed.isEmpty else { continue }
                guard let place = rest.range(of: fixed) else {
                    Issue.record("\(code.name): \(example) lacks \(fixed)")
                    break
                }
                rest = rest[place.upperBound...]
            }
        }
    }

    @Test("The page of a message that isn't a failure has its cause, and JSON has the match") func causes() throws {
        let page = try Tool.run(["explain", "x509 certificate routines::key values mismatch"])
        #expect(page.lines[1] == "privateKeyMismatch (cause)" && page.lines.count <= 20)
        #expect(page.lines.contains { $0.contains("openssl pkey -pubout") })
        let found = try Tool.run(["explain", "http: server gave HTTP response to HTTPS client", "--format", "json"])
        #expect(found.text.contains("\"code\": \"connectionPlainHTTP\"") && found.text.contains("\"matches\": ["))
        let unknown = try Tool.run(["explain", "SSL routines::bad write retry"])
        #expect(unknown.status == 0)
        #expect(unknown.lines.contains("  This is OpenSSL's reason \"bad write retry\". Its cause isn't known here."))
    }

    // MARK: - Other tools' messages

    static let messages: [Row] = [
        Row(
            testDescription: "a message", asked: "unable to get local issuer certificate", meant: "unknownIssuer"),
        Row(testDescription: "a constant", asked: "ERR_CERT_DATE_INVALID", meant: "certificateExpired"),
        Row(
            testDescription: "a Go message", asked: "x509: certificate signed by unknown authority",
            meant: "unknownIssuer"),
        Row(testDescription: "a Java message", asked: "PKIX path building failed", meant: "unknownIssuer"),
        Row(testDescription: "a URLError", asked: "-1202", meant: "unknownIssuer"),
        Row(testDescription: "an OSStatus", asked: "-9843", meant: "hostMismatch"),
        Row(testDescription: "an Apple name", asked: "errSSLHostNameMismatch", meant: "hostMismatch"),
        Row(testDescription: "a curl error number", asked: "curl: (60)", meant: "unknownIssuer"),
        Row(
            testDescription: "a log line that begins with dashes",
            asked: "--2026-11-20 09:30:00-- ERROR: The certificate of 'example.com' has expired.",
            meant: "certificateExpired"),
    ]

    @Test("explain finds the code for another tool's message", arguments: messages) func aMessageLeadsToItsCode(
        _ row: Row
    )
        throws
    {
        let outcome = try Tool.run(["explain", row.asked, "--format", "json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try outcome.json([Page].self).first?.code == row.meant)
        // The user doesn't need to quote words, and can pipe a log to standard input.
        let words = try Tool.run(["explain"] + row.asked.split(separator: " ").map(String.init))
        #expect(words.status == 0 && words.lines.count <= 20, "\(words.errors)")
        #expect(words.lines.contains { $0.hasPrefix("\(row.meant) (") }, "\(words.lines)")
        let whole = try Tool.run(["explain", "--all"] + row.asked.split(separator: " ").map(String.init))
        #expect(whole.lines.first == "this message comes from", "\(whole.errors)")
        let piped = try Tool.run(["explain", "-", "--format", "json"], input: Data("09:30 \(row.asked)\n".utf8))
        #expect(try piped.json([Page].self).first?.code == row.meant)
    }

    @Test("explain truncates a long log, and the page says so") func aLongLogIsCut() throws {
        let log = String(repeating: "GET / 200\n", count: 100_000) + "certificate has expired\n"
        let outcome = try Tool.run(["explain", "-"], input: Data(log.utf8))
        #expect(outcome.status == 0)
        #expect(outcome.lines.contains { $0.contains("first and last 8192 characters") })
    }

    @Test("An unknown text gets one line, and the closest messages only if they are near")
    func anUnknownTextIsRefused() throws {
        let outcome = try Tool.run(["explain", "the issuer certificate local unable \u{1b}[31m"])
        #expect(outcome.status == 64)
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count == 2 && lines[1].contains("unable to get local issuer certificate"), "\(lines)")
        #expect(!outcome.errors.contains("\u{1b}"))
        let far = try Tool.run(["explain", "all rows of the table mismatch"])
        #expect(far.status == 64 && far.errors.split(separator: "\n").count == 1, "\(far.errors)")
        #expect(far.errors.contains("servertrust check HOST finds the code itself"))
        #expect(try Tool.run(["explain", "-"], input: Data("all is well".utf8)).status == 2)
        #expect(try Tool.run(["explain", "-"], input: Data([0xff, 0xfe, 0x00])).status == 2)
    }

    static let terminated: [[String]] = [
        ["--", "hostMismatch"], ["--format", "json", "--", "hostMismatch"], ["hostMismatch", "--"],
        ["--", "-9843"], ["--", "-x", "errSSLHostNameMismatch"],
    ]

    @Test("The option terminator isn't part of the message", arguments: terminated)
    func terminator(_ arguments: [String]) throws {
        let outcome = try Tool.run(["explain"] + (arguments.contains("json") ? [] : ["--format", "json"]) + arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try outcome.json([Page].self).first?.code == "hostMismatch")
    }

    @Test("An option terminator by itself isn't a message") func terminatorAlone() throws {
        #expect(try Tool.run(["explain", "--"]).status == 64)
        #expect(try Tool.run(["explain", "--lst", "--", "hostMismatch"]).status == 64)
    }

    @Test("A misspelled option isn't a message", arguments: ["--lst", "-x", "--format-json"])
    func aMisspelledOptionIsRefused(_ option: String) throws {
        let outcome = try Tool.run(["explain", option])
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(option))
    }
}
