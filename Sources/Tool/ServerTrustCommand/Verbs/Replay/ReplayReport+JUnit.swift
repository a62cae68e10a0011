// SPDX-License-Identifier: Apache-2.0

extension ReplayReport {
    /// Returns a report with a case for each host. A case fails if a connection to the host is newly refused, or if a
    /// replay without changes differs, or if it breaks during the timeline. It is skipped if the answer isn't known. Unreadable lines are an error.
    func junit() -> JUnit {
        let group = "servertrust.replay"
        var cases = rows.map { row in
            var testCase = JUnit.Case(name: row.host ?? "records without a host", group: group)
            switch row.outcome {
            case .ok: break
            case .notKnown: testCase.outcome = .skipped(message: "not known: \(row.cause.reason ?? "not reproducible")")
            case .breaks:
                let count = row.count
                let message =
                    row.later == .breaks && row.replayed != .breaks
                    ? "breaks at \(row.firstBreak.map { "\($0.from)" } ?? "")"
                    : changes.isEmpty
                        ? "\(AuditWords.count(count.differences, "record")) with differences"
                        : "\(AuditWords.number(count.connections(.newlyRefused))) of "
                            + "\(AuditWords.count(count.evaluated, "connection")) would be refused"
                testCase.outcome = failure(row, message)
            }
            return testCase
        }
        if total.evaluated == 0 {
            cases.append(
                JUnit.Case(
                    name: "evaluated connections", group: group,
                    outcome: .error(type: "notKnown", message: "no connection could be evaluated")))
        }
        if let lintHeadline, let lint {
            let details = lint.findings.filter(\.isFailure).map { "\($0.location.shown): \($0.message)" }
            cases.append(
                JUnit.Case(
                    name: "lint", group: group,
                    outcome: .failure(type: "lint", message: lintHeadline, details: details.joined(separator: "\n"))))
        }
        if total.lines(.unreadable) > 0 {
            let examples = summary.examples.filter { $0.result == .unreadable }
            cases.append(
                JUnit.Case(
                    name: "unreadable lines", group: group,
                    outcome: .error(
                        type: "unreadable", message: AuditWords.count(total.lines(.unreadable), "unreadable line"),
                        details: examples.map { "\($0.place): \($0.cause.reason ?? "")" }.joined(separator: "\n"))))
        }
        return JUnit(suite: "servertrust audit --replay", cases: cases)
    }

    private func failure(_ row: ReplayRow, _ message: String) -> JUnit.Outcome {
        let details = [row.cause.reason, row.cause.remedy.map { "fix: \($0.text)" }, row.command.map { "run: \($0)" }]
        return .failure(
            type: row.cause.code ?? "replay", message: message,
            details: details.compactMap(\.self).joined(separator: "\n"))
    }
}
