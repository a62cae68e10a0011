// SPDX-License-Identifier: Apache-2.0

import AllocationCounter

extension Contender {
    /// Returns the heap allocations of so many iterations, by all threads.
    func allocations(iterations: Int = 1) async throws -> allocation_count {
        allocation_counter_start()
        defer { _ = allocation_counter_stop() }
        try await run(iterations)
        return allocation_counter_stop()
    }
}
