// SPDX-License-Identifier: Apache-2.0

import HTTPRules
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

    /// As browsers and curl have it, within a factor of two.
    static let maximumRedirects = 10

    /// Looks at a server, and at those that it redirects to.
    func check(_ endpoint: Endpoint) async throws -> CheckResult {
        var steps: [CheckStep] = []
        var next: Endpoint? = endpoint
        var redirects = RedirectChain(RedirectRules(maximum: Self.maximumRedirects), from: endpoint.url)
        while let endpoint = next {
            var step = try await look(at: endpoint, isNamed: steps.isEmpty)
            next = nil
            if case .success(let report) = step.outcome, let response = report.response {
                do throws(RedirectError) {
                    let redirect = try redirects.next(
                        status: response.status, location: response.location, from: endpoint.url, method: "GET")
                    if let redirect {
                        next = try? Endpoint(redirect.url)
                        if next == nil { step.problem = Self.unreadable(redirect.url) }
                    }
                } catch {
                    step.problem = Self.problem(error)
                }
            }
            steps.append(step)
        }
        return CheckResult(endpoint: endpoint, steps: steps)
    }

    private static func problem(_ error: RedirectError) -> String {
        switch error {
        case .malformedLocation(let location): unreadable(location)
        case .unusableTarget(let url, _): unreadable(url)
        case .leavesTLS(let url):
            "redirects to \(url): whoever stands between can answer there, and no pin protects it"
        case .tooMany: "is redirect number \(maximumRedirects + 1); \(maximumRedirects) are followed"
        case .cycle(let url): "redirects back to \(url): a loop"
        }
    }

    private static func unreadable(_ url: String) -> String { "redirects to \"\(url)\", which is no address" }

    private func look(at endpoint: Endpoint, isNamed: Bool) async throws -> CheckStep {
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
    let endpoint: Endpoint
    /// At least one; more if redirects were followed.
    let steps: [CheckStep]

    var milliseconds: Int { steps.reduce(0) { $0 + $1.milliseconds } }

    var isRejected: Bool { steps.contains(where: \.isRejected) }
    /// Whether something couldn't be looked at.
    var isUndecided: Bool { steps.contains(where: \.isUndecided) }
    var isClean: Bool { !isRejected && !isUndecided }
}

struct CheckStep: Sendable {
    let endpoint: Endpoint
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
