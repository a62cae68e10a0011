// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust

/// A help page that belongs to no verb. `servertrust help NAME` prints it. `Book/Topics` has the texts.
///
/// The argument parser's `help` prints the page of any subcommand, so a topic is a subcommand without arguments whose
/// page is its text. Running the subcommand prints the same text.
protocol Topic: ParsableCommand {
    static var name: String { get }
}

extension Topic {
    private static func text(_ field: String) -> String { TopicCommands.texts[name + " " + field] ?? "" }

    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: name, abstract: text("title"), usage: "", discussion: text("line"),
            shouldDisplay: HelpDetail.isWhole, helpNames: [])
    }

    func run() throws { try StandardStream.output.writeLine(Self.text("title") + "\n\n" + Self.text("line")) }
}

enum TopicCommands {
    static let all: [ParsableCommand.Type] = [ExitCodesTopic.self, ProfilesTopic.self, BatchTopic.self]

    /// The texts of the pages, by their names and fields.
    fileprivate static let texts: [String: String] = {
        var texts: [String: String] = [:]
        for page in Book(packed: PackedBook.topics).entries {
            texts[page.name + " title"] = page["title"]
            texts[page.name + " line"] = page.all("line").map(filled).joined(separator: "\n")
        }
        return texts
    }()

    private static func filled(_ line: String) -> String {
        line.utf8.contains(UInt8(ascii: "{"))
            ? line.replacing("{expansion}", with: String(ByteStream.defaultExpansion)) : line
    }
}

struct ExitCodesTopic: Topic { static let name = "exit-codes" }
struct ProfilesTopic: Topic { static let name = "profiles" }
struct BatchTopic: Topic { static let name = "batch" }
