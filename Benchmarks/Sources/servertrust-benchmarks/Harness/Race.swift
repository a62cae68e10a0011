/// Contenders measured side by side: in every round each has its turn of some milliseconds, and every round starts with
/// another one. What the machine does besides, and what its clock frequency does, hits all of them alike.
struct Race {
    /// How long each contender runs in each round.
    var turn: Duration = .milliseconds(5)
    var rounds: Int

    func run(_ contenders: [any Contender]) async throws -> [Timing] {
        var iterations: [Int] = []
        for contender in contenders { iterations.append(try await calibrate(contender)) }
        var samples = [[Double]](repeating: [], count: contenders.count)
        for round in 0..<rounds {
            for offset in contenders.indices {
                let index = (round + offset) % contenders.count
                let time = try await measure(contenders[index], iterations[index])
                samples[index].append(time.nanoseconds / Double(iterations[index]))
            }
        }
        return zip(contenders, samples).map { Timing(name: $0.name, samples: $1) }
    }

    /// How many iterations fill a turn. Warms up caches, lazily prepared keys and the like, too.
    private func calibrate(_ contender: any Contender) async throws -> Int {
        var iterations = 1
        while true {
            let time = try await measure(contender, iterations)
            if time >= turn / 4 || iterations > 1 << 24 {
                return max(1, Int(Double(iterations) * turn.nanoseconds / max(1, time.nanoseconds)))
            }
            iterations *= 2
        }
    }

    private func measure(_ contender: any Contender, _ iterations: Int) async throws -> Duration {
        let start = ContinuousClock.now
        try await contender.run(iterations)
        return ContinuousClock.now - start
    }
}

/// What a race found out about one contender.
struct Timing {
    let name: String
    /// Nanoseconds an iteration, one sample a round.
    private let sorted: [Double]

    init(name: String, samples: [Double]) {
        self.name = name
        self.sorted = samples.sorted()
    }

    var median: Double { quantile(0.5) }
    var fastest: Double { sorted.first ?? .nan }
    /// Nine rounds of ten were at most this slow.
    var slow: Double { quantile(0.9) }

    private func quantile(_ fraction: Double) -> Double {
        guard !sorted.isEmpty else { return .nan }
        let position = fraction * Double(sorted.count - 1)
        let below = sorted[Int(position)]
        let above = sorted[min(Int(position) + 1, sorted.count - 1)]
        return below + (above - below) * (position - position.rounded(.down))
    }
}

extension Duration {
    var nanoseconds: Double { Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9 }
    var milliseconds: Double { nanoseconds / 1e6 }
    var seconds: Double { nanoseconds / 1e9 }
}
