// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

extension PinLinter {
    /// Everything that is found in files of one app: file by file, by line, the worst first within one.
    public func findings(in sources: [PinLintSource]) -> [PinFinding] {
        let known = KnownCertificates(self)
        var scopes: [PinLintScope] = []
        var findings: [PinFinding] = []
        for source in sources {
            switch source.contents {
            case .success(let configuration):
                scopes.append(PinLintScope(source, configuration, linter: self, known: known))
            case .failure(let error): findings += error.problems.map(PinFinding.init)
            }
        }
        for index in scopes.indices { scopes[index].checkAll() }
        findings += scopes.flatMap(\.findings) + AgreementCheck.findings(among: scopes)
        return Self.sorted(findings, by: sources)
    }

    /// By file in the order given, then by line and severity.
    public static func sorted(_ findings: [PinFinding], by sources: [PinLintSource]) -> [PinFinding] {
        var order: [String: Int] = [:]
        for source in sources where order[source.file] == nil { order[source.file] = order.count }
        let keys = findings.enumerated().map { offset, finding in
            (order[finding.place.file] ?? order.count, finding.place.line ?? 0, finding.severity, offset)
        }
        return findings.indices.sorted { keys[$0] < keys[$1] }.map { findings[$0] }
    }
}

extension PinFinding {
    /// A reader's problem.
    init(_ problem: PinFileProblem) {
        let rule = PinLintRule.unreadable(problem.code)
        self.init(rule, nil, at: problem.place, problem.detail, fix: nil)
    }
}

extension PinLintScope {
    mutating func checkAll() {
        for rule in configuration.rules {
            checkBackup(rule)
            checkPinnedKinds(rule)
            checkIssuers(rule)
            checkDenied(rule)
            checkExpiry(rule)
            checkReach(rule)
            checkReports(rule)
            checkAnchors(rule)
            checkRoots(rule)
        }
        checkFile()
        checkFamilies()
        checkServers()
    }
}
