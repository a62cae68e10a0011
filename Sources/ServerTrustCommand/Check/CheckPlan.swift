// SPDX-License-Identifier: Apache-2.0

import PinLint
import ServerTrust
import ServerTrustFetching
import ServerTrustHTTP
import ServerTrustNIO

/// The settings of `servertrust check` for all servers.
struct CheckPlan: Sendable {
    var anchors: TrustAnchors
    var policy: ValidationPolicy
    var verifyDate: VerifyDate
    /// The pins of every host; nil for none.
    var pins: SPKIPinSet?
    /// The address to connect to in the place of every host; nil for the host's own.
    var address: String?
    /// The port of ``address``, for hosts that were named and not for those that a redirect names.
    var addressPort: Int?
    var revocation = RevocationCheck.off
    var revocationData = RevocationData()
    /// The source of fetched intermediates, OCSP responses and CRLs; nil to fetch nothing.
    var resources: TrustFetchCoordinator?
    var timeout: Duration
    var follows: Bool
    /// The choice of a proxy for each server.
    var proxy = ProxySelection.none

    /// Probes an endpoint, and those that it redirects to.
    func check(_ endpoint: ServerEndpoint) async throws -> CheckResult {
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
        var probe = TrustProbe(try configuration(for: endpoint.host))
        probe.timeout = timeout
        probe.proxy = try proxy.proxy(for: endpoint)
        probe.use(endpoint.service, host: endpoint.host)
        let path = follows && endpoint.service == .https ? endpoint.path : nil
        let port = isNamed ? addressPort ?? endpoint.port : endpoint.port
        do throws(TrustProbeError) {
            let report = try await probe.probe(
                endpoint.host, port: port, connectingTo: address, requesting: path)
            return CheckStep(endpoint: endpoint, outcome: .success(report))
        } catch {
            return CheckStep(endpoint: endpoint, outcome: .failure(error))
        }
    }

    /// Returns the configuration of a probe of one host, with the plan's pins for it.
    func configuration(for host: Hostname) throws -> ServerTrustConfiguration {
        let evaluator: any TrustEvaluator = pins.map { SPKIPinsTrustEvaluator($0) } ?? DefaultTrustEvaluator()
        let manager = try ServerTrustManager(evaluators: [host.description: evaluator], memory: nil)
        var configuration = ServerTrustConfiguration(manager)
        configuration.anchors = anchors
        configuration.policy = policy
        configuration.verifyDate = verifyDate
        configuration.revocation = revocation
        configuration.revocationData = revocationData
        configuration.fetching = resources
        return configuration
    }
}

/// The result for a server and for those that it redirects to.
struct CheckResult: Sendable {
    let endpoint: ServerEndpoint
    /// The probes, at least one; more if redirects were followed.
    let steps: [CheckStep]

    var milliseconds: Int { steps.reduce(0) { $0 + $1.milliseconds } }

    var isRejected: Bool { steps.contains(where: \.isRejected) }
    /// Whether a server couldn't be probed to the end.
    var isUndecided: Bool { steps.contains(where: \.isUndecided) }
    var isClean: Bool { !isRejected && !isUndecided }
}

/// The probe of one server, named by the user or by a redirect.
struct CheckStep: Sendable {
    let endpoint: ServerEndpoint
    let outcome: Result<TrustProbeReport, TrustProbeError>
    /// The problem with the target of its redirect; nil for none.
    var problem: String?

    var report: TrustProbeReport? { try? outcome.get() }
    var milliseconds: Int { report?.milliseconds ?? 0 }
    var isRejected: Bool { report?.verdict.isTrusted == false || problem != nil }
    /// The error that ended the probe early; nil for none.
    var error: TrustProbeError? {
        switch outcome {
        case .success(let report): report.failure
        case .failure(let error): error
        }
    }
    var isUndecided: Bool { error != nil }

    /// The remedies for the server and for the chain that it presents.
    var advice: [ServerAdvice] { report.map { $0.verdict.serverAdvice(presented: $0.presentedChain) } ?? [] }
}
