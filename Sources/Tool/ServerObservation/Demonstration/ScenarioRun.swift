// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustLab
import ServerTrustNIO

/// The result of one TLS connection to a server of the lab, by a client with the scenario's settings.
package struct ScenarioRun: Sendable {
    package let scenario: LabScenario
    package let url: String
    /// The server's certificates and the client's settings.
    package let certificates: LabCertificates
    /// The outcome that the scenario expects.
    package let expected: LabOutcome
    /// The outcome of the connection, or nil if there was no connection.
    let found: LabOutcome?
    /// The verdict, or nil if the server presented no chain.
    package let verdict: TrustVerdict?
    /// The certificates that the server sent, leaf first.
    package let presentedChain: PresentedChain
    /// The number of request bytes that reached the server.
    package let requestBytes: Int
    /// Whether the outcome is the expected one, and the server received a request exactly if it is trusted.
    package let agrees: Bool
    /// The error if the connection ended early, or nil if it didn't.
    let error: String?

    /// Connects to a server. The timeout is short because the server is on loopback.
    init(_ server: LabServer) async {
        scenario = server.scenario
        url = server.url
        certificates = server.certificates
        expected = server.expected
        do {
            if scenario.isForProbes {
                let report = try await Self.probe(server)
                verdict = report.verdict
                presentedChain = report.presentedChain
                found = LabOutcome(report.verdict)
                agrees = found == expected && server.counts.requestBytes == 0
                error = report.failure?.description
            } else {
                let report = try await LabClient(timeout: .seconds(10)).get(server)
                verdict = report.verdict
                presentedChain = PresentedChain(der: report.presentedChain)
                found = report.outcome
                agrees = report.conforms(to: server)
                error = report.isComplete ? nil : report.error ?? "it did not arrive"
            }
        } catch {
            (verdict, presentedChain, found, agrees) = (nil, PresentedChain([]), nil, false)
            self.error = "\(error)"
        }
        requestBytes = server.counts.requestBytes
    }

    /// Observes the handshake of a server like `servertrust check --tls-minimum 1.0`, for outcomes where a TLS library
    /// would end the connection.
    private static func probe(_ server: LabServer) async throws(ConnectionFailure) -> TrustProbeReport {
        let probe = ObservingProbe(TrustProbe(server.certificates.configuration), minimumVersion: .tls10)
        return try await probe.probe(
            server.host, port: server.port, connectingTo: server.address.rawValue
        ).report
    }

    /// The headline of a rejection, the path of a trusted server, or the error.
    package var reason: String {
        guard let found else { return error ?? "" }
        guard let verdict else { return "the connection ended before the server presented a certificate" }
        guard let headline = verdict.headline else {
            let path = verdict.path.map(\.description).joined(separator: " < ")
            return "path: \(path)" + (found.isTrusted ? error.map { "; no answer: \($0)" } ?? "" : "")
        }
        return headline.message(on: verdict.path, sentIn: presentedChain)
            + (requestBytes == 0 ? "" : "; \(requestBytes) bytes of a request had already arrived")
    }

    /// `trusted`, the name of the failure code, `no handshake`, or `no connection`.
    package var foundText: String { found?.description ?? "no connection" }
}

extension ScenarioRun {
    /// Starts the servers of scenarios on ports that the system chooses, connects to all of them at the same time, and
    /// stops them.
    /// - Parameter observer: an observer of the clients' verdicts, or nil for none.
    /// - Returns: a run for each scenario, in the order of `scenarios`. If a scenario redirects, the run of its
    ///   redirect target follows.
    /// - Throws: the errors of ``Lab/start(_:)`` if the servers can't be started.
    package static func all(
        _ scenarios: [LabScenario], observer: (any TrustEventObserver)? = nil
    ) async throws -> [ScenarioRun] {
        let lab = try await Lab.start(scenarios)
        let servers = lab.servers.flatMap { [$0, $0.redirectTarget].compactMap(\.self) }
        if let observer { for server in servers { server.certificates.manager.events.add(observer) } }
        let runs = await withTaskGroup(of: (Int, ScenarioRun).self) { group in
            for (index, server) in servers.enumerated() {
                group.addTask {
                    let run = await ScenarioRun(server)
                    return (index, run)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
        await lab.stop()
        return runs
    }
}
