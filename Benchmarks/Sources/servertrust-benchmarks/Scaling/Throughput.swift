// SPDX-License-Identifier: Apache-2.0

/// The rate at which several threads do the work of one contender at the same time.
struct Throughput {
    /// The duration of a round, in nanoseconds.
    var turn = 4e7
    var rounds: Int

    struct Result {
        /// Iterations per second of all threads together, in the fastest round.
        var rate: Double
        /// Nanoseconds of all processors for one iteration, the median of the rounds.
        var processorTime: Double
    }

    /// Measures contenders side by side. In every round, each contender has a turn with each number of threads.
    /// - Returns: the results by contender, in the order of `threads`.
    func measure(_ contenders: [any Contender], threads: [Int]) async throws -> [[Result]] {
        let executors = (0..<(threads.max() ?? 1)).map { _ in ThreadExecutor() }
        var iterations: [Int] = []
        for contender in contenders { iterations.append(try await calibrate(contender, executors)) }
        var samples = contenders.map { _ in threads.map { _ in (wall: [Double](), processor: [Double]()) } }
        for round in 0..<rounds {
            for offset in contenders.indices {
                let index = (round + offset) % contenders.count
                for (position, count) in threads.enumerated() {
                    let time = try await run(contenders[index], iterations[index], executors.prefix(count))
                    let done = Double(iterations[index] * count)
                    samples[index][position].wall.append(time.wall / done)
                    samples[index][position].processor.append(time.processor / done)
                }
            }
        }
        return samples.map { list in
            list.map { Result(rate: 1e9 / ($0.wall.min() ?? .nan), processorTime: $0.processor.quantile(0.5)) }
        }
    }

    private func calibrate(_ contender: any Contender, _ executors: [ThreadExecutor]) async throws -> Int {
        var iterations = 1
        while true {
            let time = try await run(contender, iterations, executors.prefix(1)).wall
            if time >= turn / 4 || iterations > 1 << 24 { return max(1, Int(Double(iterations) * turn / max(1, time))) }
            iterations *= 2
        }
    }

    private func run(
        _ contender: any Contender, _ iterations: Int, _ executors: ArraySlice<ThreadExecutor>
    ) async throws -> (wall: Double, processor: Double) {
        let processor = ProcessorTime.now()
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for executor in executors {
                group.addTask(executorPreference: executor) { try await contender.run(iterations) }
            }
            try await group.waitForAll()
        }
        return ((ContinuousClock.now - start) / .nanoseconds(1), ProcessorTime.now() - processor)
    }
}
