// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

/// The state of the checks of one file.
struct PinLintContext {
    let file: String
    let format: PinFormat?
    let configuration: PinConfiguration
    let table: PinTable
    let linter: PinLinter
    let known: KnownCertificates
    let successors: SuccessorIndex
    private(set) var findings: [PinFinding] = []

    init(
        _ source: PinLintSource, _ configuration: PinConfiguration, linter: PinLinter, known: KnownCertificates,
        successors: SuccessorIndex
    ) {
        self.file = source.file
        self.format = source.format
        self.configuration = configuration
        self.table = PinTable(configuration)
        self.linter = linter
        self.successors = successors
        var known = known
        for pin in configuration.rules.lazy.flatMap(\.pins) {
            if case .certificate(let certificate) = pin.value { known.add(certificate) }
        }
        self.known = known
    }

    /// Adds a finding.
    /// - Parameters:
    ///   - severity: nil for the rule's own.
    ///   - location: nil for the whole file.
    ///   - fix: nil for the rule's own.
    mutating func add(
        _ rule: PinLintRule, _ severity: PinFinding.Severity? = nil, at location: SourceLocation?,
        subject: String? = nil,
        _ message: String, fix: String? = nil
    ) {
        findings.append(
            PinFinding(
                rule, severity, at: location ?? SourceLocation(file: file), subject: subject, message, fix: fix))
    }
}

extension PinRule {
    /// The hosts, for people.
    var subject: String { hosts.isEmpty ? "any host" : hosts.map(\.description).joined(separator: ", ") }
}
