// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX

/// A clock that stands still until it is told otherwise. It starts at ``TestAuthority/now``.
///
/// ```swift
/// let clock = TestClock()
/// cache.now = { clock.now }
/// clock.advance(by: 3600)
/// ```
/// `@unchecked`: `time` is read and written under `lock` alone.
public final class TestClock: @unchecked Sendable {
    private let lock = NSLock()
    private var time: Time

    public init(_ time: Time = TestAuthority.now) { self.time = time }

    /// What time it is, and always was since the last change.
    public var now: Time {
        get { lock.withLock { time } }
        set { lock.withLock { time = newValue } }
    }

    /// Sets it forward, or with a negative number back.
    public func advance(by seconds: Int64) {
        lock.withLock { time = time.advanced(by: seconds) }
    }
}
