// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// A session that probes servers in rounds under one ``CheckPlan``. It probes ``width`` servers at a time, until all
/// are checked or a signal arrives.
///
/// When a signal arrives, the session abandons running probes. Otherwise they would delay the exit by their whole
/// timeout.
final class CheckSession {
    private enum Event: Sendable {
        case result(Int, Result<CheckResult, any Error>)
        /// The next round is due.
        case due
        case stopped
    }

    private let plan: CheckPlan
    private let emit: AsyncStream<Event>.Continuation
    private var events: AsyncStream<Event>.Iterator
    /// Whether a signal has arrived.
    private(set) var isStopped = false

    /// The number of servers to probe at the same time: enough to hide latency, but within the limit of open files.
    static let width = 32

    /// Creates a session. From now on, the first signal doesn't end the process immediately. A second one does.
    init(_ plan: CheckPlan) {
        self.plan = plan
        let (events, emit) = AsyncStream.makeStream(of: Event.self)
        self.events = events.makeAsyncIterator()
        self.emit = emit
        let signals = StopSignals(onlyOnce: true)
        Task {
            await signals.wait()
            emit.yield(.stopped)
        }
    }

    /// Probes all endpoints and passes each result on as soon as it is available.
    ///
    /// The session stores no results. It waits until `take` has handled a result before it probes the next server, so
    /// memory is bounded by ``width`` results.
    /// - Returns: the tally. If a signal arrived, it includes servers that weren't checked.
    /// - Throws: the errors of `take`, and of a probe that has no result.
    func round(
        _ endpoints: [ServerEndpoint], _ take: (Int, CheckResult) throws -> Void
    ) async throws -> CheckTally {
        var tally = CheckTally(total: endpoints.count)
        var next = 0
        var probes: [Int: Task<Void, Never>] = [:]
        defer { for probe in probes.values { probe.cancel() } }
        func startNext() {
            guard next < endpoints.count else { return }
            let (index, endpoint, plan, emit) = (next, endpoints[next], plan, emit)
            next += 1
            probes[index] = Task {
                do {
                    let result = try await plan.check(endpoint)
                    emit.yield(.result(index, .success(result)))
                } catch {
                    emit.yield(.result(index, .failure(error)))
                }
            }
        }
        for _ in 0..<Self.width { startNext() }
        while tally.unchecked > 0, !isStopped, let event = await events.next() {
            switch event {
            case .result(let index, let outcome):
                probes[index] = nil
                let result = try outcome.get()
                tally.count(result)
                try take(index, result)
                startNext()
            case .due: break
            case .stopped: isStopped = true
            }
        }
        return tally
    }

    /// Waits until an instant.
    /// - Returns: true if the instant has arrived, or false if a signal arrived first.
    func wait(until instant: ContinuousClock.Instant) async -> Bool {
        let emit = emit
        let timer = Task {
            try await Task.sleep(until: instant, clock: .continuous)
            emit.yield(.due)
        }
        defer { timer.cancel() }
        while !isStopped, let event = await events.next() {
            switch event {
            case .due: return true
            case .stopped: isStopped = true
            case .result: break
            }
        }
        return false
    }
}
