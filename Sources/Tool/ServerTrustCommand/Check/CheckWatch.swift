// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// Runs the rounds of `servertrust check --watch`. Each round writes one line per server, with the changes since the
/// previous round.
struct CheckWatch {
    let interval: Duration
    let endpoints: [ServerEndpoint]
    let palette: Palette
    /// Whether each result is a line of JSON.
    let isJSON: Bool

    /// Runs until a signal arrives.
    ///
    /// Rounds start at multiples of the interval after the first one. If a round takes longer, the next one starts at
    /// the following multiple. Rounds neither drift nor overlap.
    /// - Returns: the tally of the last complete round, or nil if there wasn't one.
    func run(_ session: CheckSession) async throws -> CheckTally? {
        let start = ContinuousClock.now
        var previous: [Int: CheckRow] = [:]
        var complete: CheckTally?
        var round = 1
        while true {
            var rows: [Int: CheckRow] = [:]
            var lines = CheckOutput.jsonLines(round: round)
            let time = Time.now()
            let tally = try await session.round(endpoints) { index, result in
                if isJSON { try lines.add(result, at: index) }
                rows[index] = CheckRow(result)
            }
            if !isJSON { try write(rows, previous, at: time) }
            guard !session.isStopped else { return complete }
            previous = rows
            complete = tally
            round += 1
            guard await session.wait(until: Self.next(after: .now, start, interval)) else { return complete }
        }
    }

    /// Returns the first multiple of the interval after an instant.
    static func next(
        after now: ContinuousClock.Instant, _ start: ContinuousClock.Instant, _ interval: Duration
    ) -> ContinuousClock.Instant {
        let passed = (now - start) / interval
        return start.advanced(by: interval * (Int(passed.rounded(.down)) + 1))
    }

    private func write(_ rows: [Int: CheckRow], _ previous: [Int: CheckRow], at time: Time) throws {
        let width = CheckRow.nameWidth(endpoints)
        let lines = rows.sorted { $0.key < $1.key }.map { index, row in
            let change = previous[index].flatMap { row.change(from: $0) }
            return palette.faint("\(time)  ") + row.text(palette, nameWidth: width)
                + (row.leafName.map { palette.faint(", leaf \($0)") } ?? "")
                + (change.map { palette.bold("  CHANGED: ") + $0 } ?? "")
        }
        guard !lines.isEmpty else { return }
        try StandardStream.output.writeLine(lines.joined(separator: "\n"))
    }
}

extension CheckRow {
    /// The first eight digits of the leaf's SHA-256.
    var leafName: String? { leaf.map { Hex.encode($0.prefix(4)) } }

    /// Returns the differences from an earlier row, or nil for none. It ignores the remaining days and the duration.
    func change(from earlier: CheckRow) -> String? {
        var changes: [String] = []
        if outcome != earlier.outcome || code != earlier.code {
            changes.append("was \(earlier.outcome.rawValue)\(earlier.code.map { " [\($0)]" } ?? "")")
        }
        if leaf != earlier.leaf { changes.append("leaf was \(earlier.leafName ?? "none")") }
        if leaf == earlier.leaf, notAfter != earlier.notAfter { changes.append("another path") }
        return changes.isEmpty ? nil : changes.joined(separator: ", ")
    }
}
