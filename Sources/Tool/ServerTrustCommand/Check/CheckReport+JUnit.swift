// SPDX-License-Identifier: Apache-2.0

extension CheckReport {
    /// Returns a JUnit report with a test case for each server.
    func junit() -> JUnit {
        JUnit(
            suite: "servertrust check",
            cases: results.map { result in
                var junitCase = JUnit.Case(
                    name: result.endpoint.description, group: "servertrust.check", milliseconds: result.milliseconds)
                let code = result.code ?? "redirect"
                switch result.outcome {
                case .trusted: break
                case .rejected, .expiring:
                    junitCase.outcome = .failure(
                        type: code, message: result.headline,
                        details: CheckReport(results: [result], isLong: true).text(.plain))
                case .undecided:
                    junitCase.outcome = .error(
                        type: code, message: result.headline,
                        details: CheckReport(results: [result], isLong: true).text(.plain))
                }
                return junitCase
            })
    }
}
