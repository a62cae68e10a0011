// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The openssl program, which verifies the tool's files.
enum Openssl {
    static func run(_ arguments: [String]) throws -> (status: Int32, text: String) {
        try Process.run("/usr/bin/env", ["openssl"] + arguments)
    }

    /// Returns the port of `s_server -accept 127.0.0.1:0` from its output, or nil if it isn't listening yet.
    static func acceptedPort(in text: String) -> Int? {
        text.split(separator: "\n").first { $0.hasPrefix("ACCEPT 127.0.0.1:") }
            .flatMap { Int($0.dropFirst("ACCEPT 127.0.0.1:".count)) }
    }

    static func expectSuccess(_ arguments: [String]) throws {
        let outcome = try run(arguments)
        #expect(outcome.status == 0, "openssl \(arguments.joined(separator: " ")): \(outcome.text)")
    }
}

extension Process {
    /// Runs a program to completion. Output and errors go to one file, so that no pipe can fill up.
    static func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, text: String) {
        try TemporaryFolder.with { folder in
            let output = try folder.write("output", Data())
            let process = Process()
            process.executableURL = URL(fileURLWithPath: program)
            process.arguments = arguments
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = try FileHandle(forWritingTo: output)
            process.standardError = process.standardOutput
            try process.run()
            process.waitUntilExit()
            return (process.terminationStatus, String(decoding: try Data(contentsOf: output), as: UTF8.self))
        }
    }
}
