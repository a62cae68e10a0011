// SPDX-License-Identifier: Apache-2.0

/// Contenders measured side by side: in every round each has its turn of some milliseconds, and every round starts with
/// another one. Other load of the machine, and changes of its clock frequency, affect all of them alike.
struct Race {
    /// The time of each contender in each round, in nanoseconds.
    var turn = 5e6
    var rounds: Int

    func run(_ contenders: [any Contender]) async throws -> [Timing] {
        var iterations: [Int] = []
        for contender in contenders { iterations.append(try await calibrate(contender)) }
        var samples = [[Double]](repeating: [], count: contenders.count)
        for round in 0..<rounds {
            for offset in contenders.indices {
                let index = (round + offset) % contenders.count
                let time = try await measure(contenders[index], iterations[index])
                samples[index].append(time / Double(iterations[index]))
            }
        }
        return zip(contenders, samples).map { Timing(name: $0.name, samples: $1) }
    }

    /// Returns the number of iterations that fill a turn. The first iteration doesn't count: it fills caches, prepares
    /// keys and opens connections.
    private func calibrate(_ contender: any Contender) async throws -> Int {
        try await contender.run(1)
        var iterations = 1
        while true {
            let time = try await measure(contender, iterations)
            if time >= turn / 4 || iterations > 1 << 24 {
                return max(1, Int(Double(iterations) * turn / max(1, time)))
            }
            iterations *= 2
        }
    }

    private func measure(_ contender: any Contender, _ iterations: Int) async throws -> Double {
        let start = ProcessorTime.now()
        try await contender.run(iterations)
        return ProcessorTime.now() - start
    }
}

/// The times of one contender in a race.
struct Timing {
    let name: String
    /// Nanoseconds an iteration, one sample a round, in the order of the rounds.
    let samples: [Double]
    /// Instructions of one iteration, if they were counted.
    var instructions: Double?

    var median: Double { samples.quantile(0.5) }
    var fastest: Double { samples.min() ?? .nan }
    /// Nine rounds of ten were at most this slow.
    var slow: Double { samples.quantile(0.9) }

    /// The median, over all rounds, of the ratio to `other` in the same round.
    ///
    /// A machine that is busy for some of the rounds slows both down in them, and the ratio hardly changes; a ratio of medians
    /// may take one from a quiet round and the other from a busy one.
    func ratio(to other: Timing) -> Double { zip(samples, other.samples).map { $0 / $1 }.quantile(0.5) }
}

extension [Double] {
    func quantile(_ fraction: Double) -> Double {
        guard !isEmpty else { return .nan }
        let sorted = sorted()
        let position = fraction * Double(count - 1)
        let below = sorted[Int(position)]
        let above = sorted[Swift.min(Int(position) + 1, count - 1)]
        return below + (above - below) * (position - position.rounded(.down))
    }
}
