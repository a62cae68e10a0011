// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust
import TrustSupport

/// Keeps a store up to date from a source, and from a recovery channel if the source fails.
///
/// ```swift
/// let updater = PinUpdater(store: store, source: pinned, recovery: unpinned)
/// let updates = Task { await updater.run() }
/// ```
public struct PinUpdater: Sendable {
    /// The store.
    package let store: PinStore
    /// The source for every update.
    package let source: any PinListSource
    /// The source for updates for which ``source`` has no acceptable list: over a connection without pins, for the loss of the pinned
    /// keys. It can only deliver signed documents; nil for none.
    package let recovery: (any PinListSource)?
    /// The schedule of updates.
    package let schedule: PinUpdateSchedule

    private let clock: @Sendable () -> Time
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Creates an updater.
    /// - Parameters:
    ///   - store: the store.
    ///   - source: the source for every update.
    ///   - recovery: the source for updates for which `source` has no acceptable list.
    ///   - schedule: the schedule of updates.
    ///   - clock: the clock with which dates of lists are compared; the system's by default.
    ///   - sleep: waits for a duration; with the system's clock by default.
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

    /// Updates the store once.
    /// - Returns: whether the store has the list of the source or of the recovery channel; errors are events of the store.
    @discardableResult
    public func update() async -> Bool {
        if await update(from: source) { return true }
        guard let recovery, !Task.isCancelled else { return false }
        return await update(from: recovery)
    }

    /// Updates the store at once, and then as scheduled, until the task is canceled.
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
            store.emit(.downloadFailed(String(describing: error)))
            return false
        }
        let now = clock()
        // The store emits an event for its errors.
        guard (try? store.accept(bytes, at: now)) != nil else { return false }
        // A source with an expired list is stuck or held back, so the recovery channel is used.
        return store.list.map { now <= $0.expires } ?? true
    }
}

/// A schedule of updates.
public struct PinUpdateSchedule: Sendable, Hashable {
    /// The time between two updates after a success; six hours by default.
    package var interval: Duration
    /// The time after the first failure, which doubles with each further one up to `interval`; 30 seconds by default.
    package var firstRetry: Duration

    /// Creates a schedule.
    public init(interval: Duration = .seconds(6 * 3600), firstRetry: Duration = .seconds(30)) {
        self.interval = interval
        self.firstRetry = firstRetry
    }

    /// Returns the time to wait: between half of the nominal time and all of it, so that clients don't retry in step.
    /// - Parameters:
    ///   - failures: the number of failures in a row; 0 after a success.
    ///   - random: a random number from 0 to 1.
    package func delay(afterFailures failures: Int, random: Double) -> Duration {
        guard failures > 0 else { return ExponentialBackOff.jittered(interval, random: random) }
        return ExponentialBackOff(initial: firstRetry, maximum: interval)
            .delay(afterFailures: failures, random: random)
    }
}
