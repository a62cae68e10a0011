// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// A help page that belongs to no verb. `servertrust help NAME` prints it.
///
/// The argument parser's `help` prints the page of any subcommand, so a topic is a subcommand without arguments whose
/// page is its text. Running the subcommand prints the same text.
protocol Topic: ParsableCommand {
    static var name: String { get }
    static var title: String { get }
    static var text: String { get }
}

extension Topic {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: name, abstract: title, usage: "", discussion: text, shouldDisplay: HelpDetail.isWhole,
            helpNames: [])
    }

    func run() throws { try StandardStream.output.writeLine(Self.title + "\n\n" + Self.text) }
}

enum TopicCommands {
    static let all: [ParsableCommand.Type] = [ExitCodesTopic.self, ProfilesTopic.self, BatchTopic.self]
}
