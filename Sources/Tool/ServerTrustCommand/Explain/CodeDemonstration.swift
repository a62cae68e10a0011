// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustLab

/// A way to see a failure code.
enum CodeDemonstration: Sendable, Equatable {
    /// A server of the lab, refused with the code by a client with the scenario's settings.
    case scenario(LabScenario)
    /// A line for a POSIX shell with `servertrust` in its `PATH`, for codes that no server leads to. It needs no network, and leaves
    /// no file behind.
    case command(String)
    /// A line of Swift that imports `ServerTrust`, for codes that only a client of the library meets.
    case call(String)

    /// Returns the demonstration of a code: the first scenario that expects it, or else a command; nil for a code without any.
    static func of(_ code: TrustFailure.Code) -> CodeDemonstration? {
        if let scenario = LabScenario.all.first(where: { $0.expected == .refused(code) }) { return .scenario(scenario) }
        return commands[code].map { .command($0) } ?? calls[code].map { .call($0) }
    }

    /// The line that shows the code, for a shell or, of a call, for Swift: `servertrust lab demo --scenario expired`.
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
        // In both, the root is the whole store, and so counts as one of a root program's.
        .validityTooLong: ownAuthority
            + #"servertrust ca issue api.lab.test --days 500 --folder "$d/ca" > "$d/log"; "#
            + #"SSL_CERT_FILE="$d/ca/root.pem" servertrust verify "$d/ca/issued/api.lab.test.pem" --host api.lab.test "#
            + #"--apple; rm -r "$d""#,
        .strictValidityPeriod: ownAuthority
            + #"servertrust ca issue api.lab.test --days 500 --folder "$d/ca" > "$d/log"; "#
            + #"SSL_CERT_FILE="$d/ca/root.pem" servertrust verify "$d/ca/issued/api.lab.test.pem" --host api.lab.test "#
            + #"--strict; rm -r "$d""#,
    ]

    /// The beginning of a line that makes a CA in a folder of its own.
    private static let ownAuthority =
        #"d=$(mktemp -d); servertrust ca init --permit lab.test --folder "$d/ca" > "$d/log"; "#

    private static let calls: [TrustFailure.Code: String] = [
        .presentedChainEmpty:
            #"try Trust(presentedChain: PresentedChain([]), host: Hostname("api.lab.test")).evaluate()"#
    ]
}
