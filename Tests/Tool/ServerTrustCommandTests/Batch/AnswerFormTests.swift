// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ServerTrustCommand

/// The answer formats other than the JSON lines in the contract, and the messages about a run.
@Suite struct AnswerFormTests {
    @Test("Columns contain a header, quoted fields, and the facts about the leaf and path") func columns() throws {
        let lab = try Lab.shared()
        let names = ["a,b", "\"quoted\"", "two\nlines", "plain", ""]
        let input =
            try names.reduce(into: Data()) { $0 += try BatchLine(lab, ["id": .string($1)]).data() }
            + Data("nonsense\n".utf8)
        let outcome = try Tool.run(["verify", "--batch", "--columns"], input: input)
        var reader = CSVReader(Array(outcome.output))
        var records: [[String]] = []
        while let record = try reader.next() { records.append(try record.map { try $0.text() }) }
        #expect(
            records.count == 7 && records[0] == AnswerColumns.names
                && records.allSatisfy { $0.count == records[0].count })
        #expect(records.dropFirst().map { $0[0] } == ["a,b", "\"quoted\"", "two\\u{a}lines", "plain", "", ""])
        func value(_ name: String, _ row: Int = 1) throws -> String {
            records[row][try #require(records[0].firstIndex(of: name))]
        }
        #expect(try value("verdict") == "trusted" && value("result") == "unspecified" && value("code").isEmpty)
        #expect(try value("host") == Lab.host && value("sha256") == lab.leaf.hexDigest)
        #expect(try value("path") == [lab.leaf, lab.intermediate, lab.root].map(\.hexDigest).joined(separator: " "))
        #expect(
            try value("issuer").contains("CN=Lab CA") && value("root").contains("CN=Lab Root")
                && value("key") == "EC P-256")
        #expect(try value("signature") == "ECDSA with SHA-256")
        #expect(try value("notAfter") == lab.leaf.notAfter.description)
        #expect(
            try value("expires") == min(lab.leaf.notAfter, lab.intermediate.notAfter, lab.root.notAfter).description)
        #expect(
            try value("verdict", 6) == "unreadable" && value("code", 6) == "requestNotJSON"
                && value("sha256", 6).isEmpty)
    }

    @Test("Columns and JSON lines agree for rows of every kind") func agreement() throws {
        let lab = try Lab.shared()
        let input = try [
            [:], ["host": .string("www.example.com")], ["anchors": .strings([])], ["chain": .strings([])],
            ["chain": .strings([lab.expired.base64])], ["revocation": .string("required")],
        ].reduce(into: Data()) { $0 += try BatchLine(lab, $1).data() }
        let lines = try Tool.batch(input)
        let outcome = try Tool.run(["verify", "--batch", "--columns"], input: input)
        var reader = CSVReader(Array(outcome.output))
        _ = try reader.next()
        for line in lines {
            let record = try #require(try reader.next()).map { try $0.text() }
            let values = Dictionary(uniqueKeysWithValues: zip(AnswerColumns.names, record))
            #expect(values["verdict"] == line.verdict && values["result"] == line.result)
            #expect(values["codes"] == line.failures.map(\.code).joined(separator: " "))
            #expect(values["message"] == line.failures.first?.message ?? "")
            #expect(values["path"] == line.path.joined(separator: " "))
            #expect(values["revocation"] == line.revocation?.map(\.status).joined(separator: " ") ?? "")
        }
    }

    @Test("Short answers have four fields, with escaped tabs and line ends in names, and no formula")
    func short() throws {
        let lab = try Lab.shared()
        let input =
            try BatchLine(lab, ["id": .string("=a\tb\nc\\d\r\\u{9}")]).data()
            + BatchLine(lab, ["id": .null, "host": .string("x.example")]).data()
            + Data("nonsense\n".utf8)
        let outcome = try Tool.run(["verify", "--batch", "--short"], input: input)
        let expires = min(lab.leaf.notAfter, lab.intermediate.notAfter, lab.root.notAfter)
        #expect(
            outcome.text
                == "'=a\\u{9}b\\u{a}c\\d\\u{d}\\u{5c}u{9}\ttrusted\t\t\(expires)\n\trejected\thostMismatch\t\(expires)\n\tunreadable\trequestNotJSON\t\n"
        )
    }

    @Test("Control characters in names don't reach terminals or table readers")
    func controls() throws {
        let input = try BatchLine(Lab.shared(), ["id": .string("a\u{0}b\u{1b}[2Jc\u{7f}\u{202e}\u{9b}é")]).data()
        let short = try Tool.run(["verify", "--batch", "--short"], input: input)
        #expect(short.text.hasPrefix("a\\u{0}b\\u{1b}[2Jc\\u{7f}\\u{202e}\\u{9b}é\ttrusted\t"))
        let columns = try Tool.run(["verify", "--batch", "--columns"], input: input)
        #expect(columns.lines[1].hasPrefix("a\\u{0}b\\u{1b}[2Jc\\u{7f}\\u{202e}\\u{9b}é,"))
    }

    @Test("The closing line contains the number of rows read and of answers") func closingLine() throws {
        #expect(
            try Tool.run(["verify", "--batch"]).errors
                == "servertrust: 0 lines read, 0 answers: 0 trusted, 0 rejected, 0 unreadable\n")
        let one = try Tool.run(["verify", "--batch"], input: Data("\n\nnonsense\n \n".utf8))
        #expect(one.errors == "servertrust: 1 line read, 1 answer: 0 trusted, 0 rejected, 1 unreadable\n")
    }

    @Test("The progress line shows the count and rate, and the remaining time if the size of the input is known")
    func progress() {
        #expect(BatchProgress.text(answers: 1200, rate: 340.6, done: nil, left: nil) == "1200 answers, 341/s")
        #expect(
            BatchProgress.text(answers: 1, rate: 1, done: 0.999, left: 59.2) == "1 answers, 1/s, 99%, 1 min 0 s left")
        #expect(BatchProgress.text(answers: 1, rate: 1, done: 0.5, left: 30) == "1 answers, 1/s, 50%, 30 s left")
        #expect(
            BatchProgress.text(answers: 1, rate: 0, done: 1.2, left: 7322) == "1 answers, 0/s, 100%, 2 h 2 min left")
        #expect(BatchProgress.text(answers: 1, rate: 0, done: 0, left: .infinity) == "1 answers, 0/s, 0%")
    }
}
