// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Option names of curl and openssl that users may type for this program's options. The help doesn't list them.
enum OptionAliases {
    /// The options by their other names. Only unambiguous names are here: openssl's `-connect` names the server, ours
    /// an address. The alias means the first of the options that the verb has.
    static let options = [
        "--cacert": ["--anchors"], "--CAfile": ["--anchors"], "--cafile": ["--anchors"], "-CAfile": ["--anchors"],
        "-servername": ["--servername", "--host"], "-showcerts": ["--showcerts"], "-starttls": ["--starttls"],
        "--json": ["--format=json"],
    ]

    /// Returns the arguments with this program's option names. Arguments after `--` are values.
    ///
    /// If the verb doesn't have the option, the alias stays, so that the error names what the user typed.
    static func replaced(in arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        return arguments[..<end].map { replaced($0, in: arguments) } + arguments[end...]
    }

    private static func replaced(_ argument: String, in arguments: [String]) -> String {
        let name = String(argument.prefix { $0 != "=" })
        let value = argument.dropFirst(name.count)
        guard let meant = options[name], let verb = VerbNames.path(arguments).last else { return argument }
        let page = ServerTrustCommand.helpMessage(
            for: verb.configuration.defaultSubcommand ?? verb, includeHidden: true, columns: 80)
        let option = meant.first { page.contains("  \($0.prefix { $0 != "=" }) ") }
        guard let option, value.isEmpty || !option.contains("=") else { return argument }
        return option + value
    }
}
