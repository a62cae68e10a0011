// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PKIX
import PinLint
import ServerTrust

/// `servertrust pins lint`: finds mistakes in files of pins.
struct Lint: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "pins lint", abstract: "Find mistakes in pin files before they lock users out.")

    @Argument(help: "Pin files, or folders with pin files; - is standard input.", completion: .file())
    var files: [String] = []

    @Option(help: "Read the files as this format. (default: detected)")
    var from: PinFormat?

    @Flag(help: "Connect to the pinned hosts, request / from each, and follow redirects.")
    var live = false

    @Option(help: .book("pins lint --fail-within"), transform: reading(TimeSpan.withUnit))
    var failWithin = TimeSpan.thirtyDays

    @Option(help: .book("pins lint --deny"), completion: .file())
    var deny: [String] = []

    @Option(help: .book("pins lint --certs"), completion: .file())
    var certs: [String] = []

    @OptionGroup var acceptance: AcceptanceOptions

    @OptionGroup(visibility: .wholePage) var forecast: ForecastOptions

    @OptionGroup(visibility: .wholePage) var connecting: ConnectOptions

    @OptionGroup(visibility: .wholePage) var proxies: ProxyOptions

    @Option(help: .book("pins lint --time"), transform: reading(Time.init(rfc3339:)))
    var time: Time?

    @Option(help: "Set the report format.")
    var format = LintFormat.text

    @Flag(help: "Print all rules without checking files.")
    var list = false

    func validate() throws {
        try OptionRule.check(
            .that(list == files.isEmpty, list ? "--list accepts no files" : "expected a file with pins"),
            .requires(
                ["--live": live],
                for: [
                    "--connect": connecting.connect, "--acme-directory": forecast.acmeDirectory,
                    "--proxy": proxies.proxy,
                ]),
            .standardInputOnce(files))
    }

    func run() async throws {
        guard !list else { return try StandardStream.output.write(Array(LintRuleList.text().utf8)) }
        var report = LintReport(sources: [], findings: [])
        var linter = PinLinter(at: time ?? .now())
        report.date = linter.time
        linter.horizon = .seconds(failWithin.milliseconds / 1_000)
        linter.certificates = try CertificateInput.intermediates(certs).certificates
        linter.successors = try forecast.successors()
        linter.denied.formUnion(DeniedList(keys: try PinArguments.pins(deny)))
        let trust = try readAnchors(&linter)
        let inputs = LintInputs(files, format: from)
        let acceptance = try LintAcceptance(acceptance, files: inputs.files.map(InputFile.displayName))
        report.searches = inputs.searches
        report.unread = inputs.unread
        for file in inputs.files {
            let name = InputFile.displayName(file)
            do throws(CommandFailure) {
                report.sources += PinLintSource.sources(reading: try InputFile.read(file), as: from, file: name)
            } catch {
                error.report()
                report.unread += error.errors.map { (name, $0) }
            }
        }
        linter.servers = linter.servers(in: report.sources)
        if live {
            for source in report.sources where source.configuration?.rules.contains(where: \.isForAnyHost) == true {
                Diagnostics.warn("\(source.file) names no host, so no server was checked for it")
            }
            let progress = ProgressLine()
            let plan = try plan(trust)
            let renewal = try forecast.query(
                anchors: trust, timeout: plan.connection.timeout, proxy: plan.connection.proxy)
            report.findings = try await linter.findings(
                in: report.sources, probing: LintProbe(plan: plan, renewal: renewal),
                progress: { progress?.show($0, of: $1) })
        } else {
            report.findings = linter.findings(in: report.sources)
        }
        try acceptance.apply(to: &report)
        try StandardStream.output.write(report.written(as: format))
        try acceptance.requireBaseline(of: report)
        if report.findings.contains(where: { $0.isFailure && !$0.isUndecided }) { throw ExitCodes.rejected }
        if !report.unread.isEmpty || report.findings.contains(where: { $0.isFailure && $0.isUndecided }) {
            throw ExitCodes.couldNotEvaluate
        }
    }

    /// Returns the anchors for paths and pinned roots. If there is no root store, only the offline rules run, with a
    /// warning.
    private func readAnchors(_ linter: inout PinLinter) throws -> TrustAnchors {
        if let store = try connecting.anchorStore() {
            linter.anchors = store.anchors.map(\.certificate)
            linter.anchorsArePublic = false
            return TrustAnchors(store)
        }
        do throws(SystemAnchorsError) {
            linter.anchors = try TrustAnchors.system.certificates
        } catch {
            guard !live, certs.isEmpty else { throw CommandFailure(error.description) }
            Diagnostics.warn("can't look for pinned roots in the system's store: \(error)")
        }
        return .system
    }

    private func plan(_ anchors: TrustAnchors) throws -> CheckPlan {
        var evaluation = CheckEvaluation()
        evaluation.settings.anchors = anchors
        evaluation.settings.verifyDate = time.map { .at($0) } ?? .now
        let connection = ServerConnection(
            address: try connecting.address(), timeout: connecting.timeout.duration, proxy: try proxies.selection())
        return CheckPlan(evaluation: evaluation, connection: connection, follows: true)
    }
}

extension TimeSpan {
    static let thirtyDays = TimeSpan(milliseconds: 30 * 86_400_000)
}
