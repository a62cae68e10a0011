// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import ServerTrust

/// Checks the names of verbs on a command line before the argument parser does.
///
/// The parser calls an unknown verb an unexpected argument, and prints the first page for an unknown help topic.
enum VerbNames {
    /// Returns the verbs at the start of the arguments or after `help`, from first to last. Empty for the program
    /// itself.
    static func path(_ arguments: [String]) -> [any ParsableCommand.Type] {
        var path: [any ParsableCommand.Type] = []
        for name in arguments where name != "help" {
            let verbs = subcommands(of: path.last ?? ServerTrustCommand.self)
            guard let verb = verbs.first(where: { verbName($0) == name }) else { break }
            path.append(verb)
        }
        return path
    }

    /// Checks the verbs at the start of the arguments or after `help`.
    /// - Throws: `ValidationError` with similar names for an unknown verb.
    static func check(_ arguments: [String]) throws {
        var names = arguments[...]
        let isHelp = names.first == "help"
        if isHelp { names = names.dropFirst() }
        var command: any ParsableCommand.Type = ServerTrustCommand.self
        var path: [String] = []
        while let name = names.first, !name.hasPrefix("-") {
            let verbs = subcommands(of: command)
            // The remaining arguments belong to the verb.
            guard !verbs.isEmpty else {
                guard isHelp else { return }
                throw ValidationError("\(verbName(command)) has no verb \"\(clipped(name))\"")
            }
            // Verbs with subcommands have a `help` verb, too.
            if !isHelp, name == "help" { return try check(verbs, names.dropFirst(), below: path) }
            guard let verb = verbs.first(where: { verbName($0) == name }) else {
                throw unknown(name, verbs, below: path)
            }
            command = verb
            path.append(name)
            names = names.dropFirst()
        }
    }

    private static func check(
        _ verbs: [any ParsableCommand.Type], _ names: ArraySlice<String>, below path: [String]
    ) throws {
        guard let name = names.first, !name.hasPrefix("-") else { return }
        guard verbs.contains(where: { verbName($0) == name }) else {
            throw unknown(name, verbs, below: path)
        }
    }

    private static func unknown(
        _ name: String, _ verbs: [any ParsableCommand.Type], below path: [String]
    ) -> ValidationError {
        let present = verbs.filter { $0 != CT.self }
        let deeper = namesBelow(present)
        let call = path.isEmpty ? call(with: name) : nil
        let meant =
            call.map { ["servertrust \($0)"] }
            ?? similar(to: name, among: present.map(verbName) + deeper.keys.sorted()).map { deeper[$0] ?? $0 }
        let place = path.isEmpty ? "" : " below servertrust \(path.joined(separator: " "))"
        // The usage below the message lists the verbs of the first level.
        let all = path.isEmpty ? "" : "; there are \(present.map(verbName).joined(separator: ", "))"
        let known = meant.isEmpty ? all : "; did you mean \(meant.joined(separator: ", "))?"
        return ValidationError("there is no verb \"\(clipped(name, to: 64))\"\(place)\(known)")
    }

    /// Returns the names of the verbs below these verbs, by their last word: `lint` is `pins lint`. If several have the
    /// last word, the first of the lowest depth counts.
    private static func namesBelow(_ verbs: [any ParsableCommand.Type]) -> [String: String] {
        var names: [String: String] = [:]
        let known = Set(verbs.map(verbName))
        var level = verbs.map { (verbName($0), $0) }
        while !level.isEmpty {
            level = level.flatMap { path, verb in
                subcommands(of: verb).map { ("\(path) \(verbName($0))", $0) }
            }
            for (path, verb) in level where names[verbName(verb)] == nil && !known.contains(verbName(verb)) {
                names[verbName(verb)] = path
            }
        }
        return names
    }

    /// Returns the verb and the argument to suggest for an argument in a verb's place: a file or a server. Returns nil
    /// for other texts.
    private static func call(with argument: String) -> String? {
        if argument == "version" { return "--version" }
        guard argument == "localhost" || argument.contains(where: { ".:/".contains($0) }), argument.utf8.count <= 256
        else { return nil }
        if FileManager.default.fileExists(atPath: argument) { return "inspect \(printable(argument))" }
        return (try? EndpointArgument.endpoint(argument)) == nil ? nil : "check \(printable(argument))"
    }

    private static func subcommands(of command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        command.configuration.subcommands
    }

    private static func verbName(_ command: any ParsableCommand.Type) -> String {
        command.configuration.commandName ?? ""
    }
}
