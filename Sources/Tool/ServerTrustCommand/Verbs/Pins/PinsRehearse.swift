// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PKIX
import PinLint
import ServerTrust
import ServerTrustPins

/// `servertrust pins rehearse`: finds the recorded connections that new pins would refuse.
struct PinsRehearse: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "pins rehearse", abstract: "Count the recorded connections that new pins would refuse.")

    @Argument(help: "The new pins: a pin file of any format, or a file of pins.", completion: .file())
    var file: String

    @Option(help: .book("pins rehearse --against"), completion: .file())
    var against: [String] = []

    @OptionGroup(visibility: .wholePage) var pinFiles: PinFileOptions

    @Option(help: .book("pins rehearse --anchors"), completion: .file())
    var anchors: [String] = []

    @OptionGroup(visibility: .wholePage) var forecast: RehearsalOptions

    @Option(help: .wholePage("Use this many threads. (default: all cores)", valueName: "n"))
    var jobs: Int?

    @Option(help: "Set the report format.")
    var format = ReplayFormat.text

    func validate() throws {
        guard !against.isEmpty else { throw ValidationError("expected records: --against FOLDER") }
        try command().validate()
    }

    func run() throws {
        let command = try command()
        let changes = try command.changes()
        var forecasts = RecordedServers(at: .now(), changes)
        var report = try command.replay(changes) { forecasts.add($0) }
        report.lint = try lint(forecasts)
        try StandardStream.output.write(report.written(as: format))
        try command.check(report)
    }

    private func command() throws -> ReplayCommand {
        // The parser sets the default values of options.
        var bulk = try BatchOptions.parse([])
        bulk.jobs = jobs
        var options = try ReplayOptions.parse(["--replay"])
        options.pins = [file]
        options.pinFiles = pinFiles
        options.forecast = forecast
        var evaluation = try EvaluationOptions.parse([])
        evaluation.anchors = anchors
        return ReplayCommand(
            files: against, evaluation: evaluation, bulk: bulk, options: options, format: format,
            isRehearsal: true)
    }

    /// Returns the findings about the file.
    private func lint(_ recorded: RecordedServers) throws -> LintReport {
        var linter = PinLinter(at: recorded.time)
        linter.certificates = recorded.certificates
        if !forecast.ccadb.isEmpty {
            linter.successors = try CertificateInput.intermediates(forecast.ccadb).certificates
        }
        let sources =
            file.hasPrefix("sha256/")
            ? []
            : PinLintSource.sources(
                reading: try InputFile.read(file), as: pinFiles.pinsFrom, file: InputFile.displayName(file))
        linter.servers = recorded.servers
        var report = LintReport(sources: sources, findings: linter.findings(in: sources))
        report.date = recorded.time
        report.notes = recorded.notes
        return report
    }
}

/// The servers of records that a pin file pins, with their valid paths.
private struct RecordedServers {
    let time: Time
    private let changes: ReplayChanges
    private var hosts: Set<Hostname> = []
    private var seen: Set<[UInt8]> = []
    private(set) var servers: [PinnedServer] = []
    private(set) var certificates: [Certificate] = []
    /// The number of hosts beyond the maximum.
    private var left = 0

    /// The maximum number of hosts with a forecast. A pin file has fewer.
    private static let maximumHosts = 10_000

    init(at time: Time, _ changes: ReplayChanges) {
        self.time = time
        self.changes = changes
    }

    /// Adds the server of a trusted record, unless its host is known or its leaf has expired.
    mutating func add(_ finding: ReplayFinding) {
        guard let record = finding.record, case .name(let host) = record.host, !hosts.contains(host),
            changes.pins?.areFor(host) == true, let leaf = Self.certificate(record.chain.first), leaf.notAfter >= time
        else { return }
        guard servers.count < Self.maximumHosts else { return left += 1 }
        hosts.insert(host)
        let others = (record.chain.dropFirst() + record.intermediates).compactMap(Self.certificate)
        let anchors = (record.ruleAnchors ?? record.anchors ?? []).compactMap(Self.certificate)
        var trust = Trust(presentedChain: [leaf] + others, host: host)
        trust.anchors = .only(anchors)
        if let given = try? changes.anchors?[.serverAuth]?.get() { trust.anchors = given }
        trust.verifyDate = .at(time)
        servers.append(PinnedServer(host: host, trust))
        certificates += ([leaf] + others + anchors).filter { seen.insert($0.sha256).inserted }
    }

    /// The parts that the forecast leaves out, as lines for people.
    var notes: [String] {
        if servers.isEmpty { return ["no forecast: no trusted record of a pinned host has a leaf that is still valid"] }
        return left > 0 ? ["no forecast for \(AuditWords.count(left, "further record")) of other hosts"] : []
    }

    private static func certificate(_ der: [UInt8]?) -> Certificate? { der.flatMap { try? Certificate(der: $0) } }
}

extension ReplayChanges.Pins {
    /// Whether the pins are for a host.
    fileprivate func areFor(_ host: Hostname) -> Bool {
        switch self {
        case .keys: true
        case .rules(let rules): rules.table.rule(for: host).map { $0.mode != .unpinned } ?? false
        }
    }
}
