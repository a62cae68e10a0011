// SPDX-License-Identifier: Apache-2.0

/// A delay between attempts that doubles with each failure, up to a maximum.
package struct ExponentialBackOff: Sendable, Hashable {
    /// The nominal delay after the first failure.
    let initial: Duration
    /// The maximum nominal delay.
    let maximum: Duration

    package init(initial: Duration, maximum: Duration) {
        self.initial = initial
        self.maximum = maximum
    }

    /// Returns the delay without jitter, or zero if there was no failure.
    /// - Parameter failures: the number of failures in a row.
    package func nominalDelay(afterFailures failures: Int) -> Duration {
        guard failures > 0 else { return .zero }
        var delay = min(initial, maximum)
        var doublings = failures - 1
        while doublings > 0, delay > .zero, delay < maximum {
            delay = delay > maximum / 2 ? maximum : delay * 2
            doublings -= 1
        }
        return delay
    }

    /// Returns the delay with jitter (``jittered(_:random:)``).
    package func delay(afterFailures failures: Int, random: Double) -> Duration {
        Self.jittered(nominalDelay(afterFailures: failures), random: random)
    }

    /// Returns a duration between half of `delay` and all of it, so that clients that fail together don't retry
    /// together.
    /// - Parameter random: a random number from 0 for half to 1 for all. Numbers outside this range count as 0 or 1.
    package static func jittered(_ delay: Duration, random: Double) -> Duration {
        delay * (0.5 + min(max(random, 0), 1) / 2)
    }
}
