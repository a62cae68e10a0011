// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import PKIX
import ServerTrust

/// `servertrust check`: evaluates the chains that servers present.
struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "check", abstract: "Connect to servers and evaluate their certificates.")

    @Argument(help: "Hosts, host:port, or URLs such as imaps://a.example.")
    var servers: [String] = []

    @OptionGroup var list: HostListOptions

    @Option(help: .book("check --pins"))
    var pins: [String] = []

    @OptionGroup(visibility: .wholePage) var pinFiles: PinFileOptions

    @OptionGroup(visibility: .wholePage) var forecasts: ForecastOptions

    @OptionGroup var expiry: ExpiryOptions

    @OptionGroup var connecting: ConnectOptions

    @OptionGroup(visibility: .wholePage) var roots: RootsOverlayOptions

    @OptionGroup(visibility: .wholePage) var deniedLists: DeniedOptions

    @OptionGroup(visibility: .wholePage) var transparency: TransparencyOptions

    @OptionGroup(visibility: .wholePage) var nodes: NodeOptions

    @OptionGroup(visibility: .wholePage) var proxies: ProxyOptions

    @OptionGroup var clear: StartTLSOptions

    @OptionGroup(visibility: .wholePage) var versions: TLSVersionOptions

    @OptionGroup(visibility: .wholePage) var client: ClientCertificateOptions

    @OptionGroup var revocation: RevocationOptions

    @OptionGroup var fetching: FetchOptions

    @Flag(help: .wholePage("Follow redirects, and check each server."))
    var follow = false

    @Flag(help: .wholePage("Print the presented chain in PEM instead of the report."))
    var showcerts = false

    @Option(help: .wholePage("Apply the public web's rules, or plain RFC 5280."))
    var profile = ValidationPolicy.Profile.webPKI

    @Flag(help: .wholePage("Add rules for CAs, roots included, that most verifiers relax."))
    var strict = false

    @Option(help: .book("check --time"), transform: reading(Time.init(rfc3339:)))
    var time: Time?

    @OptionGroup(visibility: .wholePage) var recording: RecordOptions

    @OptionGroup var output: CheckOutputOptions

    func validate() throws {
        let endpoints = try clear.endpoints(servers)
        try versions.requireUsable(follows: follow)
        try nodes.validate(connecting, proxies, follows: follow)
        let files =
            [list.hosts, roots.rootsOverlay, transparency.logs].compactMap(\.self) + connecting.anchors + pins
            + revocation.files + deniedLists.denied
        let isPlainReport = output.format == .text && output.isWholeReport
        try OptionRule.check(
            .that(!servers.isEmpty || list.hosts != nil, "expected a server, or --hosts"),
            .that(
                !showcerts || isPlainReport,
                "--showcerts prints PEM and can't be combined with --format, --summary or --watch"),
            .standardInputOnce(files),
            .that(!forecasts.isAnyGiven || !pins.isEmpty, "--ccadb and --acme-directory require --pins"),
            .that(
                !fetching.fix || endpoints.count == 1 && list.hosts == nil, "--fix prints one chain: name one server"),
            .that(
                !fetching.fix || isPlainReport && !showcerts && !follow,
                "--fix prints PEM and can't be combined with --format, --summary, --watch, --showcerts or --follow"))
    }

    func run() async throws {
        do {
            try await check()
        } catch let failure as CommandFailure where output.format == .nagios {
            // A plugin explains on standard output why it has no result. Exit code 2 would mean a refused server.
            try StandardStream.output.writeLine(NagiosOutput.line(failure))
            throw ExitCode(NagiosOutput.Status.unknown.rawValue)
        }
    }

    private func check() async throws {
        let plan = try plan()
        let endpoints = try clear.endpoints(servers) + list.endpoints(startTLS: clear.starttls)
        let session = CheckSession(plan)
        if let interval = output.watch?.duration {
            let watch = CheckWatch(
                interval: interval, endpoints: endpoints, palette: .forStandardOutput(), isJSON: output.format == .jsonl
            )
            let tally = try await watch.run(session)
            await plan.evaluation.resources?.finishWriting()
            await plan.evaluation.recorder?.flush()
            if let code = (tally ?? CheckTally(total: endpoints.count)).exitCode { throw code }
            return
        }
        var writer = makeWriter(endpoints)
        let progress = ProgressLine()
        var count = 0
        let tally = try await session.round(endpoints) { index, result in
            progress?.clear()
            try writer.add(result, at: index)
            count += 1
            progress?.show(count, of: endpoints.count)
        }
        if tally.unchecked > 0 { progress?.clear() }
        await plan.evaluation.resources?.finishWriting()
        await plan.evaluation.recorder?.flush()
        try writer.finish(tally)
        if tally.unchecked > 0 {
            Diagnostics.error("stopped: \(tally.unchecked) of \(tally.total) servers were not checked")
        }
        if output.format == .nagios {
            let status = NagiosOutput.Status(tally)
            if status != .ok { throw ExitCode(status.rawValue) }
            return
        }
        if let code = tally.exitCode { throw code }
    }

    private func makeWriter(_ endpoints: [ServerEndpoint]) -> CheckOutput {
        switch output.format {
        case .text where fetching.fix: .fix
        case .text where showcerts: .report { Array($0.pem().utf8) }
        case .text where output.summary: .summary(.forStandardOutput(), nameWidth: CheckRow.nameWidth(endpoints))
        case .text:
            .report(hasErrors: true) { [long = output.long] in
                Array(CheckReport(results: $0.results, isLong: long).text(.forStandardOutput()).utf8)
            }
        case .json: .report { try $0.json() }
        case .html: .report { [expiry] in $0.html(at: time ?? .now(), endingWithin: expiry.seconds) }
        case .junit: .report { $0.junit().xml() }
        case .jsonl: .jsonLines()
        case .prometheus: .rows { [start = Time.now()] rows, _ in PrometheusOutput.text(rows, start: start) }
        case .nagios:
            .rows { [days = expiry.seconds.map { $0 / 86_400 }] in
                NagiosOutput.line($0, $1, warningDays: days) + "\n"
            }
        }
    }

    private func plan() throws -> CheckPlan {
        let (pins, rules) = try pinFiles.read(
            pins, at: time ?? .now(), ignoresAnchors: !connecting.anchors.isEmpty)
        let anchors = try connecting.anchorStore()
        let connection = try connection()
        if anchors == nil, rules?.hasAnchors != true { try? SystemAnchors.shared().announceWarnings() }
        var plan = CheckPlan(
            evaluation: try evaluation(anchors), connection: connection, follows: follow,
            probesAllAddresses: nodes.allAddresses)
        plan.evaluation.resources = try fetching.resources(through: connection.proxy)
        plan.evaluation.pinRules = rules
        plan.evaluation.recorder = recording.recorder()
        plan.evaluation.settings.denied = .union(plan.evaluation.settings.denied, rules?.denied)
        plan.evaluation.places.anchors = rules?.hasAnchors == true ? nil : connecting.anchors
        plan.findings.expiresWithin = expiry.seconds
        plan.findings.findsOtherPaths = output.format == .html
        if rules != nil || !pins.isEmpty {
            plan.findings.forecast = try CheckForecast(forecasts, for: plan, anchors: anchors)
        }
        guard !pins.isEmpty else { return plan }
        plan.evaluation.pins = try checkingUsage { try SPKIPinSet(pinsRiskingLockout: pins) }
        return plan
    }

    private func evaluation(_ anchors: AnchorStore?) throws -> CheckEvaluation {
        var evaluation = CheckEvaluation()
        evaluation.overlay = try roots.overlay()
        evaluation.settings.anchors = (anchors.map { TrustAnchors($0) } ?? .system).applying(evaluation.overlay)
        evaluation.settings.policy = ValidationPolicy(profile: profile, isStrict: strict)
        evaluation.settings.verifyDate = time.map { .at($0) } ?? .now
        evaluation.settings.revocation = revocation.policy
        evaluation.settings.revocationData = try revocation.data()
        evaluation.settings.denied = try deniedLists.list()
        evaluation.settings.transparency = try transparency.settings()
        return evaluation
    }

    private func connection() throws -> ServerConnection {
        ServerConnection(
            address: try connecting.address(), timeout: connecting.timeout.duration, serverName: nodes.sent.servername,
            minimumVersion: versions.tlsMinimum.version, proxy: try proxies.selection(),
            identity: try client.identity())
    }
}
