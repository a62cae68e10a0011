// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import ServerTrustLab
import Testing

/// `check` with lists of servers: immediate results, signals and rounds.
@Suite("servertrust check with many servers", .serialized, .timeLimit(.minutes(10)))
struct CheckScaleLiveTests {
    private struct Answer: Decodable {
        let schemaVersion: Int
        let server: String
        let outcome: String
        let round: Int?
    }

    private func answers(_ text: String) throws -> [Answer] {
        try text.split(separator: "\n").map { try JSONDecoder().decode(Answer.self, from: Data($0.utf8)) }
    }

    // MARK: - Lists

    struct List: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var text: String
        /// The number of `GOOD` placeholders, each of which names a server.
        var count: Int

        init(_ name: String, _ text: String, count: Int) {
            self.testDescription = name
            self.text = text
            self.count = count
        }
    }

    static let lists: [List] = [
        List("one line", "GOOD\n", count: 1),
        List("no line feed at the end", "GOOD", count: 1),
        List("CRLF", "GOOD\r\nGOOD\r\n", count: 2),
        List("CR alone", "GOOD\rGOOD\r", count: 2),
        List("a byte order mark", "\u{feff}GOOD\n", count: 1),
        List("blank lines and spaces", "\n  GOOD \t\n\n\t\n", count: 1),
        List("comments", "# all\nGOOD # this one\n  # none\n#\nGOOD\t#x\n", count: 2),
        List("a URL with a fragment", "https://GOOD/#x\n", count: 1),
    ]

    @Test("check reads a list of servers", arguments: lists) func list(_ list: List) async throws {
        let lab = try await LabServers([.good])
        let text = list.text.replacing("GOOD", with: lab.names[0])
        let outcome = try lab.check(["--hosts", "-", "--format", "jsonl"], input: text)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try answers(outcome.text).count == list.count)
        await lab.stop()
    }

    @Test("check rejects a list with bad lines before it contacts a server, and reports the number of each bad line")
    func badList() async throws {
        let lab = try await LabServers([.good])
        let bad = (0..<30).map { "host:\($0 + 70_000)\n" }.joined()
        let text = "\(lab.names[0])\nhttp://a.example\n# c\na b\n\(lab.names[0])\n[::1\n"
        let file = try lab.folder.write("hosts", Data(text.utf8) + [0xff, 0xfe, 0x0a] + Data(bad.utf8)).path
        for format in ["text", "json", "jsonl", "prometheus"] {
            let outcome = try lab.check(["--hosts", file, "--format", format])
            #expect(outcome.status == 2)
            #expect(outcome.output.isEmpty)
            for line in [2, 4, 6, 7, 8] { #expect(outcome.errors.contains("\(file):\(line): ")) }
            #expect(!outcome.errors.contains("\(file):1: ") && !outcome.errors.contains("\(file):30: "))
            #expect(outcome.errors.split(separator: "\n").count < 30)
        }
        #expect(lab.servers[0].counts.handshakes == 0)
        await lab.stop()
    }

    @Test(
        "A missing or empty list, or a folder instead of a list, causes an error",
        arguments: ["/nonexistent", "/dev/null", "/"])
    func noList(_ file: String) throws {
        let outcome = try Tool.run(["check", "--hosts", file])
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty && !outcome.errors.isEmpty)
    }

    @Test("Control characters in a list don't reach the terminal") func controlCharacters() throws {
        let outcome = try Tool.run(["check", "--hosts", "-"], input: Data("a\u{1b}[2J\u{202e}b\n".utf8))
        #expect(outcome.status == 2)
        #expect(!outcome.errors.contains("\u{1b}") && !outcome.errors.contains("\u{202e}"))
    }

    @Test("check can read servers from arguments and from a list in one run") func together() async throws {
        let lab = try await LabServers([.good, .expired])
        let outcome = try lab.check([lab.names[0], "--hosts", "-", "--format", "json"], input: lab.names[1] + "\n")
        #expect(outcome.status == 1)
        #expect(try outcome.json([Answer].self).map(\.server) == lab.names)
        await lab.stop()
    }

    // MARK: - As they come

    @Test("check writes a line as soon as a server is done, while other servers are silent")
    func asTheyCome() async throws {
        let lab = try await LabServers([.good])
        let silent = try SilentSocket()
        let tool = try RunningTool(
            ["check"] + lab.options
                + ["api.lab.test:\(silent.port)", lab.names[0], "--format", "jsonl", "--timeout", "60s"],
            in: lab.folder
        ) { $0.contains("\n") }
        #expect(tool.process.isRunning)
        #expect(try answers(tool.text).map(\.outcome) == ["trusted"])
        // The signal ends the run immediately and leaves the silent server unchecked.
        #expect(tool.stop(SIGINT) == 2)
        #expect(tool.errors.contains("1 of 2 servers were not checked"))
        await lab.stop()
    }

    @Test("A summary has a line for each server and ends with the totals") func summary() async throws {
        let lab = try await LabServers([.good, .expired])
        let outcome = try lab.check(lab.names + ["--summary"])
        #expect(outcome.status == 1)
        #expect(outcome.lines.count == 3)
        #expect(outcome.lines.contains { $0.hasPrefix("OK    \(lab.names[0])") })
        #expect(outcome.lines.contains { $0.hasPrefix("FAIL  \(lab.names[1])") && $0.contains("[certificateExpired]") })
        #expect(outcome.lines.last == "1 of 2 trusted")
        await lab.stop()
    }

    // MARK: - Signals

    struct Stop: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var arguments: [String]
        var signal: Int32
    }

    static let stops: [Stop] = [
        Stop(testDescription: "SIGINT and text", arguments: [], signal: SIGINT),
        Stop(testDescription: "SIGTERM and json", arguments: ["--format", "json"], signal: SIGTERM),
        Stop(testDescription: "SIGINT and junit", arguments: ["--format", "junit"], signal: SIGINT),
        Stop(testDescription: "SIGINT and prometheus", arguments: ["--format", "prometheus"], signal: SIGINT),
    ]

    @Test(
        "After a signal, check prints its results so far, and a rejected server keeps its exit code", arguments: stops)
    func stopped(_ stop: Stop) async throws {
        let lab = try await LabServers([.good, .expired])
        let silent = try SilentSocket()
        let names = lab.names + (0..<3).map { _ in "api.lab.test:\(silent.port)" }
        let tool = try RunningTool(
            ["check"] + lab.options + names + ["--timeout", "60s"] + stop.arguments, in: lab.folder
        ) { _ in lab.servers.allSatisfy { $0.counts.connections > 0 && $0.counts.openConnections == 0 } }
        // The client closes a connection with its verdict. No event shows when the result is counted.
        try await Task.sleep(for: .seconds(2))
        #expect(tool.stop(stop.signal) == 1)
        #expect(tool.errors.contains("3 of 5 servers were not checked"))
        for name in lab.names { #expect(tool.text.contains(name)) }
        await lab.stop()
    }

    // MARK: - Rounds

    @Test("Rounds print only changes and end when a signal arrives") func watch() async throws {
        let lab = try await LabServers([.good])
        let port = lab.servers[0].port
        let anchors = lab.options
        let tool = try RunningTool(
            ["check"] + anchors + [lab.names[0], "--watch", "1s"], in: lab.folder
        ) { $0.split(separator: "\n").count >= 2 }
        #expect(!tool.text.contains("CHANGED"))
        await lab.servers[0].stop()
        let deadline = Date(timeIntervalSinceNow: 60)
        while !tool.text.contains("CHANGED"), Date() < deadline { usleep(10_000) }
        let changed = tool.text.split(separator: "\n").last { $0.contains("CHANGED") }
        #expect(changed?.contains("FAIL  api.lab.test:\(port)") == true)
        #expect(changed?.contains("was trusted") == true)
        // The exit code of the last complete round.
        #expect(tool.stop(SIGINT) == 2)
        await lab.stop()
    }

    @Test("The JSON for each round contains the round's number") func watchJSON() async throws {
        let lab = try await LabServers([.expired])
        let tool = try RunningTool(
            ["check"] + lab.options + [lab.names[0], "--watch", "1s", "--format", "jsonl"], in: lab.folder
        ) { $0.split(separator: "\n").count >= 3 }
        #expect(tool.stop(SIGTERM) == 1)
        #expect(try answers(tool.text).prefix(3).map(\.round) == [1, 2, 3])
        await lab.stop()
    }

    // MARK: - Usage

    @Test(
        "The command exits with 64 for incorrect usage",
        arguments: [
            ["check"], ["check", "--hosts", "-", "--anchors", "-"], ["check", "a.example", "--watch", "500ms"],
            ["check", "a.example", "--watch", "5s", "--format", "json"],
            ["check", "a.example", "--summary", "--format", "json"],
            ["check", "a.example", "--summary", "--showcerts"],
            ["check", "a.example", "--expires-within", "soon"], ["check", "a.example", "b.example", "--fix"],
            ["check", "--hosts", "x", "--fix"], ["check", "a.example", "--fix", "--format", "json"],
            ["check", "a.example", "--fix", "--follow"], ["verify", "x.pem", "--fix", "--format", "json"],
            ["verify", "--batch", "--fix"], ["verify", "--batch", "--expires-within", "1d"],
        ])
    func usage(_ arguments: [String]) throws {
        let outcome = try Tool.run(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
    }
}
