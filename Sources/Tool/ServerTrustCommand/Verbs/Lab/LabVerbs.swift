// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `servertrust lab`: the verbs for misbehaving TLS servers.
struct LabVerbs: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "lab", abstract: "Start TLS servers that are broken in known ways.",
        subcommands: [RunLab.self, Demo.self],
        defaultSubcommand: RunLab.self)
}
