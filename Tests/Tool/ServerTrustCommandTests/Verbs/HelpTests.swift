// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The pages of help: short ones of `-h`, and whole ones.
@Suite struct HelpTests {
    /// The description of the command that `--experimental-dump-help` prints.
    private struct Dump: Decodable {
        var command: Verb
    }

    private struct Verb: Decodable {
        var commandName: String
        var shouldDisplay: Bool?
        var subcommands: [Verb]?
        var arguments: [Argument]?

        /// The verbs below, with the words that lead to them.
        func all(below path: [String] = []) -> [(path: [String], verb: Verb)] {
            [(path, self)]
                + (subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }.flatMap {
                    $0.all(below: path + [$0.commandName])
                }
        }
    }

    private struct Argument: Decodable {
        struct Name: Decodable {
            var kind: String
            var name: String
        }

        var names: [Name]?
    }

    private static let topics: Set<String> = ["exit-codes", "profiles", "batch"]

    private static func verbs() throws -> [(path: [String], verb: Verb)] {
        let dump: Dump = try Tool.run(["--experimental-dump-help"]).json()
        return dump.command.all().filter { !topics.contains($0.path.first ?? "") }
    }

    private static func options(of page: Tool.Outcome) -> Set<String> {
        Set(
            page.lines.compactMap { line in
                line.hasPrefix("  --") ? line.dropFirst(4).prefix { $0 != " " }.description : nil
            })
    }

    @Test("The first page fits a screen of 24 lines and has ten verbs") func firstPage() throws {
        let page = try Tool.run(["--help"]).text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(page.count <= 24)
        #expect(page.allSatisfy { $0.count <= 80 })
        let start = try #require(page.firstIndex(of: "SUBCOMMANDS:"))
        let verbs = page[(start + 1)...].prefix { !$0.isEmpty }.map { $0.split(separator: " ")[0] }
        #expect(
            verbs == ["check", "verify", "audit", "inspect", "explain", "pins", "ca", "roots", "cache", "lab"])
    }

    @Test("Every short page fits 40 lines, and every page 80 columns") func heights() throws {
        for (path, _) in try Self.verbs() {
            let short = try Tool.run(path + ["-h"]).text.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(short.count <= 40, "\(path)")
            let whole = try Tool.run(path + ["--help-hidden"]).lines
            for line in short.map(String.init) + whole { #expect(line.count <= 80, "\(path): \(line)") }
        }
    }

    @Test("A whole page has every option, a short one has at most 13 and says how to see the rest") func options()
        throws
    {
        for (path, verb) in try Self.verbs() {
            let short = try Tool.run(path + ["--help"])
            let whole = try Tool.run(path + ["--help-hidden"])
            let all = Set((verb.arguments ?? []).flatMap { $0.names ?? [] }.filter { $0.kind == "long" }.map(\.name))
                .subtracting(["help", "no-compare", "no-must-staple"])
            #expect(all.subtracting(Self.options(of: whole)).isEmpty, "\(path)")
            let shown = Self.options(of: short)
            #expect(shown.count <= 13, "\(path)")
            #expect(shown.isSubset(of: Self.options(of: whole)), "\(path)")
            guard shown != Self.options(of: whole) else { continue }
            #expect(short.lines.last?.contains("servertrust \(path.joined(separator: " ")) --help-hidden") == true)
        }
    }

    @Test("`help VERB --all` is the page of --help-hidden", arguments: [["check"], ["pins", "lint"], ["lab", "run"]])
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

    @Test("Completions have the options that short pages leave out") func completions() throws {
        #expect(try Tool.run(["--generate-completion-script", "fish"]).text.contains("roots-overlay"))
    }
}
