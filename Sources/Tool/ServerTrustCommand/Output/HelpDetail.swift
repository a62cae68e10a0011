// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust

/// The texts of the help pages, which are in the book, and the extent of the pages.
///
/// `-h` prints a short page: the options that most users need, and three examples. `--help-hidden` and `servertrust
/// help VERB --all` print the whole page. Man pages and completions always contain every option.
enum HelpDetail {
    /// Whether the command line requests whole pages.
    static let isWhole: Bool = {
        let arguments = CommandLine.arguments.dropFirst()
        let requests = ["--help-hidden", "--experimental-dump-help", "--generate-completion-script"]
        return arguments.contains { argument in requests.contains { argument.hasPrefix($0) } }
            || arguments.first == "help" && arguments.contains("--all")
    }()

    /// The maximum number of lines of a discussion on a short page. A longer discussion is reduced to its examples.
    private static let maximumLines = 12

    private static let maximumExamples = 3

    /// The discussions of verbs, the help of options, and the topics.
    static let book = Book(packed: PackedBook.topics + "\n" + PackedBook.help)

    /// Returns the lines of a verb's discussion or of a topic. The book has them under its name.
    /// - Parameter values: the values of placeholders, by their names.
    static func lines(_ name: String, filling values: [String: String] = [:]) -> [String] {
        (book[name]?.all("line") ?? []).map { $0.filling(values) }
    }

    /// Returns the discussion of a verb: the whole text, or only the first example commands if the page is short and
    /// the text long. An example begins with `$` and a space.
    fileprivate static func discussion(_ verb: String, filling values: [String: String]) -> String {
        let lines = lines(verb, filling: values)
        let text = lines.joined(separator: "\n")
        guard !isWhole, lines.count > maximumLines else { return text }
        var shown: [String] = []
        var examples = 0
        var goesOn = false
        for line in lines {
            if line.hasPrefix("$ ") {
                guard examples < maximumExamples else { break }
                examples += 1
            } else if !goesOn {
                continue
            }
            shown.append(line)
            goesOn = line.hasSuffix("\\") || line.hasSuffix("|")
        }
        return shown.isEmpty ? text : shown.joined(separator: "\n")
    }
}

extension CommandConfiguration {
    /// Creates the configuration of a verb. The book has its usage and its discussion.
    /// - Parameters:
    ///   - verb: the words that call the verb.
    ///   - values: the values of placeholders in the discussion, by their names.
    init(
        verb: String, abstract: String, filling values: [String: String] = [:],
        shouldDisplay: Bool = true, subcommands: [any ParsableCommand.Type] = [],
        defaultSubcommand: (any ParsableCommand.Type)? = nil
    ) {
        let usage = HelpDetail.book[verb]?.all("usage") ?? []
        self.init(
            commandName: verb.split(separator: " ").last.map(String.init), abstract: abstract,
            usage: usage.isEmpty ? nil : usage.joined(separator: "\n"),
            discussion: HelpDetail.discussion(verb, filling: values), shouldDisplay: shouldDisplay,
            subcommands: subcommands, defaultSubcommand: defaultSubcommand)
    }
}

extension ArgumentVisibility {
    /// The visibility of options that only the whole page shows.
    static var wholePage: ArgumentVisibility { HelpDetail.isWhole ? .default : .hidden }
}

extension ArgumentHelp {
    /// Returns the help for an option that only the whole page shows.
    static func wholePage(_ text: String, discussion: String? = nil, valueName: String? = nil) -> ArgumentHelp {
        ArgumentHelp(text, discussion: discussion, valueName: valueName, visibility: .wholePage)
    }

    /// Returns the help for an option from the book.
    /// - Parameter name: the words that call a verb with this option, and the option.
    static func book(_ name: String) -> ArgumentHelp {
        guard let entry = HelpDetail.book[name] else { return "" }
        return ArgumentHelp(
            entry["text"], valueName: entry.all("value").first,
            visibility: entry["page"] == "whole" ? .wholePage : .default)
    }
}
