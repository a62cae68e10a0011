// SPDX-License-Identifier: Apache-2.0

import ServerTrustNIO

extension CheckReport {
    /// Returns a case for each server.
    func junit() -> JUnit {
        JUnit(
            suite: "servertrust check",
            cases: results.map { result in
                var junitCase = JUnit.Case(
                    name: result.endpoint.description, group: "servertrust.check", milliseconds: result.milliseconds)
                if result.isRejected {
                    let step = result.steps.first(where: \.isRejected)
                    junitCase.outcome = .failure(
                        type: step?.report?.verdict.headline?.code.name ?? "redirect", message: result.headline,
                        details: CheckReport(results: [result]).text(.plain))
                } else if let error = result.steps.compactMap(\.error).first {
                    junitCase.outcome = .error(type: error.reason.rawValue, message: result.headline)
                }
                return junitCase
            })
    }
}
