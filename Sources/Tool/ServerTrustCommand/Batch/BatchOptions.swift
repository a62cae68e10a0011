// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import ServerTrust

/// The input and output options of `verify --batch` and `audit`.
struct BatchOptions: ParsableArguments {
    @Option(help: .book("audit --input"))
    var input: InputFormat?

    @Option(help: .book("audit --id-column"))
    var idColumn: String?

    @Option(help: .book("audit --host-column"))
    var hostColumn: String?

    @Option(help: .book("audit --chain-column"))
    var chainColumn: String?

    @Flag(help: .wholePage("Don't compare the input's hosts with their leaves."))
    var withoutHost = false

    @Option(help: .book("audit --output"), completion: .file())
    var output: String?

    @Option(help: .book("audit --summary"), completion: .file())
    var summary: [String] = []

    @Option(help: .book("audit --checkpoint"), completion: .file())
    var checkpoint: String?

    @Option(help: .book("audit --blobs"), completion: .directory)
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
