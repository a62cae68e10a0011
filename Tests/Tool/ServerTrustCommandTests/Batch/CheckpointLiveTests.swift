// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import Testing

/// `verify --batch --checkpoint`. Killed runs resume where they stopped.
@Suite struct CheckpointLiveTests {
    /// A folder with rows in several formats.
    struct Scene {
        let folder: TemporaryFolder

        init(rows: Int) throws {
            let lab = try Lab.shared()
            folder = try TemporaryFolder.make()
            try folder.write("root.pem", pem(lab.root))
            var (lines, table) = (Data(), Data("id,host,pem\n".utf8))
            for number in 0..<rows {
                let host = number % 7 == 0 ? "other.example" : Lab.host
                let leaf = number % 5 == 0 ? lab.expired : lab.leaf
                lines += try BatchLine(
                    lab,
                    [
                        "id": .string("\(number)"), "host": .string(host),
                        "chain": .strings([leaf.base64, lab.intermediate.base64]),
                        "time": .absent, "anchors": .absent,
                    ]
                ).data()
                if number % 50 == 0 { lines += Data("nonsense\n\n".utf8) }
                let chain = leaf.pem + lab.intermediate.pem
                table += Data("\(number),\(host),\"\(chain)\"\n".utf8)
            }
            try folder.write("rows.jsonl", lines)
            try folder.write("rows.jsonl.gz", Data(try CompressedInputTests.gzip(Array(lines))))
            try folder.write("rows.csv.zst", Data(CompressedInputTests.zstd(Array(table))))
        }

        func arguments(_ more: [String]) -> [String] {
            ["verify", "--batch", "--anchors", "root.pem", "--jobs", "2"] + more
        }

        func run(_ more: [String]) throws -> Tool.Outcome { try Tool.run(arguments(more), in: folder.url) }

        func contents(_ name: String) -> Data? { try? Data(contentsOf: folder.url.appendingPathComponent(name)) }

        func remove(_ name: String) { try? FileManager.default.removeItem(at: folder.url.appendingPathComponent(name)) }

        /// Starts a run without waiting for it to finish.
        func start(_ more: [String]) throws -> Process {
            let process = Process()
            process.executableURL = Tool.url
            process.arguments = arguments(more)
            process.environment = Tool.environment(anchors: nil)
            process.currentDirectoryURL = folder.url
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            return process
        }

        func path(_ name: String) -> String { folder.url.appendingPathComponent(name).path }

        /// Returns the names of incomplete files with answers or states. A run that is killed while it writes a summary
        /// leaves a file with its process ID in the name.
        func partials() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter {
                $0.hasSuffix(".partial") && !$0.hasPrefix("counts.json.")
            }
        }

        /// Changes a state as if the run had been killed, and adjusts the digest to its new contents.
        func change(_ name: String = "state", _ body: (inout [String: Any]) -> Void) throws {
            var state = try #require(
                try JSONSerialization.jsonObject(with: contents(name) ?? Data()) as? [String: Any])
            state["isComplete"] = false
            state["digest"] = nil
            body(&state)
            let rest = Array(try JSONSerialization.data(withJSONObject: state))
            let start = "{\"digest\":\"\(Hex.encode(Digests.sha256(rest)))\","
            try folder.write(name, Data(start.utf8) + rest.dropFirst() + Data("\n".utf8))
        }

        /// Changes a state but not its digest.
        func tamper(_ body: (inout [String: Any]) -> Void) throws {
            var state = try #require(
                try JSONSerialization.jsonObject(with: contents("state") ?? Data()) as? [String: Any])
            body(&state)
            try folder.write("state", try JSONSerialization.data(withJSONObject: state, options: .sortedKeys))
        }

        /// Returns the path of a run's unfinished answers.
        func partial(_ state: String = "state") throws -> String {
            struct Run: Decodable { let run: String }
            let run = try JSONDecoder().decode(Run.self, from: try #require(contents(state))).run
            return path("answers.\(run).partial")
        }

        /// Replaces the contents of a complete run's file and renames it to the unfinished answers' name or another
        /// name.
        func setAnswers(_ data: Data, state: String = "state", to name: String? = nil) throws {
            let file = try #require(FileHandle(forWritingAtPath: path("answers")))
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: data)
            try file.close()
            #expect(rename(path("answers"), try name.map { path($0) } ?? partial(state)) == 0)
        }

        /// Returns the number of answer bytes in the checkpoint.
        func answered(_ checkpoint: String = "state") throws -> Int {
            let data = try #require(contents(checkpoint))
            return try JSONDecoder().decode(State.self, from: data).outputSize
        }
    }

    private struct State: Decodable { let outputSize: Int }

    static let formats: [[String]] = [
        ["rows.jsonl.gz", "--summary", "counts.json"], ["--input", "csv", "rows.csv.zst", "--columns"],
        ["rows.jsonl", "rows.jsonl.gz", "--short"],
    ]

    @Test(
        "Runs that are killed at any moment produce the same output as an uninterrupted run", .timeLimit(.minutes(10)),
        arguments: formats)
    func killed(_ format: [String]) throws {
        // The number of killed runs for all formats together, from SERVERTRUST_CHECKPOINT_KILLS. The default is 10.
        let all = ProcessInfo.processInfo.environment["SERVERTRUST_CHECKPOINT_KILLS"].flatMap { Int($0) } ?? 10
        let kills = max(1, all / Self.formats.count)
        let scene = try Scene(rows: 1000)
        defer { scene.folder.remove() }
        let options = format + ["--time", Lab.time]
        let start = ContinuousClock.now
        let undisturbed = try scene.run(options + ["--output", "whole"])
        #expect(undisturbed.status == 0)
        let seconds = (ContinuousClock.now - start).components
        var whole = max(20_000, Int(seconds.seconds) * 1_000_000 + Int(seconds.attoseconds / 1_000_000_000_000))
        let expected = try #require(scene.contents("whole"))
        let summary = scene.contents("counts.json")
        let resumed = options + ["--output", "answers", "--checkpoint", "state"]
        var (killed, partly, runs) = (0, 0, 0)
        while killed < kills, runs < 20 * kills {
            runs += 1
            let process = try scene.start(resumed)
            usleep(UInt32.random(in: 0...UInt32(whole)))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            if process.terminationReason == .uncaughtSignal {
                killed += 1
                if scene.contents("state") != nil, try scene.answered() > 0 { partly += 1 }
                // The answers get their name only once they are complete.
                if let answers = scene.contents("answers") { #expect(answers == expected) }
            } else {
                #expect(scene.contents("answers") == expected)
                scene.remove("answers")
                scene.remove("state")
                // The first run also loaded programs and libraries from the disk.
                whole = max(20_000, whole * 9 / 10)
            }
        }
        let last = try scene.run(resumed)
        #expect(
            last.status == 0
                && last.errors.split(separator: "\n").last == undisturbed.errors.split(separator: "\n").last)
        #expect(scene.contents("answers") == expected && scene.contents("counts.json") == summary)
        #expect(try scene.partials().isEmpty)
        #expect(killed == kills)
        print(
            "checkpoint: \(format[0]) \(format.last ?? ""): \(killed) runs killed of \(runs), \(partly) with answers on the disk"
        )
    }

    @Test("A run resumes from its last checkpoint and discards everything written after it")
    func goesOn() throws {
        let scene = try Scene(rows: 600)
        defer { scene.folder.remove() }
        let options = ["rows.jsonl", "--output", "answers", "--checkpoint", "state", "--time", Lab.time]
        #expect(try scene.run(options).status == 0)
        let whole = try #require(scene.contents("answers"))
        // The state after the first block.
        let line = try #require(whole.firstIndex(of: UInt8(ascii: "\n")))
        let first = try #require(scene.contents("rows.jsonl")?.firstIndex(of: UInt8(ascii: "\n")))
        try scene.change { state in
            state["position"] = ["file": 0, "offset": first + 1, "line": 1]
            state["outputSize"] = line + 1
            state["counts"] = ["lines": 1, "verdicts": [0, 1, 0]]
        }
        try scene.setAnswers(whole[...line] + Data("half an answ".utf8))
        let outcome = try scene.run(options)
        #expect(outcome.status == 0 && scene.contents("answers") == whole)
        #expect(outcome.errors.hasPrefix("servertrust: 612 lines read, 612 answers"))
        // Another run has nothing left to do.
        let again = try scene.run(options)
        #expect(
            again.status == 0 && again.errors.contains("this run is complete") && again.errors.contains("612 answers"))
        #expect(scene.contents("answers") == whole)
    }

    @Test("The batch rejects another run's checkpoint and changes nothing")
    func otherRuns() throws {
        let scene = try Scene(rows: 20)
        defer { scene.folder.remove() }
        let options = ["rows.jsonl", "--output", "answers", "--checkpoint", "state"]
        #expect(try scene.run(options).status == 0)
        let state = try #require(scene.contents("state"))
        for (more, expected) in [
            (["--strict"], "--strict"), (["--host", "a.example"], "--host"), (["--short"], "--short"),
            (["--ct-logs", "logs.json"], "logs.json"), (["--intermediates", "root.pem"], "--intermediates"),
            (["--input", "ndjson"], "--input"),
        ] {
            let outcome = try scene.run(options + more)
            #expect(outcome.status == 2 && outcome.errors.contains(expected), "\(outcome.errors)")
        }
        let both = try scene.run(["rows.jsonl"] + options)
        #expect(
            both.status == 2
                && both.errors.contains("the command differs: found \"rows.jsonl\", expected \"--output\""))
        let anchors = try #require(scene.contents("root.pem"))
        try scene.folder.write("root.pem", anchors + Data("\n".utf8))
        #expect(try scene.run(options).errors.contains("root.pem has changed"))
        try scene.folder.write("root.pem", anchors)
        let rows = try #require(scene.contents("rows.jsonl"))
        try scene.folder.write("rows.jsonl", rows + Data("more\n".utf8))
        let grown = try scene.run(options)
        #expect(grown.status == 2 && grown.errors.contains("rows.jsonl has changed"))
        try scene.folder.write("rows.jsonl", rows)
        #expect(scene.contents("state") == state)
        try scene.folder.write("state", Data("{}".utf8))
        let other = try scene.run(options)
        #expect(
            other.status == 2 && other.errors.contains("isn't a checkpoint")
                && scene.contents("state") == Data("{}".utf8))
    }

    // MARK: - Damaged checkpoints

    /// A change to a state that no run makes.
    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout [String: Any]) -> Void

        init(_ testDescription: String, _ change: @escaping @Sendable (inout [String: Any]) -> Void) {
            (self.testDescription, self.change) = (testDescription, change)
        }

        /// Sets one number, or one number in an object.
        init(_ key: String, _ member: String?, _ value: Int) {
            self.init("\([key, member].compactMap(\.self).joined(separator: ".")) \(value)") { state in
                guard let member else { return state[key] = value }
                var object = state[key] as? [String: Any] ?? [:]
                object[member] = value
                state[key] = object
            }
        }
    }

    private static let numbers: [Damage] = [
        Damage("position", "file", -1), Damage("position", "file", 1), Damage("position", "file", .max),
        Damage("position", "offset", -1), Damage("position", "offset", .max), Damage("position", "line", -1),
        Damage("position", "line", .max), Damage("outputSize", nil, -1), Damage("outputSize", nil, 0),
        Damage("outputSize", nil, .max),
    ]

    private static let counts: [Damage] = [-1, Int.max, Int.max - 1, Int.min].flatMap { value in
        [Damage("counts", "lines", value)]
            + (0..<3).map { place in
                Damage("counts.verdicts[\(place)] \(value)") { state in
                    var counts = state["counts"] as? [String: Any] ?? [:]
                    var verdicts = counts["verdicts"] as? [Int] ?? []
                    verdicts[place] = value
                    counts["verdicts"] = verdicts
                    state["counts"] = counts
                }
            }
    }

    private static let start: [String: Int] = ["file": 0, "offset": 0, "line": 0]

    private static let others: [Damage] = [
        Damage("the start of the input, but not of the answers") { state in state["position"] = start },
        Damage("the start of the input and of the answers") { state in
            state["position"] = start
            state["outputSize"] = 0
        },
        Damage("a run name that points elsewhere") { state in state["run"] = "../../ab" },
        Damage("no counts") { state in state["counts"] = nil },
        Damage("a string instead of a number") { state in state["outputSize"] = "1" },
        Damage("a fraction") { state in state["outputSize"] = 1.5 },
    ]

    static let damages: [Damage] = numbers + counts + others

    @Test("A state with a value that no run writes causes an error, even with a matching digest", arguments: damages)
    func invalidValues(_ damage: Damage) throws {
        let scene = try Scene(rows: 20)
        defer { scene.folder.remove() }
        let options = ["rows.jsonl", "--output", "answers", "--checkpoint", "state"]
        #expect(try scene.run(options).status == 0)
        let whole = try #require(scene.contents("answers"))
        try scene.change { damage.change(&$0) }
        try scene.setAnswers(whole, to: "answers.unfinished")
        let state = scene.contents("state")
        let outcome = try scene.run(options)
        #expect(outcome.status == 2 && outcome.errors.contains("hint:"), "\(outcome.errors)")
        #expect(scene.contents("answers.unfinished") == whole && scene.contents("answers") == nil)
        #expect(scene.contents("state") == state)
    }

    @Test("A state that doesn't match its digest causes an error, whatever was changed")
    func digest() throws {
        let scene = try Scene(rows: 20)
        defer { scene.folder.remove() }
        let options = ["rows.jsonl", "--output", "answers", "--checkpoint", "state"]
        #expect(try scene.run(options).status == 0)
        let whole = try #require(scene.contents("answers"))
        let state = try #require(scene.contents("state"))
        func expectError(_ comment: Comment) throws {
            let outcome = try scene.run(options)
            #expect(outcome.status == 2 && outcome.errors.contains("changed or damaged"), comment)
            #expect(scene.contents("answers") == whole, comment)
        }
        for damage in Self.damages {
            try scene.tamper { damage.change(&$0) }
            let outcome = try scene.run(options)
            #expect(outcome.status == 2 && scene.contents("answers") == whole, "\(damage.testDescription)")
            try scene.folder.write("state", state)
        }
        try scene.tamper { $0["isComplete"] = false }
        try expectError("isComplete")
        // The same values in another byte order have another digest.
        try scene.folder.write("state", state)
        try scene.tamper { _ in }
        try expectError("another encoder")
        try scene.folder.write("state", state + Data(" ".utf8))
        try expectError("a byte more")
        for index in stride(from: 0, to: state.count, by: 97) {
            var changed = state
            changed[changed.startIndex + index] ^= 1
            try scene.folder.write("state", changed)
            let outcome = try scene.run(options)
            #expect(outcome.status == 2 && scene.contents("answers") == whole, "byte \(index)")
        }
        try scene.folder.write("state", state)
        #expect(try scene.run(options).errors.contains("this run is complete"))
    }

    // MARK: - Signals

    /// Starts a run that waits for rows, and returns it as soon as its unfinished answers exist.
    private func waiting(_ scene: Scene) throws -> (process: Process, writer: FileHandle) {
        #expect(mkfifo(scene.path("pipe"), 0o600) == 0)
        let process = try scene.start(["pipe", "--output", "answers"])
        let writer = try #require(FileHandle(forWritingAtPath: scene.path("pipe")))
        try writer.write(contentsOf: Data("nonsense\n".utf8))
        while process.isRunning, try scene.partials().isEmpty { usleep(1000) }
        return (process, writer)
    }

    @Test("A run without a checkpoint leaves no file when a signal ends it", arguments: [SIGTERM, SIGINT, SIGHUP])
    func endedBySignal(_ number: Int32) throws {
        let scene = try Scene(rows: 1)
        defer { scene.folder.remove() }
        let (process, writer) = try waiting(scene)
        kill(process.processIdentifier, number)
        if number != SIGTERM {
            // If this test's parent process ignores these signals, they remain ignored.
            usleep(100_000)
            kill(process.processIdentifier, SIGTERM)
        }
        process.waitUntilExit()
        try writer.close()
        #expect(process.terminationReason == .uncaughtSignal)
        #expect([number, SIGTERM].contains(process.terminationStatus))
        #expect(try scene.partials().isEmpty && scene.contents("answers") == nil)
    }

    @Test("A run that finishes without a signal leaves only its answers")
    func endedByItself() throws {
        let scene = try Scene(rows: 1)
        defer { scene.folder.remove() }
        let (process, writer) = try waiting(scene)
        try writer.close()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
        #expect(try scene.partials().isEmpty && scene.contents("answers")?.isEmpty == false)
    }

    @Test("A run with a checkpoint keeps its unfinished answers when a signal ends it, and can then resume")
    func endedWithCheckpoint() throws {
        let scene = try Scene(rows: 4000)
        defer { scene.folder.remove() }
        let options = ["rows.jsonl", "--output", "answers", "--checkpoint", "state", "--time", Lab.time]
        let process = try scene.start(options)
        while process.isRunning, try scene.partials().isEmpty { usleep(500) }
        kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        if process.terminationReason == .uncaughtSignal, scene.contents("answers") == nil {
            #expect(try scene.partials().count == 1)
        }
        #expect(try scene.run(options).status == 0)
        #expect(try scene.partials().isEmpty && scene.contents("answers") != nil)
    }

    @Test("A run with different system anchors, argument order or filters counts as a different run")
    func surroundings() throws {
        let scene = try Scene(rows: 20)
        defer { scene.folder.remove() }
        func run(_ more: [String], roots: String) throws -> Tool.Outcome {
            try Tool.run(
                ["verify", "--batch", "rows.jsonl", "--output", "answers", "--checkpoint", "state"] + more,
                environment: ["SSL_CERT_FILE": scene.path(roots)], in: scene.folder.url)
        }
        try scene.folder.write("other.pem", pem(Lab.shared().selfSigned))
        #expect(try run([], roots: "root.pem").status == 0)
        #expect(try run([], roots: "other.pem").errors.contains("the system's root store has changed"))
        #expect(try run(["--host-column", "x"], roots: "root.pem").status != 0)
        #expect(
            try run(["--profile", "webPKI"], roots: "root.pem").errors.contains("found \"--profile\", expected its end")
        )
        let words = ["verify", "--batch", "--output", "answers", "--checkpoint", "state", "rows.jsonl"]
        let turned = try Tool.run(
            words, environment: ["SSL_CERT_FILE": scene.path("root.pem")], in: scene.folder.url)
        #expect(turned.errors.contains("the command differs"))
        // The number of threads doesn't change the answers.
        for jobs in [["--jobs", "1"], ["--jobs=2"]] { #expect(try run(jobs, roots: "root.pem").status == 0) }
        try scene.change { $0["program"] = "1 2.3" }
        #expect(try run([], roots: "root.pem").errors.contains("another build of the program"))
    }

    @Test("A run without rows resumes after being killed at its end, and missing complete answers cause an error")
    func emptyRun() throws {
        let scene = try Scene(rows: 20)
        defer { scene.folder.remove() }
        try scene.folder.write("empty", Data())
        let options = ["empty", "--output", "answers", "--checkpoint", "state"]
        for _ in 0..<2 {
            #expect(try scene.run(options).status == 0)
            #expect(scene.contents("answers") == Data())
            try scene.change { _ in }
        }
        #expect(try scene.run(options).status == 0)
        #expect(rename(scene.path("answers"), scene.path("moved")) == 0)
        let gone = try scene.run(options)
        #expect(gone.status == 2 && gone.errors.contains("this run is complete, but answers isn't there"))
        try scene.folder.write("answers", Data("short".utf8))
        #expect(try scene.run(options).errors.contains("answers has 5 bytes, expected 0 bytes"))
    }

    @Test("Answers that already exist, or are missing although they should exist, cause an error")
    func files() throws {
        let scene = try Scene(rows: 20)
        defer { scene.folder.remove() }
        let options = ["rows.jsonl", "--output", "answers"]
        try scene.folder.write("answers", Data("precious".utf8))
        for more in [[], ["--checkpoint", "state"]] {
            let outcome = try scene.run(options + more)
            #expect(outcome.status == 2 && outcome.errors.contains("answers already exists"))
            #expect(scene.contents("answers") == Data("precious".utf8) && scene.contents("state") == nil)
        }
        scene.remove("answers")
        #expect(try scene.run(options + ["--checkpoint", "state"]).status == 0)
        let whole = try #require(scene.contents("answers"))
        try scene.change { _ in }
        // Killed before the file lost its other name, or after that.
        let partial = try scene.partial()
        #expect(link(scene.path("answers"), partial) == 0)
        for _ in 0..<2 {
            #expect(try scene.run(options + ["--checkpoint", "state"]).status == 0)
            #expect(try scene.contents("answers") == whole && scene.partials().isEmpty)
            try scene.change { _ in }
        }
        // The run's file, truncated.
        try scene.setAnswers(Data("short".utf8))
        #expect(try scene.run(options + ["--checkpoint", "state"]).errors.contains("shorter than the checkpoint says"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: partial)) == Data("short".utf8))
        // Another file instead of it, under either name.
        #expect(rename(partial, scene.path("kept")) == 0)
        try scene.folder.write("answers", whole)
        #expect(try scene.run(options + ["--checkpoint", "state"]).errors.contains("answers already exists"))
        #expect(scene.contents("answers") == whole)
        #expect(rename(scene.path("answers"), partial) == 0)
        #expect(try scene.run(options + ["--checkpoint", "state"]).errors.contains("isn't the file that"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: partial)) == whole)
        // No file.
        #expect(rename(partial, scene.path("moved")) == 0)
        #expect(try scene.run(options + ["--checkpoint", "state"]).errors.contains(".partial: No such file"))
    }

    @Test("The batch keeps complete answers even if it can't rename them")
    func keptAnswers() throws {
        let scene = try Scene(rows: 20)
        defer { scene.folder.remove() }
        let pipe = scene.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let process = Process()
        process.executableURL = Tool.url
        process.arguments = scene.arguments(["pipe", "--output", "answers"])
        process.environment = Tool.environment(anchors: nil)
        process.currentDirectoryURL = scene.folder.url
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let writer = try #require(FileHandle(forWritingAtPath: pipe))
        try writer.write(contentsOf: try #require(scene.contents("rows.jsonl")))
        while try scene.partials().isEmpty { usleep(1000) }
        try scene.folder.write("answers", Data("precious".utf8))
        try writer.close()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 2 && text.contains("all answers are in"), "\(text)")
        #expect(scene.contents("answers") == Data("precious".utf8))
        let kept = try #require(try scene.partials().first)
        #expect(scene.contents(kept)?.count(where: { $0 == UInt8(ascii: "\n") }) == 21)
    }

    @Test("Two runs with separate checkpoints never write to the same file")
    func twoCheckpoints() throws {
        let scene = try Scene(rows: 20)
        defer { scene.folder.remove() }
        let options = ["rows.jsonl", "--output", "answers"]
        #expect(try scene.run(options + ["--checkpoint", "one"]).status == 0)
        let whole = try #require(scene.contents("answers"))
        try scene.change("one") { $0["outputSize"] = 21 }
        try scene.setAnswers(whole, state: "one")
        #expect(try scene.run(options + ["--short", "--checkpoint", "two"]).status == 0)
        let others = try #require(scene.contents("answers"))
        #expect(try scene.contents(scene.partials()[0]) == whole)
        let refused = try scene.run(options + ["--checkpoint", "one"])
        #expect(refused.status == 2 && refused.errors.contains("answers already exists"), "\(refused.errors)")
        #expect(scene.contents("answers") == others)
    }

    @Test("The state counts an endless line over the limit")
    func giantLastLine() throws {
        let scene = try Scene(rows: 20)
        defer { scene.folder.remove() }
        let rows = try #require(scene.contents("rows.jsonl"))
        try scene.folder.write("rows.jsonl", rows + Data(repeating: UInt8(ascii: "x"), count: 17 << 20))
        let options = ["rows.jsonl", "--output", "answers", "--checkpoint", "state"]
        let closing = "22 lines read, 22 answers"
        for _ in 0..<2 { #expect(try scene.run(options).errors.contains(closing)) }
    }

    @Test("The batch reports a missing summary folder before the first row")
    func summaryFolder() throws {
        let scene = try Scene(rows: 20)
        defer { scene.folder.remove() }
        let outcome = try scene.run(["rows.jsonl", "--summary", "missing/counts.json"])
        #expect(outcome.status == 2 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("missing/counts.json") && outcome.errors.contains("No such file"))
    }

    @Test("Without a checkpoint, answers appear only when they are complete")
    func wholeOrNothing() throws {
        let scene = try Scene(rows: 20)
        defer { scene.folder.remove() }
        let failed = try scene.run(["rows.jsonl", "missing", "--output", "answers"])
        #expect(failed.status == 2 && scene.contents("answers") == nil)
        let names = try FileManager.default.contentsOfDirectory(atPath: scene.folder.url.path)
        #expect(!names.contains { $0.hasPrefix("answers") })
        #expect(try scene.run(["rows.jsonl", "--output", "answers"]).status == 0)
        #expect(scene.contents("answers")?.count(where: { $0 == UInt8(ascii: "\n") }) == 21)
    }

    @Test("A second run with the same checkpoint can't write at the same time")
    func locked() throws {
        let scene = try Scene(rows: 20)
        defer { scene.folder.remove() }
        let options = ["rows.jsonl", "--output", "answers", "--checkpoint", "state"]
        #expect(try scene.run(options).status == 0)
        let whole = try #require(scene.contents("answers"))
        try scene.change { _ in }
        // The lock of the first run is on its answers, which already have their final name.
        let descriptor = open(scene.path("answers"), O_RDWR)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX) == 0)
        let outcome = try scene.run(options)
        #expect(outcome.status == 2 && outcome.errors.contains("another process is writing to it"))
        #expect(scene.contents("answers") == whole)
    }
}
