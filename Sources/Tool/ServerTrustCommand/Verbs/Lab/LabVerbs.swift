// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `servertrust lab`: the verbs for misbehaving TLS servers.
struct LabVerbs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lab",
        abstract: "Start TLS servers that are broken in known ways.",
        discussion: """
            $ servertrust lab
            $ servertrust lab --scenario good expired
            Runs the servers on loopback until Ctrl-C.

            $ servertrust lab demo
            Starts them, connects to each, and compares the verdict with the expected one.

            Without "demo", the options of servertrust lab run apply.
            """,
        subcommands: [RunLab.self, Demo.self],
        defaultSubcommand: RunLab.self)
}
