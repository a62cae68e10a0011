// SPDX-License-Identifier: Apache-2.0

import PinLint
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
                lines += step.report.map { self.lines(step, $0, palette) } ?? Self.failure(step, palette)
            }
            let nodes = NodeComparison(result)
            if !nodes.sentences.isEmpty { lines.append("") }
            lines += nodes.sentences.map { (nodes.differs ? palette.bold("node:") + "  " : "") + printable($0) }
        }
        if results.count > 1 { lines += summary(palette) }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func failure(_ step: CheckStep, _ palette: Palette) -> [String] {
        let error = step.error.map { palette.finding("error", $0.detail(at: step.endpoint), $0.reportedReason) }
        return [palette.mark(.undecided) + palette.bold("\(step.endpoint) could not be checked"), ""]
            + [error, step.remedy.map(palette.fix)].compactMap(\.self)
    }

    private func lines(_ step: CheckStep, _ report: TrustProbeReport, _ palette: Palette) -> [String] {
        let facts = ConnectionFacts(report, step.handshake)
        let advice = step.advice
        let verify = VerifyReport(
            verdict: report.verdict, presented: report.presentedChain, isInterrupted: step.isUndecided,
            advice: advice, hasGivenAnchors: step.places.anchors?.isEmpty == false, findings: step.expiring,
            announced: [step.remark].compactMap { $0 }, isLong: isLong, connection: facts.line,
            sent: facts.sent.map { "  \($0.label)".padded(to: 17) + printable($0.words) },
            problems: [
                step.error.map { palette.finding("error", $0.detail, $0.reportedReason) },
                step.remedy.map(palette.fix),
                step.remark.map { palette.bold("pins:") + "  \(printable($0))" },
                step.problem.map { palette.bad("error:") + " \(printable($0))" },
            ].compactMap(\.self))
        let forecast = step.forecast.map { Self.lines($0, palette) } ?? []
        return verify.lines(palette) + forecast + verify.tidying(palette)
    }

    /// Returns a line for each change. If consecutive changes have the same remedy, it follows the last one.
    private static func lines(_ forecast: PinForecast, _ palette: Palette) -> [String] {
        guard !forecast.events.isEmpty else { return [] }
        var lines = ["", "forecast"]
        for (index, event) in forecast.events.enumerated() {
            lines.append("  " + printable(PinForecast.sentence(event)))
            let remedy = PinForecast.remedy(event)
            let next = forecast.events.dropFirst(index + 1).first.map(PinForecast.remedy)
            if let remedy, remedy != next { lines.append(palette.bold("  fix:") + " " + printable(remedy)) }
        }
        return lines
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
