// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite struct BatchStreamLiveTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var line: [UInt8]
    }

    static let noObjects: [Row] = [
        Row(testDescription: "a word", line: Array("nonsense".utf8)),
        Row(testDescription: "an array", line: Array("[1]".utf8)),
        Row(testDescription: "a string", line: Array("\"x\"".utf8)),
        Row(testDescription: "null", line: Array("null".utf8)),
        Row(testDescription: "an object without an end", line: Array("{\"id\":\"a\"".utf8)),
        Row(testDescription: "two objects", line: Array("{} {}".utf8)),
        Row(
            testDescription: "a string with invalid UTF-8", line: Array("{\"id\":\"".utf8) + [0xff] + Array("\"}".utf8)),
        Row(testDescription: "half a surrogate", line: Array(#"{"id":"\ud800"}"#.utf8)),
        Row(testDescription: "an invalid number", line: Array(#"{"maximumIntermediates":01}"#.utf8)),
        Row(testDescription: "endless nested arrays", line: Array(repeating: UInt8(ascii: "["), count: 100_000)),
    ]

    @Test("The answer to a line that isn't a JSON object has no id", arguments: noObjects)
    func whatIsNoObjectIsAnsweredWithoutId(_ row: Row) throws {
        let lab = try Lab.shared()
        let good = try BatchLine(lab).data()
        let answers = try Tool.batch(good + row.line + [UInt8(ascii: "\n")] + good)
        #expect(answers.map(\.verdict) == ["trusted", "unreadable", "trusted"])
        #expect(answers[1].failures.map(\.code) == ["requestNotJSON"])
        #expect(answers[1].id == nil)
    }

    @Test("Blank lines get no answer") func blankLinesArePassedOver() throws {
        let lab = try Lab.shared()
        let line = try BatchLine(lab).data()
        let blank = Data("\n  \t\r\n\n".utf8)
        #expect(try Tool.batch(blank + line + blank + line + blank).count == 2)
        #expect(try Tool.batch(blank).isEmpty)
        #expect(try Tool.batch(Data()).isEmpty)
    }

    @Test("The batch accepts carriage returns and a missing last line feed")
    func carriageReturnsAndAMissingLineFeedDoNoHarm() throws {
        let lab = try Lab.shared()
        let line = try BatchLine(lab).data().dropLast()
        #expect(try Tool.batch(line + Data("\r\n".utf8) + line).map(\.verdict) == ["trusted", "trusted"])
    }

    @Test("The answer repeats the id unchanged") func theIdComesBackAsItWas() throws {
        let lab = try Lab.shared()
        let ids = [
            "", "a\"b\\c/d", "tab\tand line\n", "Zürich \u{2028} 🔐", "\u{1}\u{7f}",
            String(repeating: "x", count: 100_000),
        ]
        let input = try ids.reduce(into: Data()) { $0 += try BatchLine(lab, ["id": .string($1)]).data() }
        #expect(try Tool.batch(input).map(\.id) == ids)
        #expect(try Tool.batch(BatchLine(lab, ["id": .null]).data()).map(\.id) == [nil])
        #expect(try Tool.batch(BatchLine(lab, ["id": .absent]).data()).map(\.id) == [nil])
    }

    @Test("The answers come in the order of the requests", arguments: [1, 4]) func theOrderIsKept(jobs: Int) throws {
        let lab = try Lab.shared()
        var input = Data()
        var expected: [String] = []
        for number in 0..<600 {
            // Lines with very different costs: no evaluation, one evaluation, and one after a very long string.
            let changes: [String: BatchLine.Value] =
                switch number % 3 {
                case 0: ["chain": .strings([])]
                case 1: [:]
                default: ["padding": .string(String(repeating: " ", count: number * 40))]
                }
            input += try BatchLine(lab, changes.merging(["id": .string("\(number)")]) { $1 }).data()
            expected.append("\(number) \(number % 3 == 0 ? "unreadable" : "trusted")")
        }
        let answers = try Tool.batch(input, jobs: jobs)
        #expect(answers.map { "\($0.id ?? "") \($0.verdict)" } == expected)
    }

    @Test("An answer doesn't depend on earlier rows, whether there is one job or four")
    func answersDependOnTheirRowAlone() throws {
        // Every scenario at least twice, including those that use up a budget.
        let rows = try Tool.run(["lab", "--requests", "750", "--seed", "5"]).lines
        try #require(rows.count == 750)
        func answers(_ rows: [String], jobs: Int) throws -> [String] {
            let input = Data(rows.map { $0 + "\n" }.joined().utf8)
            let answers = try Tool.run(["verify", "--batch", "--jobs", "\(jobs)"], input: input).lines
            try #require(answers.count == rows.count)
            return answers
        }
        let expected = try answers(rows, jobs: 1)
        #expect(expected.contains { $0.contains("signatureBudgetExceeded") })
        #expect(try answers(rows + rows, jobs: 1) == expected + expected)
        #expect(try answers(rows.reversed(), jobs: 4) == expected.reversed())
    }

    @Test("The batch skips a line over the limit and reports it as unreadable")
    func aLineOverTheLimitIsRefusedAndSkipped()
        throws
    {
        let lab = try Lab.shared()
        let line = try BatchLine(lab).data()
        let giant = Data("{\"x\":\"".utf8) + Data(repeating: UInt8(ascii: "y"), count: 17 << 20) + Data("\"}\n".utf8)
        let answers = try Tool.batch(line + giant + line)
        #expect(answers.map(\.verdict) == ["trusted", "unreadable", "trusted"])
        #expect(answers[1].failures.map(\.code) == ["requestTooLong"])
    }

    @Test("The answer to an invalid line is short") func anAnswerIsNotLongerThanTheQuestion() throws {
        let lab = try Lab.shared()
        let many = BatchLine.Value.strings(Array(repeating: "", count: 10_000))
        let answers = try Tool.batch(
            BatchLine(lab, ["pins": many]).data() + BatchLine(lab, ["intermediates": many]).data())
        #expect(answers.map(\.verdict) == ["unreadable", "trusted"])
        #expect(answers[0].failures.count == 20)
        #expect(answers[1].warnings?.count == 20)
    }

    @Test("The batch writes each answer immediately while the pipe stays open") func aPipeThatStaysOpenGetsItsAnswers()
        throws
    {
        let lab = try Lab.shared()
        let line = try BatchLine(lab).data()
        let pipes = (input: Pipe(), output: Pipe())
        let process = Process()
        process.executableURL = Tool.url
        process.arguments = ["verify", "--batch"]
        process.environment = Tool.environment(anchors: nil)
        process.standardInput = pipes.input
        process.standardOutput = pipes.output
        try process.run()
        // If the batch holds back an answer, the test ends the process and fails instead of waiting forever.
        let watchdog = DispatchWorkItem { process.terminate() }
        DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: watchdog)
        var answers = LineReader(pipes.output.fileHandleForReading)
        for _ in 0..<3 {
            try pipes.input.fileHandleForWriting.write(contentsOf: line)
            #expect(answers.next()?.contains("\"trusted\"") == true)
        }
        // Half a line, a pause, then the other half and the beginning of the next line.
        try pipes.input.fileHandleForWriting.write(contentsOf: line.prefix(1000))
        Thread.sleep(forTimeInterval: 0.1)
        try pipes.input.fileHandleForWriting.write(contentsOf: line.dropFirst(1000) + line.prefix(10))
        #expect(answers.next()?.contains("\"trusted\"") == true)
        try pipes.input.fileHandleForWriting.write(contentsOf: line.dropFirst(10).dropLast())
        try pipes.input.fileHandleForWriting.close()
        #expect(answers.next()?.contains("\"trusted\"") == true)
        #expect(answers.next() == nil)
        process.waitUntilExit()
        watchdog.cancel()
        #expect(process.terminationStatus == 0)
    }

    @Test("The batch stops silently if the reader closes the output")
    func aReaderThatLeavesEndsItWithoutAWord() throws {
        let lab = try Lab.shared()
        let line = try BatchLine(lab).data()
        try TemporaryFolder.with { folder in
            let input = try folder.write("input", (0..<2000).reduce(into: Data()) { data, _ in data += line })
            let errors = try folder.write("errors", Data())
            let output = Pipe()
            let process = Process()
            process.executableURL = Tool.url
            process.arguments = ["verify", "--batch"]
            process.standardInput = try FileHandle(forReadingFrom: input)
            process.standardOutput = output
            process.standardError = try FileHandle(forWritingTo: errors)
            try process.run()
            var answers = LineReader(output.fileHandleForReading)
            #expect(answers.next() != nil)
            try output.fileHandleForWriting.close()
            try output.fileHandleForReading.close()
            process.waitUntilExit()
            #expect(process.terminationReason == .exit)
            #expect(process.terminationStatus == 2)
            #expect(try Data(contentsOf: errors).isEmpty)
        }
    }
}

/// Lines from a pipe, as they arrive.
private struct LineReader {
    private let handle: FileHandle
    private var rest = Data()

    init(_ handle: FileHandle) { self.handle = handle }

    /// Waits for the next line, and returns nil at the end.
    mutating func next() -> String? {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                defer { rest = Data(rest[(end + 1)...]) }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            let more = handle.availableData
            if more.isEmpty { return nil }
            rest += more
        }
    }
}
