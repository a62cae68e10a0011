// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import FoundationNetworking
import NIOCore
import PKIX
import PeerScripts
import ServerTrust
import ServerTrustHTTP
import ServerTrustTesting
import ServerTrustURLSession
import TrustScenes

@testable import ServerTrustLab

/// Sends many requests with one client, with cancellations and slow servers, and measures descriptors and heap.
struct Soak: Sendable {
    /// How the client reaches a server.
    enum Way: String, CaseIterable, Sendable {
        case http1, http2, connect, socks, session
        case sessionDelegate = "session-delegate"
        case sessionConnect = "session-connect"

        var isHTTP2: Bool { self == .http2 || client == .session }
        var client: ClientKind { [.session, .sessionDelegate, .sessionConnect].contains(self) ? .session : .trusted }
    }

    struct Finding: Error, CustomStringConvertible {
        let description: String
    }

    private static let lanes = 64
    private static let text = String(repeating: "0123456789abcdef", count: 64)
    private let way: Way
    private let requests: Int
    private var cancellations: Int { max(64, requests * 3 / 20) }
    private var slowServers: Int { max(8, requests / 100) }

    /// - Parameter requests: the number of requests. A full run has 20,000. For each 100 requests, there are 15
    ///   cancellations and one slow server.
    init(_ way: Way, requests: Int) {
        self.way = way
        self.requests = requests
    }

    /// Runs to completion.
    /// - Returns: the figures, in one line.
    /// - Throws: ``Finding`` if descriptors or memory grow, or a request fails.
    func run() async throws -> String {
        let site = try Site()
        let server = try await SoakServer.start(site, answering: Self.text)
        let proxy = try await LabProxy.start()
        var slow: [SilentServer] = []
        for _ in 0..<slowServers { slow.append(try await SilentServer.start()) }
        var setup = Setup(anchors: [site.root.certificate])
        setup.timeout = 20
        setup.allowsHTTP2 = way.isHTTP2
        setup.connections = 64
        switch way {
        case .http1, .http2, .session, .sessionDelegate: break
        case .connect, .sessionConnect: setup.proxy = .http(proxy.port)
        case .socks: setup.proxy = .socks(proxy.port)
        }
        // A first client opens the descriptors that stay open and allocates the memory that stays in use.
        do {
            let warm = try client(setup)
            try await send(200, warm, server.url)
            await warm.shutdown()
        }
        guard await Counted.comesDown({ server.counts.open == 0 }) else {
            throw Finding(description: "the first client left \(server.counts.open) connections open")
        }
        let descriptors = Counted.descriptors()
        // A session closes its connections when it is released.
        var sender: LastingClient? = try client(setup)
        let start = ContinuousClock.now
        var heap: [Int] = []
        for _ in 0..<5 {
            guard let sender else { break }
            try await send(requests / 5, sender, server.url)
            try await cancel(cancellations / 5, sender, server.url)
            // The same servers each time: a client keeps a pool for each of its servers, up to 256.
            await meet(slow, sender)
            heap.append(try await settledHeap())
        }
        let took = ContinuousClock.now - start
        await sender?.shutdown()
        sender = nil
        guard await Counted.comesDown({ Counted.descriptors() <= descriptors }) else {
            throw Finding(description: "\(descriptors) descriptors before, \(Counted.descriptors()) after")
        }
        let counts = server.counts
        guard counts.requests > requests, !way.isHTTP2 || counts.http2Requests > requests else {
            throw Finding(
                description: "\(counts.requests) requests arrived, \(counts.http2Requests) of them over HTTP/2")
        }
        // The first fifths warm up. A leak of a hundred bytes per request shows after 20,000 requests.
        let growth = min(heap[3], heap[4]) - max(heap[0], heap[1])
        guard growth < requests * 3 / 5 * 16 + 1 << 20 else {
            throw Finding(description: "the heap grew by \(growth) bytes: \(heap)")
        }
        let seconds = String(format: "%.1f", took / .seconds(1))
        return
            "\(way.rawValue): \(requests) requests, \(cancellations) canceled, \(slowServers) slow servers in \(seconds) s; \(counts.connections) connections; heap after each fifth \(heap.map { $0 >> 10 }) KiB; \(descriptors) descriptors before, \(Counted.descriptors()) after"
    }

    /// Returns the smallest size of the heap within two seconds. Connections and clients that have been closed are still
    /// in memory for a moment.
    private func settledHeap() async throws -> Int {
        var smallest = Counted.heapBytes() ?? 0
        for _ in 0..<20 {
            try await Task.sleep(for: .milliseconds(100))
            smallest = min(smallest, Counted.heapBytes() ?? 0)
        }
        return smallest
    }

    private func client(_ setup: Setup) throws -> LastingClient {
        try LastingClient(way.client, setup, delegate: way == .sessionDelegate ? AskedDelegate() : nil)
    }

    /// Sends requests, several at a time, and expects each whole answer.
    private func send(_ count: Int, _ sender: LastingClient, _ url: String) async throws {
        try await inLanes(count) { _ in
            let reply = try await sender.send(LastingClient.Request(url))
            guard reply.status == 200, reply.text == Self.text else {
                throw Finding(description: "an answer of \(reply.text.utf8.count) bytes with status \(reply.status)")
            }
        }
    }

    /// Sends requests and cancels each one at a different moment.
    private func cancel(_ count: Int, _ sender: LastingClient, _ url: String) async throws {
        try await inLanes(count) { number in
            let task = Task { try await sender.send(LastingClient.Request(url)) }
            try await Task.sleep(for: .microseconds(number * 37 % 3000))
            task.cancel()
            _ = try? await task.value
        }
    }

    /// Sends a concurrent request to each of these servers, which never answer the handshake.
    private func meet(_ servers: [SilentServer], _ sender: LastingClient) async {
        await withTaskGroup(of: Void.self) { group in
            for server in servers {
                group.addTask {
                    let request = LastingClient.Request("https://localhost:\(server.port)/")
                    let task = Task { try await sender.send(request) }
                    try? await Task.sleep(for: .milliseconds(300))
                    task.cancel()
                    _ = try? await task.value
                }
            }
        }
    }

    private func inLanes(_ count: Int, _ body: @escaping @Sendable (Int) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<Self.lanes {
                group.addTask {
                    for number in stride(from: lane, to: count, by: Self.lanes) { try await body(number) }
                }
            }
            try await group.waitForAll()
        }
    }
}
