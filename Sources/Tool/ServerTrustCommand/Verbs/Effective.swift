// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PinLint
import ServerTrust
import ServerTrustPins

/// `servertrust pins why`: explains what a file of pins means for a host.
struct Effective: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "pins why", abstract: "Show why a file pins a host, or doesn't.")

    @Argument(help: "The file with pins; - is standard input.", completion: .file())
    var file: String

    @Argument(
        help: "Hosts: names, addresses, host:port or https URLs.", transform: reading(EndpointArgument.host))
    var hosts: [Hostname] = []

    @Option(help: "Read the file as this format. (default: detected)")
    var from: PinFormat?

    @Option(help: .book("pins why --at"), transform: reading(Time.init(rfc3339:)))
    var at: Time?

    @Option(help: .book("pins why --key"), completion: .file())
    var key: [String] = []

    @Option(help: ArgumentHelp("Require signatures by this many keys. (default: 1)", valueName: "n"))
    var threshold: Int?

    @Option(help: "Set the report format.")
    var format = OutputFormat.text

    func validate() throws {
        try OptionRule.check(
            .that(!hosts.isEmpty, "expected a host after the file"),
            .requires(["--key": key], for: ["--threshold": threshold]))
    }

    func run() throws {
        let time = at ?? .now()
        let reader = PinFileReader(format: from, keys: key, threshold: threshold, time: time)
        let sources = try reader.sources(try InputFile.read(file), InputFile.displayName(file))
        let entries = hosts.flatMap { host in
            sources.compactMap { source in
                source.configuration.map { configuration in
                    EffectiveReport.Entry(
                        source: source, configuration: configuration,
                        effective: EffectivePins(of: host, in: configuration, format: source.format, at: time))
                }
            }
        }
        let report = EffectiveReport(entries: entries)
        try format.write(text: report.text, json: report.json)
        if report.isUnknown { throw ExitCodes.couldNotEvaluate }
        if !report.isPinned { throw ExitCodes.rejected }
    }
}
