// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import ServerTrust

/// A conformance suite for adapters. It checks that a client calls a `VerdictSource` for each server, and follows the
/// verdict (the result of the evaluation).
///
/// ```swift
/// @Test func conforms() async throws {
///     let violations = try await AdapterConformance().run { attempt in
///         let client = MyClient(attempt.source, timeout: attempt.evaluationTimeout)
///         try await client.get(attempt.server.url, connectingTo: attempt.server.address)
///     }
///     #expect(violations.isEmpty, "\(violations)")
/// }
/// ```
///
/// Checked, in addition to the rules of ``ClientConformance`` in all scenarios:
/// - The adapter calls the source once for each connection, with the host of the request and the whole chain as
///   presented.
/// - It doesn't contact a host that the source denies.
/// - It sends no part of a request until a slow source has answered.
/// - It refuses the server if the source doesn't answer within the adapter's timeout.
/// - Cancellation ends a connection that waits for its verdict, and cancels the source's task. So does a server that
///   disconnects.
///
/// Not checked: reused connections, for which the adapter doesn't call the source again, and redirects.
public struct AdapterConformance: Sendable {
    /// A connection that the adapter has to make.
    public struct Attempt: Sendable {
        /// The server. Connect to it at ``LabServer/address`` and ``LabServer/port``, under the name
        /// ``LabServer/host``.
        public let server: LabServer
        /// The source of verdicts. The adapter must not rely on any other source.
        public let source: VerdictSource
        /// The longest time that the adapter should wait for a verdict.
        public let evaluationTimeout: Duration
    }

    /// Connects an adapter, sends one request if the server is trusted, and returns when there is a response.
    ///
    /// Throws `TrustRefusal` if the verdict isn't trusted or the source denies the host. Throws any other error if
    /// there is no verdict.
    public typealias Connect = @Sendable (Attempt) async throws -> Void

    /// Whether the adapter closes the connection to a refused server before it completes the handshake. The default is
    /// true.
    public var refusesDuringHandshake = true

    private let exemptions: [LabScenario: String]
    private let ruleExemptions: [Violation.Rule: String]

    /// The time after which an adapter is considered to have hung.
    var patience = Duration.seconds(60)
    /// The scenarios to run.
    var scenarios = LabScenario.all.filter { !$0.isForProbes }

    /// Creates a suite of all scenarios and situations.
    /// - Parameters:
    ///   - exemptions: the scenarios in which the adapter differs, each with the reason. An unnecessary exemption is a
    ///     violation.
    ///   - rules: the rules that the adapter can't follow, each with the reason, such as a TLS library whose callback
    ///     can't wait.
    public init(exempting exemptions: [LabScenario: String] = [:], rules: [Violation.Rule: String] = [:]) {
        self.exemptions = exemptions
        self.ruleExemptions = rules
    }

    /// Runs all scenarios over TLS 1.2 and 1.3, and then the situations.
    /// - Parameter connect: connects the adapter. Several tasks call it concurrently.
    /// - Returns: the violations. Empty if the adapter conforms.
    /// - Throws: errors from starting a ``LabServer``.
    public func run(_ connect: @escaping Connect) async throws -> [Violation] {
        var violations = try await scenarioViolations(connect)
        violations += try await deniedHost(connect)
        for scenario in [LabScenario.good, .expired] { violations += try await lateVerdict(scenario, connect) }
        for end in WaitingEnd.allCases { violations += try await noVerdict(end, connect) }
        let broken = Set(violations.map(\.rule))
        let needless = ruleExemptions.keys.filter { !broken.contains($0) }.sorted { $0.rawValue < $1.rawValue }
        return violations.filter { ruleExemptions[$0.rule] == nil }
            + needless.map {
                Violation(rule: .needlessExemption, detail: "\($0.rawValue): \(ruleExemptions[$0] ?? "")")
            }
    }
}

// MARK: - Scenarios

extension AdapterConformance {
    private func scenarioViolations(_ connect: @escaping Connect) async throws -> [Violation] {
        var clients = ClientConformance(scenarios, exempting: exemptions)
        clients.refusesDuringHandshake = refusesDuringHandshake
        let found = Locked<[Violation]>([])
        let broken = try await clients.run { server in
            let record = SourceRecord()
            let outcome = await Self.outcome(
                of: connect, Attempt(server, record.source(server.certificates.configuration)), within: patience)
            let violations = record.violations(for: server, server.scenario.name)
            found.withLock { $0 += violations }
            guard let outcome else { throw NeverEnded() }
            return outcome
        }
        return broken.map { Violation(rule: .client, detail: "\($0)") } + found.withLock { $0 }
    }

    private struct NeverEnded: Error {}

    /// Returns the outcome of one attempt. If the attempt doesn't end, abandons its task and returns nil.
    static func outcome(
        of connect: @escaping Connect, _ attempt: Attempt, within limit: Duration
    ) async -> LabOutcome? {
        await RunningAttempt(connect, attempt).outcome(within: limit)
    }
}

extension AdapterConformance.Attempt {
    /// Long enough for a handshake on a busy machine, and short enough for a test.
    private static let usualTimeout = Duration.seconds(20)

    init(_ server: LabServer, _ source: VerdictSource, evaluationTimeout: Duration = usualTimeout) {
        self.server = server
        self.source = source
        self.evaluationTimeout = evaluationTimeout
    }
}

#endif
