// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustPins

/// The state of the checks of one file.
struct PinLintContext {
    let file: String
    let format: PinFormat?
    let configuration: PinConfiguration
    let table: PinTable
    /// The locations of strings that aren't pins. Each of them has a finding. The pin that replaces the string isn't in
    /// the file.
    let standIns: Set<PinFileLocation>
    let linter: PinLinter
    let known: KnownCertificates
    /// The certificates of public CAs that the caller passes to the linter, such as the CCADB's. It contains no server
    /// certificates.
    let authorities: KnownCertificates
    /// The digests of the known certificates that users pin by mistake.
    let mistakes: PinMistakes
    let successors: SuccessorIndex
    private(set) var findings: [PinFinding] = []
    /// Counts the comparisons of rules and the text of findings, because all rules of a file may cover the same hosts.
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
        // A subject names all hosts of a rule, so it is created only if the finding is kept.
        guard charge(256) else { return }
        let finding = PinFinding(
            rule, severity, at: location ?? PinFileLocation(file: file), subject: subject(), message(), fix: fix)
        guard charge((finding.subject?.utf8.count ?? 0) + finding.message.utf8.count) else { return }
        findings.append(finding)
    }

    /// Adds a finding about a rule or one of its pins. The rule's hosts precede the message.
    mutating func add(
        _ lintRule: PinLintRule, _ severity: PinFinding.Severity? = nil, on rule: PinRule, at pin: Pin? = nil,
        _ message: @autoclosure () -> String, fix: String? = nil
    ) {
        add(
            lintRule, severity, at: pin?.location ?? rule.location, subject: rule.subject,
            "\(rule.subject): \(message())", fix: fix)
    }

    /// The maximum work for the checks of a file, in bytes. It grows with the file, so that rules for different hosts
    /// never use it up.
    static func budget(forBytes count: Int) -> Int { (32 << 20) + 64 * count }

    /// Charges work. The first refusal is a finding, because a file isn't clean unless all checks ran.
    /// - Returns: whether to do the work.
    mutating func charge(_ work: Int) -> Bool {
        let wasExhausted = meter.isExhausted
        if meter.charge(work: work) { return true }
        if !wasExhausted { findings.append(.tooManyComparisons(in: file)) }
        return false
    }
}

extension PinFinding {
    /// The finding for a file whose rules weren't all checked.
    static func tooManyComparisons(in file: String) -> PinFinding {
        PinFinding(
            .unreadable(.pinFileTooLarge), nil, at: PinFileLocation(file: file),
            "too many rules cover the same hosts, so not all of them were checked; expected fewer rules, or several files",
            fix: nil)
    }
}

extension PinRule {
    /// A human-readable list of the hosts.
    var subject: String { hosts.isEmpty ? "any host" : hosts.map(\.description).joined(separator: ", ") }
}
