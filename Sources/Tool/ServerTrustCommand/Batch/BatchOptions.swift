// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import ServerTrust

/// The input and output options of `verify --batch` and `audit`.
struct BatchOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read rows in this format; see help batch. (default: requests; for audit, by file name)",
            valueName: "format"))
    var input: InputFormat?

    @Option(
        help: .wholePage(
            "Name rows after this ndjson or csv column. (default: id, or else file and line)", valueName: "name"))
    var idColumn: String?

    @Option(
        help: .wholePage("Read the host from this column. (default: host, hostname or domain)", valueName: "name"))
    var hostColumn: String?

    @Option(
        help: .wholePage(
            "Read the chain from this column, in PEM or base64. (default: chain, pem, certificates or certificate)",
            valueName: "name"))
    var chainColumn: String?

    @Flag(help: .wholePage("Don't compare the input's hosts with their leaves."))
    var withoutHost = false

    @Option(
        help: ArgumentHelp(
            "Write the answers to this file, which appears once complete. (default: standard output)",
            valueName: "file"),
        completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp(
            "Write counts by code, issuer, root and key to this .json file. May be repeated.",
            valueName: "file"
        ),
        completion: .file())
    var summary: [String] = []

    @Option(
        help: ArgumentHelp(
            "Keep the state here, to resume a killed run. Requires --output. (default: none)",
            valueName: "file"),
        completion: .file())
    var checkpoint: String?

    @Option(
        help: .wholePage(
            "Read the large values of records from this folder. (default: blobs, beside the first file)",
            valueName: "folder"),
        completion: .directory)
    var blobs: String?

    @Option(
        help: .wholePage(
            "End the run if gzip or Zstandard expands to more than this many times its size. (default: \(ByteStream.defaultExpansion))",
            valueName: "n"))
    var maximumExpansion: Int?

    @Option(help: ArgumentHelp("Use this many threads. (default: all cores)", valueName: "n"))
    var jobs: Int?

    var format: InputFormat { input ?? .requests }
    var rowColumns: RowColumns { RowColumns(id: idColumn, host: hostColumn, chain: chainColumn) }

    /// The names of the options that don't affect answers. A run may resume with other values.
    static let resumable = ["--jobs", "--maximum-expansion"]

    /// Whether any of the options was given.
    var isAnyGiven: Bool {
        input != nil || rowColumns.isAnyGiven || withoutHost || output != nil || !summary.isEmpty || checkpoint != nil
            || jobs != nil || blobs != nil || maximumExpansion != nil
    }

    /// Checks that the options are compatible with each other and with the input files.
    /// - Parameter others: further files that the command reads, such as anchors and lists.
    func validate(files: [String], others: [String]) throws {
        try validateLimits()
        let written = [output, checkpoint].compactMap(\.self) + summary
        let places = Set(written.map(Self.place))
        let unknown = summary.first { !$0.hasSuffix(".json") }
        let overwritten = (files + others).first { $0 != "-" && places.contains(Self.place($0)) }
        // If one column supplied both the chain and its anchors, the chain would vouch for itself.
        let taken = format == .ndjson ? chainColumn.flatMap { BatchRequest.hasKey($0) ? $0 : nil } : nil
        try OptionRule.check(
            .requires(
                ["--input csv": format.isTable, "--input ndjson": format.isTable],
                for: ["--id-column": idColumn, "--host-column": hostColumn, "--chain-column": chainColumn]),
            .that(
                taken == nil,
                "--chain-column \(taken ?? ""): ndjson already reads that key as a request's \(taken ?? "")"),
            .requires(
                ["--output": output], for: ["--checkpoint": checkpoint], ": answers can't be removed from a pipe"),
            .that(
                unknown == nil, "--summary \(unknown ?? ""): expected a name that ends in .json"),
            .that(
                places.count == written.count && !written.contains("-") && !written.contains(""),
                "--output, --summary and --checkpoint must name different files"),
            .standardInputOnce((files.isEmpty ? ["-"] : files) + others),
            .that(
                checkpoint == nil || !files.isEmpty && !files.contains("-"),
                "--checkpoint requires input files: standard input can't be read again"),
            .that(
                overwritten == nil, "\(overwritten ?? "") is both read and written: name another file to write to"))
    }

    /// Checks the values of `--jobs` and `--maximum-expansion`.
    func validateLimits() throws {
        try OptionRule.check(
            .range("--jobs", jobs, 1...1024), .range("--maximum-expansion", maximumExpansion, 1 ... .max))
    }

    /// Returns the path that a name resolves to, because a file can have several names.
    private static func place(_ file: String) -> String {
        let url = URL(fileURLWithPath: file).standardizedFileURL
        // The file may not exist yet, but its folder does.
        guard (try? FileStatus(following: file)) == nil else { return url.resolvingSymlinksInPath().path }
        return url.deletingLastPathComponent().resolvingSymlinksInPath().path + "/" + url.lastPathComponent
    }
}
