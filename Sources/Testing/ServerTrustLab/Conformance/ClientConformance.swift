// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

/// A conformance suite for TLS clients. It connects a client to the server of every scenario, over TLS 1.2 and 1.3.
///
/// ```swift
/// @Test func conforms() async throws {
///     let violations = try await ClientConformance(
///         exempting: [.revokedByCRL: "the client doesn't check revocation"]
///     ).run { server in
///         try await MyClient(server.certificates.configuration).get(server.url, connectingTo: server.address)
///     }
///     #expect(violations.isEmpty, "\(violations)")
/// }
/// ```
///
/// Checked:
/// - The client reports the outcome that the scenario expects.
/// - A refused server receives no part of a request, and its handshake doesn't complete.
/// - A trusted server receives one request.
/// - There is one connection, or none to a host that the client's rules deny.
/// - Every exemption is needed.
///
/// Not checked: how long a connection takes, and the body that the client received.
public struct ClientConformance: Sendable {
    /// The precision with which outcomes are compared.
    public enum Comparison: Sendable, Hashable {
        /// Trusted, refused with a failure code, or without a handshake.
        case codes
        /// Trusted or not, for clients that report no failure code.
        case decisions
    }

    /// The scenarios to run, in this order.
    var scenarios: [LabScenario]

    /// The TLS versions of the servers. Each scenario runs with each version.
    public var versions: [LabServer.TLSVersions] = [.tls12, .tls13]

    /// The precision with which outcomes are compared. The default is codes.
    var comparison: Comparison

    /// The scenarios in which the client differs, each with the reason. An unnecessary exemption is a violation.
    var exemptions: [LabScenario: String]

    /// Whether the client follows redirects. If it does, its outcome is compared with the outcome for
    /// ``LabServer/redirectTarget``, if there is one. The default is false.
    public var followsRedirects = false

    /// Whether the client closes the connection to a refused server before it completes the handshake. The default is
    /// true. Set it to false for a client that evaluates the certificates after the handshake.
    public var refusesDuringHandshake = true

    /// Whether the client sends a request to a server that it trusts. The default is true.
    public var sendsRequest = true

    private static let concurrentRuns = 8

    /// Creates a suite, by default with all scenarios over TLS 1.2 and 1.3.
    /// - Parameters:
    ///   - scenarios: the scenarios to run. The suite skips scenarios whose outcome only an observer of the handshake
    ///     can report, such as `servertrust check`.
    ///   - comparison: the precision with which outcomes are compared.
    ///   - exemptions: the scenarios in which the client differs, each with the reason.
    public init(
        _ scenarios: [LabScenario] = LabScenario.all, comparing comparison: Comparison = .codes,
        exempting exemptions: [LabScenario: String] = [:]
    ) {
        self.scenarios = scenarios.filter { !$0.isForProbes }
        self.comparison = comparison
        self.exemptions = exemptions
    }

    /// Runs all scenarios, eight at a time.
    /// - Parameter connect: connects the client to a server with the trust settings of ``LabServer/certificates``,
    ///   requests ``LabServer/url``, and returns the outcome. Several tasks call it concurrently. If it throws an
    ///   error, that is a violation.
    /// - Returns: the violations, in scenario order. Empty if the client conforms.
    /// - Throws: errors from starting a ``LabServer``.
    public func run(
        _ connect: @escaping @Sendable (LabServer) async throws -> LabOutcome
    ) async throws -> [Violation] {
        let runs = scenarios.flatMap { scenario in versions.map { (scenario, $0) } }
        let results = try await withThrowingTaskGroup(of: (Int, [Violation]).self) { group in
            var results = [[Violation]](repeating: [], count: runs.count)
            for (index, (scenario, version)) in runs.enumerated() {
                if index >= Self.concurrentRuns, let (done, violations) = try await group.next() {
                    results[done] = violations
                }
                group.addTask {
                    let violations = try await violations(scenario, version, connect)
                    return (index, violations)
                }
            }
            for try await (index, violations) in group { results[index] = violations }
            return results
        }
        return exempted(Array(zip(runs.map(\.0), results)))
    }

    /// Removes the violations of exempted scenarios, and adds a violation for each unnecessary exemption.
    private func exempted(_ results: [(LabScenario, [Violation])]) -> [Violation] {
        let violations = results.filter { exemptions[$0.0] == nil }.flatMap(\.1)
        let needed = Set(results.filter { !$0.1.isEmpty }.map(\.0))
        let needless = exemptions.keys.filter { !needed.contains($0) }.sorted { $0.name < $1.name }
        return violations
            + needless.map {
                Violation(
                    rule: .needlessExemption, scenario: $0, versions: .both, detail: exemptions[$0] ?? "")
            }
    }

    private func violations(
        _ scenario: LabScenario, _ version: LabServer.TLSVersions,
        _ connect: @Sendable (LabServer) async throws -> LabOutcome
    ) async throws -> [Violation] {
        var options = LabServer.Options()
        options.versions = version
        let server = try await LabServer.start(scenario, options: options)
        let outcome: Result<LabOutcome, any Error>
        do {
            outcome = .success(try await connect(server))
        } catch {
            outcome = .failure(error)
        }
        await server.stop()
        return violations(of: server, outcome).map { rule, detail in
            Violation(rule: rule, scenario: scenario, versions: version, detail: detail)
        }
    }
}

// MARK: - Rules

extension ClientConformance {
    private typealias Finding = (rule: Violation.Rule, detail: String)

    /// Compares the outcome with the counts of a server that was stopped after the connection.
    private func violations(of server: LabServer, _ outcome: Result<LabOutcome, any Error>) -> [Finding] {
        let target = followsRedirects ? server.redirectTarget : nil
        let expected = target?.expected ?? server.expected
        switch outcome {
        case .failure(let error): return [(.fails, "expected \(expected), found the error \(error)")]
        case .success(let outcome):
            var found = wrongOutcome(outcome, expected: expected)
            found += wrongCounts(of: server, isTrusted: server.expected.isTrusted)
            if let target { found += wrongCounts(of: target, isTrusted: expected.isTrusted) }
            return found
        }
    }

    private func wrongOutcome(_ outcome: LabOutcome, expected: LabOutcome) -> [Finding] {
        let detail = "expected \(expected), found \(outcome)"
        guard outcome.isTrusted == expected.isTrusted else {
            return [(outcome.isTrusted ? .acceptsInvalid : .refusesValid, detail)]
        }
        return comparison == .decisions || outcome == expected ? [] : [(.wrongCode, detail)]
    }

    private func wrongCounts(of server: LabServer, isTrusted: Bool) -> [Finding] {
        let counts = server.counts
        var found: [Finding] = []
        // A client refuses some hosts without contacting them.
        let least = server.certificates.manager.denies(server.host) ? 0 : 1
        if !(least...1).contains(counts.connections) {
            found.append((.reconnects, "\(counts.connections) connections to \(server.host)"))
        }
        if isTrusted {
            if sendsRequest, counts.requests != 1 {
                found.append((.wrongRequestCount, "\(counts.requests) requests to \(server.host)"))
            }
        } else {
            if counts.requestBytes > 0 {
                found.append((.sendsBytes, "\(counts.requestBytes) bytes of a request to \(server.host)"))
            }
            if refusesDuringHandshake, counts.handshakes > 0 {
                found.append((.completesHandshake, "\(counts.handshakes) handshakes with \(server.host)"))
            }
        }
        return found
    }
}

#endif
