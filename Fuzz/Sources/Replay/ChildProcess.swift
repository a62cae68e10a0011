// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The parent's side of a target's process.
struct ChildProcess {
    private let target: FuzzTarget
    private let supervisor: Supervisor
    private let record: String
    private let log: String
    private let process: pid_t
    private let started = Platform.monotonicNanoseconds()

    init(_ target: FuzzTarget, _ supervisor: Supervisor, folder: URL) throws {
        self.target = target
        self.supervisor = supervisor
        record = folder.appending(path: target.name).path
        log = folder.appending(path: "\(target.name).log").path
        try Data().write(to: URL(filePath: record))
        var arguments = [
            "--child", target.name, "--record", record, "--seed", "\(supervisor.seed)", "--parent", "\(getpid())",
            "--mutations", "\(supervisor.file == nil ? supervisor.mutations ?? target.mutations : 0)",
        ]
        if let file = supervisor.file { arguments += ["--file", file] }
        process = try Self.start(arguments, log: log)
    }

    /// Starts this program again, with its output in a file.
    private static func start(_ arguments: [String], log: String) throws -> pid_t {
        guard let program = Bundle.main.executablePath ?? CommandLine.arguments.first else {
            throw ReplayError("the path of this program is unknown")
        }
        var actions = Platform.noFileActions
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var variables = ProcessInfo.processInfo.environment
        // Sets and dictionaries have the same order in each run.
        variables["SWIFT_DETERMINISTIC_HASHING"] = "1"
        // A crash ends the process here and must not start a debugger.
        variables["SWIFT_BACKTRACE"] = "enable=no"
        // FuzzCost measures in this process, and the limit doesn't depend on the speed of the machine.
        variables["COST_TABLE"] = nil
        variables["COST_LIMIT"] = variables["COST_LIMIT"] ?? "500"
        let environment = variables.map { "\($0.key)=\($0.value)" }.sorted()
        var process: pid_t = 0
        let status = withCStrings([program] + arguments) { arguments in
            withCStrings(environment) { environment in
                posix_spawn(&process, program, &actions, nil, arguments, environment)
            }
        }
        guard status == 0 else {
            throw ReplayError("\(program) can't be started: \(String(cString: strerror(status)))")
        }
        return process
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = strings.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers + [nil])
    }
}

extension ChildProcess {
    /// Returns the outcome once the process has ended. Ends a process that hangs.
    func outcome() -> Outcome? {
        var status: CInt = 0
        var usage = rusage()
        let ended = wait4(process, &status, WNOHANG, &usage)
        if ended == process {
            // A terminal interrupts the children too.
            return outcome(status, usage, wasEnded: Interruption.isRequested && status != 0 ? .interrupted : nil)
        }
        let reason: Outcome.Kind
        if Interruption.isRequested {
            reason = .interrupted
        } else {
            let snapshot = Record.Snapshot(path: record)
            let hasStarted = snapshot[.started] > 0
            let limit = hasStarted ? Double(target.limits.seconds) : Supervisor.secondsForReading
            let now = Platform.monotonicNanoseconds()
            // The child may have started an input after this process read the time.
            let since = min(hasStarted ? snapshot[.started] : started, now)
            guard Double(now - since) / 1e9 > limit else { return nil }
            reason = hasStarted ? .hang : .notStarted
        }
        kill(process, SIGKILL)
        _ = wait4(process, &status, 0, &usage)
        return outcome(status, usage, wasEnded: reason)
    }

    private func outcome(_ status: CInt, _ usage: rusage, wasEnded: Outcome.Kind?) -> Outcome {
        let snapshot = Record.Snapshot(path: record)
        var outcome = Outcome(target: target, kind: .passed)
        outcome.finished = Int(snapshot[.finished])
        outcome.slowest = Double(snapshot[.slowest]) / 1e6
        outcome.checksum = snapshot[.checksum]
        outcome.seconds = Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
        (outcome.kind, outcome.reason) = verdict(status, snapshot, wasEnded)
        guard outcome.kind != .passed, outcome.kind != .interrupted else { return outcome }
        outcome.output = lastLines()
        if let bytes = Record.input(path: record) {
            let inputs = try? supervisor.file.map { try TargetInputs(file: $0) } ?? TargetInputs(of: target)
            let names = inputs?.names ?? []
            let base = Int(snapshot[.base])
            outcome.finding = Outcome.Finding(
                bytes: bytes, number: Int(snapshot[.number]), base: base < names.count ? names[base] : "unknown",
                isMutated: snapshot[.number] >= UInt64(names.count))
        }
        return outcome
    }

    private func verdict(
        _ status: CInt, _ snapshot: Record.Snapshot, _ wasEnded: Outcome.Kind?
    ) -> (Outcome.Kind, String) {
        let limits = target.limits
        switch (wasEnded, snapshot.state) {
        case (.hang?, _): return (.hang, "an input takes more than \(limits.seconds) s on the clock")
        case (.interrupted?, _): return (.interrupted, "interrupted")
        case (.some, _): return (.notStarted, "its inputs weren't read in \(Int(Supervisor.secondsForReading)) s")
        case (nil, .finished?) where status == 0: return (.passed, "")
        case (nil, .noInputs?):
            return (
                .noInputs,
                "no file in Seeds/\(target.name) or Corpus/\(target.name); Fuzz/make-seeds.py writes the second"
            )
        case (nil, .unreadable?): return (.noInputs, "its inputs can't be read")
        case (nil, .tooSlow?):
            let time = snapshot[.measured] / 1_000_000
            return (.tooSlow, "\(time) ms of processor time for an input, the limit is \(limits.milliseconds) ms")
        case (nil, .tooLarge?):
            return (.tooLarge, "\(snapshot[.measured]) MB of memory for an input, the limit is \(limits.megabytes) MB")
        case (nil, .reading?), (nil, nil): return (.notStarted, "ended before its first input: \(Self.text(status))")
        case (nil, .between?): return (.notStarted, "ended while the next input was made: \(Self.text(status))")
        case (nil, .running?), (nil, .finished?):
            return (.crash, "ended in the middle of an input: \(Self.text(status))")
        }
    }

    /// Describes how a process ended, from the status of `wait`.
    private static func text(_ status: CInt) -> String {
        let number = status & 0x7f
        guard number != 0 else { return "exit status \(status >> 8 & 0xff)" }
        let name = strsignal(number).map { String(cString: $0) } ?? "unknown"
        return "signal \(number) (\(name))"
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

    /// Returns the last lines of the process's output without control characters, which may come from an input.
    private func lastLines() -> [String] {
        guard let data = try? Data(contentsOf: URL(filePath: log)) else { return [] }
        return String(decoding: data.suffix(20_000), as: UTF8.self).split(whereSeparator: \.isNewline).suffix(20).map {
            line in
            String(
                String.UnicodeScalarView(
                    line.unicodeScalars.prefix(1_000).map { $0.properties.generalCategory == .control ? "?" : $0 }))
        }
    }
}
