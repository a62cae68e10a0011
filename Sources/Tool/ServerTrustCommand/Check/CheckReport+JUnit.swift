// SPDX-License-Identifier: Apache-2.0

extension CheckReport {
    /// Returns a JUnit report with a test case for each server.
    func junit() -> JUnit {
        JUnit(
            suite: "servertrust check",
            cases: results.map { result in
                var outcome = JUnit.Outcome.passed
                if result.outcome != .trusted {
                    let make = result.outcome == .undecided ? JUnit.Outcome.error : JUnit.Outcome.failure
                    let details = CheckReport(results: [result], isLong: true).text(.plain)
                    outcome = make(result.code ?? "redirect", result.headline, details)
                }
                return JUnit.Case(
                    name: result.endpoint.description, group: "servertrust.check", milliseconds: result.milliseconds,
                    outcome: outcome)
            })
    }
}
