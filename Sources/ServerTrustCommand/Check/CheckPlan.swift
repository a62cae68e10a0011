// SPDX-License-Identifier: Apache-2.0

import PinLint
import ServerTrust
import ServerTrustFetching
import ServerTrustNIO

/// How servers are looked at, and what is asked of them.
struct CheckPlan: Sendable {
    var anchors: TrustAnchors
    var policy: ValidationPolicy
    var verifyDate: VerifyDate
    /// Asked of every host; nil for none.
    var pins: SPKIPinSet?
    /// Where to connect to in the place of every host.
    var address: String?
    /// The port of ``address``, for hosts that were named and not for those that a redirect names.
    var addressPort: Int?
    var revocation = RevocationCheck.off
    var revocationData = RevocationData()
    /// nil to fetch nothing.
    var resources: TrustFetchCoordinator?
    var timeout: Duration
    var follows: Bool

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
        let port = isNamed ? addressPort ?? endpoint.port : endpoint.port
        do throws(TrustProbeError) {
            let report = try await probe.probe(
                endpoint.host, port: port, connectingTo: address, requesting: follows ? endpoint.path : nil)
            return CheckStep(endpoint: endpoint, outcome: .success(report))
        } catch {
            return CheckStep(endpoint: endpoint, outcome: .failure(error))
        }
    }

    private func configuration(for host: Hostname) throws -> ServerTrustConfiguration {
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

/// A server that was looked at, with those it redirects to.
struct CheckResult: Sendable {
    let endpoint: ServerEndpoint
    /// At least one; more if redirects were followed.
    let steps: [CheckStep]

    var milliseconds: Int { steps.reduce(0) { $0 + $1.milliseconds } }

    var isRejected: Bool { steps.contains(where: \.isRejected) }
    /// Whether something couldn't be looked at.
    var isUndecided: Bool { steps.contains(where: \.isUndecided) }
    var isClean: Bool { !isRejected && !isUndecided }
}

struct CheckStep: Sendable {
    let endpoint: ServerEndpoint
    let outcome: Result<TrustProbeReport, TrustProbeError>
    /// What is wrong with where it sends its clients; nil for nothing.
    var problem: String?

    var report: TrustProbeReport? { try? outcome.get() }
    var milliseconds: Int { report?.milliseconds ?? 0 }
    var isRejected: Bool { report?.verdict.isTrusted == false || problem != nil }
    /// Why it couldn't be looked at to the end.
    var error: TrustProbeError? {
        switch outcome {
        case .success(let report): report.failure
        case .failure(let error): error
        }
    }
    var isUndecided: Bool { error != nil }

    /// What to do about the server, and about what it sends.
    var advice: [ServerAdvice] { report.map { $0.verdict.serverAdvice(presented: $0.presentedChain) } ?? [] }
}
