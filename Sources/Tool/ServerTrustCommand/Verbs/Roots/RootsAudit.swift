// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust

/// `servertrust roots report`: shows this machine's roots that a root program no longer trusts, and the servers that
/// need them.
struct RootsAudit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "roots report", abstract: "Show the roots of this machine that a list doesn't trust.")

    @Argument(help: "Servers to evaluate with the list and without it.")
    var servers: [String] = []

    @OptionGroup var hosts: HostListOptions

    @Option(help: ArgumentHelp("Compare with this root program's list.", valueName: "file"), completion: .file())
    var against: String

    @Option(help: .book("roots report --connect"))
    var connect: String?

    @Option(help: .book("roots report --timeout"), transform: reading(TimeSpan.init))
    var timeout = TimeSpan.fiveSeconds

    @OptionGroup(visibility: .wholePage) var proxies: ProxyOptions

    @OptionGroup(visibility: .wholePage) var clear: StartTLSOptions

    @Option(help: "Set the report format.")
    var format: OutputFormat = .text

    func validate() throws {
        _ = try ConnectAddress(connect)
        _ = try clear.endpoints(servers)
        try OptionRule.check(.standardInputOnce([against, hosts.hosts]))
    }

    func run() async throws {
        let list = try RootListInput.read(against)
        let system = try RootStore.read()
        let audit = RootAudit(system, against: list)
        let endpoints = try clear.endpoints(servers) + hosts.endpoints(startTLS: clear.starttls)
        let results = try await evaluate(endpoints, system, list)
        let report = RootsAuditReport(audit: audit, system: system, list: list, hosts: results)
        try format.write(text: report.text, json: report.json)
        if results.count < endpoints.count {
            Diagnostics.error(
                "stopped: \(endpoints.count - results.count) of \(endpoints.count) servers were not checked")
        }
        guard !endpoints.isEmpty else {
            if audit.roots.contains(where: \.standing.isFinding) { throw ExitCodes.rejected }
            return
        }
        if results.contains(where: { $0.effect == .breaks }) { throw ExitCodes.rejected }
        if results.count < endpoints.count || results.contains(where: { $0.effect == .undecided }) {
            throw ExitCodes.couldNotEvaluate
        }
    }

    /// Returns the effects on the servers in the same order. After a signal, the remaining servers are missing.
    private func evaluate(
        _ endpoints: [ServerEndpoint], _ system: SystemAnchors, _ list: RootList
    ) async throws -> [HostAudit] {
        guard !endpoints.isEmpty else { return [] }
        let anchors = TrustAnchors(system)
        let overlaid = anchors.applying(list)
        var evaluation = CheckEvaluation()
        evaluation.settings.anchors = anchors
        let connection = ServerConnection(
            address: try ConnectAddress(connect), timeout: timeout.duration, proxy: try proxies.selection())
        let plan = CheckPlan(evaluation: evaluation, connection: connection, follows: false)
        var results: [Int: HostAudit] = [:]
        let progress = ProgressLine()
        _ = try await CheckSession(plan).round(endpoints) { index, result in
            guard let step = result.steps.first else { return }
            results[index] = try HostAudit(step, plan, under: overlaid)
            progress?.show(results.count, of: endpoints.count)
        }
        progress?.clear()
        return endpoints.indices.compactMap { results[$0] }
    }
}
