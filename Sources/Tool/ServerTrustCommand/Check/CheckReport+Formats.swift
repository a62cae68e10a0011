// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import ServerObservation
import ServerTrust
import ServerTrustNIO

extension CheckReport {
    /// Returns the HTML page: a report for a single server, or a list with a report for each of several.
    /// - Parameters:
    ///   - date: the date of the page, for a list.
    ///   - seconds: the time of `--expires-within`, or nil without that option.
    func html(at date: Time, endingWithin seconds: Int64?) -> [UInt8] {
        let hosts = results.map { result in
            ReportedHost(
                result.endpoint.description, result.steps.flatMap { $0.trustReports(at: date, endingWithin: seconds) },
                remarks: NodeComparison(result).sentences, endsSoon: seconds.map { _ in result.outcome == .expiring })
        }
        guard hosts.count == 1, hosts[0].reports.count == 1 else {
            return HostsPage(hosts, date: date, version: ToolVersion.current).bytes()
        }
        return hosts[0].reports[0].page(version: ToolVersion.current).bytes()
    }

    /// Returns a JUnit report with a test case for each server.
    func junit() -> JUnit {
        JUnit(
            suite: "servertrust check",
            cases: results.map { result in
                var outcome = JUnit.Outcome.passed
                if result.outcome != .trusted {
                    let make = result.outcome == .undecided ? JUnit.Outcome.error : JUnit.Outcome.failure
                    let details = CheckReport(results: [result], isLong: true).text(.plain)
                    outcome = make(result.code ?? "redirect", result.headline, details)
                }
                return JUnit.Case(
                    name: result.endpoint.description, group: "servertrust.check", milliseconds: result.milliseconds,
                    outcome: outcome)
            })
    }

    /// Returns the presented certificates in the order that the server sent them, with subject and issuer before each.
    func pem() -> String {
        var text = ""
        for report in results.flatMap(\.steps).compactMap(\.report) {
            text += "# \(report.host):\(report.port)\n"
            for (index, certificate) in report.presentedChain.certificates.enumerated() {
                let number = report.presentedChain.place(ofReadable: index) + 1
                text += "# number \(number) subject \(printable(certificate.abridgedDescription(toBytes: 1024)))\n"
                text += "#   issuer \(printable(certificate.abridgedIssuer(toBytes: 1024)))\n"
                text += PEM.encode(certificate.der, label: "CERTIFICATE")
            }
            for unreadable in report.presentedChain.unreadable {
                text += "# number \(unreadable.index + 1) can't be read\n"
            }
        }
        return text
    }
}

extension CheckStep {
    /// Returns the step as reports for people. The first is about the verdict, or about the error that ended the probe.
    /// A second one describes a problem with a redirect.
    /// - Parameters:
    ///   - date: the date for a probe that ended without a verdict.
    ///   - seconds: the time of `--expires-within`, or nil without that option.
    func trustReports(at date: Time, endingWithin seconds: Int64?) -> [TrustReport] {
        let name = endpoint.description + (node.map { " at \($0)" } ?? "")
        var reports: [TrustReport] = []
        if let report {
            reports.append(
                TrustReport(
                    report.verdict, presented: report.presentedChain, name: name,
                    facts: ConnectionFacts(report, handshake).fields, expiringWithin: seconds, otherPaths: validPaths,
                    interruption: error.map { ($0.detail, $0.reportedReason, remedy) }, places: places))
        } else if let error {
            reports.append(
                TrustReport(
                    undecided: name, problem: error.detail, code: error.reportedReason, at: date, remedy: remedy))
        }
        if let problem { reports.append(TrustReport(undecided: name, problem: problem, code: "redirect", at: date)) }
        return reports
    }
}
