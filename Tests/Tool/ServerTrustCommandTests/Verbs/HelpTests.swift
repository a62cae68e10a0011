// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The short help pages from `-h`, and the complete ones.
@Suite struct HelpTests {
    /// The description of the command that `--experimental-dump-help` prints.
    private struct Dump: Decodable {
        var command: Verb
    }

    private struct Verb: Decodable {
        var commandName: String
        var discussion: String?
        var shouldDisplay: Bool?
        var subcommands: [Verb]?
        var arguments: [Argument]?

        /// Returns all nested verbs with the words that call them.
        func all(below path: [String] = [], includingHidden: Bool = false) -> [(path: [String], verb: Verb)] {
            [(path, self)]
                + (subcommands ?? []).filter {
                    (includingHidden || $0.shouldDisplay != false) && $0.commandName != "help"
                }
                .flatMap { $0.all(below: path + [$0.commandName], includingHidden: includingHidden) }
        }
    }

    private struct Argument: Decodable {
        struct Name: Decodable {
            var kind: String
            var name: String
        }

        var names: [Name]?
        var valueName: String?
        var abstract: String?
    }

    /// The sections of `Book/Help/verbs.txt`: the words of the first line, and the text.
    private static func sections() throws -> [(name: String, text: String)] {
        var package = URL(fileURLWithPath: #filePath)
        for _ in 0..<5 { package.deleteLastPathComponent() }
        let book = try String(contentsOf: package.appendingPathComponent("Book/Help/verbs.txt"), encoding: .utf8)
        return ("\n" + book).components(separatedBy: "\n== ").dropFirst().map { section in
            let lines = section.components(separatedBy: "\n")
            let text = lines.dropFirst().filter { !$0.hasPrefix("usage: ") }.joined(separator: "\n")
                .trimmingCharacters(in: .newlines)
            return (lines[0].replacing(", whole page", with: ""), text)
        }
    }

    private static let topics: Set<String> = ["exit-codes", "profiles", "batch"]

    private static func verbs() throws -> [(path: [String], verb: Verb)] {
        let dump: Dump = try Tool.run(["--experimental-dump-help"]).json()
        return dump.command.all().filter { !topics.contains($0.path.first ?? "") }
    }

    /// Returns the option names of a page. A flag and its inversion share a line.
    private static func options(of page: Tool.Outcome) -> Set<String> {
        Set(
            page.lines.filter { $0.hasPrefix("  --") }.flatMap { line in
                line.dropFirst(2).prefix { $0 != " " }.split(separator: "/").map { String($0.dropFirst(2)) }
            })
    }

    @Test("The first page fits on a screen of 24 lines and shows eleven verbs") func firstPage() throws {
        let page = try Tool.run(["--help"]).text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(page.count <= 24)
        #expect(page.allSatisfy { $0.count <= 80 })
        let start = try #require(page.firstIndex(of: "SUBCOMMANDS:"))
        let verbs = page[(start + 1)...].prefix { !$0.isEmpty }.map { $0.split(separator: " ")[0] }
        #expect(
            verbs == [
                "check", "verify", "audit", "inspect", "explain", "pins", "ca", "roots", "cache", "records", "lab",
            ])
    }

    @Test("A short page has at most 40 lines and says how to see the rest, and a complete page lists every option")
    func pages()
        throws
    {
        for (path, verb) in try Self.verbs() {
            let short = try Tool.run(path + ["-h"])
            let whole = try Tool.run(path + ["--help-hidden"])
            #expect(short.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 40, "\(path)")
            for line in short.lines + whole.lines { #expect(line.count <= 80, "\(path): \(line)") }
            let all = Set((verb.arguments ?? []).flatMap { $0.names ?? [] }.filter { $0.kind == "long" }.map(\.name))
            let listed = Self.options(of: whole)
            #expect(all.subtracting(["help"]) == listed, "\(path)")
            let shown = Self.options(of: short)
            #expect(shown.count <= 13 && shown.isSubset(of: listed), "\(path)")
            guard shown != listed else { continue }
            #expect(short.lines.last?.contains("servertrust \(path.joined(separator: " ")) --help-hidden") == true)
        }
    }

    @Test(
        "`help VERB --all` shows the same page as --help-hidden",
        arguments: [["check"], ["pins", "lint"], ["lab", "run"]])
    func all(_ path: [String]) throws {
        let whole = try Tool.run(path + ["--help-hidden"])
        #expect(whole.status == 0)
        for arguments in [["help"] + path + ["--all"], ["help", "--all"] + path] {
            let outcome = try Tool.run(arguments)
            #expect(outcome.status == 0)
            #expect(outcome.output == whole.output)
        }
        #expect(try Tool.run(["help", "batch", "--all"]).output == Tool.run(["help", "batch"]).output)
    }

    @Test("Shell completions include the options that short pages leave out") func completions() throws {
        #expect(try Tool.run(["--generate-completion-script", "fish"]).text.contains("roots-overlay"))
    }

    @Test("The book has a discussion for each verb with options, and no other") func discussions() throws {
        let dump: Dump = try Tool.run(["--experimental-dump-help"]).json()
        let verbs = dump.command.all(includingHidden: true).filter { path, verb in
            !Self.topics.contains(path.first ?? "") && path != ["ca", "ocsp"] && path.last != "help"
        }
        let sections = try Self.sections().filter { !$0.name.contains(" --") }
        #expect(
            Set(sections.map(\.name))
                == Set(verbs.map { $0.path.isEmpty ? "servertrust" : $0.path.joined(separator: " ") }))
        for (path, verb) in verbs {
            let name = path.isEmpty ? "servertrust" : path.joined(separator: " ")
            // `inspect` fills in the names of fields.
            let text = sections.first { $0.name == name }?.text.components(separatedBy: "{fields}")[0]
            #expect(verb.discussion?.hasPrefix(text ?? "") == true, "\(name)")
        }
    }

    @Test("Each option in the book belongs to a verb, and each option has a text") func optionTexts() throws {
        let dump: Dump = try Tool.run(["--experimental-dump-help"]).json()
        let options = dump.command.all(includingHidden: true).flatMap { path, verb in
            (verb.arguments ?? []).map { (verb: path.joined(separator: " ") + " ", argument: $0) }
        }
        for (verb, argument) in options {
            #expect(argument.abstract?.isEmpty == false, "\(verb)\(argument.names ?? [])")
        }
        for (name, text) in try Self.sections() where name.contains(" --") {
            let parts = name.components(separatedBy: " --")
            let option = parts[1].components(separatedBy: " <")
            let isKnown = options.contains { verb, argument in
                verb.hasPrefix(parts[0] + " ") && argument.names?.contains { $0.name == option[0] } == true
                    && argument.abstract == text
                    && (option.count == 1 || argument.valueName == String(option[1].dropLast()))
            }
            #expect(isKnown, "\(name)")
        }
    }
}
