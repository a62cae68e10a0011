// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import ServerTrust

/// `servertrust audit`: evaluates all chains in files with the engine of `verify --batch`.
struct Audit: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "audit", abstract: "Evaluate inventories and scans with millions of rows.")

    /// The format of the answers.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case jsonl
        case csv
        case tsv
        case text
        case json
        case junit
        case html

        /// The form of the answers in a batch, or nil for the format of a report.
        var form: AnswerForm? {
            switch self {
            case .jsonl: .lines
            case .csv: .columns
            case .tsv: .short
            case .text, .json, .junit, .html: nil
            }
        }
    }

    @Argument(help: "Files of chains, or of records; - is standard input.", completion: .file())
    var files: [String]

    @OptionGroup var bulk: BatchOptions

    @Option(help: "Set the format. (default: jsonl; with --replay, text)")
    var format: Format?

    @OptionGroup var evaluation: EvaluationOptions

    @OptionGroup var replaying: ReplayOptions

    func validate() throws {
        if replaying.replay { return try replay().validate() }
        guard missingFile == nil else { return }
        try command().validate()
    }

    func run() throws {
        if replaying.replay { return try replay().run() }
        // Reading the file throws the appropriate error.
        if let missingFile { _ = try InputFile.read(missingFile) }
        try command().run()
    }

    /// Returns the replay.
    /// - Throws: `ValidationError` for a format of answers.
    private func replay() throws -> ReplayCommand {
        guard let report = ReplayFormat(rawValue: format?.rawValue ?? "text") else {
            throw ValidationError("--replay writes --format text, json, csv, junit or html")
        }
        return ReplayCommand(files: files, evaluation: evaluation, bulk: bulk, options: replaying, format: report)
    }

    /// The first file that doesn't exist and whose name doesn't reveal its format.
    private var missingFile: String? {
        guard bulk.input == nil else { return nil }
        return files.first {
            $0 != "-" && Self.inputFormat(of: $0) == nil && !FileManager.default.fileExists(atPath: $0)
        }
    }

    /// Returns the batch. Unless `--input` is given, the file names determine the format.
    /// - Throws: `ValidationError` if the names don't reveal the format, or reveal different formats.
    private func command() throws -> BatchCommand {
        var bulk = bulk
        if bulk.input == nil {
            let formats = Set(files.map(Self.inputFormat(of:)))
            guard formats.count == 1, let format = formats.first, let format else {
                let file = files.first { Self.inputFormat(of: $0) == nil } ?? files.joined(separator: ", ")
                throw ValidationError(
                    "\(clipped(file)): set its format with --input: requests, ndjson (JSON lines) or csv; servertrust help batch names a converter for other formats"
                )
            }
            bulk.input = format
        }
        guard let form = (format ?? .jsonl).form else {
            throw ValidationError("--format text, json, junit and html require --replay")
        }
        return BatchCommand(files: files, evaluation: evaluation, bulk: bulk, form: form)
    }

    /// Returns the format that a file's name reveals, or nil if several formats are possible.
    private static func inputFormat(of file: String) -> InputFormat? { plainExtension(of: file) == "csv" ? .csv : nil }

    /// Returns the suffix of a file's name in lower case, without the suffix of a compression.
    static func plainExtension(of file: String) -> String {
        var name = URL(fileURLWithPath: file)
        if ["gz", "zst", "zstd"].contains(name.pathExtension.lowercased()) { name.deletePathExtension() }
        return name.pathExtension.lowercased()
    }
}
