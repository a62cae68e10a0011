// SPDX-License-Identifier: Apache-2.0

import PinLint
import ServerTrust
import ServerTrustNIO

/// Looks at the servers that files of pins are about, and at those that they redirect to.
struct LiveLook: Sendable {
    /// What was seen.
    struct Seen: Sendable {
        var servers: [PinnedServer] = []
        var findings: [PinFinding] = []
    }

    private let tables: [PinTable]
    private let plan: CheckPlan

    /// Names in one certificate that are looked at beside the host at most: certificates of big sites have hundreds.
    private static let maximumAlternativeNames = 20

    init(sources: [PinLintSource], plan: CheckPlan) {
        self.tables = sources.compactMap(\.configuration).map { PinTable($0) }
        self.plan = plan
    }

    /// Every pinned name; for rules that leave their name out that one all the same, as it mostly exists and redirects. Then the names
    /// of the certificates that were seen, as far as rules are for them.
    func look() async throws -> Seen {
        var seen = Seen()
        var hosts: [Hostname: Bool] = [:]
        var order: [Hostname] = []
        for rule in tables.flatMap(\.configuration.rules) where rule.mode != .unpinned {
            for domain in rule.hosts {
                if hosts[domain.name] == nil { order.append(domain.name) }
                hosts[domain.name] = (hosts[domain.name] ?? false) || domain.includesName
            }
        }
        let first = try await CheckRun(plan: plan).results(for: order.map { Endpoint(host: $0) })
        for result in first { take(result, isNamed: hosts[result.endpoint.host] == true, &seen) }
        let others = alternativeNames(in: first, beside: Set(order + first.flatMap(\.steps).map(\.endpoint.host)))
        let second = try await CheckRun(plan: plan).results(for: others.map { Endpoint(host: $0) })
        for result in second { take(result, isNamed: false, &seen) }
        return seen
    }

    private func alternativeNames(in results: [CheckResult], beside known: Set<Hostname>) -> [Hostname] {
        var known = known
        return results.flatMap { result -> [Hostname] in
            let leaf = result.steps.first?.report?.presentedChain.leaf
            let names = (leaf?.subjectAlternativeNames ?? []).compactMap { name -> Hostname? in
                guard case .dnsName(let text) = name, let host = try? Hostname(text), rule(for: host) != nil,
                    known.insert(host).inserted
                else { return nil }
                return host
            }
            return Array(names.prefix(Self.maximumAlternativeNames))
        }
    }

    /// The rule of the first file that pins the host.
    private func rule(for host: Hostname) -> PinRule? {
        tables.lazy.compactMap { $0.rule(for: host) }.first { $0.mode != .unpinned }
    }

    private func take(_ result: CheckResult, isNamed: Bool, _ seen: inout Seen) {
        // The name above `*.example.com` has a rule of its own or none; it is looked at for where it leads.
        let origin = result.endpoint.host
        let place = (rule(for: origin) ?? anyRule(about: origin))?.place ?? PinPlace(file: "")
        for (index, step) in result.steps.enumerated() {
            let host = step.endpoint.host
            func add(_ rule: PinLintRule, _ severity: PinFinding.Severity? = nil, _ message: String) {
                seen.findings.append(
                    PinFinding(rule, severity, at: place, subject: "\(host)", printable(message), fix: nil))
            }
            let way = index == 0 ? "\(host)" : "\(origin) redirects to \(step.endpoint.url)"
            if index > 0, rule(for: host) == nil {
                add(.redirectUncovered, nil, "\(way), and no rule covers \(host)")
            }
            if let report = step.report {
                if let failure = report.verdict.headline {
                    add(.untrusted, isNamed || index > 0 ? nil : .note, "\(way): \(failure.message) [\(failure.code)]")
                } else {
                    seen.servers.append(PinnedServer(host: host, trust(report)))
                }
            }
            if let error = step.error {
                add(.unreachable, isNamed || index > 0 ? nil : .note, "\(way): \(error)")
            }
            if let problem = step.problem { add(.redirectInsecure, nil, "\(host) \(problem)") }
        }
    }

    private func anyRule(about name: Hostname) -> PinRule? {
        tables.lazy.flatMap(\.configuration.rules).first { $0.hosts.contains { $0.name == name } }
    }

    private func trust(_ report: TrustProbeReport) -> Trust {
        var trust = Trust(presentedChain: report.presentedChain, host: report.host)
        trust.anchors = plan.anchors
        trust.policy = plan.policy
        trust.verifyDate = .at(report.verdict.evaluationDate)
        return trust
    }
}
