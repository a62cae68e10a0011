// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// Keeps a store up to date from a source, or from a recovery channel if the source fails.
///
/// ```swift
/// let updater = PinUpdater(store: store, source: pinned, recovery: unpinned)
/// let updates = Task { await updater.run() }
/// ```
public struct PinUpdater: Sendable {
    /// The store.
    package let store: PinStore
    /// The source for every update.
    let source: any PinListSource
    /// The source to use if ``source`` has no acceptable list, or nil for none. It uses a connection without pins, in
    /// case the pinned keys are lost. It can only deliver signed documents.
    let recovery: (any PinListSource)?
    /// The update schedule.
    let schedule: PinUpdateSchedule

    private let clock: @Sendable () -> Time
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Creates an updater.
    /// - Parameters:
    ///   - store: the store.
    ///   - source: the source for every update.
    ///   - recovery: the source to use if `source` has no acceptable list.
    ///   - schedule: the update schedule.
    ///   - clock: the clock that the dates in lists are compared with. The default is the system's clock.
    ///   - sleep: waits for a duration. By default, it uses the system's clock.
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
    /// - Returns: whether the store now has the list from the source or from the recovery channel. The store emits
    ///   errors as events.
    @discardableResult
    public func update() async -> Bool {
        if await update(from: source) { return true }
        guard let recovery, !Task.isCancelled else { return false }
        return await update(from: recovery)
    }

    /// Updates the store immediately, and then on schedule until the task is canceled.
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
        // The store emits its errors as events.
        guard (try? store.accept(bytes, at: now)) != nil else { return false }
        // A source with an expired list is stuck or under attack, so the updater uses the recovery channel.
        return store.list.map { now <= $0.expires } ?? true
    }
}

/// An update schedule.
public struct PinUpdateSchedule: Sendable, Hashable {
    /// The time between two updates after a success. The default is six hours.
    var interval: Duration
    /// The time to wait after the first failure. It doubles with each further failure, up to `interval`. The default is
    /// 30 seconds.
    var firstRetry: Duration

    /// Creates a schedule.
    public init(interval: Duration = .seconds(6 * 3600), firstRetry: Duration = .seconds(30)) {
        self.interval = interval
        self.firstRetry = firstRetry
    }

    /// Returns the time to wait: between half of the nominal time and all of it, so that clients don't retry at the
    /// same moment.
    /// - Parameters:
    ///   - failures: the number of failures in a row, 0 after a success.
    ///   - random: a random number from 0 to 1.
    func delay(afterFailures failures: Int, random: Double) -> Duration {
        guard failures > 0 else { return ExponentialBackOff.jittered(interval, random: random) }
        return ExponentialBackOff(initial: firstRetry, maximum: interval)
            .delay(afterFailures: failures, random: random)
    }
}
