// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import ServerTrust
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrustURLSession

@Suite("Slow, silent, interrupted and misbehaving servers", .enabled(if: EchoServer.isAvailable))
struct LimitTests {
    private let server: EchoServer

    init() throws { server = try EchoServer.shared.get() }

    @Test("A server that doesn't answer within the configuration's or the request's limit causes a timeout")
    func silent() async throws {
        let session = try server.session { $0.timeoutIntervalForRequest = 0.3 }
        #expect(await session.failure(server.url("/silent?seconds=20"))?.code == .timedOut)
        var request = URLRequest(url: server.url("/silent?seconds=20"))
        request.timeoutInterval = 0.3
        let own = try server.session()
        #expect(await own.failure(request)?.code == .timedOut)
    }

    @Test("Arriving bytes reset the idle time limit, but not the whole task's time limit")
    func limits() {
        let seconds = Locked(0)
        let start = ContinuousClock.now
        let limits = TimeLimits(idle: .seconds(10), whole: .seconds(100)) {
            start.advanced(by: .seconds(seconds.withLock { $0 }))
        }
        func deadline(at second: Int, after change: () -> Void = {}) -> Duration {
            seconds.withLock { $0 = second }
            change()
            return limits.deadline - start
        }
        #expect(deadline(at: 0) == .seconds(10))
        #expect(deadline(at: 9) { limits.recordActivity() } == .seconds(19))
        // While a delegate answers, or even two at once, the idle time limit pauses.
        #expect(deadline(at: 15) { limits.pause() } == .seconds(100))
        #expect(deadline(at: 20) { limits.pause() } == .seconds(100))
        #expect(deadline(at: 30) { limits.resume() } == .seconds(100))
        #expect(deadline(at: 50) { limits.resume() } == .seconds(60))
        #expect(deadline(at: 95) { limits.recordActivity() } == .seconds(100))
        #expect(limits.remaining == .seconds(5))
        seconds.withLock { $0 = 200 }
        #expect(limits.remaining == .zero)
    }

    @Test("A server that occasionally sends a byte exceeds the resource's time limit, not the request's")
    func drip() async throws {
        let session = try server.session {
            $0.timeoutIntervalForRequest = 0.6
            $0.timeoutIntervalForResource = 1.5
        }
        #expect(await session.failure(server.url("/drip?pause=0.05"))?.code == .timedOut)
    }

    @Test(
        "A connection that ends early or doesn't use HTTP causes a connection error",
        arguments: [
            ("/close", [URLError.Code.networkConnectionLost]), ("/reset", [.networkConnectionLost]),
            ("/garbage", [.badServerResponse, .networkConnectionLost]),
        ])
    func ends(path: String, codes: [URLError.Code]) async throws {
        let session = try server.session()
        let error = try #require(await session.failure(server.url(path)))
        #expect(codes.contains(error.code), "\(error)")
    }

    @Test("A truncated response causes an error", arguments: ["http/1.1"])
    func truncated(version: String) async throws {
        try await SessionLab.with(
            .good,
            {
                $0.response = .truncated("half of")
                $0.protocols = [version]
            }
        ) { lab in
            let error = try await lab.failure()
            #expect(error?.code == .networkConnectionLost)
        }
    }

    @Test("A silent port, a closed port and an unknown name cause three different errors")
    func noServer() async throws {
        let listener = try SilentListener()
        defer { listener.close() }
        let session = try server.session { $0.timeoutIntervalForRequest = 0.5 }
        let silent = try #require(URL(string: "https://api.lab.test:\(listener.port)/"))
        #expect(await session.failure(silent)?.code == .timedOut)
        let patient = try server.session()
        // Only root can listen there.
        let closed = try #require(URL(string: "https://api.lab.test:1/"))
        let refused = try #require(await patient.failure(closed))
        #expect(refused.code == .cannotConnectToHost, "\(refused)")
        // The name needs a rule. Otherwise, the session doesn't look it up.
        let manager = try ServerTrustManager(evaluators: ["nowhere.invalid": DefaultTrustEvaluator()])
        let nowhere = try #require(URL(string: "https://nowhere.invalid/"))
        let listed = URLSession(
            configuration: URLSessionConfiguration.ephemeral.withServerTrust(
                ServerTrustConfiguration(manager), connectingTo: [:]))
        #expect(await listed.failure(nowhere)?.code == .cannotFindHost)
        #expect(await patient.failure(nowhere)?.serverTrustVerdict?.headline?.code == .hostNotListed)
    }

    @Test("A connection to a server that never answers the handshake ends with the last task that waits for it")
    func handshakeGivenUp() async throws {
        let listener = try SilentListener()
        defer { listener.close() }
        let url = try #require(URL(string: "https://api.lab.test:\(listener.port)/"))
        let session = try server.session { $0.httpMaximumConnectionsPerHost = 1 }
        let first = Task { await session.failure(url)?.code }
        let second = Task { await session.failure(url)?.code }
        let connection = try await listener.accept()
        let waiting = try #require(session.configuration as? ServerTrustSessionConfiguration).state.waiting
        let asked = ConnectionKey(origin: try #require(Origin(url: url.absoluteString)), delegate: nil)
        #expect(await Counted.comesDown { waiting.count(for: asked) == 2 })
        first.cancel()
        #expect(await first.value == .cancelled)
        #expect(connection.isOpen)
        second.cancel()
        #expect(await second.value == .cancelled)
        #expect(await Counted.comesDown { !connection.isOpen })
        // A task that starts after them doesn't wait for a connection that is never established.
        let third = Task { await session.failure(url)?.code }
        let next = try await listener.accept()
        #expect(next.isOpen)
        third.cancel()
        _ = await third.value
    }

    @Test("A task that is canceled before or during its request ends with -999")
    func cancelled() async throws {
        let session = try server.session()
        for delay in [0, 1, 50, 300] {
            let error: (any Error)? = await withCheckedContinuation { continuation in
                let task = session.dataTask(with: server.url("/silent?seconds=3")) { _, _, error in
                    continuation.resume(returning: error)
                }
                task.resume()
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(delay)) { task.cancel() }
            }
            #expect((error as? URLError)?.code == .cancelled)
        }
        let task = Task { try await session.data(from: server.url("/silent?seconds=3")) }
        try await Task.sleep(for: .milliseconds(100))
        task.cancel()
        await #expect { _ = try await task.value } throws: { ($0 as? URLError)?.code == .cancelled }
        #expect(try await session.text(server.url("/echo")).status == 200)
    }

    @Test("A task that is canceled while its delegate answers sends nothing, whatever the answer")
    func cancelledInChallenge() async throws {
        try await SessionLab.with { lab in
            let delegate = SlowDelegate()
            let session = try lab.session(delegate: delegate)
            let task = Task { try await session.data(from: lab.url) }
            #expect(await Counted.comesDown { delegate.isAsked })
            task.cancel()
            // The cancellation has arrived when the task ends.
            await #expect { _ = try await task.value } throws: { ($0 as? URLError)?.code == .cancelled }
            delegate.accept()
            try await Task.sleep(for: .milliseconds(300))
            #expect(lab.server.counts.requests == 0)
        }
    }

    @Test("The request's time limit pauses while the delegate answers")
    func thinking() async throws {
        try await SessionLab.with { lab in
            let delegate = SlowDelegate()
            let session = try lab.session(delegate: delegate) { $0.timeoutIntervalForRequest = 2 }
            async let status = session.text(lab.url).status
            #expect(await Counted.comesDown { delegate.isAsked })
            try await Task.sleep(for: .seconds(3))
            delegate.accept()
            #expect(try await status == 200)
        }
    }

    @Test("The time limits of other tasks for the same server pause while the delegate answers")
    func thinkingForOthers() async throws {
        try await SessionLab.with { lab in
            let delegate = SlowDelegate()
            let session = try lab.session(delegate: delegate) { $0.timeoutIntervalForRequest = 2 }
            async let first = session.text(lab.url).status
            #expect(await Counted.comesDown { delegate.isAsked })
            async let second = session.text(lab.url).status
            try await Task.sleep(for: .seconds(3))
            delegate.accept()
            #expect(try await [first, second] == [200, 200])
        }
    }

    @Test("A suspended task delivers its response after it is resumed")
    func suspended() async throws {
        let session = try server.session()
        let data: Data? = await withCheckedContinuation { continuation in
            let task = session.dataTask(with: server.url("/silent?seconds=0.2")) { data, _, _ in
                continuation.resume(returning: data)
            }
            task.resume()
            task.suspend()
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(700)) {
                #expect(task.state == .suspended)
                task.resume()
            }
        }
        #expect(try EchoServer.echo(#require(data)).method == "GET")
    }

    @Test("An invalidated session ends its tasks")
    func invalidated() async throws {
        let session = try server.session()
        let task = Task { try await session.data(from: server.url("/silent?seconds=3")) }
        // Foundation cancels only registered tasks, and it registers a task some time after its creation.
        var count = 0
        while count == 0 {
            count = await withCheckedContinuation { continuation in
                session.getAllTasks { continuation.resume(returning: $0.count) }
            }
        }
        session.invalidateAndCancel()
        await #expect { _ = try await task.value } throws: { ($0 as? URLError)?.code == .cancelled }
    }
}

/// Accepts connections and sends nothing.
private final class SilentListener {
    private var descriptor: Int32
    let port: Int

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = descriptor
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && listen(socket, 5) == 0 ? getsockname(socket, $0, &length) : -1
            }
        }
        guard status == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    /// Waits for a connection without blocking a thread that its clients need.
    func accept() async throws -> SilentConnection {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard await Counted.comesDown({ poll(&waiting, 1, 0) > 0 }) else { throw POSIXError(.ETIMEDOUT) }
        return SilentConnection(Foundation.accept(descriptor, nil, nil))
    }

    func close() {
        if descriptor >= 0 { _ = Foundation.close(descriptor) }
        descriptor = -1
    }
}

/// Reads all bytes and sends none.
private final class SilentConnection {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { _ = Foundation.close(descriptor) }

    /// Whether the peer still has the connection open.
    var isOpen: Bool {
        var bytes = [UInt8](repeating: 0, count: 4096)
        var count = bytes.count
        while count > 0 { count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT)) }
        return count < 0 && errno == EAGAIN
    }
}

/// Answers when the test calls `accept()`.
private final class SlowDelegate: NSObject, URLSessionDelegate {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var accepts = false
    }
    private let state = Locked(State())

    var isAsked: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Accepts all challenges, past and future.
    func accept() {
        let waiting = state.withLock { state in
            state.accepts = true
            return state.waiting
        }
        for answer in waiting { answer() }
    }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let credential = challenge.protectionSpace.serverTrust.map { URLCredential(trust: $0) }
        let accepts = state.withLock { state in
            state.waiting.append { completionHandler(.useCredential, credential) }
            return state.accepts
        }
        if accepts { completionHandler(.useCredential, credential) }
    }
}
