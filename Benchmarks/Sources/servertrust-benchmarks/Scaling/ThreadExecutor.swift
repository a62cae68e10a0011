// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization

/// A thread that runs the tasks that prefer it. The concurrency pool has only as many threads as the machine has
/// processors.
final class ThreadExecutor: TaskExecutor {
    private let jobs = Jobs()

    init() {
        let jobs = jobs
        Thread.detachNewThread {
            while let job = jobs.next() { job() }
        }
    }

    deinit { jobs.stop() }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.add { [unowned self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    private final class Jobs: Sendable {
        private let waiting = Mutex<(jobs: [@Sendable () -> Void], isStopped: Bool)>(([], false))
        private let count = DispatchSemaphore(value: 0)

        func add(_ job: @escaping @Sendable () -> Void) {
            waiting.withLock { $0.jobs.append(job) }
            count.signal()
        }

        func stop() {
            waiting.withLock { $0.isStopped = true }
            count.signal()
        }

        /// Waits for a job. Returns nil after ``stop()``.
        func next() -> (@Sendable () -> Void)? {
            count.wait()
            return waiting.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
        }
    }
}
