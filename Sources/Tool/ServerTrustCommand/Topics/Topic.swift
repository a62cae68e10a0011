// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// A help page that belongs to no verb. `servertrust help NAME` prints it. `Book/Topics` has the texts.
///
/// The argument parser's `help` prints the page of any subcommand, so a topic is a subcommand without arguments whose
/// page is its text. Running the subcommand prints the same text.
protocol Topic: ParsableCommand {
    static var name: String { get }
}

extension Topic {
    private static var title: String { HelpDetail.book[name]?["title"] ?? "" }
    private static var text: String {
        HelpDetail.lines(name, filling: ["expansion": String(ByteStream.defaultExpansion)]).joined(separator: "\n")
    }

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

struct ExitCodesTopic: Topic { static let name = "exit-codes" }
struct ProfilesTopic: Topic { static let name = "profiles" }
struct BatchTopic: Topic { static let name = "batch" }
