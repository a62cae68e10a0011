// SPDX-License-Identifier: Apache-2.0

import ServerObservation
import ServerTrust
import ServerTrustLab

/// The output of `servertrust lab demo`.
struct DemoReport {
    let runs: [ScenarioRun]
    /// Whether the scenarios were chosen by name.
    let isChosen: Bool

    /// The maximum number of chosen scenarios for which the whole verdicts are printed.
    static let maximumVerdicts = 3

    private var wrong: Int { runs.count { !$0.agrees } }

    // MARK: - Text

    func text(_ palette: Palette) -> String {
        let first = (runs.map(\.scenario.name.count).max() ?? 0) + 3
        let second = (runs.map(\.expected.description.count).max() ?? 0) + 3
        var lines = [
            "\(counted(runs.count, "TLS server")) on \(LoopbackAddress.v4.rawValue), "
                + "each with the lab's anchors and pins", "",
            palette.bold("      " + "server".padded(to: first) + "expected".padded(to: second) + "found"),
        ]
        for (title, members) in sections {
            if !isChosen { lines += ["", palette.bold(title)] }
            for run in members {
                let mark = run.agrees ? palette.good("OK") + "    " : palette.bad("FAIL") + "  "
                lines.append(
                    mark + run.scenario.name.padded(to: first) + run.expected.description.padded(to: second)
                        + run.foundText)
                lines += wrapped(printable(run.reason), to: 110).map { "        " + palette.faint($0) }
            }
        }
        lines += verdicts(palette)
        lines += [
            "",
            wrong == 0
                ? runs.count == 1 ? "the verdict is the expected one" : "all \(runs.count) verdicts as expected"
                : "\(wrong) of \(runs.count) verdicts not as expected",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    /// The runs by subject. The target of a redirect follows its redirecting server.
    private var sections: [(title: String, runs: [ScenarioRun])] {
        guard !isChosen else { return [("", runs)] }
        var group = LabScenario.Group.trusted
        var members: [LabScenario.Group: [ScenarioRun]] = [:]
        for run in runs {
            group = run.scenario.group ?? group
            members[group, default: []].append(run)
        }
        return LabScenario.Group.allCases.compactMap { group in members[group].map { (group.title, $0) } }
    }

    /// Returns the whole verdicts if the user chose few scenarios.
    private func verdicts(_ palette: Palette) -> [String] {
        guard isChosen, runs.count <= Self.maximumVerdicts else { return [] }
        return runs.flatMap { run -> [String] in
            guard let verdict = run.verdict else { return [] }
            let advice = verdict.advice(presented: run.presentedChain)
            let report = VerifyReport(verdict: verdict, presented: run.presentedChain, advice: advice).text(palette)
            return ["", palette.bold("\(run.scenario.name): \(run.scenario.summary)")]
                + report.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        }
    }

    // MARK: - JSON

    var json: [UInt8] {
        JSONWriter.answer(of: runs) { json, run in
            json.member("scenario", run.scenario.name)
            json.member("summary", run.scenario.summary)
            json.member("url", run.url)
            json.member("expected", run.expected.description)
            json.member("found", run.foundText)
            json.member("agrees", run.agrees)
            json.member("reason", run.reason)
        }
    }
}
