// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The built `servertrust`, run as a process as users run it.
enum Tool {
    /// The exit status and the output of a run.
    struct Outcome {
        let status: Int32
        let output: Data
        let errors: String

        var text: String { String(decoding: output, as: UTF8.self) }
        var lines: [String] { text.split(separator: "\n").map(String.init) }

        /// Returns the report of `--format json`.
        func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            try JSONDecoder().decode(type, from: output)
        }
    }

    /// The program next to the test bundle in the build folder.
    static let url: URL = {
        let beside =
            [URL(fileURLWithPath: CommandLine.arguments[0])] + Bundle.allBundles.map(\.bundleURL)
            + [Bundle.main.bundleURL]
        let candidates = beside.flatMap { url in
            [
                url.appendingPathComponent("servertrust"),
                url.deletingLastPathComponent().appendingPathComponent("servertrust"),
            ]
        }
        return candidates.first { isFile($0) } ?? candidates[0]
    }()

    private static func isFile(_ url: URL) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) && !isDirectory.boolValue
    }

    /// Runs the tool to completion. Input and output go through files, so that no pipe can fill up.
    /// - Parameters:
    ///   - anchors: a file instead of the system's anchors, or nil for a system without anchors.
    ///   - variables: variables to add to the environment.
    static func run(
        _ arguments: [String], input: Data = Data(), anchors: URL? = nil, environment variables: [String: String] = [:],
        in current: URL? = nil
    ) throws -> Outcome {
        try TemporaryFolder.with { folder in
            let inputFile = try folder.write("input", input)
            let outputFile = try folder.write("output", Data())
            let errorFile = try folder.write("errors", Data())
            let process = Process()
            process.executableURL = url
            process.arguments = arguments
            process.environment = environment(anchors: anchors).merging(variables) { $1 }
            if let current { process.currentDirectoryURL = current }
            process.standardInput = try FileHandle(forReadingFrom: inputFile)
            process.standardOutput = try FileHandle(forWritingTo: outputFile)
            process.standardError = try FileHandle(forWritingTo: errorFile)
            try process.run()
            process.waitUntilExit()
            return Outcome(
                status: process.terminationStatus, output: try Data(contentsOf: outputFile),
                errors: String(decoding: try Data(contentsOf: errorFile), as: UTF8.self))
        }
    }

    /// Returns an environment where the tool can't find the machine's own anchors or upki filters.
    static func environment(anchors: URL?) -> [String: String] {
        var environment = ProcessInfo.processInfo.environment
        environment["SSL_CERT_DIR"] = nil
        environment["SSL_CERT_FILE"] = anchors?.path ?? "/nonexistent/anchors.pem"
        environment["SERVERTRUST_UPKI_CONFIG"] = ""
        return environment
    }
}

/// A folder for one test.
struct TemporaryFolder {
    let url: URL

    /// Creates a folder, runs `body`, and removes the folder.
    static func with<Result>(_ body: (TemporaryFolder) throws -> Result) throws -> Result {
        let folder = try make()
        defer { folder.remove() }
        return try body(folder)
    }

    /// Creates a folder for an asynchronous test, which removes it with ``remove()``.
    static func make() throws -> TemporaryFolder {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("servertrust-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return TemporaryFolder(url: url)
    }

    func remove() { try? FileManager.default.removeItem(at: url) }

    @discardableResult
    func write(_ name: String, _ data: Data) throws -> URL {
        let file = url.appendingPathComponent(name)
        try data.write(to: file)
        return file
    }
}
