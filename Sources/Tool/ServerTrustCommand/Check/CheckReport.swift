// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import ServerObservation
import ServerTrust
import ServerTrustNIO

/// The report of `servertrust check`, for people, programs and CI systems.
struct CheckReport {
    let results: [CheckResult]
    /// Whether the text describes every certificate in full.
    var isLong = false
}

// MARK: - Text

extension CheckReport {
    /// Returns the text for each server: the presented chain, the path, the failures and the remedies.
    func text(_ palette: Palette) -> String {
        var lines: [String] = []
        for result in results {
            for (index, step) in result.steps.enumerated() {
                if !lines.isEmpty { lines.append("") }
                if let node = step.node {
                    lines.append(palette.faint("at \(node)"))
                } else if index > 0 {
                    lines.append(palette.faint("redirected to \(printable(step.endpoint.url))"))
                }
                lines += self.lines(step, palette)
            }
            let nodes = NodeComparison(result)
            if !nodes.sentences.isEmpty { lines.append("") }
            lines += nodes.sentences.map { (nodes.differs ? palette.bold("node:") + "  " : "") + printable($0) }
        }
        if results.count > 1 { lines += summary(palette) }
        return lines.joined(separator: "\n") + "\n"
    }

    private func lines(_ step: CheckStep, _ palette: Palette) -> [String] {
        guard let report = step.report else {
            // The line above names the server.
            let error = step.error.map { "\($0.detail(at: step.endpoint)) [\($0.reportedReason)]" } ?? ""
            return [
                palette.bad("FAIL") + "  " + palette.bold("\(step.endpoint) could not be checked"), "",
                palette.bad("error:") + " \(printable(error))",
            ] + (step.remedy.map { [palette.bold("fix:") + "   \(printable($0))"] } ?? [])
        }
        let advice = step.advice
        var problems: [String] = []
        if let error = step.error {
            problems.append(palette.bad("error:") + " \(printable(error.detail)) [\(error.reportedReason)]")
            if let remedy = step.remedy { problems.append(palette.bold("fix:") + "   \(printable(remedy))") }
        }
        if let remark = step.remark { problems.append(palette.bold("pins:") + "  \(printable(remark))") }
        if let problem = step.problem { problems.append(palette.bad("error:") + " \(printable(problem))") }
        let verify = VerifyReport(
            verdict: report.verdict, presented: report.presentedChain, isInterrupted: step.isUndecided,
            advice: advice, hasGivenAnchors: step.places.anchors?.isEmpty == false, findings: step.expiring,
            announced: [step.remark].compactMap { $0 }, isLong: isLong,
            connection: connection(report, step.handshake), sent: sent(report, step.handshake), problems: problems)
        var lines = verify.text(palette).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        lines += step.forecast.map { ForecastRecord.lines($0, palette) } ?? []
        let endsSoon = step.expiring?.isEmpty == false
        let tidying = advice.filter {
            switch $0.subject {
            case .failure: false
            case .presentedChain: true
            // The findings already mention it.
            case .renewal: !endsSoon
            }
        }
        if !tidying.isEmpty { lines.append("") }
        for advice in tidying { lines.append(palette.bold("fix:") + "   \(printable(advice.text))") }
        return lines
    }

    private func connection(_ report: TrustProbeReport, _ seen: HandshakeObservation?) -> String {
        [
            "port \(report.port)" + (report.address.map { " at \($0)" } ?? ""),
            report.otherAttempts.isEmpty ? nil : "after \(report.otherAttempts.joined(separator: "; "))",
            report.tlsVersion,
            seen?.cipherSuite?.description, seen?.group?.description,
            report.applicationProtocol, "\(report.milliseconds) ms",
        ]
        .compactMap { $0 }.map(printable).joined(separator: ", ")
    }

    /// Returns the lines about the staple, the timestamps and the request for a client certificate.
    private func sent(_ report: TrustProbeReport, _ seen: HandshakeObservation?) -> [String] {
        let lines = HandshakeSummary.rows(report, seen).map { "  \($0.label)".padded(to: 17) + printable($0.words) }
        // The observed handshake already contains the request.
        guard seen?.clientCertificateRequest == nil else { return lines }
        return lines + (ClientCertificateSummary(report)?.lines ?? [])
    }

    /// Returns a summary line for each server, if there are several.
    private func summary(_ palette: Palette) -> [String] {
        var tally = CheckTally(total: results.count)
        for result in results { tally.count(result) }
        let width = CheckRow.nameWidth(results.map(\.endpoint))
        return ["", palette.bold("summary")] + results.map { CheckRow($0).text(palette, nameWidth: width) }
            + [tally.text]
    }
}
