// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A value behind a lock. (`Synchronization.Mutex` needs macOS 15; this package runs on 13.)
@safe package final class Locked<Value>: @unchecked Sendable {
    // Proof of sendability: `value` is read and written only inside `withLock`, between lock and unlock of `mutex`, and
    // `mutex` has one address for the life of the object, as POSIX requires.
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

    // Inlined into other modules: the work under most locks takes less time than a call that knows no types.
    /// Runs `body` while no other thread is in it. `body` must not take the same lock again.
    @inlinable package func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body(&value)
    }
}
