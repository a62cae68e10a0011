// SPDX-License-Identifier: Apache-2.0

import PinLint
import ServerObservation
import ServerTrust
import ServerTrustNIO
import ServerTrustPins

/// The settings of `servertrust check` for all servers.
struct CheckPlan: Sendable {
    var evaluation: CheckEvaluation
    var connection: ServerConnection
    var findings = CheckFindings()
    /// Whether the check follows redirects.
    var follows: Bool
    /// Whether the check probes each address of a host.
    var probesAllAddresses = false

    /// Probes an endpoint and the endpoints that it redirects to.
    func check(_ endpoint: ServerEndpoint) async throws -> CheckResult {
        guard !probesAllAddresses else { return try await checkNodes(endpoint) }
        var steps: [CheckStep] = []
        var redirects = RedirectTrail(from: endpoint)
        var next: ServerEndpoint? = endpoint
        while let endpoint = next {
            var step = try await probe(endpoint, isNamed: steps.isEmpty)
            next = nil
            if let response = step.report?.response {
                switch redirects.step(status: response.status, location: response.location, from: endpoint) {
                case .end: break
                case .follow(let target): next = target
                case .problem(let problem): step.problem = problem
                }
            }
            steps.append(step)
        }
        return CheckResult(endpoint: endpoint, steps: steps)
    }

    /// Probes an endpoint without following a redirect.
    /// - Parameter isNamed: whether the user named the endpoint.
    func probe(_ endpoint: ServerEndpoint, isNamed: Bool) async throws -> CheckStep {
        let configuration = try evaluation.configuration(for: endpoint.host)
        let probe = try connection.probe(
            of: endpoint, isNamed: isNamed, evaluation.recorded(configuration))
        let path = follows && endpoint.service == .https ? endpoint.path : nil
        do throws(ConnectionFailure) {
            var server = try await probe.probe(
                endpoint.host, port: connection.port(of: endpoint, isNamed: isNamed),
                connectingTo: connection.address.host, requesting: path)
            let remark = evaluation.pinRules?.remark(on: endpoint.host, at: evaluation.settings.verifyDate.time)
            if let remark { server.report.verdict.warnings.append(remark) }
            server.report.verdict.warnings += IssuedNumbers.notes(
                on: server.report.presentedChain, server.report.verdict.path)
            let rule = evaluation.pinRule(for: endpoint.host)
            var step = await findings.step(endpoint, server, configuration, rule, remark: remark)
            step.places = evaluation.places
            return step
        } catch {
            return CheckStep(endpoint: endpoint, outcome: .failure(error))
        }
    }
}

/// The additional findings to look for besides the verdict.
struct CheckFindings: Sendable {
    /// The source of forecasts, or nil to make none.
    var forecast: CheckForecast?
    /// The time in seconds for `--expires-within`: an earlier end of a certificate is a finding. Nil to skip this
    /// check.
    var expiresWithin: Int64?
    /// Whether the check searches for other valid paths, for reports that show them.
    var findsOtherPaths = false

    /// Returns a report together with its findings.
    fileprivate func step(
        _ endpoint: ServerEndpoint, _ server: ObservedServer, _ configuration: ServerTrustConfiguration,
        _ rule: PinRule?, remark: String?
    ) async -> CheckStep {
        let report = server.report
        let expiring = expiresWithin.map { ExpiryFinding.findings(in: report.verdict, within: $0) }
        var step = CheckStep(
            endpoint: endpoint, outcome: .success(report), handshake: server.handshake, expiring: expiring,
            remark: remark)
        step.otherProfile = ProfileTrial.profile(after: report.verdict) { profile in
            var trust = configuration.trust(presentedChain: report.presentedChain, host: report.host)
            trust.verifyDate = .at(report.verdict.evaluationDate)
            trust.policy.profile = profile
            return configuration.manager.evaluate(trust)
        }
        if findsOtherPaths, report.verdict.isTrusted { step.validPaths = report.validPaths(with: configuration) }
        if let rule { step.forecast = await forecast?.forecast(report, configuration, rule: rule) }
        return step
    }
}

/// The settings for evaluating servers in `servertrust check`.
struct CheckEvaluation: Sendable {
    /// The settings for every host. The conditions of ``overlay`` already apply to the anchors.
    var settings = TrustSettings()
    /// The files that the anchors come from, for remedies.
    var places = CertificatePlaces()
    /// The list that applies to the anchors of a pin file, or nil for none.
    var overlay: RootsOverlay?
    /// The pins for every host, or nil for none.
    var pins: SPKIPinSet?
    /// The rules of a pin file, used instead of ``pins``, or nil for none.
    var pinRules: PinFileRules?
    /// The fetcher of intermediates, OCSP responses and CRLs, or nil to fetch nothing.
    var resources: TrustFetchCoordinator?

    /// The recorder of verdicts, or nil to record none.
    var recorder: TrustRecorder?

    /// Returns a configuration with the same rules, whose verdicts are recorded. Trials for findings use the original.
    func recorded(_ configuration: ServerTrustConfiguration) -> ServerTrustConfiguration {
        guard let recorder else { return configuration }
        var recorded = configuration
        recorded.manager = ServerTrustManager(copying: configuration.manager)
        recorded.manager.events.add(recorder)
        return recorded
    }

    /// Returns the configuration for a host, including its pins.
    func configuration(for host: Hostname) throws -> ServerTrustConfiguration {
        var settings = settings
        settings.fetching = resources
        if let pinRules {
            var configuration = try pinRules.trust(for: host)
            if pinRules.hasAnchors { settings.anchors = configuration.anchors.applying(overlay) }
            configuration.settings = settings
            return configuration
        }
        let evaluator: any TrustEvaluator = pins.map { SPKIPinsTrustEvaluator($0) } ?? DefaultTrustEvaluator()
        let manager = try ServerTrustManager(evaluators: [host.description: evaluator], memory: nil)
        return ServerTrustConfiguration(manager, settings: settings)
    }

    /// Returns the rule for a host: from the pin file, or else from the pins for every host. Returns nil if there is
    /// neither.
    func pinRule(for host: Hostname) -> PinRule? {
        if let pinRules { return pinRules.table.rule(for: host) }
        return pins.flatMap { pins in try? PinRule(hosts: [], pins: (pins.pins + pins.backup).map { Pin(.key($0)) }) }
    }
}
