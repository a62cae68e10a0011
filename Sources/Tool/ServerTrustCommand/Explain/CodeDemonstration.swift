// SPDX-License-Identifier: Apache-2.0

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
        return commands[code].map { .command($0) } ?? calls[code].map { .call($0) }
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

extension CodeDemonstration {
    private static let commands: [TrustFailure.Code: String] = [
        .requestNotJSON: "echo '{' | servertrust verify --batch",
        .requestTooLong: #"head -c 17000000 /dev/zero | tr '\0' x | servertrust verify --batch"#,
        .requestKeyMissing: "echo '{}' | servertrust verify --batch",
        .requestKeyWrongType: #"echo '{"chain":"MIIB"}' | servertrust verify --batch"#,
        .requestValueInvalid: #"echo '{"chain":[]}' | servertrust verify --batch"#,
        .base64Malformed: #"echo '{"chain":["?"]}' | servertrust verify --batch"#,
        .certificateMalformed: #"echo '{"chain":["MAA="]}' | servertrust verify --batch"#,
        .issuerUnreadable: ownAuthority
            + #"servertrust ca issue api.lab.test --folder "$d/ca" > "$d/log"; "#
            + #"c=$(sed -n '2,/-----END/p' "$d/ca/issued/api.lab.test.pem" | sed /-----/d | tr -d '\n'); "#
            + #"echo '{"chain":["'$c'","MAA="],"anchors":[]}' | servertrust verify --batch; rm -r "$d""#,
        .systemAnchorsUnavailable: ownAuthority
            + #"c=$(sed /-----/d "$d/ca/root.pem" | tr -d '\n'); "#
            + #"echo '{"chain":["'$c'"]}' | SSL_CERT_FILE=/none servertrust verify --batch; rm -r "$d""#,
        .certificateExpiresSoon: ownAuthority
            + #"servertrust ca issue api.lab.test --days 7 --folder "$d/ca" > "$d/log"; "#
            + #"servertrust verify "$d/ca/issued/api.lab.test.pem" --host api.lab.test --anchors "$d/ca/root.pem" "#
            + #"--expires-within 30d; rm -r "$d""#,
        // In both commands the root is the only one in the store, so it counts as a root of a root program.
        .validityTooLong: ownAuthority
            + #"servertrust ca issue api.lab.test --days 500 --folder "$d/ca" > "$d/log"; "#
            + #"SSL_CERT_FILE="$d/ca/root.pem" servertrust verify "$d/ca/issued/api.lab.test.pem" --host api.lab.test "#
            + #"--apple; rm -r "$d""#,
        .strictValidityPeriod: ownAuthority
            + #"servertrust ca issue api.lab.test --days 500 --folder "$d/ca" > "$d/log"; "#
            + #"SSL_CERT_FILE="$d/ca/root.pem" servertrust verify "$d/ca/issued/api.lab.test.pem" --host api.lab.test "#
            + #"--strict; rm -r "$d""#,
    ]

    /// The start of a command line that creates a CA in a new folder.
    private static let ownAuthority =
        #"d=$(mktemp -d); servertrust ca init --permit lab.test --folder "$d/ca" > "$d/log"; "#

    private static let calls: [TrustFailure.Code: String] = [
        .presentedChainEmpty:
            #"try Trust(presentedChain: PresentedChain([]), host: Hostname("api.lab.test")).evaluate()"#
    ]
}
