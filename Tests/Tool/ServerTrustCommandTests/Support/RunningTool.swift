// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The built `servertrust`, with a verb that runs until it receives a signal.
final class RunningTool {
    let process = Process()
    private let outputFile: URL
    private let errorFile: URL

    /// Starts the tool or another program, and waits until `isReady` returns true for its output or the program has
    /// ended.
    init(
        _ arguments: [String], in folder: TemporaryFolder, program: URL = Tool.url, until isReady: (String) -> Bool
    ) throws {
        let name = UUID().uuidString
        outputFile = try folder.write("output-\(name)", Data())
        errorFile = try folder.write("errors-\(name)", Data())
        process.executableURL = program
        process.arguments = arguments
        process.environment = Tool.environment(anchors: nil).merging(["TMPDIR": folder.url.path]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: outputFile)
        process.standardError = try FileHandle(forWritingTo: errorFile)
        try process.run()
        let deadline = Date(timeIntervalSinceNow: 60)
        while process.isRunning, !isReady(text) {
            guard Date() < deadline else { break }
            usleep(10_000)
        }
    }

    var text: String { (try? String(contentsOf: outputFile, encoding: .utf8)) ?? "" }
    var errors: String { (try? String(contentsOf: errorFile, encoding: .utf8)) ?? "" }

    /// Sends a signal and waits for the process to end.
    /// - Returns: the exit status, or nil if the signal ended the process.
    func stop(_ signal: Int32 = SIGTERM) -> Int32? {
        if process.isRunning { kill(process.processIdentifier, signal) }
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : nil
    }

    /// Ends a process that a failed test left running.
    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// Returns the first of 150 ports that are probably unused.
    static func portBase() -> Int { Int.random(in: 67...199) * 150 }
}
