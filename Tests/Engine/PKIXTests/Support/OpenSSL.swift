// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import Testing

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

extension OpenSSL {
    /// The numbers of the errors that `openssl verify` finds in a chain, in order. Empty if it accepts the chain.
    static func errors(in chain: [Certificate], _ options: [String], host: String, at time: Time) throws -> [Int] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = try chain.enumerated().map { index, certificate in
            let file = folder.appendingPathComponent("\(index).pem")
            try Data(PEM.encode(certificate.der, label: "CERTIFICATE").utf8).write(to: file)
            return file.path
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["openssl", "verify"] + options
            + ["-no-CAfile", "-no-CApath", "-no-CAstore", "-CAfile", files[2], "-untrusted", files[1]]
            + ["-purpose", "sslserver", "-verify_hostname", host, "-attime", String(time.secondsSinceEpoch), files[0]]
        let output = Pipe()
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let errors = text.split(separator: "\n").filter { $0.hasPrefix("error ") }
            .compactMap { $0.split(separator: " ").dropFirst().first.flatMap { Int($0) } }
        #expect(errors.isEmpty == (process.terminationStatus == 0), "\(text)")
        return errors
    }
}
