// SPDX-License-Identifier: Apache-2.0

import HandshakeProbe
import PinLint
import PinModel
import ServerObservation
import ServerTrust
import ServerTrustFetching
import ServerTrustHTTP
import ServerTrustNIO

/// The settings of `servertrust check` for all servers.
struct CheckPlan: Sendable {
    /// The anchors, under the conditions of ``overlay``.
    var anchors: TrustAnchors
    /// The list over the anchors of a file of pins; nil for none.
    var overlay: RootsOverlay?
    var policy: ValidationPolicy
    var verifyDate: VerifyDate
    /// The pins of every host; nil for none.
    var pins: SPKIPinSet?
    /// The rules of a file of pins, in the place of ``pins``; nil for none.
    var pinRules: PinFileRules?
    /// The makers of forecasts; nil to make none.
    var forecast: CheckForecast?
    /// The address to connect to in the place of every host; nil for the host's own.
    var address: String?
    /// The port of ``address``, for hosts that were named and not for those that a redirect names.
    var addressPort: Int?
    var revocation = RevocationCheck.off
    var revocationData = RevocationData()
    var revocationRules = RevocationRules()
    /// The certificates that are denied for every server; nil for none.
    var denied: DeniedCertificates?
    /// The check of timestamps; nil for none.
    var transparency: TransparencySettings?
    /// The source of fetched intermediates, OCSP responses and CRLs; nil to fetch nothing.
    var resources: TrustFetchCoordinator?
    var timeout: Duration
    var follows: Bool
    /// The time in seconds within which the end of a certificate is a finding; nil for none.
    var expiresWithin: Int64?
    /// The oldest version of TLS.
    var minimumVersion = ProtocolVersion.tls12
    /// The choice of a proxy for each server.
    var proxy = ProxySelection.none
    /// Sent to servers that ask for a client certificate; nil for none.
    var identity: ClientIdentity?
    /// The name in SNI; nil for the host's own.
    var serverName: Hostname?
    /// Whether further valid paths are searched for, for reports that show them.
    var findsOtherPaths = false
    /// Whether each address of a host is probed.
    var probesAllAddresses = false

    /// Probes an endpoint, and those that it redirects to.
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
    /// - Parameter isNamed: whether the user named the endpoint; ``addressPort`` counts for those alone.
    func probe(_ endpoint: ServerEndpoint, isNamed: Bool) async throws -> CheckStep {
        let configuration = try configuration(for: endpoint.host)
        var probe = TrustProbe(configuration)
        probe.timeout = timeout
        probe.nameLookupTimeout = timeout
        probe.serverName = isNamed ? serverName : nil
        probe.proxy = try proxy.proxy(for: endpoint)
        probe.use(endpoint.service, host: endpoint.host)
        // A redirect's target is none that the user named: it doesn't learn who the client is.
        if isNamed { probe.identity = identity }
        let path = follows && endpoint.service == .https ? endpoint.path : nil
        let port = isNamed ? addressPort ?? endpoint.port : endpoint.port
        do throws(TrustProbeError) {
            let server = try await ObservingProbe(probe, minimumVersion: minimumVersion).probe(
                endpoint.host, port: port, connectingTo: address, requesting: path)
            var report = server.report
            let remark = pinRules?.remark(on: endpoint.host, at: verifyDate.time)
            if let remark { report.verdict.warnings.append(remark) }
            let expiring = expiresWithin.map { ExpiryFinding.findings(in: report.verdict, within: $0) }
            var step = CheckStep(
                endpoint: endpoint, outcome: .success(report), handshake: server.handshake, expiring: expiring,
                remark: remark)
            if findsOtherPaths, report.verdict.isTrusted { step.validPaths = report.validPaths(with: configuration) }
            if let rule = pinRule(for: endpoint.host) {
                step.forecast = await forecast?.forecast(report, configuration, rule: rule)
            }
            return step
        } catch {
            return CheckStep(endpoint: endpoint, outcome: .failure(error))
        }
    }

    /// Returns the rule for a host: of the file of pins, or of the pins for every host; nil for none.
    private func pinRule(for host: Hostname) -> PinRule? {
        if let pinRules { return pinRules.table.rule(for: host) }
        return pins.flatMap { pins in try? PinRule(hosts: [], pins: (pins.pins + pins.backup).map { Pin(.key($0)) }) }
    }

    /// Returns the configuration of a probe of one host, with the plan's pins for it.
    func configuration(for host: Hostname) throws -> ServerTrustConfiguration {
        if let pinRules {
            var configuration = try pinRules.trust(for: host)
            configuration.anchors = pinRules.hasAnchors ? configuration.anchors.overlaid(by: overlay) : anchors
            return completed(configuration)
        }
        let evaluator: any TrustEvaluator = pins.map { SPKIPinsTrustEvaluator($0) } ?? DefaultTrustEvaluator()
        let manager = try ServerTrustManager(evaluators: [host.description: evaluator], memory: nil)
        var configuration = ServerTrustConfiguration(manager)
        configuration.anchors = anchors
        return completed(configuration)
    }

    /// Returns a configuration with the settings that are the same for every host.
    private func completed(_ configuration: ServerTrustConfiguration) -> ServerTrustConfiguration {
        var configuration = configuration
        configuration.policy = policy
        configuration.verifyDate = verifyDate
        configuration.revocation = revocation
        configuration.revocationData = revocationData
        configuration.revocationRules = revocationRules
        configuration.denied = denied
        configuration.transparency = transparency
        configuration.fetching = resources
        return configuration
    }
}
