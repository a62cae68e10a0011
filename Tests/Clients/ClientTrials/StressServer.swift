// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting
import ServerTrustURLSession

/// A server from Tests/External/stress_servers.py: a process that misbehaves in one way and ends when this process
/// ends.
final class StressServer: @unchecked Sendable {
    // Proof of sendability: the properties are constant, and a lock protects the handles.
    struct Counts: Decodable, Sendable {
        var connections: Int
        var requests: Int
        var posts: Int
        /// The bytes received after the handshake on connections whose certificate the client doesn't trust.
        var untrustedBytes: Int
    }

    struct NotStarted: Error {}

    let port: Int
    private let process: Process
    private let commands: FileHandle
    private let answers: FileHandle
    private let lock = NSLock()

    /// - Parameter other: the certificates of a server that the client doesn't trust.
    init(_ behavior: String, _ site: Site, other: Site? = nil) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("stress-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The server has read its files before it prints its port or an error.
        defer { try? FileManager.default.removeItem(at: folder) }
        func write(_ text: String, _ name: String) throws -> String {
            let file = folder.appendingPathComponent(name)
            try text.write(to: file, atomically: true, encoding: .utf8)
            return file.path
        }
        func files(_ site: Site, _ prefix: String) throws -> [String] {
            let chain = [site.leaf.certificate, site.intermediate.certificate]
                .map { PEM.encode($0.der, label: "CERTIFICATE") }.joined(separator: "\n")
            return [
                "--\(prefix)chain", try write(chain, "\(prefix)chain.pem"), "--\(prefix)key",
                try write(site.leaf.key.pemRepresentation(), "\(prefix)key.pem"),
            ]
        }
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("External/stress_servers.py")
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            try ["python3", script.path, behavior] + files(site, "") + (other.map { try files($0, "other-") } ?? [])
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        if !Feature.showsDetails { process.standardError = FileHandle.nullDevice }
        commands = input.fileHandleForWriting
        answers = output.fileHandleForReading
        try process.run()
        guard let port = Int(Self.line(answers)) else { throw NotStarted() }
        self.port = port
    }

    var counts: Counts {
        get throws { try send("counts") }
    }

    /// Closes every connection and rejects new ones until the outage ends.
    func beginOutage() throws { _ = try send("outage") }

    func endOutage() throws { _ = try send("back") }

    private func send(_ command: String) throws -> Counts {
        lock.lock()
        defer { lock.unlock() }
        try commands.write(contentsOf: Data("\(command)\n".utf8))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Counts.self, from: Data(Self.line(answers).utf8))
    }

    /// Returns the next line. The server writes only one until the next command.
    private static func line(_ handle: FileHandle) -> String {
        var text = ""
        while !text.hasSuffix("\n") {
            let data = handle.availableData
            guard !data.isEmpty else { break }
            text += String(decoding: data, as: UTF8.self)
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// A misbehaving server, and a client that keeps its connections to it.
struct StressScene: Sendable {
    let server: StressServer
    private let client: LastingClient

    init(
        _ kind: ClientKind, _ behavior: String, delegate: (any URLSessionDelegate)? = nil, other: Site? = nil,
        _ set: (inout Setup) -> Void = { _ in }
    ) throws {
        let site = try Site()
        server = try StressServer(behavior, site, other: other)
        var setup = Setup(anchors: [site.root.certificate])
        setup.timeout = 5
        setup.decodes = true
        set(&setup)
        client = try LastingClient(kind, setup, delegate: delegate)
    }

    func url(_ path: String) -> String { "https://localhost:\(server.port)\(path)" }

    @discardableResult
    func send(_ path: String = "/", _ set: (inout LastingClient.Request) -> Void = { _ in }) async throws -> Reply {
        var request = LastingClient.Request(url(path))
        set(&request)
        return try await client.send(request)
    }

    func read(_ path: String, by delegate: ReadingDelegate) async throws {
        try await client.read(url(path), by: delegate)
    }

    /// Sends requests at the same time and returns how many were answered.
    func answers(of count: Int) async -> Int {
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<count { group.addTask { (try? await send().status) == 200 } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }

    /// Whether at least one of three requests gets a response.
    func isReachable() async throws -> Bool {
        for _ in 0..<3 {
            if (try? await send().status) == 200 { return true }
            try await Task.sleep(for: .milliseconds(200))
        }
        return false
    }

    /// Waits until a connection is idle, so that the next request reuses it.
    func pause() async throws { try await Task.sleep(for: .milliseconds(200)) }
}

/// Waits for an operation, and cancels it when the time is up.
/// - Returns: whether the operation ended before the limit. An operation that can't be canceled continues.
@discardableResult
func ends(within limit: Duration, _ operation: @escaping @Sendable () async -> Void) async -> Bool {
    let hasEnded = Locked(false)
    let task = Task {
        await operation()
        hasEnded.withLock { $0 = true }
    }
    let deadline = ContinuousClock.now + limit
    while !hasEnded.withLock({ $0 }), ContinuousClock.now < deadline { try? await Task.sleep(for: .milliseconds(20)) }
    task.cancel()
    return hasEnded.withLock { $0 }
}
