// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A process that runs exchanges.
enum ChildProcess {
    enum End: Sendable {
        case done
        /// A signal or another status ended the process. The text is the end of its standard error.
        case crashed(String)
        /// The process wrote nothing for a long time, and was killed.
        case stuck
    }

    /// The longest time without a line, in milliseconds.
    private static let patience: Int32 = 90_000

    /// Runs a child until it ends.
    /// - Parameters:
    ///   - traces: whether a crash writes a backtrace, which takes seconds.
    ///   - line: receives the fields of each line.
    static func run(_ options: Options, traces: Bool = false, _ line: ([String]) -> Void) throws -> End {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = options.childArguments
        var environment = ProcessInfo.processInfo.environment
        environment["SWIFT_BACKTRACE"] =
            traces ? "enable=yes,interactive=no,color=no,threads=crashed,images=none,timeout=30s" : "enable=no"
        for name in ["https_proxy", "http_proxy", "all_proxy", "no_proxy"] {
            environment[name] = nil
            environment[name.uppercased()] = nil
        }
        process.environment = environment
        let errors = FileManager.default.temporaryDirectory.appendingPathComponent("random-peers-\(UUID().uuidString)")
        try Data().write(to: errors)
        defer { try? FileManager.default.removeItem(at: errors) }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        let isStuck = read(output.fileHandleForReading, line)
        if isStuck { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        if isStuck { return .stuck }
        if process.terminationReason == .exit, process.terminationStatus == 0 { return .done }
        let text = String(decoding: (try? Data(contentsOf: errors)) ?? Data(), as: UTF8.self)
        return .crashed(trace(text) ?? "status \(process.terminationStatus)")
    }

    /// Passes lines on until the child closes its output.
    /// - Returns: whether the child was silent for too long.
    private static func read(_ output: FileHandle, _ line: ([String]) -> Void) -> Bool {
        var pending: [UInt8] = []
        while true {
            var wait = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, patience) != 0 else { return true }
            let data = output.availableData
            guard !data.isEmpty else { return false }
            pending += data
            let lines = pending.split(separator: 10, omittingEmptySubsequences: false)
            for complete in lines.dropLast() {
                line(String(decoding: complete, as: UTF8.self).components(separatedBy: "\t"))
            }
            pending = Array(lines.last ?? [])
        }
    }

    /// Returns the reason of a crash and the first frames.
    private static func trace(_ text: String) -> String? {
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let reasons = lines.filter { $0.contains("Fatal error") || $0.contains("Crash") }
        let frames = lines.filter { $0.first?.isNumber == true && $0.contains(" in ") }.prefix(14)
        let all = reasons + frames
        return all.isEmpty ? lines.suffix(3).joined(separator: " / ") : all.joined(separator: "\n    ")
    }
}
