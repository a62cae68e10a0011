// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PinLint
import ServerTrust
import ServerTrustPins

/// `servertrust pins why`: explains what a file of pins means for a host.
struct Effective: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Show why a file pins a host, or doesn't.",
        usage: "servertrust pins why <file> <host> ... [<options>]",
        discussion: HelpDetail.discussion(
            """
            The file has any format of servertrust pins convert, or is a signed list if you
            add its key. pins why follows the rules of the format's owner: which rule
            applies, what it inherits, and what happens after its expiry. It connects to no
            server. servertrust check --pins does.

            $ servertrust pins why network_security_config.xml api.example.com
            OK    api.example.com is pinned by network_security_config.xml at 2026-...
                  format   android
                  rule     line 3, **.example.com: the host is 1 label below example.com
                  pins     one of these, anywhere in the validated path
                           line 6  sha256/AAAA...
                           line 7  sha256/47DE...  never matches: the SHA-256 of nothing
                  expiry   2027-03-31T00:00:00Z, 128 days left; then not pinned
                           (Android's behavior)
                  anchors  system (default)
                  reports  none

            $ servertrust pins why Info.plist a.b.example.com --at 2027-06-01
            FAIL  a.b.example.com is not pinned by Info.plist at 2027-06-01T00:00:00Z
                  format   ats
                  why      no rule matches the host, so the default evaluation applies
                  ...
                  near     line 8, for names one label below example.com, but
                           a.b.example.com is further below

            If an Info.plist has pins for the system and TrustKit, it prints both reports.

            Values that code computes and parts that can't be read make the outcome unknown
            for every host. An "odd" line names each of them.

            Exit codes: 0 pins are in force for every host; 1 a host is not pinned at that
            date, only reported, or refused; 2 an outcome is unknown, or the file can't be
            read.
            """))

    @Argument(help: "The file with pins; - is standard input.", completion: .file())
    var file: String

    @Argument(
        help: "Hosts: names, addresses, host:port or https URLs.", transform: reading(EndpointArgument.host))
    var hosts: [Hostname] = []

    @Option(help: "Read the file as this format. (default: detected)")
    var from: PinFormat?

    @Option(
        help: ArgumentHelp("Answer for this time: RFC 3339, or a date. (default: now)", valueName: "time"),
        transform: reading(Time.init(rfc3339:)))
    var at: Time?

    @Option(
        help: ArgumentHelp(
            "Accept signatures by this public key, if the file is a signed list. May be repeated. (default: none)",
            valueName: "file"),
        completion: .file())
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
        var entries: [EffectiveReport.Entry] = []
        for host in hosts {
            for source in sources {
                guard let configuration = source.configuration else { continue }
                entries.append(
                    EffectiveReport.Entry(
                        source: source, configuration: configuration,
                        effective: EffectivePins(
                            of: host, in: configuration, format: source.format, at: time)))
            }
        }
        let report = EffectiveReport(entries: entries)
        try format.write(text: report.text, json: report.json)
        if report.isUnknown { throw ExitCodes.couldNotEvaluate }
        if !report.isPinned { throw ExitCodes.rejected }
    }
}
