// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust

/// The full description of one record and its replay, for `audit --replay --explain`.
struct ReplayExplanation {
    let changes: ReplayChanges
    let command: ReplayCommand

    /// Writes the description of a line.
    /// - Parameter place: the number of the line, after the file and a colon if there are several files.
    /// - Throws: ``CommandFailure`` if there is no such line, or it can't be read as a record.
    func write(_ place: String) throws {
        let (file, number) = try self.place(place)
        let line = try Self.line(number, of: file)
        var evaluator = ReplayEvaluator(changes, blobs: command.bulk.blobs, memory: .forBatch())
        let replayed = try CommandFailure.of(
            "\(InputFile.displayName(file)):\(number)",
            hint: "expected a line that check --record or TrustRecorder wrote"
        ) { try evaluator.replayed(line, file) }
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
            try StandardStream.output.write(ReportFields.json([fields(replayed, file, number, report)]))
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

    private func fields(
        _ replayed: ReplayedRecord, _ file: String, _ number: Int, _ report: VerifyReport?
    ) -> ReportFields {
        let record = replayed.record
        let recorded: ReportFields = [
            "verdict": .text(record.recorded.isTrusted ? "trusted" : "rejected"),
            "result": .text(record.recorded.result.rawValue), "codes": .texts(record.recorded.codes),
            "path": .texts(record.recorded.path), "warnings": .texts(record.recorded.warnings),
            "pin": record.recorded.pin.map { .text($0) },
        ]
        // The outcome is the forecast's, not that of `replayed`.
        let forecast = replayed.forecast.map { forecast -> ReportFields in
            [
                "issuer": .text("\(forecast.issuer)"), "codes": .texts(forecast.failures.map(\.code.name)),
                "message": forecast.message.map { .text($0) },
            ]
        }
        return [
            "schemaVersion": .number(1), "file": .text(InputFile.displayName(file)), "line": .number(number),
            "id": record.id.map { .text($0) }, "host": replayed.host.map { .text($0) },
            "rule": record.rule.map { .text($0) }, "client": record.client.map { .text($0) },
            "connections": .number(record.count), "time": .text(record.time.description),
            "changes": .texts(changes.options.map(\.words)), "recorded": .fields(recorded),
            "outcome": .text(replayed.outcome.name), "otherDetails": .flag(replayed.hasOtherDetails),
            "obstacle": replayed.obstacle.map { .text($0) }, "forecast": forecast.map { .fields($0) },
            "replayed": report.map { .fields($0.fields) },
        ]
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
