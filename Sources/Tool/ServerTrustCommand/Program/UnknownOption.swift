// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust

/// Detects options that a verb doesn't have.
///
/// The argument parser reports them last. It takes the value after a misspelled option for an argument, and reports
/// that error first.
enum UnknownOption {
    /// Returns a usage error that names the first unknown option of the arguments, or the same message if all options
    /// are known.
    static func named(in message: String, _ arguments: [String]) -> String {
        guard !message.contains("Unknown option"), let usage = message.range(of: "\nUsage: "),
            let verb = VerbNames.path(arguments).last
        else { return message }
        let page = ServerTrustCommand.helpMessage(
            for: verb.configuration.defaultSubcommand ?? verb, includeHidden: true, columns: 80)
        let known = Set(
            page.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.map(String.init).filter { $0.hasPrefix("--") })
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        let typed = arguments[..<end].filter { $0.hasPrefix("--") }.map { String($0.prefix { $0 != "=" }) }
        guard let unknown = typed.first(where: { !known.contains($0) && $0 != "--help-hidden" }) else {
            return message
        }
        let meant = similar(to: unknown, among: known.sorted()).first.map { ". Did you mean '\($0)'?" } ?? ""
        return "servertrust: error: Unknown option '\(clipped(unknown, to: 64))'\(meant)" + message[usage.lowerBound...]
    }
}
