// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustLab

/// Python's wsproto as a server on loopback (Tests/External/websocket_peer.py). It sends messages back.
final class WSProtoPeer: Sendable {
    let url: String
    private let process: Locked<Process?>
    private let input: FileHandle

    /// Whether Python has wsproto. Otherwise the tests are skipped and say so.
    static let isAvailable: Bool = {
        let process = python(["-c", "import wsproto"])
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    /// - Parameter parameters: the parameters of wsproto's PerMessageDeflate, as `name=value`, or `off`.
    init(_ certificates: LabCertificates, _ parameters: [String] = []) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("wsproto-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The server has read its files before it prints its port.
        defer { try? FileManager.default.removeItem(at: folder) }
        let (chain, key) = (folder.appendingPathComponent("chain.pem"), folder.appendingPathComponent("key.pem"))
        let texts = certificates.chain.map { PEM.encode($0.der, label: "CERTIFICATE") }
        try texts.joined().write(to: chain, atomically: true, encoding: .utf8)
        try certificates.key.pemRepresentation().write(to: key, atomically: true, encoding: .utf8)
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("External/websocket_peer.py")
        let process = Self.python([script.path, chain.path, key.path] + parameters)
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var text = ""
        while !text.hasSuffix("\n") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { break }
            text += String(decoding: data, as: UTF8.self)
        }
        guard let port = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw CocoaError(.fileReadUnknown)
        }
        url = "wss://\(certificates.host):\(port)/"
        self.process = Locked(process)
        self.input = input.fileHandleForWriting
    }

    deinit { stop() }

    /// Kills the process without waiting, because waiting would block a thread that other tests need.
    func stop() {
        process.withLock { process in
            if let process, process.isRunning { kill(process.processIdentifier, SIGKILL) }
            process = nil
        }
    }

    private static func python(_ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        return process
    }
}
