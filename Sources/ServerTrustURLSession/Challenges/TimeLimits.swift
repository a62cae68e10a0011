// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import NIOCore
    import NIOPosix
    import PKIX

    /// How long a task may take: between two signs of life (`timeoutIntervalForRequest`), and altogether
    /// (`timeoutIntervalForResource`).
    final class TimeLimits: Sendable {
        private struct State {
            var lastSign: ContinuousClock.Instant
            var pauses = 0
        }
        private let state: Locked<State>
        private let start: ContinuousClock.Instant
        /// Between signs of life.
        let idle: Duration
        private let whole: Duration

        init(idle: Duration, whole: Duration) {
            let now = ContinuousClock.now
            self.start = now
            self.state = Locked(State(lastSign: now))
            self.idle = idle
            self.whole = whole
        }

        /// Bytes went or came.
        func sign() { state.withLock { $0.lastSign = .now } }

        /// Somebody is asked, and may think.
        func pause() { state.withLock { $0.pauses += 1 } }

        func resume() {
            state.withLock {
                $0.pauses -= 1
                $0.lastSign = .now
            }
        }

        /// What is left altogether.
        var remaining: Duration { max(.zero, whole - (ContinuousClock.now - start)) }

        /// Returns when one of the limits is reached, or when the task is cancelled.
        /// - Returns: whether it is a limit. Not an error otherwise: every task ends with it, and errors cost more.
        func wait() async -> Bool {
            while !Task.isCancelled {
                let now = ContinuousClock.now
                let (lastSign, isPaused) = state.withLock { ($0.lastSign, $0.pauses > 0) }
                let end = isPaused ? start + whole : min(start + whole, lastSign + idle)
                guard now < end else { return true }
                // A pause may begin or end meanwhile.
                await Self.sleep((isPaused ? min(end, now + .milliseconds(250)) : end) - now)
            }
            return false
        }

        /// Returns earlier if the task is cancelled.
        ///
        /// Not `Task.sleep`: when that is cancelled its timer stays until its time has come, and every task would leave one behind
        /// for a minute.
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
