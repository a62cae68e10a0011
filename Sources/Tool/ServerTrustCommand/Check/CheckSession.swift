// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// Rounds of probes under one ``CheckPlan``, ``width`` servers at a time, until all are checked or a signal comes.
///
/// A probe that is under way when the signal comes is abandoned: it would hold up the end of the process for its whole timeout.
final class CheckSession {
    private enum Event: Sendable {
        case result(Int, Result<CheckResult, any Error>)
        /// The time for the next round.
        case due
        case stopped
    }

    private let plan: CheckPlan
    private let emit: AsyncStream<Event>.Continuation
    private var events: AsyncStream<Event>.Iterator
    /// Whether a signal has come.
    private(set) var isStopped = false

    /// The servers that are probed at the same time: enough to hide the latency, few enough for the limit of descriptors.
    static let width = 32

    /// Creates a session. From now on signals no longer end the process at once; a second one does.
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

    /// Probes all endpoints and passes each result on when it comes. A result is not kept, and the next server isn't probed before a
    /// result was taken: memory is that of ``width`` results.
    /// - Returns: the tally, with servers that are not checked if a signal came.
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
    /// - Returns: whether it has come; not if a signal came before.
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
