// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

extension PinLinter {
    /// Returns the findings in the files of one app, ordered by file and line. Within a line, the most severe finding
    /// comes first.
    ///
    /// They include findings that a comment in the file accepts (`servertrust:ignore ID`). See
    /// ``PinFinding/isAccepted``.
    public func findings(in sources: [PinLintSource]) -> [PinFinding] {
        Self.sorted(accepting(unreviewedFindings(in: sources), in: sources), by: sources)
    }

    /// Returns the findings, ignoring comments that accept findings.
    func unreviewedFindings(in sources: [PinLintSource]) -> [PinFinding] {
        let known = KnownCertificates(self)
        let atHand = servers.flatMap { $0.paths.joined() } + certificates
        var mistakes = PinMistakes(atHand.prefix(Self.maximumMistaken))
        // For the roots of a store, and for thousands of CAs, only the published fingerprints are likely to be pinned
        // by mistake.
        mistakes.add(fingerprintsOf: Array(atHand.dropFirst(Self.maximumMistaken)) + (anchors ?? []))
        let authorities = KnownCertificates(authorities: self.successors)
        // Without a server, there is nothing to forecast.
        let successors = SuccessorIndex(
            servers.isEmpty
                ? []
                : self.successors + certificates + servers.flatMap { $0.paths.joined() }
                    + (anchors ?? []))
        var scopes: [PinLintContext] = []
        var findings: [PinFinding] = []
        func scope(_ source: PinLintSource, _ configuration: PinConfiguration) -> PinLintContext {
            PinLintContext(
                source, configuration, linter: self, known: known, authorities: authorities, mistakes: mistakes,
                successors: successors)
        }
        for source in sources {
            switch source.contents {
            case .success(let configuration):
                findings += configuration.oddities.map { PinFinding($0, mistakes) }
                scopes.append(scope(source, configuration))
            case .failure(let error):
                findings += error.problems.map { PinFinding($0, mistakes) }
                // The other rules get the checks that need no other rule and no other file.
                guard let rest = try? PinConfiguration(rules: error.rest) else { continue }
                var scope = scope(source, rest)
                for rule in rest.rules { scope.check(rule) }
                let others: [PinLintRule] = [.missingWWW, .oneLabel, .rootNotInStore]
                findings += scope.findings.filter { !others.contains($0.rule) }
            }
        }
        for index in scopes.indices { scopes[index].checkAll() }
        return findings + scopes.flatMap(\.findings) + AgreementCheck.findings(among: scopes)
            + DebugResourceCheck.findings(among: scopes)
    }

    /// The maximum number of certificates whose digests the linter computes to recognize mistaken pins.
    private static let maximumMistaken = 256

    /// Returns the findings sorted by file in the order of the sources, then by line and severity.
    static func sorted(_ findings: [PinFinding], by sources: [PinLintSource]) -> [PinFinding] {
        var order: [String: Int] = [:]
        for source in sources where order[source.file] == nil { order[source.file] = order.count }
        let keys = findings.enumerated().map { offset, finding in
            (order[finding.location.file] ?? order.count, finding.location.line ?? 0, finding.severity, offset)
        }
        return findings.indices.sorted { keys[$0] < keys[$1] }.map { findings[$0] }
    }
}

extension PinFinding {
    /// Creates the finding for a reader's problem.
    /// - Parameter mistakes: the digests of known certificates. The file may contain the SHA-1 digest of one of them.
    init(_ problem: PinFileProblem, _ mistakes: PinMistakes) {
        let mistake = problem.sha1.flatMap { mistakes.mistake(ofSHA1: $0) }
        let origin = mistake.map {
            "; it is the SHA-1 of \($0.hashed) of \($0.certificate.abridgedDescription(toBytes: 256))"
        }
        let rule = problem.grade == .refused ? PinLintRule.unreadable(problem.code) : .odd(problem.code)
        self.init(
            rule, problem.grade == .narrow ? .note : nil, at: problem.location,
            problem.detail + (origin ?? ""),
            fix: mistake.map { "pin the SHA-256 of its key: \($0.meant)" } ?? problem.fix)
    }
}

extension PinLintContext {
    /// Runs all checks of one file.
    mutating func checkAll() {
        for rule in configuration.rules { check(rule) }
        checkFile()
        checkNoExpiry()
        checkDefaultReports()
        checkCleartext()
        checkFamilies()
        checkServers()
    }

    /// Runs the checks of one rule.
    mutating func check(_ rule: PinRule) {
        checkBackup(rule)
        checkKnownPins(rule)
        checkMistakes(rule)
        checkPinnedKinds(rule)
        checkIssuers(rule)
        checkDenied(rule)
        checkExpiry(rule)
        checkReach(rule)
        checkReports(rule)
        checkAnchors(rule)
        checkRoots(rule)
    }
}
