// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `servertrust ct`: checks timestamps without a path. Hidden, because `verify --ct-logs` also evaluates the path.
struct CT: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ct",
        abstract: "Check Certificate Transparency timestamps (SCTs).",
        discussion: """
            Public CAs publish the certificates that they issue in logs. A log's timestamp
            (SCT) in the certificate proves this. Policies define how many SCTs from which
            logs are required. You supply the list of logs: none is built in or fetched.

            check and verify do the same check with --ct-logs, and also evaluate the path
            and its anchor.
            """,
        shouldDisplay: false,
        subcommands: [CTVerify.self])
}
