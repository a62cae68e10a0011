// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The `openssl` program, for tests that compare with it.
enum OpenSSL {
    static let isMissing: Bool = (try? run(["version"])) == nil

    struct Failure: Error {
        var status: Int32
    }

    /// The standard output of the program.
    static func run(_ arguments: [String], input: [UInt8] = []) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        let (standardInput, standardOutput) = (Pipe(), Pipe())
        process.standardInput = standardInput
        process.standardOutput = standardOutput
        process.standardError = FileHandle.nullDevice
        try process.run()
        // The input is smaller than a pipe's buffer, so writing before reading doesn't block.
        try standardInput.fileHandleForWriting.write(contentsOf: Data(input))
        try standardInput.fileHandleForWriting.close()
        let output = standardOutput.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
        return [UInt8](output)
    }
}
