// SPDX-License-Identifier: Apache-2.0

import PinLint
import ServerTrust
import ServerTrustNIO

/// Probes servers for the linter with a ``TrustProbe``.
struct LintProbe: PinServerProbe {
    let plan: CheckPlan
    /// The query for suggested renewal times, or nil to skip it.
    var renewal: RenewalQuery?

    func probe(_ endpoint: ServerEndpoint, redirectedFrom origin: ServerEndpoint?) async throws -> ProbedServer {
        let report = try await plan.probe(endpoint, isNamed: origin == nil).outcome.get()
        // Unless the server proves possession of its key, the probe knows nothing about the server with that name.
        if let failure = report.failure, !report.verdict.isTrusted { throw failure }
        let configuration = try plan.evaluation.configuration(for: endpoint.host)
        let validation: ProbedServer.Validation =
            report.verdict.headline.map { .failed($0) }
            ?? .valid(paths: report.validPaths(with: configuration).map(\.certificates))
        var server = ProbedServer(
            presentedChain: report.presentedChain, validation: validation,
            response: report.response.map { ProbedServer.Response(status: $0.status, location: $0.location) },
            interruption: report.failure.map { "\($0)" })
        if case .valid = validation, let leaf = report.presentedChain.leaf {
            server.renewal = await renewal?.window(of: leaf)
        }
        return server
    }
}
