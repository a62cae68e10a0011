// SPDX-License-Identifier: Apache-2.0

/// The cost that the transparency check adds to the evaluation of a chain with two embedded timestamps, when the
/// timestamps are verified and when they are remembered.
struct TransparencyBenchmark: Benchmark {
    let name = "transparency"
    let summary = "what two timestamps of logs add to an evaluation, beside their signatures alone"

    func run(_ settings: Settings) async throws -> Section {
        let published = try PublishedLeaf()
        let plain = "path alone"
        let checked = "path and timestamps"
        let plainRemembered = "path remembered"
        let checkedRemembered = "path and timestamps remembered"
        var timings = try await settings.race([
            published.rawSignatures,
            PublishedVerdict(name: plain, published: published, checks: false, remembers: false),
            PublishedVerdict(name: checked, published: published, checks: true, remembers: false),
            PublishedVerdict(name: plainRemembered, published: published, checks: false, remembers: true),
            PublishedVerdict(name: checkedRemembered, published: published, checks: true, remembers: true),
        ])
        if let python = PythonTimestamps.timing(published, rounds: settings.rounds) { timings.append(python) }
        var section = Section(benchmark: name, title: summary, timings: timings, base: ContenderName.raw)
        let byName = Dictionary(uniqueKeysWithValues: timings.map { ($0.name, $0) })
        if let raw = byName[ContenderName.raw], let with = byName[checked], let without = byName[plain] {
            section.claims.append(
                Section.Claim(
                    what: "two timestamps / \(ContenderName.raw)", value: (with - without).ratio(to: raw), limit: 1.15,
                    unit: "x"))
            if let python = byName[PythonTimestamps.name] {
                section.claims.append(
                    Section.Claim(
                        what: "two timestamps / \(python.name)", value: (with - without).median / python.median,
                        limit: 1, unit: "x"))
            }
        }
        if let with = byName[checkedRemembered], let without = byName[plainRemembered] {
            section.claim("two timestamps remembered", with - without, microseconds: 2)
        }
        return section
    }
}

extension Timing {
    /// Returns by how much the first timing is longer than the second, round by round.
    fileprivate static func - (left: Timing, right: Timing) -> Timing {
        Timing(name: left.name, samples: zip(left.samples, right.samples).map { $0 - $1 })
    }
}
