// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
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

    /// Calls a closure on an event loop when a limit is reached.
    ///
    /// This isn't `Task.sleep`: when that is canceled, its timer stays until it is due, and every task would leave
    /// a timer behind for a minute.
    /// - Returns: a closure that stops the timer.
    func whenReached(_ call: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let timer = Locked<Timer>(Timer())
        schedule(timer, on: MultiThreadedEventLoopGroup.singleton.any(), call)
        return {
            timer.withLock { timer in
                timer.isStopped = true
                return timer.next
            }?.cancel()
        }
    }

    private struct Timer {
        var next: Scheduled<Void>?
        var isStopped = false
    }

    private func schedule(
        _ timer: Locked<Timer>, on eventLoop: any EventLoop, _ call: @escaping @Sendable () -> Void
    ) {
        let now = now()
        let end = deadline
        guard now < end else { return call() }
        // A pause may begin or end meanwhile.
        let isPaused = state.withLock { $0.pauses > 0 }
        let duration = (isPaused ? min(end, now + .milliseconds(250)) : end) - now
        let nanoseconds = Int64(min(duration / .nanoseconds(1), 1e18))
        timer.withLock { [self] in
            guard !$0.isStopped else { return }
            $0.next = eventLoop.scheduleTask(in: .nanoseconds(nanoseconds)) {
                self.schedule(timer, on: eventLoop, call)
            }
        }
    }
}
#endif
