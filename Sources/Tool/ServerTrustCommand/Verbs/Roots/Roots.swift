// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `servertrust roots`: the verbs for the roots of this machine and the lists of root programs.
struct Roots: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "roots", abstract: "Compare this machine's roots with a root program's.",
        subcommands: [RootsShow.self, RootsAudit.self, RootsDiff.self, CTLogs.self])
}
