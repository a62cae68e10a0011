// SPDX-License-Identifier: Apache-2.0

/// The counts of a run.
struct Tally: Sendable {
    struct Figures: Sendable {
        var exchanges = 0
        var answers = 0
        var errors = 0
        var findings = 0
        /// Requests that ended only after their task was canceled.
        var late = 0
        /// Exchanges whose next correct request was answered at the first attempt, the second, and so on.
        var attempts = [0, 0, 0, 0]
        var kinds: [String: Int] = [:]
    }

    var clients: [String: Figures] = [:]
    /// The exchanges with a finding, by kind.
    var findings: [String: [Int]] = [:]
    /// Descriptors, heap and resident memory after the last batch.
    var resources: [Int] = []

    var exchanges: Int { clients.values.reduce(0) { $0 + $1.exchanges } }
    var findingCount: Int { findings.values.reduce(0) { $0 + $1.count } }

    mutating func find(_ kind: String, _ client: String, _ index: Int) {
        findings[kind, default: []].append(index)
        clients[client, default: Figures()].findings += 1
    }

    mutating func add(_ client: String, attempts: String, kinds: [String], _ index: Int) {
        var figures = clients[client, default: Figures()]
        figures.exchanges += 1
        if let attempts = Int(attempts), (1...4).contains(attempts) { figures.attempts[attempts - 1] += 1 }
        for kind in kinds where !kind.isEmpty {
            figures.kinds[kind, default: 0] += 1
            if kind.hasPrefix("late ") { figures.late += 1 }
            if Int(kind.hasPrefix("late ") ? String(kind.dropFirst(5)) : kind) != nil {
                figures.answers += 1
            } else {
                figures.errors += 1
            }
        }
        clients[client] = figures
    }

    /// The table of clients and the histogram of outcomes.
    var text: String {
        var lines = [
            "client              exchanges  answers   errors     late findings   next request: 1st   2nd    3rd    4th attempt"
        ]
        func columns(_ numbers: [Int], _ width: Int) -> String {
            numbers.map { String(repeating: " ", count: max(1, width - "\($0)".count)) + "\($0)" }.joined()
        }
        for (name, figures) in clients.sorted(by: { $0.key < $1.key }) {
            lines.append(
                name.padded(20)
                    + columns([figures.exchanges, figures.answers, figures.errors, figures.late, figures.findings], 9)
                    + "           " + columns(figures.attempts, 7))
        }
        lines.append("")
        for (name, figures) in clients.sorted(by: { $0.key < $1.key }) {
            let kinds = figures.kinds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            lines.append("\(name): " + kinds.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
        }
        if resources.count == 3 {
            lines.append("")
            lines.append(
                "after the last batch: \(resources[0]) descriptors, heap \(resources[1] >> 20) MiB, resident \(resources[2] >> 20) MiB"
            )
        }
        return lines.joined(separator: "\n")
    }
}

extension String {
    fileprivate func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
