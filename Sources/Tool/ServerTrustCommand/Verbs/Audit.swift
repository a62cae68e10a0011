// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import ServerTrust

/// `servertrust audit`: evaluates all chains in files with the engine of `verify --batch`.
struct Audit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Evaluate inventories and scans with millions of rows.",
        usage: "servertrust audit <file> ... [--input <format>] [<options>]",
        discussion: HelpDetail.discussion(
            """
            audit reads rows from files, plain or compressed with gzip or Zstandard. It
            recognizes CSV by name. For JSON lines and standard input, add --input: requests
            or ndjson. servertrust help batch names a converter for zgrab2, zcertificate,
            PEM and folders.

            $ servertrust audit inventory.csv.gz --anchors roots.pem --summary audit.json
            Reads the host and chain columns, and writes an answer for each row. The summary
            counts the answers by code, issuer, root, key, expiry and more.

            $ servertrust audit scan.jsonl.zst --input ndjson --output answers.jsonl \\
                --checkpoint audit.state
            After an interruption, the same command resumes where it stopped.

            $ servertrust audit --replay verdicts/ --pins new.json
            OK    0 of 1,204,331 connections would be refused
            Evaluates records of verdicts again (check --record, TrustRecorder), here with
            other pins. Without a change, a record that differs is a finding. --anchors,
            --roots-overlay, --denied, --filter, --ct-logs, --revocation, --strict,
            --profile, --at, --shift, --without-anchor and --without-intermediate are other
            changes. --explain FILE:LINE shows one record in full.

            $ servertrust audit --replay verdicts/ --renew "Example CA 1" --to new-ca.pem
            Forecasts the same leaves from another CA. --ccadb names the next CAs of the same
            organization instead. The signatures of those CAs on the leaves don't exist and
            are assumed. Everything else is checked.

            $ servertrust audit --replay verdicts/ --pins new.json --until 2027-06-01
            Also shows when which host breaks by that date, and why. Three kinds: it breaks
            whatever else happens, needs an ordinary renewal or fresh evidence (which is
            assumed), or isn't known.

            The answers have the form of servertrust verify --batch. Formats are jsonl (one
            object per line), csv (with a header) and tsv (name, verdict, first code and
            expiry). servertrust help batch lists all keys, columns and limits.

            Exit codes: 0 every row has an answer, whatever its verdict; 2 something can't
            be read or written. --replay: 1 a connection would be refused, now or by the date
            of --until, a record differs without a change, or --fail-on applies; 3 not known: records are missing, can't
            be replayed or can't be read.
            """))

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

    /// Returns the format that a file's name reveals, ignoring the suffix of a compression. Returns nil if several
    /// formats are possible.
    private static func inputFormat(of file: String) -> InputFormat? {
        var name = URL(fileURLWithPath: file)
        if ["gz", "zst", "zstd"].contains(name.pathExtension.lowercased()) { name.deletePathExtension() }
        return name.pathExtension.lowercased() == "csv" ? .csv : nil
    }
}
