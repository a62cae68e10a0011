// SPDX-License-Identifier: Apache-2.0

import HandshakeProbe
import ServerTrust
import ServerTrustNIO
import TrustReports

/// The report of `servertrust check`, for people, programs and CI systems.
struct CheckReport {
    let results: [CheckResult]
}

// MARK: - Text

extension CheckReport {
    /// Returns the presented chain, the path, the failures and the remedies for each server.
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
            let error = step.error.map { "\($0.detail) [\($0.reportedReason)]" } ?? ""
            return [
                palette.bad("FAIL") + "  " + palette.bold("\(step.endpoint) could not be checked"),
                "error: \(printable(error))",
            ] + (step.remedy.map { [palette.bold("fix:") + "   \(printable($0))"] } ?? [])
        }
        let advice = step.advice
        let verify = VerifyReport(
            verdict: report.verdict, isInterrupted: step.isUndecided, serverAdvice: advice,
            announced: [step.remark].compactMap { $0 })
        var lines = verify.text(palette).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        lines.insert("      " + connection(report, step.handshake), at: min(1, lines.count))
        let place = lines.firstIndex(of: "") ?? lines.count
        lines.insert(contentsOf: tree(step, palette) + presented(report, step.handshake, palette), at: place)
        if let error = step.error {
            lines.append(palette.bad("error:") + " \(printable(error.detail)) [\(error.reportedReason)]")
            if let remedy = step.remedy { lines.append(palette.bold("fix:") + "   \(printable(remedy))") }
        }
        if let remark = step.remark { lines.append(palette.bold("pins:") + "  \(printable(remark))") }
        if let problem = step.problem { lines.append(palette.bad("error:") + " \(printable(problem))") }
        for finding in step.expiring ?? [] { lines.append(finding.line(palette)) }
        lines += step.forecast.map { ForecastRecord.lines($0, palette) } ?? []
        let tidying = advice.filter { if case .failure = $0.subject { false } else { true } }
        if !tidying.isEmpty { lines.append("") }
        for advice in tidying { lines.append(palette.bold("fix:") + "   \(printable(advice.text))") }
        return lines
    }

    /// Returns the paths as a tree.
    private func tree(_ step: CheckStep, _ palette: Palette) -> [String] {
        guard let report = step.report else { return [] }
        let tree = PathTree(
            TrustReport(report.verdict, presented: report.presentedChain), width: 78, usesLines: TerminalText.isUTF8
        ).lines()
        return tree.isEmpty
            ? []
            : ["", "paths"]
                + tree.map { line in
                    let text = "  " + printable(line)
                    guard let sign = text.lastIndex(of: "✗") else { return text }
                    return text[..<sign] + palette.bad(String(text[sign...]))
                }
    }

    private func connection(_ report: TrustProbeReport, _ seen: HandshakeObservation?) -> String {
        [
            "port \(report.port)" + (report.address.map { " at \($0)" } ?? ""), report.tlsVersion,
            seen?.cipherSuite?.description, seen?.group?.description,
            report.applicationProtocol, "\(report.milliseconds) ms",
        ]
        .compactMap { $0 }.map(printable).joined(separator: ", ")
    }

    /// Returns the presented certificates, each with its role in the path.
    private func presented(
        _ report: TrustProbeReport, _ seen: HandshakeObservation?, _ palette: Palette
    ) -> [String] {
        var lines = ["", "presented"]
        let presented = report.presentedChain.certificates
        let size = ReportAllowance.nameSize(presented.count)
        for (index, certificate) in presented.prefix(Self.maximumCount).enumerated() {
            let place = report.verdict.path.firstIndex(of: certificate)
            let role = place.map { report.verdict.role(at: $0).rawValue } ?? "not in the path"
            lines.append(
                "  \(index)".padded(to: 17) + printable(certificate.abridgedDescription(toBytes: size))
                    + palette.faint(" (\(role))"))
        }
        if presented.count > Self.maximumCount { lines.append("  and \(presented.count - Self.maximumCount) more") }
        let unreadable = report.presentedChain.unreadable
        lines += unreadable.prefix(Self.maximumCount).map { "  number \($0.index) can't be read: \($0.error)" }
        if unreadable.count > Self.maximumCount {
            lines.append("  \(unreadable.count - Self.maximumCount) more can't be read")
        }
        let handshake = HandshakeSummary(report, seen)
        lines += handshake?.lines(report.presentedChain.leaf, report.verdict) ?? []
        // An observed handshake has it already.
        guard seen?.clientCertificateRequest == nil else { return lines }
        return lines + (ClientCertificateSummary(report)?.lines ?? [])
    }

    /// The maximum number of presented certificates in a report; a usual server sends three.
    static let maximumCount = 32

    /// Returns a line for each of several servers.
    private func summary(_ palette: Palette) -> [String] {
        var tally = CheckTally(total: results.count)
        for result in results { tally.count(result) }
        let width = CheckRow.nameWidth(results.map(\.endpoint))
        return ["", palette.bold("summary")] + results.map { CheckRow($0).text(palette, nameWidth: width) }
            + [tally.text]
    }
}
