// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `servertrust pins`: the verbs for pins of public keys.
struct PinVerbs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pins",
        abstract: "Create, check, convert and sign pins of keys.",
        discussion: """
            $ servertrust pins make api.example.com --format android
            $ servertrust pins lint Info.plist network_security_config.xml
            $ servertrust pins why Info.plist api.example.com
            $ servertrust pins rehearse new.json --against verdicts/
            """,
        subcommands: [MakePins.self, Lint.self, Convert.self, Effective.self, PinsRehearse.self, SignedPins.self])
}
