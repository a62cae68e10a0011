// SPDX-License-Identifier: Apache-2.0

import PKIX

extension TrustReport {
    /// Creates a report on a server without a verdict.
    /// - Parameters:
    ///   - name: the name of the server, such as `api.example.com:443`.
    ///   - problem: the reason in a sentence.
    ///   - code: the stable code of the reason, if any.
    ///   - date: the date of the attempt.
    ///   - remedy: the step to take, if any.
    package init(undecided name: String, problem: String, code: String?, at date: Time, remedy: String? = nil) {
        self.init(
            name, .undecided, headline: "\(name) could not be checked: \(problem)", reason: problem, code: code,
            date: date)
        nextSteps = remedy.map { [NextStep(.server, code: code, $0)] } ?? []
    }
}
