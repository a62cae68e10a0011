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
    ///   - facts: facts about the connection, for display.
    package init(
        undecided name: String, problem: String, code: String?, at date: Time, remedy: String? = nil,
        facts: [Field] = []
    ) {
        schemaVersion = Self.schemaVersion
        self.name = ReportText.shown(name, to: 512)
        outcome = .undecided
        headline = ReportText.shown("\(name) could not be checked: \(problem)")
        reason = ReportText.shown(problem)
        self.code = code.map { ReportText.shown($0, to: 64) }
        self.date = date
        validUntil = nil
        self.facts = Array(facts.prefix(64))
        certificates = []
        presented = []
        path = nil
        otherPaths = []
        checks = []
        revocation = []
        transparency = nil
        anchor = nil
        pins = nil
        fetched = []
        warnings = []
        explanations = []
        nextSteps = remedy.map { [NextStep(.server, code: code, $0)] } ?? []
        omitted = [:]
    }
}
