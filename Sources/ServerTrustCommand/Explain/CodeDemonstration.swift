// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustLab

/// A way to see a failure code: a server of the lab that is refused with it, or a command that reports it.
enum CodeDemonstration: Sendable, Equatable {
    /// A server of the lab, refused with the code by a client with the scenario's settings.
    case scenario(LabScenario)
    /// A line for a POSIX shell with `servertrust` in its `PATH`, for codes that no server leads to. It needs no network and no
    /// file that it doesn't write itself.
    case command(String)

    /// Returns the demonstration of a code: the first scenario that expects it, or else a command; nil for a code without any.
    static func of(_ code: TrustFailure.Code) -> CodeDemonstration? {
        if let scenario = LabScenario.all.first(where: { $0.expected == .refused(code) }) { return .scenario(scenario) }
        return commands[code].map { .command($0) }
    }

    /// The line for a shell that shows the code: `servertrust demo --scenario expired`.
    var commandLine: String {
        switch self {
        case .scenario(let scenario): "servertrust demo --scenario \(scenario.name)"
        case .command(let line): line
        }
    }
}

extension CodeDemonstration {
    private static let commands: [TrustFailure.Code: String] = [
        .requestNotJSON: "echo '{' | servertrust verify --batch",
        .requestTooLong: #"head -c 17000000 /dev/zero | tr '\0' x | servertrust verify --batch"#,
        .requestKeyMissing: "echo '{}' | servertrust verify --batch",
        .requestKeyWrongType: #"echo '{"chain":"MIIB"}' | servertrust verify --batch"#,
        .requestValueInvalid: #"echo '{"chain":[]}' | servertrust verify --batch"#,
        .base64Malformed: #"echo '{"chain":["?"]}' | servertrust verify --batch"#,
        .certificateMalformed: #"echo '{"chain":["MAA="]}' | servertrust verify --batch"#,
    ]
}
