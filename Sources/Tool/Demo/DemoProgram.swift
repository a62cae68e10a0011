// SPDX-License-Identifier: Apache-2.0

import ServerObservation
import ServerTrust
import ServerTrustLab

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The program of Scripts/demo. It is `servertrust lab demo` without the rest of the command, so that only a few
/// modules are built before the first verdict.
@main
enum DemoProgram {
    /// Prints the verdict for each server, with the reason for each rejection. Exits with 1 if a verdict differs from
    /// the expected one.
    static func main() async throws {
        var scenarios: [LabScenario] = []
        for name in CommandLine.arguments.dropFirst() {
            guard let scenario = LabScenario.named(name) else {
                let names = LabScenario.all.map(\.name).joined(separator: " ")
                end("demo: error: no scenario \"\(name)\", expected one or more of: \(names)")
            }
            scenarios.append(scenario)
        }
        let runs = try await ScenarioRun.all(scenarios.isEmpty ? LabScenario.all : scenarios)
        print(
            "A client connects to \(runs.count) TLS servers on this machine. Each is configured correctly, or wrong in one known way."
        )
        for run in runs { print(line(run)) }
        let wrong = runs.count { !$0.agrees }
        guard wrong == 0 else { end("\n\(wrong) of \(runs.count) verdicts differ from the expected ones") }
        print("\nAll verdicts are as expected. No refused server received any request data.")
    }

    /// Returns the name of a server, the verdict and its reason. For a rejected server, also returns the remedy.
    private static func line(_ run: ScenarioRun) -> String {
        let mark = run.agrees ? "ok  " : "FAIL"
        let expected = run.agrees ? "" : "  (expected \(run.expected))"
        let remedy = run.verdict.flatMap { verdict in
            verdict.isTrusted ? nil : verdict.advice(presented: run.presentedChain).first?.text
        }
        let lines = [
            "", "\(mark)  \(run.scenario.name): \(run.scenario.summary)", "      \(run.foundText)\(expected)",
            "      \(run.reason)", remedy.map { "      fix: \($0)" },
        ]
        return lines.compactMap(\.self).joined(separator: "\n")
    }

    private static func end(_ message: String) -> Never {
        print(message)
        exit(1)
    }
}
