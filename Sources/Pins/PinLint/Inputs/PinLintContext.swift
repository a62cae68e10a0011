// SPDX-License-Identifier: Apache-2.0

import PKIX
import PinModel
import ServerTrust

/// The state of the checks of one file.
struct PinLintContext {
    let file: String
    let format: PinFormat?
    let configuration: PinConfiguration
    let table: PinTable
    /// The locations of texts that are no pins. Each has a finding, and the pin that stands for it isn't in the file.
    let standIns: Set<PinFileLocation>
    let linter: PinLinter
    let known: KnownCertificates
    /// The certificates of public CAs that the linter was given, as those of the CCADB. No server's is among them.
    let authorities: KnownCertificates
    /// The digests of the known certificates that people pin by mistake.
    let mistakes: PinMistakes
    let successors: SuccessorIndex
    private(set) var findings: [PinFinding] = []
    /// Counts the comparisons of rules and the text of findings: rules of one file may all reach one another.
    private(set) var meter: WorkMeter
    /// The budget of ``meter``.
    let budget: Int

    init(
        _ source: PinLintSource, _ configuration: PinConfiguration, linter: PinLinter, known: KnownCertificates,
        authorities: KnownCertificates, mistakes: PinMistakes, successors: SuccessorIndex
    ) {
        self.file = source.file
        self.format = source.format
        self.configuration = configuration
        self.table = PinTable(configuration)
        self.standIns = configuration.standIns
        self.linter = linter
        self.authorities = authorities
        self.mistakes = mistakes
        self.successors = successors
        self.budget = Self.budget(forBytes: source.bytes.count)
        self.meter = WorkMeter(work: budget)
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
        _ rule: PinLintRule, _ severity: PinFinding.Severity? = nil, at location: PinFileLocation?,
        subject: @autoclosure () -> String? = nil,
        _ message: @autoclosure () -> String, fix: String? = nil
    ) {
        // A subject names all hosts of a rule, so it isn't made where it isn't kept.
        guard charge(256) else { return }
        let finding = PinFinding(
            rule, severity, at: location ?? PinFileLocation(file: file), subject: subject(), message(), fix: fix)
        guard charge((finding.subject?.utf8.count ?? 0) + finding.message.utf8.count) else { return }
        findings.append(finding)
    }

    /// The work that the checks of a file may take, in bytes. It grows with the file, so that rules which don't reach one another never use
    /// it up.
    static func budget(forBytes count: Int) -> Int { (32 << 20) + 64 * count }

    /// Charges work. The first refusal is a finding: without all checks the file isn't in order.
    /// - Returns: false if the work isn't to be done.
    mutating func charge(_ work: Int) -> Bool {
        let wasExhausted = meter.isExhausted
        if meter.charge(work: work) { return true }
        if !wasExhausted { findings.append(.tooManyComparisons(in: file)) }
        return false
    }
}

extension PinFinding {
    /// The finding for a file of which not all rules were checked.
    static func tooManyComparisons(in file: String) -> PinFinding {
        PinFinding(
            .unreadable(.pinFileTooLarge), nil, at: PinFileLocation(file: file),
            "too many rules reach the same hosts: not all of them were checked; expected fewer rules, or several files",
            fix: nil)
    }
}

extension PinRule {
    /// The hosts, for people.
    var subject: String { hosts.isEmpty ? "any host" : hosts.map(\.description).joined(separator: ", ") }
}
