// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting

/// `openssl s_server`, with or without a staple.
final class StaplingServer: @unchecked Sendable {
    // Proof of sendability: the properties are constant, and the process is only started and killed.
    let url: String
    private let process: Process
    private let folder: URL

    struct NotStarted: Error {}

    static func start(_ site: Site, staple: [UInt8]?) async throws -> StaplingServer {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("stapling-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        func write(_ name: String, _ text: String) throws {
            try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
        }
        try write("leaf.pem", site.leaf.certificatePEM)
        try write("key.pem", site.leaf.key.pemRepresentation())
        try write("chain.pem", PEM.encode(site.intermediate.certificate.der, label: "CERTIFICATE"))
        if let staple { try Data(staple).write(to: folder.appendingPathComponent("staple.der")) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.currentDirectoryURL = folder
        process.arguments =
            ["openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", "leaf.pem", "-key", "key.pem", "-cert_chain"]
            + ["chain.pem", "-www"] + (staple == nil ? [] : ["-status_file", "staple.der"])
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        // `ACCEPT 127.0.0.1:40001`.
        var text = ""
        while !text.contains("ACCEPT ") || !text.hasSuffix("\n") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw NotStarted() }
            text += String(decoding: data, as: UTF8.self)
        }
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("ACCEPT ") }),
            let port = line.split(separator: ":").last.flatMap({ Int($0) })
        else { throw NotStarted() }
        return StaplingServer("https://localhost:\(port)/", process, folder)
    }

    private init(_ url: String, _ process: Process, _ folder: URL) {
        self.url = url
        self.process = process
        self.folder = folder
    }

    func stop() {
        kill(process.processIdentifier, SIGKILL)
        try? FileManager.default.removeItem(at: folder)
    }
}
