// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import NIOCore
    import NIOPosix
    import PKIX

    /// The time that a task may take: between two bytes (`timeoutIntervalForRequest`), and in total
    /// (`timeoutIntervalForResource`).
    final class TimeLimits: Sendable {
        private struct State {
            var lastActivity: ContinuousClock.Instant
            var pauses = 0
        }
        private let state: Locked<State>
        private let start: ContinuousClock.Instant
        /// The longest time without a byte in either direction.
        let idle: Duration
        private let whole: Duration

        /// The clock. Only tests use another one.
        private let now: @Sendable () -> ContinuousClock.Instant

        init(
            idle: Duration, whole: Duration, now clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
        ) {
            let now = clock()
            self.now = clock
            self.start = now
            self.state = Locked(State(lastActivity: now))
            self.idle = idle
            self.whole = whole
        }

        /// Restarts the idle time because bytes were sent or received.
        func recordActivity() { state.withLock { $0.lastActivity = now() } }

        /// Pauses the idle time, for example while a delegate answers. Pauses can be nested.
        func pause() { state.withLock { $0.pauses += 1 } }

        /// Ends one pause.
        func resume() {
            state.withLock {
                $0.pauses -= 1
                $0.lastActivity = now()
            }
        }

        /// The rest of the total time.
        var remaining: Duration { max(.zero, whole - (now() - start)) }

        /// The instant at which the first of the two limits is reached if nothing happens until then.
        var deadline: ContinuousClock.Instant {
            let (lastActivity, isPaused) = state.withLock { ($0.lastActivity, $0.pauses > 0) }
            return isPaused ? start + whole : min(start + whole, lastActivity + idle)
        }

        /// Returns when a limit is reached or when the task is canceled.
        /// - Returns: true for a limit, or false for cancellation. Cancellation isn't an error here: every task ends
        ///   with it, and errors cost more.
        func wait() async -> Bool {
            while !Task.isCancelled {
                let now = now()
                let end = deadline
                guard now < end else { return true }
                // A pause may begin or end meanwhile.
                let isPaused = state.withLock { $0.pauses > 0 }
                await Self.sleep((isPaused ? min(end, now + .milliseconds(250)) : end) - now)
            }
            return false
        }

        /// Waits for a duration. Returns earlier if the task is canceled.
        ///
        /// This isn't `Task.sleep`: when that is canceled, its timer stays until it is due, and every task would leave
        /// a timer behind for a minute.
        private static func sleep(_ duration: Duration) async {
            let nanoseconds = min(duration / .nanoseconds(1), 1e18)
            let timer = MultiThreadedEventLoopGroup.singleton.any()
                .scheduleTask(in: .nanoseconds(Int64(nanoseconds))) {}
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    timer.futureResult.whenComplete { _ in continuation.resume() }
                }
            } onCancel: {
                timer.cancel()
            }
        }
    }
#endif
