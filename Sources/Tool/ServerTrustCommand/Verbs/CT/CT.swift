// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `servertrust ct`: the old name of `verify --ct-logs`.
struct CT: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ct",
        abstract: "Check timestamps of logs (SCTs).",
        discussion: """
            Public CAs publish the certificates that they issue in logs. A timestamp of a
            log in the certificate proves it, and policies say how many of which logs are
            needed. The list of logs is yours: none is built in and none is fetched.

            check and verify have the same check with --ct-logs; they look at the path
            and its anchor as well.
            """,
        shouldDisplay: false,
        subcommands: [CTVerify.self])
}
