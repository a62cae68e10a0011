// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

/// Keeps a store up to date: asks its source now and then, and the recovery channel when that doesn't help.
///
/// ```swift
/// let updater = PinUpdater(store: store, source: pinned, recovery: unpinned)
/// let updates = Task { await updater.run() }
/// ```
public struct PinUpdater: Sendable {
    public let store: PinStore
    /// Asked each time.
    public let source: any PinListSource
    /// Asked when ``source`` has nothing that is accepted: over a connection without pins, for the day on which the pinned keys are lost.
    /// It can bring signed documents and nothing else; nil for none.
    public let recovery: (any PinListSource)?
    public let schedule: PinUpdateSchedule

    private let clock: @Sendable () -> Time
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - store: what is kept up to date.
    ///   - source: asked each time.
    ///   - recovery: asked when `source` has nothing that is accepted.
    ///   - schedule: when to ask.
    ///   - clock: by which dates of lists are judged; the machine's unless given.
    ///   - sleep: waits; the machine's clock unless given.
    public init(
        store: PinStore, source: any PinListSource, recovery: (any PinListSource)? = nil,
        schedule: PinUpdateSchedule = PinUpdateSchedule(), clock: @escaping @Sendable () -> Time = { .now() },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.store = store
        self.source = source
        self.recovery = recovery
        self.schedule = schedule
        self.clock = clock
        self.sleep = sleep
    }

    /// Asks once.
    /// - Returns: whether the store has what the source or the recovery channel has; what went wrong is told by the store's events.
    @discardableResult
    public func update() async -> Bool {
        if await update(from: source) { return true }
        guard let recovery, !Task.isCancelled else { return false }
        return await update(from: recovery)
    }

    /// Asks at once, and then as scheduled, until the task is cancelled.
    public func run() async {
        var failures = 0
        while !Task.isCancelled {
            failures = await update() ? 0 : min(failures + 1, 62)
            let delay = schedule.delay(afterFailures: failures, random: .random(in: 0..<1))
            guard (try? await sleep(delay)) != nil else { return }
        }
    }

    private func update(from source: any PinListSource) async -> Bool {
        let bytes: [UInt8]
        do {
            bytes = try await source.document()
        } catch {
            store.tell(.downloadFailed(String(describing: error)))
            return false
        }
        let now = clock()
        // The store tells what it refuses.
        guard (try? store.accept(bytes, at: now)) != nil else { return false }
        // A source that still has a list which has run out is stuck, or kept so: the other one is asked.
        return store.list.map { now <= $0.expires } ?? true
    }
}

/// When to ask for a newer list.
public struct PinUpdateSchedule: Sendable, Hashable {
    /// Between two questions that were answered; six hours unless given.
    public var interval: Duration
    /// After the first failure; doubles with each further one, up to ``interval``. 30 seconds unless given.
    public var firstRetry: Duration

    public init(interval: Duration = .seconds(6 * 3600), firstRetry: Duration = .seconds(30)) {
        self.interval = interval
        self.firstRetry = firstRetry
    }

    /// How long to wait: half of the time to all of it, so that clients which failed together don't come back together.
    /// - Parameters:
    ///   - failures: in a row; 0 after an answer.
    ///   - random: 0 to 1.
    public func delay(afterFailures failures: Int, random: Double) -> Duration {
        // 2^62 times anything is beyond every interval, and doubling stops where it reaches that.
        var whole = failures == 0 ? interval : min(firstRetry, interval)
        for _ in 1..<max(failures, 1) where whole < interval { whole = min(whole * 2, interval) }
        return whole * (0.5 + min(max(random, 0), 1) / 2)
    }
}
