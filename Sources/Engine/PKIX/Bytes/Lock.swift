// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A value protected by a lock. (`Synchronization.Mutex` needs macOS 15, but this package runs on macOS 13.)
@safe @usableFromInline package final class Locked<Value>: @unchecked Sendable {
    // This type is sendable because only `withLock` reads and writes `value`, between locking and unlocking `mutex`.
    // The address of `mutex` stays the same while the object lives, as POSIX requires.
    @usableFromInline var value: Value
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>

    package init(_ value: sending Value) {
        self.value = value
        unsafe self.mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deinitialize(count: 1)
        unsafe mutex.deallocate()
    }

    // Inlined into other modules, because the work under most locks takes less time than an unspecialized call.
    /// Runs `body` while no other thread holds the lock. `body` must not acquire the same lock again.
    @inlinable package func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body(&value)
    }
}
