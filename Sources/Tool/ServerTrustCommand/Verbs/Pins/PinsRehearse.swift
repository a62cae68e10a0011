// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PKIX
import PinFiles
import PinLint
import ServerTrust

/// `servertrust pins rehearse`: finds the recorded connections that new pins would refuse.
struct PinsRehearse: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rehearse",
        abstract: "Count the recorded connections that new pins would refuse.",
        usage: "servertrust pins rehearse <file> --against <records> [<options>]",
        discussion: HelpDetail.discussion(
            """
            pins rehearse evaluates records of verdicts again with the pins of a file, as
            audit --replay --pins does. It also reports the findings of pins lint, and a
            forecast for the recorded certificates that are still valid.

            $ servertrust pins rehearse new.json --against verdicts/
            OK    0 of 1,204,331 connections would be refused; 3 hosts have no record
            ...

            Exit codes: 0 no connection would be refused; 1 connections would be refused,
            lines are unreadable, or lint has a warning or an error; 2 a file can't be read,
            or there is no record.
            """))

    @Argument(help: "The new pins: a pin file of any format, or a file of pins.", completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp("Use the records in this folder or file. May be repeated.", valueName: "records"),
        completion: .file())
    var against: [String] = []

    @OptionGroup(visibility: .wholePage) var pinFiles: PinFileOptions

    @Option(help: .wholePage("Use this many threads. (default: all cores)", valueName: "n"))
    var jobs: Int?

    @Option(help: "Set the report format.")
    var format = ReplayFormat.text

    /// The maximum number of hosts whose certificates the forecast uses.
    private static let maximumHosts = 256

    func validate() throws {
        guard !against.isEmpty else { throw ValidationError("expected records: --against FOLDER") }
        try command().validate()
    }

    func run() throws {
        let command = try command()
        let changes = try command.changes()
        let now = Time.now()
        var hosts: Set<String> = []
        var certificates: [Certificate] = []
        var report = try command.replay(changes) { finding in
            guard hosts.count < Self.maximumHosts, let host = finding.host, !hosts.contains(host),
                let leaf = finding.certificates.first.flatMap({ try? Certificate(der: $0) }), leaf.notAfter >= now
            else { return }
            hosts.insert(host)
            certificates += [leaf] + finding.certificates.dropFirst().compactMap { try? Certificate(der: $0) }
        }
        report.lint = try lint(certificates, at: now)
        try StandardStream.output.write(report.written(as: format))
        if report.hasProblems { throw ExitCodes.rejected }
    }

    private func command() throws -> ReplayCommand {
        // The parser sets the default values of options.
        var bulk = try BatchOptions.parse([])
        bulk.jobs = jobs
        var options = try ReplayOptions.parse(["--replay"])
        options.pins = [file]
        options.pinFiles = pinFiles
        return ReplayCommand(
            files: against, evaluation: try EvaluationOptions.parse([]), bulk: bulk, options: options, format: format)
    }

    /// Returns the findings about the file.
    private func lint(_ certificates: [Certificate], at time: Time) throws -> LintReport {
        var linter = PinLinter(at: time)
        linter.certificates = certificates
        let sources =
            file.hasPrefix("sha256/")
            ? []
            : PinLintSource.sources(
                reading: try InputFile.read(file), as: pinFiles.pinsFrom, file: InputFile.displayName(file))
        linter.servers = linter.servers(in: sources)
        var report = LintReport(sources: sources, findings: linter.findings(in: sources))
        report.date = time
        return report
    }
}
