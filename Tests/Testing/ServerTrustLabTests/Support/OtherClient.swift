// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrustLab

/// Other TLS clients, which run as processes and connect to a lab server.
enum OtherClient: String, CaseIterable, Sendable {
    case curl, openssl

    struct Outcome {
        let status: Int32
        let output: String
    }

    var url: URL { URL(fileURLWithPath: "/usr/bin/\(rawValue)") }

    /// Whether the programs are installed. Otherwise their tests are skipped and reported.
    static let areAvailable = allCases.allSatisfy { FileManager.default.isExecutableFile(atPath: $0.url.path) }

    /// Connects to the server by its host name, with only its anchors.
    /// - Returns: status 0 if the client trusts the server.
    func ask(_ server: LabServer, _ more: [String] = []) async throws -> Outcome {
        try await Self.inFolder { try await ask(server, more, in: $0) }
    }

    /// Runs `body` with a new folder, which is removed afterward.
    static func inFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lab-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }

    private func ask(_ server: LabServer, _ more: [String], in folder: URL) async throws -> Outcome {
        let anchors = folder.appendingPathComponent("anchors.pem")
        try Data(server.certificates.anchorsPEM.utf8).write(to: anchors)
        let arguments =
            switch self {
            case .curl:
                [
                    "--silent", "--show-error", "--max-time", "60", "--noproxy", "*", "--cacert", anchors.path,
                    "--capath", folder.path,
                    "--resolve", "\(server.host):\(server.port):\(server.address.rawValue)",
                    "--write-out", "\n%{http_code} HTTP/%{http_version}",
                ] + more + [server.url + "/"]
            case .openssl:
                [
                    "s_client", "-connect", "\(server.address.rawValue):\(server.port)", "-servername",
                    server.host.description, "-CAfile", anchors.path, "-no-CApath", "-no-CAstore",
                    "-verify_return_error", "-verify_hostname", server.host.description, "-brief",
                ] + more
            }
        return try await run(arguments, in: folder)
    }

    func run(_ arguments: [String], in folder: URL) async throws -> Outcome {
        let output = folder.appendingPathComponent("output")
        try Data().write(to: output)
        let handle = try FileHandle(forWritingTo: output)
        defer { try? handle.close() }
        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = handle
        process.standardError = handle
        // Doesn't block the thread, because the servers and other tests need it.
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in continuation.resume() }
            do {
                try process.run()
            } catch {
                process.terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
        return Outcome(
            status: process.terminationStatus,
            output: String(decoding: try Data(contentsOf: output), as: UTF8.self))
    }
}
