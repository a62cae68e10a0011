// SPDX-License-Identifier: Apache-2.0

import PinLint
import ServerTrust
import ServerTrustNIO

/// Probes servers for the linter with a ``TrustProbe``.
struct LintProbe: PinServerProbe {
    let plan: CheckPlan

    func probe(_ endpoint: ServerEndpoint, redirectedFrom origin: ServerEndpoint?) async throws -> ProbedServer {
        let report = try await plan.probe(endpoint, isNamed: origin == nil).outcome.get()
        let validation: ProbedServer.Validation =
            report.verdict.headline.map { .failed($0) } ?? .valid(paths: paths(report))
        return ProbedServer(
            presentedChain: report.presentedChain, validation: validation,
            response: report.response.map { ProbedServer.Response(status: $0.status, location: $0.location) },
            interruption: report.failure.map { "\($0)" })
    }

    private func paths(_ report: TrustProbeReport) -> [[Certificate]] {
        var trust = Trust(presentedChain: report.presentedChain, host: report.host)
        trust.anchors = plan.anchors
        trust.policy = plan.policy
        trust.verifyDate = .at(report.verdict.evaluationDate)
        return trust.validPaths().map(\.certificates)
    }
}
