// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import ServerTrust

/// An attempt in a separate task, which the suite abandons if it never ends.
final class RunningAttempt: Sendable {
    private let result = Locked<LabOutcome?>(nil)
    private let task: Task<Void, Never>

    init(_ connect: @escaping AdapterConformance.Connect, _ attempt: AdapterConformance.Attempt) {
        task = Task { [result] in
            let outcome: LabOutcome
            do {
                try await connect(attempt)
                outcome = .trusted
            } catch let refusal as TrustRefusal {
                outcome = .refused(refusal.headline.code)
            } catch {
                outcome = .noHandshake
            }
            result.withLock { $0 = outcome }
        }
    }

    func cancel() { task.cancel() }

    /// - Returns: the outcome, or nil if the attempt doesn't end within the limit.
    func outcome(within limit: Duration) async -> LabOutcome? {
        await AdapterConformance.isTrue(within: limit) { self.result.withLock { $0 != nil } }
        return result.withLock { $0 }
    }
}

extension AdapterConformance {
    /// Waits for a condition.
    /// - Returns: false if the condition doesn't become true in time.
    @discardableResult
    static func isTrue(within limit: Duration, _ condition: @Sendable () -> Bool) async -> Bool {
        let end = ContinuousClock.now + limit
        while !condition() {
            guard ContinuousClock.now < end else { return false }
            try? await Task.sleep(for: .milliseconds(5))
        }
        return true
    }

    /// Checks that the adapter doesn't contact a host that the source denies.
    func deniedHost(_ connect: @escaping Connect) async throws -> [Violation] {
        let server = try await LabServer.start(.good)
        let record = SourceRecord()
        // A manager that requires a rule for every host, but has none.
        let trust = ServerTrustConfiguration(try ServerTrustManager(evaluators: [:], memory: nil))
        let outcome = await Self.outcome(of: connect, Attempt(server, record.source(trust)), within: patience)
        await server.stop()
        var found: [Violation] = []
        func note(_ detail: String) {
            found.append(Violation(rule: .contactsDenied, detail: "a denied host: " + detail))
        }
        if outcome != .refused(.hostNotListed) {
            note("expected a TrustRefusal with \(TrustFailure.Code.hostNotListed), found \(Self.text(outcome))")
        }
        if server.counts.connections > 0 { note("\(server.counts.connections) connections") }
        if record.count > 0 { note("the adapter called the source") }
        return found
    }

    /// Checks that the adapter sends nothing while a source evaluates.
    func lateVerdict(_ scenario: LabScenario, _ connect: @escaping Connect) async throws -> [Violation] {
        let server = try await LabServer.start(scenario)
        let record = SourceRecord()
        let early = Locked(0)
        let source = record.source(server.certificates.configuration, after: .milliseconds(300)) {
            early.withLock { $0 = server.counts.requestBytes }
        }
        let outcome = await Self.outcome(of: connect, Attempt(server, source), within: patience)
        await server.stop()
        let situation = "a slow source (\(scenario))"
        var found = record.violations(for: server, situation)
        let bytes = early.withLock { $0 } + (scenario.expected.isTrusted ? 0 : server.counts.requestBytes)
        if bytes > 0 {
            found.append(Violation(rule: .sendsBeforeVerdict, detail: "\(situation): \(bytes) bytes"))
        }
        if outcome != scenario.expected {
            found.append(
                Violation(
                    rule: .client, detail: "\(situation): expected \(scenario.expected), found \(Self.text(outcome))"))
        }
        return found
    }

    /// The way in which the suite ends a connection whose source doesn't answer.
    enum WaitingEnd: String, CaseIterable {
        case timeout = "a source that never answers"
        case cancellation = "cancellation while the source evaluates"
        case serverLeaves = "a server that disconnects while the source evaluates"
    }

    /// Checks that a connection without a verdict ends and leaves nothing behind.
    func noVerdict(_ end: WaitingEnd, _ connect: @escaping Connect) async throws -> [Violation] {
        let server = try await LabServer.start(.good)
        let record = SourceRecord()
        let attempt = Attempt(
            server, record.silentSource(server.certificates.configuration),
            // Only the timeout case may end because of this limit.
            evaluationTimeout: end == .timeout ? min(.seconds(3), patience / 2) : patience * 4)
        let running = RunningAttempt(connect, attempt)
        var found: [Violation] = []
        func note(_ rule: Violation.Rule, _ detail: String) {
            found.append(Violation(rule: rule, detail: "\(end.rawValue): \(detail)"))
        }
        let isAsked = await Self.isTrue(within: patience) { record.count > 0 }
        if isAsked {
            switch end {
            case .timeout: break
            case .cancellation: running.cancel()
            case .serverLeaves: await server.stop()
            }
        } else {
            note(.wrongCount, "the adapter didn't call the source")
        }
        switch await running.outcome(within: patience) {
        case .trusted?: note(.sendsBeforeVerdict, "the attempt succeeded")
        case nil: note(end == .cancellation ? .ignoresCancellation : .waitsForever, "the attempt didn't end")
        case .noHandshake?, .refused?: break
        }
        if isAsked, !(await Self.isTrue(within: patience, { record.wasCancelled })) {
            note(.leavesSourceWaiting, "its task wasn't canceled")
        }
        // From now on, a good verdict is too late.
        record.release()
        running.cancel()
        if !(await Self.isTrue(within: patience, { server.counts.openConnections == 0 })) {
            note(.leavesConnectionOpen, "\(server.counts.openConnections) connections")
        }
        await server.stop()
        if server.counts.requestBytes > 0 { note(.sendsBeforeVerdict, "\(server.counts.requestBytes) bytes") }
        return found
    }

    private static func text(_ outcome: LabOutcome?) -> String { outcome.map { "\($0)" } ?? "no end" }
}

#endif
