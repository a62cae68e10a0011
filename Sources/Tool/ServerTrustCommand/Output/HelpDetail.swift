// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The extent of the help pages.
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

    /// Returns the discussion of a verb: the whole text, or only the first example commands if the page is short and
    /// the text long.
    /// - Parameter text: the whole text. An example begins with `$` and a space.
    static func discussion(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard !isWhole, lines.count > maximumLines else { return text }
        var shown: [Substring] = []
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

extension ArgumentVisibility {
    /// The visibility of options that only the whole page shows.
    static var wholePage: ArgumentVisibility { HelpDetail.isWhole ? .default : .hidden }
}

extension ArgumentHelp {
    /// Returns the help for an option that only the whole page shows.
    static func wholePage(_ text: String, discussion: String? = nil, valueName: String? = nil) -> ArgumentHelp {
        ArgumentHelp(text, discussion: discussion, valueName: valueName, visibility: .wholePage)
    }
}
