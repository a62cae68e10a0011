// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `servertrust pins`: the verbs for pins of public keys.
struct PinVerbs: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "pins", abstract: "Create, check, convert and sign pins of keys.",
        subcommands: [MakePins.self, Lint.self, Convert.self, Effective.self, PinsRehearse.self, SignedPins.self])
}
