// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust

/// The full description of one record and its replay, for `audit --replay --explain`.
struct ReplayExplanation {
    private let changes: ReplayChanges
    private let command: ReplayCommand

    init(_ changes: ReplayChanges, _ command: ReplayCommand) {
        self.changes = changes
        self.command = command
    }

    /// Writes the description of a line.
    /// - Parameter place: the number of the line, after the file and a colon if there are several files.
    /// - Throws: ``CommandFailure`` if there is no such line, or it can't be read as a record.
    func write(_ place: String) throws {
        let (file, number) = try self.place(place)
        let line = try Self.line(number, of: file)
        var evaluator = ReplayEvaluator(changes, blobs: command.bulk.blobs, memory: .forBatch())
        let replayed: ReplayedRecord
        do throws(TrustRecordError) { replayed = try evaluator.replayed(line, file) } catch {
            throw CommandFailure(
                "\(InputFile.displayName(file)):\(number): \(error)",
                hint: "expected a line that check --record or TrustRecorder wrote")
        }
        if replayed.verdict != nil {
            for selector in changes.unused(replayed.used).selectors {
                Diagnostics.warn("\(selector): the record has no such certificate")
            }
        }
        let report = replayed.verdict.map { verdict in
            VerifyReport(
                verdict: verdict, presented: replayed.presented,
                advice: verdict.advice(presented: replayed.presented), isLong: true)
        }
        switch command.format {
        case .text:
            let palette = Palette.forStandardOutput()
            var text = facts(replayed, file, number).map { $0.0.padded(to: 12) + printable($0.1) }
                .joined(separator: "\n")
            if let report { text += "\n\n" + report.text(palette).trimmingCharacters(in: .newlines) }
            try StandardStream.output.writeLine(text)
        default:
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let explained = ExplainedRecord(
                file: InputFile.displayName(file), line: number, replayed, changes: changes.options.map(\.words),
                report)
            try StandardStream.output.write(JSONWriter.escaping(try encoder.encode([explained])) + [0x0a])
        }
    }

    private func facts(_ replayed: ReplayedRecord, _ file: String, _ number: Int) -> [(String, String)] {
        let record = replayed.record
        let recorded = ReplayExample.Verdict(isTrusted: record.recorded.isTrusted, codes: record.recorded.codes)
        var facts = [("record", "\(InputFile.displayName(file)):\(number)")]
        func add(_ name: String, _ value: String?) { if let value { facts.append((name, value)) } }
        add("id", record.id)
        add("host", replayed.host ?? "not checked")
        add("rule", record.rule)
        add("client", record.client)
        add("program", record.program.map { "\($0.name) \($0.version)" })
        add("connections", "\(record.count)")
        add("anchors", record.anchorStore.map { "\(record.anchors?.count ?? 0) of \($0.count) (\($0.name))" })
        for rule in record.pinRules { add("pins", rule.words) }
        add("recorded", "\(recorded.words) at \(record.time)")
        for option in changes.options { add("change", option.words) }
        if let forecast = replayed.forecast {
            add(
                "forecast",
                forecast.message ?? "trusted if \(forecast.issuer) issues the leaf; its signature is assumed")
        }
        add("replayed", replayed.obstacle.map { "not reproducible: \($0)" } ?? outcome(replayed))
        return facts
    }

    private func outcome(_ replayed: ReplayedRecord) -> String {
        replayed.outcome.words + (replayed.hasOtherDetails ? ", with other details" : "")
    }

    // MARK: - Finding the line

    private func place(_ text: String) throws(CommandFailure) -> (file: String, line: Int) {
        let files = try ReplayCommand.inputs(command.files)
        let digits = text.split(separator: ":").last.map(String.init) ?? ""
        let name = String(text.dropLast(digits.count)).dropLast()
        guard let number = Int(digits), number > 0 else {
            throw CommandFailure(
                "--explain \(text): expected the number of a line, or FILE:NUMBER", hint: "the report names both")
        }
        guard name.isEmpty else { return (String(name), number) }
        guard files.count == 1, let file = files.first else {
            throw CommandFailure(
                "--explain \(text): there are \(files.count) files", hint: "name the line as FILE:NUMBER")
        }
        return (file, number)
    }

    private static func line(_ number: Int, of file: String) throws(CommandFailure) -> Data {
        let input = InputReader(InputSource(files: [file], maximumRowSize: TrustRecord.maximumLineSize))
        while let (block, _) = try input.next() {
            guard case .lines(let data) = block.content else { continue }
            for (line, index) in data.lines() where block.firstLine + index == number { return line }
        }
        throw CommandFailure(
            "\(InputFile.displayName(file)):\(number): no such line, or it is blank or longer than "
                + "\(TrustRecord.maximumLineSize) bytes")
    }
}

extension KeyRequirement {
    /// `leaf: sha256/… sha256/…, until 2027-03-31T00:00:00Z, then refused`
    fileprivate var words: String {
        let end = expiry.map { ", until \($0.time), then \($0.refusesAfterwards ? "refused" : "not pinned")" } ?? ""
        return "\(scope.rawValue): " + pins.map(\.description).joined(separator: " ") + end
    }
}

/// The JSON of an explanation.
private struct ExplainedRecord: Encodable {
    struct Recorded: Encodable {
        let verdict: String
        let result: String
        let codes: [String]
        let path: [String]
        let warnings: [String]
        let pin: String?
    }

    struct Forecast: Encodable {
        let issuer: String
        let codes: [String]
        let message: String?
    }

    let schemaVersion = 1
    let file: String
    let line: Int
    let id: String?
    let host: String?
    let rule: String?
    let client: String?
    let connections: Int
    let time: String
    let changes: [String]
    let recorded: Recorded
    let outcome: String
    let otherDetails: Bool
    /// The reason why the record isn't reproducible, or nil.
    let obstacle: String?
    /// The forecast for a leaf from another CA, or nil. The outcome is the forecast's, not that of `replayed`.
    let forecast: Forecast?
    let replayed: ReportFields?

    init(file: String, line: Int, _ replayed: ReplayedRecord, changes: [String], _ report: VerifyReport?) {
        let record = replayed.record
        self.file = file
        self.line = line
        id = record.id
        host = replayed.host
        rule = record.rule
        client = record.client
        connections = record.count
        time = record.time.description
        self.changes = changes
        recorded = Recorded(
            verdict: record.recorded.isTrusted ? "trusted" : "rejected", result: record.recorded.result.rawValue,
            codes: record.recorded.codes, path: record.recorded.path, warnings: record.recorded.warnings,
            pin: record.recorded.pin)
        outcome = replayed.outcome.name
        otherDetails = replayed.hasOtherDetails
        obstacle = replayed.obstacle
        forecast = replayed.forecast.map {
            Forecast(issuer: "\($0.issuer)", codes: $0.failures.map(\.code.name), message: $0.message)
        }
        self.replayed = report?.fields
    }
}
