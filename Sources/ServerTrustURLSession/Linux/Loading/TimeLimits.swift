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

        /// Returns when one of the limits is reached.
        /// - Throws: when it is cancelled.
        func wait() async throws {
            while true {
                let now = ContinuousClock.now
                let (lastSign, isPaused) = state.withLock { ($0.lastSign, $0.pauses > 0) }
                let end = isPaused ? start + whole : min(start + whole, lastSign + idle)
                guard now < end else { return }
                // A pause may begin or end meanwhile.
                try await Self.sleep((isPaused ? min(end, now + .milliseconds(250)) : end) - now)
            }
        }

        /// Not `Task.sleep`: when that is cancelled its timer stays until its time has come, and every task would leave one behind
        /// for a minute.
        private static func sleep(_ duration: Duration) async throws {
            let nanoseconds = min(duration / .nanoseconds(1), 1e18)
            let timer = MultiThreadedEventLoopGroup.singleton.any()
                .scheduleTask(in: .nanoseconds(Int64(nanoseconds))) {}
            try await withTaskCancellationHandler {
                try await timer.futureResult.get()
            } onCancel: {
                timer.cancel()
            }
        }
    }
#endif
