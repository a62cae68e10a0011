// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX

/// A clock whose time changes only when a test sets it. It starts at ``TestAuthority/now``.
///
/// ```swift
/// let clock = TestClock()
/// cache.now = { clock.now }
/// clock.advance(by: .hours(1))
/// ```
public final class TestClock: Sendable {
    private let time: Locked<Time>

    /// Creates a clock set to `time`.
    public init(_ time: Time = TestAuthority.now) { self.time = Locked(time) }

    /// The clock's time.
    public var now: Time {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }

    /// Moves the clock forward, or back for a negative duration, in whole seconds, rounded down.
    public func advance(by duration: Duration) {
        time.withLock { $0 = $0.advanced(by: duration) }
    }
}

#endif
