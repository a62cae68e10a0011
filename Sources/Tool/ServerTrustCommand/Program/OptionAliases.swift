// SPDX-License-Identifier: Apache-2.0

/// Names that users of curl and openssl type for options of this program. They are not in the help.
enum OptionAliases {
    /// The options by their other names. Only names with one meaning are here: `-connect` of openssl names the server, ours an address.
    static let options = [
        "--cacert": "--anchors", "--CAfile": "--anchors", "--cafile": "--anchors", "-CAfile": "--anchors",
        "-servername": "--servername", "-showcerts": "--showcerts", "-starttls": "--starttls",
        "--json": "--format=json",
    ]

    /// Returns the arguments with the program's own names of options. Arguments after `--` are values.
    static func replaced(in arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        return arguments[..<end].map(replaced) + arguments[end...]
    }

    private static func replaced(_ argument: String) -> String {
        if let option = options[argument] { return option }
        guard let equals = argument.firstIndex(of: "="), let option = options[String(argument[..<equals])],
            !option.contains("=")
        else { return argument }
        return option + argument[equals...]
    }
}
