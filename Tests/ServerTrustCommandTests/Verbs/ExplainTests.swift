// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import Testing

private struct Page: Decodable {
    var schemaVersion: Int
    var code: String
    var severity: String
    var rank: Int
    var strictOnly: Bool
    var message: String
    var explanation: String
    var source: String
}

@Suite struct ExplainTests {
    @Test("The list has every code of the package") func theListHasEveryCodeOfThePackage() throws {
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

    @Test("Several codes are explained in the order of the arguments") func severalCodesAreExplainedInTheOrderAsked()
        throws
    {
        let outcome = try Tool.run(["explain", "hostMismatch", "certificateExpired", "--format", "json"])
        let pages = try outcome.json([Page].self)
        #expect(pages.map(\.code) == ["hostMismatch", "certificateExpired"])
        let expired = TrustFailure.Code.certificateExpired
        #expect(pages[1].severity == expired.severity.rawValue)
        #expect(pages[1].explanation == expired.explanation)
        #expect(pages[1].source == expired.source)
        #expect(pages[1].message.contains("{expected}") && pages[1].message.contains("{found}"))
        #expect(try Tool.run(["explain", "hostMismatch"]).lines[0].hasPrefix("hostMismatch"))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var asked: String
        var meant: String
    }

    static let slips: [Row] = [
        Row(testDescription: "a slip", asked: "hostMissmatch", meant: "hostMismatch"),
        Row(testDescription: "another case", asked: "HOSTMISMATCH", meant: "hostMismatch"),
        Row(testDescription: "a part", asked: "expired", meant: "certificateExpired"),
        Row(testDescription: "a code of the batch format", asked: "requestNotJson", meant: "requestNotJSON"),
    ]

    @Test("A misspelled code suggests the closest names", arguments: slips) func theClosestNamesAreSuggested(_ row: Row)
        throws
    {
        let outcome = try Tool.run(["explain", row.asked])
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(row.meant))
    }
}
