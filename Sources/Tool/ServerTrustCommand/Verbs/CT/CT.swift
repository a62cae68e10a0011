// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `servertrust ct`: checks timestamps without a path. Hidden, because `verify --ct-logs` also evaluates the path.
struct CT: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "ct", abstract: "Check Certificate Transparency timestamps (SCTs).",
        shouldDisplay: false,
        subcommands: [CTVerify.self])
}
