// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Handles requests for help pages, and writes the last lines of these pages.
enum HelpPages {
    /// Replaces `help VERB --all` with `VERB --help-hidden`, which the argument parser supports.
    static func request(in arguments: [String]) -> [String] {
        guard arguments.first == "help", let all = arguments.firstIndex(of: "--all") else { return arguments }
        var names = Array(arguments.dropFirst())
        names.remove(at: all - 1)
        // A topic has only one page.
        let isTopic = TopicCommands.all.contains { $0.configuration.commandName == names.first }
        return isTopic ? ["help"] + names : names + ["--help-hidden"]
    }

    /// Returns a help page. If the page isn't the whole one, its last line says how to see the rest.
    static func page(_ message: String, _ arguments: [String]) -> String {
        guard !HelpDetail.isWhole, message.hasPrefix("OVERVIEW: "), let rest = rest(of: VerbNames.path(arguments))
        else {
            return message
        }
        var message = message
        while message.last?.isNewline == true { message.removeLast() }
        let isBelowPointer = message.split(separator: "\n").last?.hasPrefix("  See '") ?? false
        return "\(message)\n\(isBelowPointer ? "" : "\n")  \(rest)"
    }

    private static func rest(of path: [any ParsableCommand.Type]) -> String? {
        guard let command = path.last else {
            let topics = TopicCommands.all.compactMap { $0.configuration.commandName }.joined(separator: ", ")
            return "Topics are \(topics). More: 'servertrust --help-hidden'."
        }
        let discussion = command.configuration.discussion.split(separator: "\n")
        let isShortened =
            !discussion.isEmpty && discussion.allSatisfy { $0.hasPrefix("$ ") || $0.hasPrefix("  ") }
        let hidesOptions =
            ServerTrustCommand.helpMessage(for: command, includeHidden: true, columns: 80)
            != ServerTrustCommand.helpMessage(for: command, includeHidden: false, columns: 80)
        guard isShortened || hidesOptions else { return nil }
        let names = path.compactMap { $0.configuration.commandName }.joined(separator: " ")
        return "All options and examples: 'servertrust \(names) --help-hidden'."
    }
}
