// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust

/// A help page that belongs to no verb. `servertrust help NAME` prints it. `Book/Topics` has the texts.
///
/// The argument parser's `help` prints the page of any subcommand, so a topic is a subcommand without arguments whose
/// page is its text. Running the subcommand prints the same text.
protocol Topic: ParsableCommand {}

extension Topic {
    func run() throws {
        try StandardStream.output.writeLine(Self.configuration.abstract + "\n\n" + Self.configuration.discussion)
    }
}

extension CommandConfiguration {
    /// Creates the configuration of a topic.
    fileprivate init(topic name: String) {
        let lines = HelpDetail.lines(name, filling: ["expansion": String(ByteStream.defaultExpansion)])
        self.init(
            commandName: name, abstract: HelpDetail.book[name]?["title"] ?? "", usage: "",
            discussion: lines.joined(separator: "\n"), shouldDisplay: HelpDetail.isWhole, helpNames: [])
    }
}

enum TopicCommands {
    static let all: [ParsableCommand.Type] = [ExitCodesTopic.self, ProfilesTopic.self, BatchTopic.self]
}

struct ExitCodesTopic: Topic { static let configuration = CommandConfiguration(topic: "exit-codes") }
struct ProfilesTopic: Topic { static let configuration = CommandConfiguration(topic: "profiles") }
struct BatchTopic: Topic { static let configuration = CommandConfiguration(topic: "batch") }
