// SPDX-License-Identifier: Apache-2.0

/// Starts children that run the exchanges, and continues after each crash.
struct Parent {
    /// The exchanges of one child. Each child starts with an empty heap.
    private static let part = 2000
    /// The crashes after which a run ends early.
    private static let mostCrashes = 200
    /// The attempts to repeat a crash with one exchange. Some crashes depend on the order of events.
    private static let repetitions = 8

    var options: Options
    var tally = Tally()
    private var crashes = 0
    /// Receives a finding as soon as it is known.
    private let report: (String) -> Void

    init(_ options: Options, report: @escaping (String) -> Void) {
        self.options = options
        self.report = report
    }

    /// Runs all exchanges.
    /// - Parameter afterPart: called with the number of the next exchange after each part.
    mutating func run(afterPart: (Int, Tally) throws -> Void = { _, _ in }) throws {
        let end = options.from + options.count
        var start = options.from
        while start < end, crashes < Self.mostCrashes {
            start = try run(from: start, to: min(start + Self.part, end))
            try afterPart(start, tally)
        }
    }

    /// Runs a part until its end or a crash.
    /// - Returns: the next exchange.
    private mutating func run(from start: Int, to end: Int) throws -> Int {
        var part = options
        (part.from, part.count) = (start, end - start)
        var running: Set<Int> = []
        var last = start - 1
        let ended = try child(part, traces: false, &running, &last)
        switch ended {
        case .done: return end
        case .stuck: note(running.min() ?? start, "hang", "the process is silent; running: \(running.sorted())")
        case .crashed(let text): try repeatAlone(running, after: text)
        }
        crashes += 1
        return last + 1
    }

    /// Runs a child and counts its lines.
    private mutating func child(
        _ part: Options, traces: Bool, _ running: inout Set<Int>, _ last: inout Int
    ) throws -> ChildProcess.End {
        var tally = tally
        let report = report
        let seed = part.seed
        let end = try ChildProcess.run(part, traces: traces) { fields in
            let index = fields.count > 1 ? Int(fields[1]) ?? 0 : 0
            switch fields.first {
            case "B":
                running.insert(index)
                last = max(last, index)
            case "E" where fields.count > 4:
                running.remove(index)
                tally.add(fields[2], attempts: fields[3], kinds: fields[4].components(separatedBy: "|"), index)
            case "F" where fields.count > 4:
                tally.find(fields[2], fields[3], index)
                report("\(seed):\(index): \(fields[2]): \(fields[3]): \(fields[4])")
            case "R": tally.resources = fields.dropFirst().compactMap { Int($0) }
            default: break
            }
        }
        self.tally = tally
        return end
    }

    /// Runs the exchanges that were running when a process ended, each in its own process, until one ends it again.
    private mutating func repeatAlone(_ suspects: Set<Int>, after text: String) throws {
        var isFound = false
        for attempt in 1...Self.repetitions where !isFound {
            for suspect in suspects.sorted() {
                var alone = options
                (alone.from, alone.count, alone.lanes) = (suspect, 1, 1)
                var running: Set<Int> = []
                var last = suspect
                let before = tally
                let end = try child(alone, traces: true, &running, &last)
                // The first attempt counts.
                if attempt > 1 { tally = before }
                guard case .crashed(let text) = end else { continue }
                isFound = true
                note(suspect, "crash", text)
                if attempt > 1 { break }
            }
        }
        if !isFound { note(suspects.min() ?? 0, "crash", "\(text); no exchange does it alone: \(suspects.sorted())") }
    }

    private mutating func note(_ index: Int, _ kind: String, _ text: String) {
        let client = options.only ?? (try? Exchange(seed: options.seed, index: index))?.client
        let name = client?.rawValue ?? "all"
        tally.find(kind, name, index)
        report("\(options.seed):\(index): \(kind): \(name): \(text)")
    }
}
