// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TrustSupport

/// The names of verbs on a command line, checked before the argument parser reads it: the parser calls an unknown verb an unexpected
/// argument, and prints the first page for an unknown topic of help.
enum VerbNames {
    /// Checks the verbs at the start of the arguments, and those after `help`.
    /// - Throws: `ValidationError` with similar names for a verb that doesn't exist.
    static func check(_ arguments: [String]) throws {
        var names = arguments[...]
        let isHelp = names.first == "help"
        if isHelp { names = names.dropFirst() }
        var command: any ParsableCommand.Type = ServerTrustCommand.self
        while let name = names.first, !name.hasPrefix("-") {
            let verbs = subcommands(of: command)
            // The arguments of a verb follow.
            guard !verbs.isEmpty else {
                guard isHelp else { return }
                throw ValidationError("\(verbName(command)) has no verb \"\(clipped(name))\"")
            }
            // Verbs with verbs below have help as well.
            if !isHelp, name == "help" { return try check(verbs, names.dropFirst(), below: command) }
            guard let verb = verbs.first(where: { verbName($0) == name }) else { throw unknown(name, verbs) }
            command = verb
            names = names.dropFirst()
        }
    }

    private static func check(
        _ verbs: [any ParsableCommand.Type], _ names: ArraySlice<String>, below command: any ParsableCommand.Type
    ) throws {
        guard let name = names.first, !name.hasPrefix("-") else { return }
        guard verbs.contains(where: { verbName($0) == name }) else { throw unknown(name, verbs) }
    }

    private static func unknown(_ name: String, _ verbs: [any ParsableCommand.Type]) -> ValidationError {
        let closest = similar(to: name, among: verbs.map(verbName))
        let known = closest.isEmpty ? "" : "; did you mean \(closest.joined(separator: ", "))?"
        return ValidationError("there is no verb \"\(clipped(name, to: 64))\"\(known)")
    }

    private static func subcommands(of command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        let configuration = command.configuration
        return configuration.subcommands + configuration.groupedSubcommands.flatMap(\.subcommands)
    }

    private static func verbName(_ command: any ParsableCommand.Type) -> String {
        command.configuration.commandName ?? ""
    }
}
