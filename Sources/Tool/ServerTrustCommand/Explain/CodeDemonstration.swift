// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import ServerTrust
import ServerTrustLab

/// A way to see a failure code.
enum CodeDemonstration: Sendable, Equatable {
    /// A server of the lab that a client with the scenario's settings refuses with the code.
    case scenario(LabScenario)
    /// A command line for a POSIX shell that has `servertrust` in its `PATH`.
    ///
    /// For codes that no server causes. The command uses no network and leaves no file behind.
    case command(String)
    /// A line of Swift that imports `ServerTrust`, for codes that occur only in the library's clients.
    case call(String)

    /// Returns the demonstration of a code: the first scenario that expects the code, or else a command. Returns nil if
    /// the code has neither.
    static func of(_ code: TrustFailure.Code) -> CodeDemonstration? {
        if let scenario = LabScenario.all.first(where: { $0.expected == .refused(code) }) { return .scenario(scenario) }
        let guide = Guides.of(code)
        let newAuthority = #"d=$(mktemp -d); servertrust ca init --permit lab.test --folder "$d/ca" > "$d/log";"#
        let command = guide?.all("demonstration").first?.filling(["newAuthority": newAuthority])
        return command.map { .command($0) } ?? guide?.all("call").first.map { .call($0) }
    }

    /// The line that shows the code: `servertrust lab demo --scenario expired`. For a call, this is Swift, otherwise
    /// shell.
    var commandLine: String {
        switch self {
        case .scenario(let scenario): "servertrust lab demo --scenario \(scenario.name)"
        case .command(let line), .call(let line): line
        }
    }
}
