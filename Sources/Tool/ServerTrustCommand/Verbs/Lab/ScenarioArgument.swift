// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust
import ServerTrustLab

extension LabScenario {
    /// Returns the scenario of that name, for options whose values are scenarios.
    /// - Throws: ``ValidationError`` with similar names.
    @Sendable static func named(inArgument name: String) throws -> LabScenario {
        if let scenario = named(name) { return scenario }
        let similar = similar(to: name, among: all.map(\.name))
        throw ValidationError(
            "unknown scenario \"\(printable(name))\""
                + (similar.isEmpty
                    ? "; servertrust lab --list shows the names" : "; did you mean \(similar.joined(separator: ", "))?")
        )
    }

    /// The names of all scenarios, for shell completion.
    static let completion = CompletionKind.list(all.map(\.name))
}
