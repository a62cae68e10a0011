// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The format of the report of `servertrust check`.
enum CheckFormat: String, CaseIterable, ExpressibleByArgument {
    /// Text for people; its wording may change.
    case text
    /// JSON for programs: always an array, each element with `schemaVersion`.
    case json
    /// The elements of the JSON array, one per line, as they become available.
    case jsonl
    /// An HTML page for people, for one or more servers.
    case html
    /// JUnit XML for CI systems.
    case junit
    /// Metrics for Prometheus's textfile collector.
    case prometheus
    /// The line and the exit codes of a monitoring plugin.
    case nagios
}

/// The options for the report of `servertrust check`.
struct CheckOutputOptions: ParsableArguments {
    @Option(help: "Set the format of the report.")
    var format = CheckFormat.text

    @Flag(help: "Print one line per server, as results come in.")
    var summary = false

    @Flag(help: "Describe every certificate in full.")
    var long = false

    @Option(help: .book("check --watch"), transform: reading(TimeSpan.init))
    var watch: TimeSpan?

    /// Whether the command writes a single report at the end.
    var isWholeReport: Bool { !summary && watch == nil }

    func validate() throws {
        try OptionRule.check(
            .that(!summary || format == .text, "--summary writes text: leave out --format"),
            .that(
                !long || format == .text && isWholeReport,
                "--long needs the full text: leave out --format, --summary and --watch"),
            .that(
                (watch?.milliseconds ?? 1_000) >= 1_000, "--watch takes 1s or more, found \(watch?.description ?? "")"),
            .that(
                watch == nil || format == .text || format == .jsonl, "--watch requires --format text or jsonl"))
    }
}
